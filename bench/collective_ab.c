/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collective_ab.c - two ways of a collective side by side in one launch.
 *
 * A is PMPI_Bcast() and so on, the MPI library's own; B is MPI_Bcast(), which is libhitop_coll.so's
 * when that is preloaded, or hitop_bcast() on request. Blocks of A and B alternate, and the verdict
 * is the median over block pairs of B/A: what disturbs the machine for longer than a block disturbs
 * both. Data change and are looked at, see checked.h; a canary refuses blocks that others
 * disturbed, see quiet.h; the modes are in block.h.
 */
#include <config.h>

#include "bench/ab_options.h"
#include "bench/one_clock.h"
#include "bench/quiet.h"
#include "models/fit/quantile.h"
#include "tools/common/tool_mpi.h"

#include <stdint.h>
#include <stdio.h>

enum { WAYS = 2, RETRIES = 30 };

static int rank, size;
static const struct coll_functions *ways[WAYS] = {&coll_functions_plain, &coll_functions_public};

/* What one row says. */
struct row {
    double seconds[WAYS][MAX_BLOCKS], ratio[MAX_BLOCKS], trip[MAX_BLOCKS], foreign;
    int blocks, noisy;
};

/* A block that others did not disturb, in so many trials; else the last one, which *noisy counts.
 */
static double run_quietly(const struct ab_settings *s, const struct block *block, struct checked *c,
                          const struct coll_functions *by, struct quiet *q, int *noisy)
{
    double seconds = -1;
    int is_quiet = 0;

    for (int i = 0; i < RETRIES && !is_quiet; i++) {
        quiet_begin(q);
        is_quiet = quiet_is(q);
        seconds = block_run(block, c, q->ranks, by);
        is_quiet = quiet_is(q) && is_quiet;
        quiet_end(q, s->block_seconds);
    }
    if (!is_quiet) {
        quiet_learn(q);
        ++*noisy;
    }
    return seconds;
}

/* Operations of a block: of the first way. */
static void print(const struct ab_settings *s, const struct block *block, const struct checked *c,
                  struct row *r)
{
    const char *name = c->operation->name, *mode = block_mode_names[block->mode];

    if (r->blocks < (s->blocks + 1) / 2) {
        fprintf(stderr, "collective_ab: %s, %s, %zu B: too few undisturbed blocks (%d of %d)\n",
                name, mode, c->bytes, r->blocks, s->blocks);
        return;
    }
    printf(
        s->csv
            ? "%zu,%.3f,%.3f,%.3f,%.3f,%.3f,%d,%d,%.0f,%d,%s,%s,%d,%.0f\n"
            : "%10zu %12.2f %12.2f %8.3f  %6.3f .. %-6.3f %4d x %-7d %6.0f %6d  %s %s %d, %.0f\n",
        c->bytes, 1e6 * quantile(r->seconds[0], r->blocks, 0.5),
        1e6 * quantile(r->seconds[1], r->blocks, 0.5), quantile(r->ratio, r->blocks, 0.5),
        quantile(r->ratio, r->blocks, 0.25), quantile(r->ratio, r->blocks, 0.75), r->blocks,
        block->n, 100 * r->foreign, r->noisy, name, mode, size,
        1e9 * quantile(r->trip, r->blocks, 0.5));
    (void)fflush(stdout);
}

static void compare(const struct ab_settings *s, enum block_mode mode, struct checked *c,
                    struct quiet *q)
{
    static struct row row;
    struct block block[WAYS];

