/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_stress_options.c - the command line of mpi_stress. */
#include <config.h>

#include "check_names.h"
#include "hitop/text.h"
#include "mpi_stress.h"

#include <getopt.h>
#include <limits.h>
#include <stdio.h>

static void usage(FILE *to)
{
    fputs("Usage: mpirun -n N [-x LD_PRELOAD=libhitop_coll.so] mpi_stress [OPTION]...\n"
          "Call collectives drawn at random and look at every byte. HITOP_TEST_SEED=NUMBER "
          "repeats.\n\n"
          "  -n, --calls N         how many (2000)\n"
          "  -b, --bits N          fewer than 2^N elements in a message or block, mostly few (13)\n"
          "  -d, --delay USEC      ranks come up to this much late, 0: never (2000)\n"
          "  -o, --operations LIST only these, e.g. bcast,barrier\n"
          "  -t, --types LIST      only these: char, int, double, pair, map, vector, indexed; the\n"
          "                        last three stand for each other on other ranks\n"
          "  -a, --all             with MPICH, what that gets wrong by itself, too\n"
          "  -w, --patience SEC    a call that lasts longer hangs (40)\n"
          "  -h, --help            print this help and exit\n",
          to);
}

static const char *operation_name(size_t i)
{
    return hitop_operations()[i].name;
}

static int are_known(const char *list, const char *(*name_at)(size_t))
{
    size_t length;

    return !check_unknown_name(list, name_at, &length);
}

int stress_options(struct stress_settings *s, int argc, char **argv, int rank)
{
    static const struct option options[] = {
        {"calls", required_argument, NULL, 'n'}, {"bits", required_argument, NULL, 'b'},
        {"delay", required_argument, NULL, 'd'}, {"operations", required_argument, NULL, 'o'},
        {"types", required_argument, NULL, 't'}, {"patience", required_argument, NULL, 'w'},
        {"help", no_argument, NULL, 'h'},        {NULL, 0, NULL, 0}};
    int c, ok = 1;

    opterr = rank == 0;
    while (ok && (c = getopt_long(argc, argv, "n:b:d:o:t:aw:h", options, NULL)) != -1) {
        switch (c) {
        case 'n':
            ok = hitop_text_int(optarg, 1, INT_MAX, &s->ncalls, NULL) == HITOP_OK;
            break;
        case 'b':
            ok = hitop_text_int(optarg, 0, 22, &s->bits, NULL) == HITOP_OK;
            break;
        case 'd':
            ok = hitop_text_int(optarg, 0, 10000000, &s->delay_us, NULL) == HITOP_OK;
            break;
        case 'o':
            s->operations = optarg;
            ok = are_known(optarg, operation_name);
            break;
        case 't':
            s->types = optarg;
            ok = are_known(optarg, check_types_name);
            break;
        case 'a':
            s->all = 1;
            break;
        case 'w':
            ok = hitop_text_int(optarg, 1, 86400, &s->patience, NULL) == HITOP_OK;
            break;
        case 'h':
            if (rank == 0) {
                usage(stdout);
            }
            return 1;
        default:
            ok = 0;
        }
    }
    if ((!ok || optind != argc) && rank == 0) {
        usage(stderr);
    }
    return ok && optind == argc ? 0 : 2;
}
