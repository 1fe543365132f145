/* SPDX-License-Identifier: BSD-3-Clause */
/* file_dot.c - a DOT file or standard input. */
#include <config.h>

#include "hierarchy/dot/dot_impl.h"

#include "hitop/input.h"

#include <stdlib.h>

enum hitop_status hitop_dot_read(const char *path, const struct hitop_dot_job *job,
                                 struct hitop_hierarchy **out, struct hitop_diag *diag)
{
    char *text = NULL;
    size_t length = 0;
    enum hitop_status status = hitop_input_read(path, &text, &length, diag);

    *out = NULL;
    if (status == HITOP_OK) {
        status = hitop_dot_parse(hitop_input_name(path), text, length, job, out, diag);
    }
    free(text);
    return status;
}
