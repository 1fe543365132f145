/* SPDX-License-Identifier: BSD-3-Clause */
/* disabled.c - the names of operations in HITOP_DISABLE. */
#include <config.h>

#include "disabled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Add the operation whose name is the first `length` bytes of `text`. */
static enum hitop_status add(unsigned *disabled, const char *text, int length,
                             struct hitop_diag *diag)
{
    const struct hitop_operation *operation;
    struct hitop_diag why = HITOP_DIAG_INIT;
    char name[64];

    (void)snprintf(name, sizeof(name), "%.*s", length, text);
    if (hitop_operation_find(name, &operation, &why) != HITOP_OK) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "HITOP_DISABLE: neither 0 nor 1, and %s",
                          why.message);
    }
    *disabled |= 1u << (operation - hitop_operations());
    return HITOP_OK;
}

enum hitop_status disabled_read(unsigned *out, struct hitop_diag *diag)
{
    const char *text = getenv("HITOP_DISABLE");
    enum hitop_status status = HITOP_OK;

    *out = 0;
    if (!text || !text[0] || strcmp(text, "0") == 0) {
        return HITOP_OK;
    }
    if (strcmp(text, "1") == 0) {
        *out = DISABLED_ALL;
        return HITOP_OK;
    }
    for (;;) {
        const size_t length = strcspn(text, ",");

        status = add(out, text, (int)length, diag);
        if (status != HITOP_OK) {
            *out = DISABLED_ALL;
        }
        if (status != HITOP_OK || text[length] == '\0') {
            return status;
        }
        text += length + 1;
    }
}
