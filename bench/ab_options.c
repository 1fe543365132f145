/* SPDX-License-Identifier: BSD-3-Clause */
/* ab_options.c - the command line of collective_ab. */
#include <config.h>

#include "bench/ab_options.h"

#include "hitop/text.h"

#include <string.h>

static const struct tool_option options[] = {
    {'O', "operations", "LIST",
     "bcast, barrier, reduce, allreduce, gather, scatter, allgather, alltoall,\nor some of them "
     "(bcast)"},
    {'o', "mode", "LIST", "how operations follow each other: rot, sync, b2b (sync)"},
    {'s', "sizes", "LIST", "of messages or blocks (1KiB,64KiB,1MiB)"},
    {'b', "blocks", "N", "pairs of blocks per size (11)"},
    {'t', "block-time", "TIME", "length of a block (5ms)"},
    {'r', "root", "RANK", "root where it is fixed (0)"},
    {'C', "cold", "SIZE", "walk through so much memory instead of one buffer"},
    {'L', "linked", NULL, "compare hitop_bcast() and so on, instead of MPI's names"},
    {'a', "alone", NULL,
     "high priority during blocks, real-time where every rank has a processor\n(may want root)"},
    {'k', "canary", "TIME",
     "round trip of two ranks when the machine is quiet, e.g. 275ns, or off\n(what it is at the "
     "start, and anew where it stays otherwise)"},
    {'c', "csv", NULL, "comma-separated output"},
};

struct tool ab_tool = {
    .name = "collective_ab",
    .synopsis = "[options]",
    .summary =
        "Compare MPI's collectives, preloaded, with PMPI's in alternating blocks (under mpirun).",
    .options = options,
    .noptions = sizeof(options) / sizeof(options[0]),
    .epilogue =
        "Example:\n  mpirun -n 2 -x LD_PRELOAD=libhitop_coll.so collective_ab -O bcast,barrier\n",
};

static const char *operation_name(size_t i)
{
    return hitop_operations()[i].name && !checked_is_known(&hitop_operations()[i])
               ? ""
               : hitop_operations()[i].name;
}

static const char *mode_name(size_t i)
{
    return i < BLOCK_NMODES ? block_mode_names[i] : NULL;
}

static enum hitop_status take(void *data, int letter, const char *argument, struct hitop_diag *diag)
{
    struct ab_settings *s = data;

    switch (letter) {
    case 'O':
        return lists_names(argument, s->is_operation, operation_name, diag);
    case 'o':
        return lists_names(argument, s->is_mode, mode_name, diag);
    case 's':
        return lists_sizes(argument, s->sizes, &s->nsizes, diag);
    case 'b':
        return hitop_text_int(argument, 1, MAX_BLOCKS, &s->blocks, diag);
    case 't':
        return hitop_text_seconds(argument, &s->block_seconds, diag);
    case 'r':
        return hitop_text_int(argument, 0, s->ranks - 1, &s->root, diag);
    case 'C':
        return hitop_text_size(argument, &s->cold, diag);
    case 'k':
        s->canary = -1;
        return strcmp(argument, "off") == 0 ? HITOP_OK
                                            : hitop_text_seconds(argument, &s->canary, diag);
    case 'L':
        s->linked = 1;
        return HITOP_OK;
    case 'a':
        s->alone = 1;
        return HITOP_OK;
    default:
        s->csv = 1;
        return HITOP_OK;
    }
}

int ab_options_parse(struct ab_settings *s, int argc, char **argv)
{
    const int status = tool_take_options(&ab_tool, argc, argv, take, s);

    return status == TOOL_DONE ? tool_no_operands(&ab_tool, argc, argv) : status;
}
