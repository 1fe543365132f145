/* SPDX-License-Identifier: BSD-3-Clause */
/* arrival_options.c - the command line of the bench of late ranks. */
#include <config.h>

#include "bench/arrival_options.h"

#include "hitop/text.h"

#include <limits.h>
#include <string.h>

static const struct tool_option options[] = {
    {'O', "operation", "NAME",
     "bcast, barrier, reduce, allreduce, gather, scatter, allgather or alltoall\n(bcast)"},
    {'v', "variant", "NAME[:VARIABLE=VALUE,...]",
     "another way to serve it, on a communicator of its own that is made in\n"
     "this environment; 'plain' is PMPI's, 'leaders' a broadcast of two levels by\n"
     "MPI_Send and, on each node, MPI_Bcast. The first is what the others are\n"
     "compared with (plain and preloaded)"},
    {'L', "linked", NULL, "variants call hitop_bcast() and so on, instead of MPI's names"},
    {'s', "sizes", "LIST", "of messages or blocks (8,4KiB,64KiB)"},
    {'K', "intervals", "LIST", "widths of arrival (0,20us,100us,500us,2ms)"},
    {'p', "patterns", "LIST",
     "uniform, late-rank, late-node, late-leader, late-root, early-root,\nsorted, replay "
     "(uniform)"},
    {'f', "replay", "FILE",
     "arrival times: a line for each call, of as many microseconds as there\nare ranks"},
    {'r', "root", "RANK", "or 'rotating' (0)"},
    {'n', "calls", "N", "in a block (100)"},
    {'b', "blocks", "N", "of each variant, in turns (9)"},
    {'N', "per-node", "N", "so many ranks of a host make a node, as with HITOP_VNODE (all)"},
    {'d', "delay", "HOW", "compute, or sleep (compute where every rank has a processor)"},
    {'S', "seed", "NUMBER", "of what is drawn (1)"},
    {'a', "alone", NULL, "high priority during blocks (may want root)"},
    {'t', "compare-clocks", NULL, "even where all ranks have one clock"},
    {'l', "label", "TEXT", "first column of --csv, for launches side by side"},
    {'c', "csv", NULL, "comma-separated output"},
};

struct tool arrival_tool = {
    .name = "arrival",
    .synopsis = "[options]",
    .summary = "What a collective takes when ranks come to it at different times (under mpirun).",
    .options = options,
    .noptions = sizeof(options) / sizeof(options[0]),
    .epilogue = "Example:\n  mpirun -n 2 -x LD_PRELOAD=libhitop_coll.so arrival -K 500us\n",
};

static const char *pattern_name(size_t i)
{
    return i < PATTERN_COUNT ? hitop_pattern_names[i] : NULL;
}

static enum hitop_status take_variant(struct arrival_settings *s, const char *argument,
                                      struct hitop_diag *diag)
{
    if (s->nvariants == VARIANTS_MAX) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "there are %d already", VARIANTS_MAX);
    }
    return variant_parse(argument, s->functions, &s->variants[s->nvariants++], diag);
}

static enum hitop_status take_operation(struct arrival_settings *s, const char *argument,
                                        struct hitop_diag *diag)
{
    enum hitop_status status = hitop_operation_find(argument, &s->operation, diag);

    if (status == HITOP_OK && !checked_is_known(s->operation)) {
        status = hitop_fail(diag, HITOP_ERR_INVALID, "'%s' is none of those here", argument);
    }
    return status;
}

static enum hitop_status take_word(int letter, struct arrival_settings *s, const char *argument,
                                   struct hitop_diag *diag)
{
    if (letter == 'r' && strcmp(argument, "rotating") == 0) {
        s->root = ROTATING;
        return HITOP_OK;
    }
    if (letter == 'r') {
        return hitop_text_int(argument, 0, s->ranks - 1, &s->root, diag);
    }
    s->compute = strcmp(argument, "compute") == 0;
    return s->compute || strcmp(argument, "sleep") == 0
               ? HITOP_OK
               : hitop_fail(diag, HITOP_ERR_INVALID, "'%s' is neither compute nor sleep", argument);
}

static enum hitop_status take(void *data, int letter, const char *argument, struct hitop_diag *diag)
{
    struct arrival_settings *s = data;

    switch (letter) {
    case 'O':
        return take_operation(s, argument, diag);
    case 'v':
        return take_variant(s, argument, diag);
    case 's':
        return lists_sizes(argument, s->sizes, &s->nsizes, diag);
    case 'K':
        return lists_seconds(argument, s->intervals, &s->nintervals, diag);
    case 'p':
        return lists_names(argument, s->is_pattern, pattern_name, diag);
    case 'f':
        s->replay = argument;
        return HITOP_OK;
    case 'r':
    case 'd':
        return take_word(letter, s, argument, diag);
    case 'n':
        return hitop_text_int(argument, 1, 1000000, &s->calls, diag);
    case 'b':
        return hitop_text_int(argument, 1, ARRIVAL_BLOCKS, &s->blocks, diag);
    case 'N':
        return hitop_text_int(argument, 1, s->ranks, &s->per_node, diag);
    case 'S':
        return hitop_text_int(argument, 0, INT_MAX, &s->seed, diag);
    case 'L':
        s->functions = &coll_functions_hitop;
        return HITOP_OK;
    case 'a':
        s->alone = 1;
        return HITOP_OK;
    case 't':
        s->compare_clocks = 1;
        return HITOP_OK;
    case 'l':
        s->label = argument;
        return HITOP_OK;
    default:
        s->csv = 1;
        return HITOP_OK;
    }
}

/* What is not asked for. */
static void complete(struct arrival_settings *s)
{
    if (s->nvariants == 0) {
        (void)variant_parse("plain", s->functions, &s->variants[s->nvariants++], NULL);
        (void)variant_parse("preloaded", s->functions, &s->variants[s->nvariants++], NULL);
    }
    for (int i = 0; i < s->nvariants; i++) { /* --linked may have come after them */
        if (s->variants[i].by == &coll_functions_public) {
            s->variants[i].by = s->functions;
        }
    }
}

int arrival_options_parse(struct arrival_settings *s, int argc, char **argv)
{
    int status = tool_take_options(&arrival_tool, argc, argv, take, s);

    status = status == TOOL_DONE ? tool_no_operands(&arrival_tool, argc, argv) : status;
    if (status == TOOL_DONE && s->is_pattern[PATTERN_REPLAY] && !s->replay) {
        tool_error(&arrival_tool, "--patterns replay wants --replay FILE");
        status = TOOL_USAGE;
    }
    complete(s);
    for (int i = 0; i < s->nvariants && status == TOOL_DONE; i++) {
        if (strcmp(s->variants[i].name, "leaders") == 0 &&
            s->operation != &hitop_operations()[HITOP_BCAST]) {
            tool_error(&arrival_tool, "--variant leaders is a broadcast, not %s",
                       s->operation->name);
            status = TOOL_USAGE;
        }
    }
    return status;
}
