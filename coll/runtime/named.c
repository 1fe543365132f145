/* SPDX-License-Identifier: BSD-3-Clause */
/* named.c - names of algorithms, looked up. */
#include <config.h>

#include "named.h"

#include <string.h>

static const char *const modes[] = {[NAMED_COUNTS_PROPAGATED] = "propagated",
                                    [NAMED_COUNTS_BROADCAST] = "broadcast",
                                    [NAMED_COUNTS_KNOWN] = "known"};

static enum hitop_status set_counts(struct named *named, const char *value, struct hitop_diag *diag)
{
    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
        if (strcmp(modes[i], value) == 0) {
            named->counts = (enum named_counts)i;
            return HITOP_OK;
        }
    }
    return hitop_fail(diag, HITOP_ERR_NOTFOUND,
                      "counts cannot be '%.64s'; valid: propagated, broadcast, known", value);
}

enum hitop_status named_set(struct named *named, const char *what, const char *value,
                            struct hitop_diag *diag)
{
    const struct hitop_operation *operation;
    struct hitop_way way = {NULL, NULL};
    enum hitop_status status;

    if (strcmp(what, "counts") == 0) {
        return set_counts(named, value, diag);
    }
    status = hitop_operation_find(what, &operation, diag);
    if (status == HITOP_OK && strcmp(value, "auto") != 0) {
        status = hitop_way_find(operation, value, &way, diag);
    }
    if (status == HITOP_OK) {
        named->way[operation - hitop_operations()] = way;
        named->is_named[operation - hitop_operations()] = 1;
    }
    return status;
}

enum hitop_status named_read(struct named *named, const char *text, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    while (*text && status == HITOP_OK) {
        char part[128];
        const size_t length = strcspn(text, ",");
        char *equals;

        if (length >= sizeof(part)) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "'%.64s...' is too long", text);
        }
        memcpy(part, text, length);
        part[length] = '\0';
        equals = strchr(part, '=');
        if (!equals) {
            return hitop_fail(diag, HITOP_ERR_INVALID,
                              "'%s' is not OPERATION=ALGORITHM, such as bcast=ecef", part);
        }
        *equals = '\0';
        status = named_set(named, part, equals + 1, diag);
        text += length + (text[length] == ',');
    }
    return status;
}
