/* SPDX-License-Identifier: BSD-3-Clause */
/* named.c - parse names of algorithms and of disabled operations. */
#include <config.h>

#include "coll/runtime/named.h"

#include "hitop/cpm.h"
#include "hitop/text.h"

#include <stdlib.h>
#include <string.h>

static const char *const counts[] = {[NAMED_COUNTS_PROPAGATED] = "propagated",
                                     [NAMED_COUNTS_BROADCAST] = "broadcast",
                                     [NAMED_COUNTS_KNOWN] = "known",
                                     NULL};
static const char *const times[] = {[NAMED_LATER] = "later", [NAMED_NOW] = "now", NULL};

/* The index of a value in a list of names that NULL ends. */
static enum hitop_status find_value(const char *what, const char *const *names, const char *value,
                                    int *index, struct hitop_diag *diag)
{
    char valid[64] = "";

    for (int i = 0; names[i]; i++) {
        if (strcmp(names[i], value) == 0) {
            *index = i;
            return HITOP_OK;
        }
        hitop_text_list_name(valid, sizeof(valid), names[i]);
    }
    return hitop_fail(diag, HITOP_ERR_NOTFOUND, "%s cannot be '%.64s'; valid: %s", what, value,
                      valid);
}

static enum hitop_status set_counts(struct named *named, const char *value, struct hitop_diag *diag)
{
    int index = 0;
    const enum hitop_status status = find_value("counts", counts, value, &index, diag);

    named->counts = status == HITOP_OK ? (enum named_counts)index : named->counts;
    return status;
}

static enum hitop_status set_when(struct named *named, const char *value, struct hitop_diag *diag)
{
    int index = 0;
    const enum hitop_status status = find_value("choice", times, value, &index, diag);

    named->when = status == HITOP_OK ? (enum named_when)index : named->when;
    return status;
}

/* "twolevel" is not a plan: treat the operation as not named. */
static int is_twolevel(const char *value)
{
    return strcmp(value, "twolevel") == 0;
}

enum hitop_status hitop_named_set(struct named *named, const char *what, const char *value,
                                  struct hitop_diag *diag)
{
    const struct hitop_operation *operation;
    struct hitop_choice choice = {0};
    enum hitop_status status;

    if (strcmp(what, "counts") == 0) {
        return set_counts(named, value, diag);
    }
    if (strcmp(what, "choice") == 0) {
        return set_when(named, value, diag);
    }
    status = hitop_operation_find(what, &operation, diag);
    if (status == HITOP_OK && !is_twolevel(value) && strcmp(value, "auto") != 0) {
        status = hitop_choice_parse(operation, value, &choice, diag);
    }
    if (status == HITOP_OK) {
        named->choice[operation - hitop_operations()] = choice;
        named->is_said[operation - hitop_operations()] = !is_twolevel(value);
    }
    return status;
}

/*
 * The operation of a name of CPM, e.g. "Hockney_Scatter_dfs_binomial_min", which parameters may
 * follow; NULL: the part does not begin with such a name.
 */
static const char *operation_of_cpm(const char *part)
{
    struct hitop_cpm_name cpm;
    char name[128];
    const size_t length = strcspn(part, ":=");

    memcpy(name, part, length);
    name[length] = '\0';
    return part[length] != '=' && hitop_cpm_find(name, &cpm, NULL) == HITOP_OK && cpm.algorithm
               ? cpm.operation
               : NULL;
}

/* "bcast=ecef", or a name of CPM */
static enum hitop_status read_part(struct named *named, char *part, struct hitop_diag *diag)
{
    const char *const operation = operation_of_cpm(part);
    struct hitop_cpm_name cpm;
    char *equals = strchr(part, '=');

    if (operation) {
        return hitop_named_set(named, operation, part, diag);
    }
    if (!equals && hitop_cpm_find(part, &cpm, diag) == HITOP_ERR_UNSUPPORTED) {
        return HITOP_ERR_INVALID;
    }
    if (!equals) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "'%s' is not OPERATION=ALGORITHM, such as bcast=ecef", part);
    }
    *equals = '\0';
    return hitop_named_set(named, part, equals + 1, diag);
}

enum hitop_status hitop_named_read(struct named *named, const char *text, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    while (*text && status == HITOP_OK) {
        char part[128];
        const size_t length = strcspn(text, ",");

        if (length >= sizeof(part)) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "'%.64s...' is too long", text);
        }
        memcpy(part, text, length);
        part[length] = '\0';
        status = read_part(named, part, diag);
        text += length + (text[length] == ',');
    }
    return status;
}

unsigned hitop_named_operations(const struct named *named)
{
    unsigned bits = 0;

    for (unsigned o = 0; o < HITOP_NOPERATIONS; o++) {
        bits |= named->is_said[o] ? 1u << o : 0;
    }
    return bits;
}

enum hitop_status hitop_disabled_read(unsigned *out, struct hitop_diag *diag)
{
    const char *text = getenv("HITOP_DISABLE");
    struct hitop_diag why = HITOP_DIAG_INIT;

    *out = 0;
    if (!text || !text[0] || strcmp(text, "0") == 0) {
        return HITOP_OK;
    }
    if (strcmp(text, "1") == 0) {
        *out = DISABLED_ALL;
        return HITOP_OK;
    }
    if (hitop_operation_list(text, out, &why) != HITOP_OK) {
        *out = DISABLED_ALL;
        return hitop_fail(diag, HITOP_ERR_INVALID, "HITOP_DISABLE: neither 0 nor 1, and %s",
                          why.message);
    }
    return HITOP_OK;
}
