/* SPDX-License-Identifier: BSD-3-Clause */
/* disabled.c - the names of operations in HITOP_DISABLE. */
#include <config.h>

#include "coll/runtime/disabled.h"

#include <stdlib.h>
#include <string.h>

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
