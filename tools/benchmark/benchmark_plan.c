/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_plan.c - the numbers of ranks and the sizes that make the curves. */
#include <config.h>

#include "tools/benchmark/benchmark.h"

#include <limits.h>
#include <stdint.h>

static enum hitop_status add(int counts[BENCHMARK_COUNTS], int *n, int count,
                             struct hitop_diag *diag)
{
    int at = 0;

    while (at < *n && counts[at] < count) {
        at++;
    }
    if (at < *n && counts[at] == count) {
        return HITOP_OK;
    }
    if (*n == BENCHMARK_COUNTS) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "more than %d numbers of ranks",
                          BENCHMARK_COUNTS);
    }
    for (int i = (*n)++; i > at; i--) {
        counts[i] = counts[i - 1];
    }
    counts[at] = count;
    return HITOP_OK;
}

enum hitop_status benchmark_plan_counts(const struct benchmark_request *request, int nranks,
                                        int counts[BENCHMARK_COUNTS], int *n,
                                        struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    *n = 0;
    for (int i = 0; i < request->ncounts && status == HITOP_OK; i++) {
        if (request->counts[i] > nranks) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "%d ranks are more than the %d of this job",
                              request->counts[i], nranks);
        }
        status = add(counts, n, request->counts[i], diag);
    }
    if (request->ncounts == 0) {
        for (int p = request->least_ranks; p < nranks && status == HITOP_OK; p *= 2) {
            status = add(counts, n, p, diag);
            if (p > nranks / 2) {
                break;
            }
        }
        if (status == HITOP_OK) {
            status = add(counts, n, nranks, diag);
        }
    }
    return status;
}

/*
 * The table of the Intel MPI Benchmarks of 2015 (MSGSPERSAMPLE, OVERALL_VOL): 1000 repetitions up
 * to 32 KiB, then as many as move 40 MiB, at least one: 640 of 64 KiB, 40 of 1 MiB, 10 of 4 MiB.
 */
static int imb_repetitions(size_t bytes)
{
    const size_t most = 1000, overall = (size_t)40 << 20;
    const size_t n = bytes > 0 ? overall / bytes : most;

    return (int)(n > most ? most : n > 0 ? n : 1);
}

struct hitop_stop_rule benchmark_plan_rule(const struct benchmark_request *r, size_t bytes)
{
    struct hitop_stop_rule rule = r->rule;

    if (r->repetitions == REPETITIONS_IMB) {
        rule.min_samples = rule.max_samples = imb_repetitions(bytes);
    }
    return rule;
}

size_t benchmark_plan_memory(const struct benchmark_kind *kind, size_t bytes, int ranks)
{
    const size_t blocks =
        benchmark_blocks(kind->gives, ranks) + benchmark_blocks(kind->gets, ranks);

    return blocks > 0 && bytes > SIZE_MAX / 2 / blocks ? SIZE_MAX : bytes * blocks;
}

const char *benchmark_plan_size(const struct benchmark_kind *kind, size_t bytes, int ranks,
                                size_t element, size_t limit, int *count, size_t *unit)
{
    /* the displacement of the last block counts all elements before it */
    const size_t most = (size_t)INT_MAX / (kind->flags & KIND_COUNTS ? (size_t)ranks : 1);

    *unit = element;
    *count = 0;
    if (bytes % element != 0) {
        return "not a whole number of elements";
    }
    if (benchmark_plan_memory(kind, bytes, ranks) > limit) {
        return "wants more than --memory of a rank";
    }
    while (bytes / *unit > most && bytes % (2 * *unit) == 0) {
        *unit *= 2;
    }
    if (bytes / *unit > most) {
        return "more units than MPI can count; take a multiple of a power of two";
    }
    if (*unit != element && kind->flags & KIND_SUMS) {
        return "more elements than MPI can add up at once (2147483647)";
    }
    *count = (int)(bytes / *unit);
    return NULL;
}
