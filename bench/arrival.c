/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arrival.c - what a collective takes when ranks come to it at different times.
 *
 * The benchmark of the paper on competitive broadcasts (its figure 11), with what it leaves to
 * chance: ranks start at an agreed time and each draws its own delays, the same for all variants;
 * when each really came and left is recorded, so that beside every figure stands the least that any
 * collective could have taken for just these arrivals. Data change and are looked at. Blocks of the
 * variants alternate; ratios are medians of block ratios.
 */
#include <config.h>

#include "bench/arrival_report.h"
#include "bench/busy.h"
#include "bench/leaders.h"
#include "bench/nodes.h"
#include "bench/one_clock.h"
#include "bench/quiet.h"
#include "tools/common/tool_mpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>

static int rank, size;

/* What is measured, and room for it. */
struct work {
    struct arrival_settings *s;
    struct pattern_setting pattern;
    struct replay replay;
    struct together ranks;
    struct quiet quiet;
    double lead;                 /* seconds to a start */
    double *came, *left;         /* [calls] of this rank */
    double *all_came, *all_left; /* [size][calls], of rank 0 */
    double *scratch;             /* [2 * size] */
    int *roots;                  /* [calls] */
    int *node_of, *first_of;     /* [size] */
    struct waits waits[VARIANTS_MAX][ARRIVAL_BLOCKS];
};

