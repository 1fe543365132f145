/* SPDX-License-Identifier: BSD-3-Clause */
/* status.c - result codes as text. */
#include <config.h>

#include "hitop/status.h"

#include "src/one_line.h"

#include <stdarg.h>
#include <stdio.h>

const char *hitop_status_str(enum hitop_status status)
{
    switch (status) {
    case HITOP_OK:
        return "success";
    case HITOP_ERR_INVALID:
        return "invalid argument";
    case HITOP_ERR_NOMEM:
        return "out of memory";
    case HITOP_ERR_NOTFOUND:
        return "not found";
    case HITOP_ERR_UNSUPPORTED:
        return "not supported";
    case HITOP_ERR_MPI:
        return "MPI error";
    case HITOP_ERR_IO:
        return "input/output error";
    case HITOP_ERR_FORMAT:
        return "malformed input";
    case HITOP_ERR_CANCELLED:
        return "cancelled";
    }
    return "unknown status";
}

enum hitop_status hitop_fail(struct hitop_diag *diag, enum hitop_status status, const char *fmt,
                             ...)
{
    va_list args;

    if (!diag) {
        return status;
    }
    va_start(args, fmt);
    (void)vsnprintf(diag->message, sizeof(diag->message), fmt, args);
    va_end(args);
    one_line(diag->message);
    return status;
}
