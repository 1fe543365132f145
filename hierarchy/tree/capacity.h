/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAPACITY_H
#define CAPACITY_H

/* capacity.h - the attribute "capacity" of a group: a number within limits, or "unlimited". */

#include "hitop/text.h"

#include <math.h>
#include <string.h>

#define CAPACITY_MIN 1e-6
#define CAPACITY_MAX 1e9

/* Concurrent messages do not slow each other. */
#define CAPACITY_UNLIMITED "unlimited"

/* INFINITY for "unlimited". HITOP_ERR_INVALID: the message completes "capacity ...". */
static inline enum hitop_status capacity_read(const char *text, double *out,
                                              struct hitop_diag *diag)
{
    struct hitop_diag why = HITOP_DIAG_INIT;
    enum hitop_status status = HITOP_OK;

    if (strcmp(text, CAPACITY_UNLIMITED) == 0) {
        *out = INFINITY;
    } else {
        status = hitop_text_ratio(text, CAPACITY_MIN, CAPACITY_MAX, out, &why);
    }
    return status == HITOP_OK ? status
                              : hitop_fail(diag, status, "%s, or " CAPACITY_UNLIMITED, why.message);
}

#endif /* CAPACITY_H */
