/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * benchmark_dry_mpi.c - how long operations and sizes on some ranks will take.
 *
 * Idea:  the smallest, the middle and the largest size of each operation are called a few times;
 *        times of the other sizes are interpolated. From the scatter of the calls follows how many
 *        repetitions an interval will need.
 */
#include <config.h>

#include "tools/benchmark/benchmark_run.h"

#include <math.h>

enum { PROBES = 3, CALLS = 8 };

/* Calls that take longer are called once, after one that warms up. */
static const double long_probe = 0.2;

/* The times of one size, at rank 0. */
struct probe {
    double bytes, call, scatter;
};

/* Standard deviation of the times, from their quartiles, relative to their median. */
static double scatter_of(const struct benchmark_block *b)
{
    static const double of_a_normal = 1.35; /* distance of the quartiles */
    double sorted[BLOCK_MOST];
    const int n = b->n;

    for (int i = 0; i < n; i++) {
        int at = i;
        for (; at > 0 && sorted[at - 1] > b->seconds[i]; at--) {
            sorted[at] = sorted[at - 1];
        }
        sorted[at] = b->seconds[i];
    }
    return n >= 4 && sorted[n / 2] > 0
               ? (sorted[n - 1 - n / 4] - sorted[n / 4]) / of_a_normal / sorted[n / 2]
               : 0;
}

static enum hitop_status take_probe(struct benchmark_curve_run *run, struct benchmark_size *z,
                                    struct probe *out, struct hitop_diag *diag)
{
    struct benchmark_round *round = run->round;
    double median, begin = MPI_Wtime(), took;
    struct benchmark_block b;
    int is_long = 0;
    enum hitop_status status;

    benchmark_data_become(&round->data, run->kind, run->type, z->bytes, z->count, z->type);
    status = benchmark_size_take(run, z, 0, 1, 0, &b, &median, diag);
    took = MPI_Wtime() - begin;
    is_long = took > long_probe;
    if (status == HITOP_OK) {
        status = benchmark_team_agree(run->team, &is_long, 1, diag);
    }
    if (status == HITOP_OK && !is_long) {
        begin = MPI_Wtime();
        status = benchmark_size_take(run, z, 0, CALLS, 0, &b, &median, diag);
        took = MPI_Wtime() - begin;
    }
    if (status == HITOP_OK) {
        const int batch = benchmark_batch(run->team, &round->data, median);
        *out = (struct probe){.bytes = (double)z->bytes,
                              .call = took / (b.n + b.rejected + 1) + 2 * (batch - 1) * median,
                              .scatter = scatter_of(&b)};
    }
    return status;
}

/* The time of a call of some size, interpolated between two probes. */
static double call_between(const struct probe *a, const struct probe *b, double bytes)
{
    const double part = b->bytes > a->bytes ? (bytes - a->bytes) / (b->bytes - a->bytes) : 0;

    return a->call + part * (b->call - a->call);
}

static enum hitop_status plan_run(struct benchmark_curve_run *run, double *seconds,
                                  struct hitop_diag *diag)
{
    const int at[PROBES] = {0, (run->nsizes - 1) / 2, run->nsizes - 1};
    struct probe probe[PROBES];
    enum hitop_status status = HITOP_OK;
    double scatter = 0;

    for (int i = 0; i < PROBES && status == HITOP_OK; i++) {
        if (i > 0 && at[i] == at[i - 1]) {
            probe[i] = probe[i - 1];
        } else {
            status = take_probe(run, &run->sizes[at[i]], &probe[i], diag);
        }
        scatter += status == HITOP_OK ? probe[i].scatter / PROBES : 0;
    }
    for (int i = 0; i < run->nsizes && status == HITOP_OK; i++) {
        const int half = i > at[1];
        const double call =
            call_between(&probe[half], &probe[half + 1], (double)run->sizes[i].bytes);
        const struct hitop_stop_rule rule = benchmark_plan_rule(run->request, run->sizes[i].bytes);
        *seconds += hitop_benchmark_passes_seconds(
            &rule, run->request->passes, run->request->nimplementations, run->request->budget, call,
            scatter, run->round->slot);
    }
    return status;
}

enum hitop_status benchmark_dry_round(struct benchmark_round *round, double spread,
                                      struct benchmark_result *result, struct hitop_diag *diag)
{
    const double begin = MPI_Wtime();
    enum hitop_status status = HITOP_OK;
    double seconds = 0;

    round->slot = spread / round->request->passes / round->nsizes;
    for (int k = 0; k < round->nruns && status == HITOP_OK; k++) {
        if (round->runs[k].nsizes > 0) {
            status = plan_run(&round->runs[k], &seconds, diag);
        }
    }
    result->nplanned += round->nsizes;
    result->planned += fmax(seconds, spread);
    result->probed += MPI_Wtime() - begin;
    return status;
}