    for (int v = 0; v < WAYS; v++) {
        block[v] = block_plan(mode, s->root, s->block_seconds, c, q->ranks, ways[v]);
    }
    row.blocks = row.noisy = 0;
    quiet_watch(q);
    for (int b = 0; b < s->blocks; b++) {
        double t[WAYS];
        for (int k = 0; k < WAYS; k++) {
            const int v = (b + k) % WAYS; /* the first one changes */
            t[v] = run_quietly(s, &block[v], c, ways[v], q, &row.noisy);
        }
        if (t[0] > 0 && t[1] > 0) {
            row.seconds[0][row.blocks] = t[0];
            row.seconds[1][row.blocks] = t[1];
            row.trip[row.blocks] = q->last;
            row.ratio[row.blocks++] = t[1] / t[0];
        }
    }
    row.foreign = quiet_foreign(q);
    if (rank == 0) {
        print(s, block, c, &row);
    }
}

/* All sizes and modes of an operation; what was wrong of it. */
static unsigned long long compare_all(const struct ab_settings *s, const struct hitop_operation *o,
                                      struct quiet *q)
{
    struct checked c;
    size_t longest = 8, before = SIZE_MAX;

    for (int i = 0; i < s->nsizes; i++) {
        longest = s->sizes[i] > longest ? s->sizes[i] : longest;
    }
    checked_init(&c, o, checked_length(o, longest), s->cold, MPI_COMM_WORLD);
    c.wrong += o->takes == HITOP_NOTHING && !checked_barrier_holds(ways[1], MPI_COMM_WORLD);
    c.bytes = checked_length(o, 8);
    for (int i = 0; i < 8; i++) { /* past the calls that the library leaves to MPI */
        checked_write(&c, i, 0);
        checked_call(&c, ways[1], 0);
        checked_look(&c, i, 0);
    }
    for (int m = 0; m < BLOCK_NMODES; m++, before = SIZE_MAX) {
        for (int i = 0; i < s->nsizes && s->is_mode[m]; i++) {
            c.bytes = checked_length(o, s->sizes[i]);
            if (c.bytes != before) { /* several sizes may be one */
                compare(s, (enum block_mode)m, &c, q);
            }
            before = c.bytes;
        }
    }
    checked_fini(&c);
    PMPI_Allreduce(MPI_IN_PLACE, &c.wrong, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (c.wrong) {
        tool_error(&ab_tool, "%s: %llu places wrong", o->name, c.wrong);
    }
    return c.wrong;
}

int main(int argc, char **argv)
{
    struct ab_settings s = {.is_mode[BLOCK_SYNC] = 1,
                            .is_operation[HITOP_BCAST] = 1,
                            .sizes = {1024, 65536, 1048576},
                            .nsizes = 3,
                            .blocks = 11,
                            .block_seconds = 5e-3};
    unsigned long long wrong = 0;
    struct together ranks;
    struct quiet q;
    int status;

    if (tool_help_or_version(&ab_tool, argc, argv)) {
        return tool_finish(&ab_tool);
    }
    rank = tool_mpi_start(&ab_tool, &argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    s.ranks = size;
    status = ab_options_parse(&s, argc, argv);
    if (status != TOOL_DONE) {
        return tool_mpi_finish(status);
    }
    if (s.linked) {
        ways[1] = &coll_functions_hitop;
    }
    one_clock_init(MPI_COMM_WORLD, 0);
    together_init(&ranks, MPI_COMM_WORLD);
    quiet_init(&q, &ranks, s.alone, s.canary);
    if (rank == 0) {
        puts(s.csv
                 ? "size_B,plain_us,preloaded_us,ratio,ratio_q25,ratio_q75,blocks,operations,"
                   "foreign_percent,noisy_blocks,operation,mode,ranks,round_trip_ns"
                 : "    size_B     plain_us preloaded_us    ratio  quartiles          blocks       "
                   "foreign_%  noisy  operation, mode, ranks, round trip in ns");
    }
    for (int o = 0; o < HITOP_NOPERATIONS; o++) {
        if (s.is_operation[o]) {
            wrong += compare_all(&s, &hitop_operations()[o], &q);
        }
    }
    together_fini(&ranks);
    one_clock_fini();
    return tool_mpi_finish(wrong ? TOOL_FAILED : tool_finish(&ab_tool));
}
