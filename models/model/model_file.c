/* SPDX-License-Identifier: BSD-3-Clause */
/* model_file.c - a model file or standard input. */
#include <config.h>

#include "hitop/input.h"
#include "hitop/model.h"

#include <stdlib.h>

enum hitop_status hitop_model_read(const char *path, struct hitop_model **out,
                                   struct hitop_diag *diag)
{
    char *text = NULL;
    size_t length = 0;
    enum hitop_status status = hitop_input_read(path, &text, &length, diag);

    *out = NULL;
    if (status == HITOP_OK) {
        status = hitop_model_parse(hitop_input_name(path), text, length, out, diag);
    }
    free(text);
    return status;
}
