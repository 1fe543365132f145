/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_stress_options.c - the command line of mpi_stress. */
#include <config.h>

#include "hitop/text.h"
#include "tests/mpi/mpi_stress.h"
#include "tools/check/check_names.h"

#include <limits.h>

static const struct tool_option options[] = {
    {'n', "calls", "N", "how many (2000)"},
    {'b', "bits", "N", "fewer than 2^N elements in a message or block, mostly few (13)"},
    {'d', "delay", "USEC", "ranks come up to this much late, 0: never (2000)"},
    {'o', "operations", "LIST", "only these, e.g. bcast,barrier"},
    {'t', "types", "LIST",
     "only these: char, int, double, pair, map, vector, indexed; the last three\n"
     "stand for each other on other ranks"},
    {'s', "stops", "N", "so many times a rank is stopped for a second (0)"},
    {'a', "all", NULL, "with MPICH, what that gets wrong by itself, too"},
    {'w', "patience", "SEC", "a call that lasts longer hangs (40)"},
};

struct tool stress_tool = {
    .name = "mpi_stress",
    .synopsis = "[options]",
    .summary = "Call collectives drawn at random (under mpirun) and look at every byte;\n"
               "HITOP_TEST_SEED=NUMBER repeats.",
    .options = options,
    .noptions = sizeof(options) / sizeof(options[0]),
};

static enum hitop_status take_list(const char *list, const char *(*name_at)(size_t),
                                   const char **out, struct hitop_diag *diag)
{
    size_t length;
    const char *wrong = check_unknown_name(list, name_at, &length);

    *out = list;
    return wrong ? hitop_fail(diag, HITOP_ERR_INVALID, "'%.*s' is none", (int)length, wrong)
                 : HITOP_OK;
}

static enum hitop_status take(void *data, int letter, const char *argument, struct hitop_diag *diag)
{
    struct stress_settings *s = data;

    switch (letter) {
    case 'n':
        return hitop_text_int(argument, 1, INT_MAX, &s->ncalls, diag);
    case 'b':
        return hitop_text_int(argument, 0, 22, &s->bits, diag);
    case 'd':
        return hitop_text_int(argument, 0, 10000000, &s->delay_us, diag);
    case 'o':
        return hitop_operation_list(argument, &s->operations, diag);
    case 't':
        return take_list(argument, check_types_name, &s->types, diag);
    case 's':
        return hitop_text_int(argument, 0, INT_MAX, &s->stops, diag);
    case 'w':
        return hitop_text_int(argument, 1, 86400, &s->patience, diag);
    default:
        s->all = 1;
        return HITOP_OK;
    }
}

int stress_options(struct stress_settings *s, int argc, char **argv)
{
    const int status = tool_take_options(&stress_tool, argc, argv, take, s);

    return status == TOOL_DONE ? tool_no_operands(&stress_tool, argc, argv) : status;
}
