/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TEAM_MPI_H
#define TEAM_MPI_H

/* team_mpi.h - ranks that begin together repeatedly: their clock, hosts and arrivals. */

#include "models/clock/arrival.h"
#include "models/clock/start_mpi.h"

struct benchmark_team {
    MPI_Comm comm;
    int rank, size;
    struct hitop_common_clock *clock;
    struct starter starter;
    struct pattern_setting pattern;
    int *node_of, *first_of; /* [size] */
    int nodes;
    double clock_step; /* seconds; smallest difference of two readings, 0 in a simulation */
    double deadline;   /* at rank 0, by MPI_Wtime(): nothing is begun later; 0: none */
};

/* Compare clocks, find hosts. Collective over comm, which stays the caller's. */
enum hitop_status hitop_team_init(struct benchmark_team *team, MPI_Comm comm,
                                  const struct hitop_timing *method, struct hitop_diag *diag);
void hitop_team_fini(struct benchmark_team *team);

#endif /* TEAM_MPI_H */
