/* SPDX-License-Identifier: BSD-3-Clause */
/* refine_options.c - the options for measuring between hosts. */
#include <config.h>

#include "tools/generate/refine.h"

#include "models/discover/discovery.h"

#include "hitop/text.h"

enum { O_FIRST = 2000, O_MEASURE = O_FIRST, O_STEP, O_BUDGET, O_STRICT, O_END };

static const struct tool_option own[] = {
    {O_MEASURE, "measure", NULL, "confirm, split and merge groups by the latency between hosts"},
    {O_STEP, "measure-step", "X", "latencies that differ by this factor make groups (1.1)"},
    {O_BUDGET, "measure-budget", "TIME", "time for all measurements together (60s)"},
    {O_STRICT, "strict", NULL, "exit with status 4 if --measure leaves decisions open"},
};

size_t refine_options_add(struct tool_option *options, size_t n, size_t max)
{
    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]) && n < max; i++) {
        options[n++] = own[i];
    }
    return n;
}

void refine_options_begin(struct refine_request *request)
{
    struct hitop_discover_options options;

    hitop_discover_defaults(&options);
    *request = (struct refine_request){.step = options.step, .budget = options.budget};
}

int refine_options_take(struct refine_request *request, const struct tool *tool, int letter,
                        const char *argument, int *status)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_status read = HITOP_OK;

    if (letter < O_FIRST || letter >= O_END) {
        return 0;
    }
    request->is_wanted = request->is_wanted || letter != O_STRICT;
    request->is_strict = request->is_strict || letter == O_STRICT;
    if (letter == O_STEP) {
        read = hitop_text_double(argument, 1.01, 100, &request->step, &diag);
    } else if (letter == O_BUDGET) {
        read = hitop_text_seconds(argument, &request->budget, &diag);
        if (read == HITOP_OK && !(request->budget > 0)) {
            read = hitop_fail(&diag, HITOP_ERR_INVALID, "'%s' must be more than 0", argument);
        }
    }
    *status = read == HITOP_OK
                  ? TOOL_DONE
                  : tool_bad_option(tool, letter == O_STEP ? "--measure-step" : "--measure-budget",
                                    &diag);
    return 1;
}
