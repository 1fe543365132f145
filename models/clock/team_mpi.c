/* SPDX-License-Identifier: BSD-3-Clause */
/* team_mpi.c - a team and its clock. */
#include <config.h>

#include "models/clock/team_mpi.h"

#include "models/transport/agree_mpi.h"

#include <stdlib.h>
#include <string.h>

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
        if (t->node_of[r] == r) { /* a first rank: no lower rank is on its node */
            t->first_of[t->nodes] = r;
            t->node_of[r] = t->nodes++;
        } else {
            t->node_of[r] = t->node_of[t->node_of[r]];
        }
    }
}

/*
 * The smallest difference of two readings. A simulated clock is exact, and stands still between
 * calls of MPI.
 */
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

enum hitop_status hitop_team_init(struct benchmark_team *t, MPI_Comm comm,
                                  const struct hitop_timing *method, struct hitop_diag *diag)
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
    status = hitop_agree_mpi(comm, status, diag);
    if (status != HITOP_OK) {
        return status;
    }
    find_nodes(t);
    hitop_clock_defaults(&options);
    status = hitop_common_clock_create(comm, clock, &options, &t->clock, diag);
    if (status == HITOP_OK) {
        hitop_starter_prepare(&t->starter, t->clock, method);
        t->clock_step = clock_step(t->clock);
    }
    t->pattern =
        (struct pattern_setting){.nodes = t->nodes, .node_of = t->node_of, .first_of = t->first_of};
    return status;
}

void hitop_team_fini(struct benchmark_team *t)
{
    hitop_common_clock_free(t->clock);
    free(t->node_of);
    free(t->first_of);
    t->clock = NULL;
    t->node_of = t->first_of = NULL;
}
