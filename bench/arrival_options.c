/* SPDX-License-Identifier: BSD-3-Clause */
/* arrival_options.c - the command line of the bench of late ranks. */
#include <config.h>

#include "arrival_options.h"

#include "hitop/text.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static void usage(FILE *to)
{
    fputs(
        "Usage: mpirun -n N [-x LD_PRELOAD=libhitop_coll.so] arrival [OPTION]...\n"
        "What a collective takes when ranks come to it at different times.\n\n"
        "  -O, --operation NAME     bcast, barrier, reduce, allreduce, gather, scatter, allgather "
        "or\n"
        "                           alltoall (bcast)\n"
        "  -V, --variant NAME[:VARIABLE=VALUE,...]  another way to serve it, on a communicator of "
        "its\n"
        "                           own that is made in this environment; 'plain' is PMPI's. The "
        "first\n"
        "                           is what the others are compared with (plain and preloaded)\n"
        "  -L, --linked             variants call hitop_bcast() and so on, instead of MPI's names\n"
        "  -s, --sizes LIST         of messages or blocks (8,4KiB,64KiB)\n"
        "  -K, --intervals LIST     widths of arrival (0,20us,100us,500us,2ms)\n"
        "  -p, --patterns LIST      uniform, late-rank, late-node, late-leader, late-root, "
        "early-root,\n"
        "                           sorted, replay (uniform)\n"
        "  -f, --replay FILE        arrival times: a line for each call, of as many microseconds "
        "as\n"
        "                           there are ranks\n"
        "  -r, --root RANK          or 'rotating' (0)\n"
        "  -n, --calls N            in a block (100)\n"
        "  -b, --blocks N           of each variant, in turns (9)\n"
        "  -N, --per-node N         so many ranks of a host make a node, as with HITOP_VNODE "
        "(all)\n"
        "  -d, --delay HOW          compute, or sleep (compute where every rank has a processor)\n"
        "  -S, --seed NUMBER        of what is drawn (1)\n"
        "  -a, --alone              high priority during blocks (may want root)\n"
        "  -t, --compare-clocks     even where all ranks have one clock\n"
        "  -l, --label TEXT         first column of --csv, for launches side by side\n"
        "  -c, --csv                comma-separated output\n"
        "  -h, --help               print this help and exit\n",
        to);
}

static const char *pattern_name(size_t i)
{
    return i < PATTERN_COUNT ? pattern_names[i] : NULL;
}

static enum hitop_status take_variant(struct arrival_settings *s, struct hitop_diag *diag)
{
    if (s->nvariants == VARIANTS_MAX) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "there are %d already", VARIANTS_MAX);
    }
    return variant_parse(optarg, s->functions, &s->variants[s->nvariants++], diag);
}

static enum hitop_status take_operation(struct arrival_settings *s, struct hitop_diag *diag)
{
    enum hitop_status status = hitop_operation_find(optarg, &s->operation, diag);

    if (status == HITOP_OK && !checked_is_known(s->operation)) {
        status = hitop_fail(diag, HITOP_ERR_INVALID, "'%s' is none of those here", optarg);
    }
    return status;
}

static enum hitop_status take_word(int letter, struct arrival_settings *s, int size,
                                   struct hitop_diag *diag)
{
    if (letter == 'r' && strcmp(optarg, "rotating") == 0) {
        s->root = ROTATING;
        return HITOP_OK;
    }
    if (letter == 'r') {
        return hitop_text_int(optarg, 0, size - 1, &s->root, diag);
    }
    s->compute = strcmp(optarg, "compute") == 0;
    return s->compute || strcmp(optarg, "sleep") == 0
               ? HITOP_OK
               : hitop_fail(diag, HITOP_ERR_INVALID, "'%s' is neither compute nor sleep", optarg);
}

static enum hitop_status take(struct arrival_settings *s, int letter, int size,
                              struct hitop_diag *diag)
{
    switch (letter) {
    case 'O':
        return take_operation(s, diag);
    case 'V':
        return take_variant(s, diag);
    case 's':
        return lists_sizes(optarg, s->sizes, &s->nsizes, diag);
    case 'K':
        return lists_seconds(optarg, s->intervals, &s->nintervals, diag);
    case 'p':
        return lists_names(optarg, s->is_pattern, pattern_name, diag);
    case 'f':
        s->replay = optarg;
        return HITOP_OK;
    case 'r':
    case 'd':
        return take_word(letter, s, size, diag);
    case 'n':
        return hitop_text_int(optarg, 1, 1000000, &s->calls, diag);
    case 'b':
        return hitop_text_int(optarg, 1, ARRIVAL_BLOCKS, &s->blocks, diag);
    case 'N':
        return hitop_text_int(optarg, 1, size, &s->per_node, diag);
    case 'S':
        return hitop_text_int(optarg, 0, INT_MAX, &s->seed, diag);
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
        s->label = optarg;
        return HITOP_OK;
    case 'c':
        s->csv = 1;
        return HITOP_OK;
    default:
        return hitop_fail(diag, HITOP_ERR_INVALID, "wrong option, see --help");
    }
}

/* What is not asked for, and what does not go together. */
static enum hitop_status complete(struct arrival_settings *s, struct hitop_diag *diag)
{
    if (s->is_pattern[PATTERN_REPLAY] && !s->replay) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "--patterns replay wants --replay FILE");
    }
    if (s->nvariants == 0) {
        (void)variant_parse("plain", s->functions, &s->variants[s->nvariants++], NULL);
        (void)variant_parse("preloaded", s->functions, &s->variants[s->nvariants++], NULL);
    }
    for (int i = 0; i < s->nvariants; i++) {
        if (s->variants[i].by == &coll_functions_public) {
            s->variants[i].by = s->functions;
        }
    }
    return HITOP_OK;
}

int arrival_options_parse(struct arrival_settings *s, int argc, char **argv, int rank, int size)
{
    static const struct option options[] = {{"operation", required_argument, NULL, 'O'},
                                            {"variant", required_argument, NULL, 'V'},
                                            {"linked", no_argument, NULL, 'L'},
                                            {"sizes", required_argument, NULL, 's'},
                                            {"intervals", required_argument, NULL, 'K'},
                                            {"patterns", required_argument, NULL, 'p'},
                                            {"replay", required_argument, NULL, 'f'},
                                            {"root", required_argument, NULL, 'r'},
                                            {"calls", required_argument, NULL, 'n'},
                                            {"blocks", required_argument, NULL, 'b'},
                                            {"per-node", required_argument, NULL, 'N'},
                                            {"delay", required_argument, NULL, 'd'},
                                            {"seed", required_argument, NULL, 'S'},
                                            {"alone", no_argument, NULL, 'a'},
                                            {"compare-clocks", no_argument, NULL, 't'},
                                            {"label", required_argument, NULL, 'l'},
                                            {"csv", no_argument, NULL, 'c'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_status status = HITOP_OK;
    int c = 0;

    opterr = 0;
    while (status == HITOP_OK &&
           (c = getopt_long(argc, argv, "O:V:Ls:K:p:f:r:n:b:N:d:S:atl:ch", options, NULL)) != -1) {
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
    if (status == HITOP_OK) {
        status = complete(s, &diag);
    }
    if (status != HITOP_OK && rank == 0) {
        fprintf(stderr, "arrival: %s%s\n", lists_option(options, c), diag.message);
    }
    return status == HITOP_OK ? 0 : 2;
}