static void *get(size_t n, size_t bytes)
{
    void *memory = calloc(n, bytes);

    if (!memory) {
        fputs("arrival: out of memory\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 1);
        exit(EXIT_FAILURE);
    }
    return memory;
}

static struct waits run_block(struct work *w, struct variant *v)
{
    const int calls = w->s->calls;

    quiet_begin(&w->quiet);
    for (int i = 0; i < calls; i++) {
        const int root = w->roots[i];
        double start;

        checked_write(&v->data, i, root);
        start = together_start(&w->ranks, w->lead);
        one_clock_wait(start, MPI_COMM_WORLD);
        busy_delay(start, hitop_pattern_delay(&w->pattern, i, rank, root), w->s->compute);
        w->came[i] = one_clock_now();
        checked_call(&v->data, v->by, root);
        w->left[i] = one_clock_now();
        checked_look(&v->data, i, root);
    }
    quiet_end(&w->quiet, w->left[calls - 1] - w->came[0]);
    PMPI_Gather(w->came, calls, MPI_DOUBLE, w->all_came, calls, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    PMPI_Gather(w->left, calls, MPI_DOUBLE, w->all_left, calls, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank != 0) {
        return (struct waits){0};
    }
    return waits_of(w->s->operation, size, calls, w->all_came, w->all_left, w->roots, w->scratch);
}

static void compare(struct work *w, size_t bytes)
{
    const struct arrival_settings *s = w->s;
    double foreign;

    quiet_watch(&w->quiet);
    for (int b = 0; b < s->blocks; b++) {
        w->pattern.seed = (uint64_t)s->seed * ARRIVAL_BLOCKS + (uint64_t)b;
        for (int k = 0; k < s->nvariants; k++) {
            const int v = (b + k) % s->nvariants; /* the first one changes */
            w->waits[v][b] = run_block(w, &w->s->variants[v]);
        }
    }
    foreign = quiet_foreign(&w->quiet);
    if (rank == 0) {
        arrival_report(s, &w->pattern, bytes, w->waits, foreign);
    }
}

/* Nothing is late on one node when another should be. */
static int is_possible(const struct work *w, enum pattern p)
{
    if ((p == PATTERN_LATE_NODE || p == PATTERN_LATE_LEADER) && w->pattern.nodes < 2) {
        tool_error(&arrival_tool, "%s wants two nodes, see --per-node", hitop_pattern_names[p]);
        return 0;
    }
    return w->s->is_pattern[p];
}

static void compare_all(struct work *w)
{
    struct arrival_settings *s = w->s;

    for (int i = 0; i < s->nsizes; i++) {
        const size_t bytes = checked_length(s->operation, s->sizes[i]);
        for (int v = 0; v < s->nvariants; v++) {
            s->variants[v].data.bytes = bytes;
        }
        for (int k = 0; k < s->nintervals; k++) {
            w->pattern.interval = s->intervals[k];
            for (int p = 0; p < PATTERN_COUNT; p++) {
                w->pattern.pattern = (enum pattern)p;
                if (s->is_pattern[p] && is_possible(w, (enum pattern)p) &&
                    (p != PATTERN_REPLAY || k == 0)) { /* a file says how late by itself */
                    compare(w, bytes);
                }
            }
        }
    }
}

/* TOOL_DONE, or TOOL_BAD_INPUT after rank 0 has said why. */
static int read_replay(struct work *w)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int status = TOOL_DONE;

    if (w->s->replay && hitop_replay_read(w->s->replay, size, &w->replay, &diag) != HITOP_OK) {
        tool_error(&arrival_tool, "%s", diag.message);
        status = TOOL_BAD_INPUT;
    }
    PMPI_Allreduce(MPI_IN_PLACE, &status, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    w->pattern.replay = &w->replay;
    return status;
}

static void prepare(struct work *w)
{
    struct arrival_settings *s = w->s;
    const size_t calls = (size_t)s->calls, all = rank == 0 ? calls * (size_t)size : 1;
    size_t longest = 8;

    (void)prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0); /* short naps end in time */
    one_clock_init(MPI_COMM_WORLD, s->compare_clocks);
    together_init(&w->ranks, MPI_COMM_WORLD);
    quiet_init(&w->quiet, &w->ranks, s->alone, -1);
    w->node_of = get((size_t)size, sizeof(*w->node_of));
    w->first_of = get((size_t)size, sizeof(*w->first_of));
    w->pattern.nodes = nodes_find(MPI_COMM_WORLD, s->per_node, w->node_of, w->first_of);
    w->pattern.node_of = w->node_of;
    w->pattern.first_of = w->first_of;
    leaders_open(MPI_COMM_WORLD, w->pattern.nodes, w->node_of, w->first_of);
    s->compute = s->compute < 0 ? !w->ranks.oversubscribed : s->compute;
    quiet_begin(&w->quiet);
    (void)together_start(&w->ranks, 0);
    busy_calibrate();
    quiet_end(&w->quiet, 0);
    w->lead = together_lead(&w->ranks);
    w->pattern.ranks = size;
    w->came = get(calls, sizeof(*w->came));
    w->left = get(calls, sizeof(*w->left));
    w->all_came = get(all, sizeof(*w->all_came));
    w->all_left = get(all, sizeof(*w->all_left));
    w->scratch = get(2 * (size_t)size, sizeof(*w->scratch));
    w->roots = get(calls, sizeof(*w->roots));
    for (int i = 0; i < s->calls; i++) {
        w->roots[i] = s->root == ROTATING ? i % size : s->root;
    }
    for (int i = 0; i < s->nsizes; i++) {
        longest = s->sizes[i] > longest ? s->sizes[i] : longest;
    }
    for (int v = 0; v < s->nvariants; v++) {
        variant_open(&s->variants[v], s->operation, longest, MPI_COMM_WORLD);
    }
}

/* What was wrong, of all ranks. */
static unsigned long long finish(struct work *w)
{
    unsigned long long wrong = 0;

    for (int v = 0; v < w->s->nvariants; v++) {
        unsigned long long all = w->s->variants[v].data.wrong;
        PMPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
        if (all > 0) {
            tool_error(&arrival_tool, "%s: %llu places wrong", w->s->variants[v].name, all);
        }
        wrong += all;
        variant_close(&w->s->variants[v]);
    }
    leaders_close();
    together_fini(&w->ranks);
    one_clock_fini();
    hitop_replay_free(&w->replay);
    free(w->came);
    free(w->left);
    free(w->all_came);
    free(w->all_left);
    free(w->scratch);
    free(w->roots);
    free(w->node_of);
    free(w->first_of);
    return wrong;
}

int main(int argc, char **argv)
{
    static struct arrival_settings s = {.sizes = {8, 4096, 65536},
                                        .nsizes = 3,
                                        .intervals = {0, 20e-6, 100e-6, 500e-6, 2e-3},
                                        .nintervals = 5,
                                        .is_pattern[PATTERN_UNIFORM] = 1,
                                        .calls = 100,
                                        .blocks = 9,
                                        .seed = 1,
                                        .compute = -1,
                                        .label = "",
                                        .functions = &coll_functions_public};
    static struct work w = {.s = &s};
    unsigned long long wrong;
    int status;

    if (tool_help_or_version(&arrival_tool, argc, argv)) {
        return tool_finish(&arrival_tool);
    }
    rank = tool_mpi_start(&arrival_tool, &argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    s.ranks = size;
    s.operation = &hitop_operations()[HITOP_BCAST];
    status = arrival_options_parse(&s, argc, argv);
    status = status == TOOL_DONE ? read_replay(&w) : status;
    if (status != TOOL_DONE) {
        return tool_mpi_finish(status);
    }
    prepare(&w);
    if (rank == 0) {
        arrival_report_head(&s, size);
    }
    compare_all(&w);
    wrong = finish(&w);
    return tool_mpi_finish(wrong ? TOOL_FAILED : tool_finish(&arrival_tool));
}
