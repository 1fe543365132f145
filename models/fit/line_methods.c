/* SPDX-License-Identifier: BSD-3-Clause */
/* line_methods.c - the ways to draw a line through points, by name. */
#include <config.h>

#include "models/fit/estimate.h"

#include "hitop/text.h"

#include <string.h>

static const struct hitop_line_method methods[] = {
    {"two-ends", "latency from short messages, bandwidth from long ones", hitop_line_two_ends},
    {"robust", "all sizes, whatever a few bad ones are", hitop_line_robust},
    {"bisquare", "all sizes, those far from the others for nothing", hitop_line_bisquare},
    {"least-squares", "all sizes, each as well as it is known", hitop_line_least_squares},
    {"ordinary", "all sizes alike, as in a spreadsheet", hitop_line_ordinary},
    {"two-point", "the smallest and the largest size", hitop_line_two_point},
};

enum { NMETHODS = sizeof(methods) / sizeof(methods[0]) };

const struct hitop_line_method *hitop_line_method(size_t index)
{
    return index < NMETHODS ? &methods[index] : NULL;
}

enum hitop_status hitop_line_method_find(const char *name, const struct hitop_line_method **out,
                                         struct hitop_diag *diag)
{
    char valid[256] = "";

    *out = NULL;
    for (size_t i = 0; i < NMETHODS; i++) {
        if (strcmp(methods[i].name, name) == 0) {
            *out = &methods[i];
            return HITOP_OK;
        }
        hitop_text_list_name(valid, sizeof(valid), methods[i].name);
    }
    return hitop_fail(diag, HITOP_ERR_NOTFOUND, "no line is called '%s'; valid: %s", name, valid);
}
