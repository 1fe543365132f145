/* SPDX-License-Identifier: BSD-3-Clause */
/* ab_options.c - the command line of collective_ab. */
#include <config.h>

#include "ab_options.h"

#include "hitop/text.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

static void usage(FILE *to)
{
    fputs("Usage: mpirun -n N [-x LD_PRELOAD=libhitop_coll.so] collective_ab [OPTION]...\n"
          "Compare MPI's collectives, preloaded, with PMPI's in alternating blocks.\n\n"
          "  -O, --operations LIST    bcast,barrier,reduce,allreduce,gather,scatter,allgather,\n"
          "                           alltoall, or some of them (bcast)\n"
          "  -o, --mode LIST          how operations follow each other: rot, sync, b2b (sync)\n"
          "  -s, --sizes LIST         of messages or blocks, e.g. 1,64KiB,1MiB\n"
          "  -b, --blocks N           pairs of blocks per size (11)\n"
          "  -t, --block-time TIME    length of a block (5ms)\n"
          "  -r, --root RANK          root where it is fixed (0)\n"
          "  -C, --cold SIZE          walk through so much memory instead of one buffer\n"
          "  -L, --linked             compare hitop_bcast() and so on, instead of MPI's names\n"
          "  -a, --alone              high priority during blocks, real-time where every rank has\n"
          "                           a processor (may want root)\n"
          "  -k, --canary TIME        round trip of two ranks when the machine is quiet, e.g. "
          "275ns;\n"
          "                           off: no canary (what it is at the start)\n"
          "  -c, --csv                comma-separated output\n"
          "  -h, --help               print this help and exit\n",
          to);
}

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

static enum hitop_status take(struct ab_settings *s, int letter, int size, struct hitop_diag *diag)
{
    switch (letter) {
    case 'O':
        return lists_names(optarg, s->is_operation, operation_name, diag);
    case 'o':
        return lists_names(optarg, s->is_mode, mode_name, diag);
    case 's':
        return lists_sizes(optarg, s->sizes, &s->nsizes, diag);
    case 'b':
        return hitop_text_int(optarg, 1, MAX_BLOCKS, &s->blocks, diag);
    case 't':
        return hitop_text_seconds(optarg, &s->block_seconds, diag);
    case 'r':
        return hitop_text_int(optarg, 0, size - 1, &s->root, diag);
    case 'C':
        return hitop_text_size(optarg, &s->cold, diag);
    case 'k':
        s->canary = -1;
        return strcmp(optarg, "off") == 0 ? HITOP_OK : hitop_text_seconds(optarg, &s->canary, diag);
    case 'L':
        s->linked = 1;
        return HITOP_OK;
    case 'a':
        s->alone = 1;
        return HITOP_OK;
    case 'c':
        s->csv = 1;
        return HITOP_OK;
    default:
        return hitop_fail(diag, HITOP_ERR_INVALID, "wrong option, see --help");
    }
}

int ab_options_parse(struct ab_settings *s, int argc, char **argv, int rank, int size)
{
    static const struct option options[] = {{"operations", required_argument, NULL, 'O'},
                                            {"mode", required_argument, NULL, 'o'},
                                            {"sizes", required_argument, NULL, 's'},
                                            {"blocks", required_argument, NULL, 'b'},
                                            {"block-time", required_argument, NULL, 't'},
                                            {"root", required_argument, NULL, 'r'},
                                            {"cold", required_argument, NULL, 'C'},
                                            {"canary", required_argument, NULL, 'k'},
                                            {"linked", no_argument, NULL, 'L'},
                                            {"alone", no_argument, NULL, 'a'},
                                            {"csv", no_argument, NULL, 'c'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_status status = HITOP_OK;
    int c = 0;

    opterr = 0;
    while (status == HITOP_OK &&
           (c = getopt_long(argc, argv, "O:o:s:b:t:r:C:k:Lach", options, NULL)) != -1) {
        if (c == 'h') {
            if (rank == 0) {
                usage(stdout);
            }
            return 1;
        }
        status = take(s, c, size, &diag);
    }
    if (status == HITOP_OK && optind != argc) {
        status = hitop_fail(&diag, HITOP_ERR_INVALID, "'%s' is no option", argv[optind]);
    }
    if (status != HITOP_OK && rank == 0) {
        fprintf(stderr, "collective_ab: %s%s\n", lists_option(options, c), diag.message);
    }
    return status == HITOP_OK ? 0 : 2;
}
