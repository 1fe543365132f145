/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_team_mpi.c - a team and its clock. */
#include <config.h>

#include "benchmark_team_mpi.h"

#include "models/agree_mpi.h"
#include "signals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Seconds from one alignment of the clock to the next and from one renewal to the next, and so many times what they take. */
static const double align_every = 0.1, renew_every = 1, care_share = 20;

/* Hosts of the ranks, numbered by their first ranks. */
static void find_nodes(struct benchmark_team *t)
{
    MPI_Comm host;
    int first = t->rank;

    PMPI_Comm_split_type(t->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    PMPI_Bcast(&first, 1, MPI_INT, 0, host);
    PMPI_Comm_free(&host);
    PMPI_Allgather(&first, 1, MPI_INT, t->node_of, 1, MPI_INT, t->comm);
    for (int r = 0; r < t->size; r++) {
        if (t->node_of[r] == r) { /* a first rank: nobody of its node has been before */
            t->first_of[t->nodes] = r;
            t->node_of[r] = t->nodes++;
        } else {
            t->node_of[r] = t->node_of[t->node_of[r]];
        }
    }
}

/* A simulated clock is exact, and stands still meanwhile. */
static double clock_step(const struct hitop_common_clock *clock)
{
    double step = 0;
#ifndef SMPI_H
    double before = hitop_common_clock_now(clock);

    for (int i = 0; i < 20000; i++) {
        const double after = hitop_common_clock_now(clock);
        if (after > before && (step == 0 || after - before < step)) {
            step = after - before;
        }
        before = after;
    }
#else
    (void)clock;
#endif
    return step;
}

enum hitop_status benchmark_team_init(struct benchmark_team *t, MPI_Comm comm,
                                      const struct benchmark_request *request,
                                      struct hitop_diag *diag)
{
#ifdef SMPI_H
    const struct hitop_clock *clock = NULL; /* only MPI knows the time of a simulation */
#else
    const struct hitop_clock monotonic = hitop_clock_monotonic(), *clock = &monotonic;
#endif
    struct hitop_clock_options options;
    enum hitop_status status = HITOP_OK;

    memset(t, 0, sizeof(*t));
    t->comm = comm;
    (void)PMPI_Comm_rank(comm, &t->rank);
    (void)PMPI_Comm_size(comm, &t->size);
    t->node_of = calloc((size_t)t->size, sizeof(*t->node_of));
    t->first_of = calloc((size_t)t->size, sizeof(*t->first_of));
    if (!t->node_of || !t->first_of) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "no memory for %d ranks", t->size);
    }
    status = agree_mpi(comm, status, diag);
    if (status != HITOP_OK) {
        return status;
    }
    find_nodes(t);
    hitop_clock_defaults(&options);
    status = hitop_common_clock_create(comm, clock, &options, &t->clock, diag);
    if (status == HITOP_OK) {
        starter_prepare(&t->starter, t->clock);
        t->clock_step = clock_step(t->clock);
        t->renew_at = MPI_Wtime() + renew_every;
    }
    t->pattern = (struct pattern_setting){.pattern = request->pattern,
                                          .interval = request->interval,
                                          .seed = request->seed,
                                          .ranks = request->arrives ? t->size : 0,
                                          .nodes = t->nodes,
                                          .node_of = t->node_of,
                                          .first_of = t->first_of};
    return status;
}

int benchmark_team_is_over(const struct benchmark_team *t)
{
    return t->rank == 0 && (signals_caught() || (t->deadline > 0 && MPI_Wtime() > t->deadline));
}

int benchmark_team_care_due(const struct benchmark_team *t)
{
    const double now = t->rank == 0 ? MPI_Wtime() : -HUGE_VAL;

    return (now >= t->align_at ? CARE_ALIGN : 0) | (now >= t->renew_at ? CARE_RENEW : 0);
}

/* When something is done again that has taken from a moment until now. */
static double again(double begin, double every)
{
    const double end = MPI_Wtime();

    return end + fmax(every, care_share * (end - begin));
}

enum hitop_status benchmark_team_care(struct benchmark_team *t, int due, struct hitop_diag *diag)
{
    double begin = MPI_Wtime();
    enum hitop_status status = HITOP_OK;

    if (due & CARE_RENEW) {
        status = hitop_common_clock_renew(t->clock, diag);
        t->renew_at = again(begin, renew_every);
        begin = MPI_Wtime();
    }
    if (due & CARE_ALIGN && status == HITOP_OK) {
        status = hitop_common_clock_align(t->clock, diag);
        t->align_at = again(begin, align_every);
    }
    return status;
}

void benchmark_team_fini(struct benchmark_team *t)
{
    hitop_common_clock_free(t->clock);
    free(t->node_of);
    free(t->first_of);
    t->clock = NULL;
    t->node_of = t->first_of = NULL;
}
