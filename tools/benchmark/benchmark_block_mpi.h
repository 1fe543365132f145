/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCHMARK_BLOCK_MPI_H
#define BENCHMARK_BLOCK_MPI_H

/* benchmark_block_mpi.h - some calls of a team in a row, and their times. */

#include "models/clock/team_mpi.h"
#include "tools/benchmark/benchmark.h"
#include "tools/benchmark/benchmark_data_mpi.h"

/* 1 at rank 0: begin nothing more, because of the deadline or a signal; 0 on other ranks. */
int benchmark_team_is_over(const struct benchmark_team *team);

/* Broadcast the numbers of rank 0 to all ranks. Collective over the team. */
enum hitop_status benchmark_team_agree(const struct benchmark_team *team, int *numbers, int n,
                                       struct hitop_diag *diag);

enum { BLOCK_MOST = 256 };

/* Some calls in a row. */
struct benchmark_block {
    int n;                      /* kept, at most BLOCK_MOST */
    int rejected;               /* not kept, because a rank was late */
    int restarted;              /* 1: earlier times do not count; starter.method has changed */
    int over;                   /* as benchmark_team_is_over() says */
    double seconds[BLOCK_MOST]; /* at rank 0: time of a call, by the timing method */
    double spread[BLOCK_MOST];  /* at rank 0: from the first arrival to the last */
    int last[BLOCK_MOST];       /* at rank 0: the rank that left last */
    double own;                 /* of this rank: sum of the times of calls */
    double at_root;             /* of this rank: the same, only calls of which it is the root */
};

/* The operation to call, its data and its root. */
struct benchmark_work {
    struct benchmark_data *data;
    const struct coll_functions *by;
    MPI_Comm comm;
    int root;  /* or ROOT_ROTATES */
    int batch; /* round trips that are timed together, see benchmark_batch() */
    double slow_down;
    long turn; /* of the next call */
};

/* 1: the time is half of a round trip by the clock of the first sender; 0: by the common clock. */
int benchmark_is_round_trip(const struct benchmark_team *team, const struct benchmark_kind *kind);

/*
 * Round trips between two readings of the clock, if one takes twice `half` seconds: so many that
 * the step of the clock is at most 1/500 of their time; with CACHE_SAME they also take about 200 us
 * or more. 1 for other operations, with an arrival pattern, and with CACHE_STREAM and CACHE_COLD.
 */
int benchmark_batch(const struct benchmark_team *team, const struct benchmark_data *data,
                    double half);

/* The resolution of a time from such a batch, in s; 0: the time is exact. */
double benchmark_step(const struct benchmark_team *team, const struct benchmark_kind *kind,
                      int batch);

/*
 * Call n times. All ranks begin each call as the timing method of the team defines, or later by the
 * delay of the pattern; with a pattern the time begins with the last arrival. The first call is
 * discarded. The time of a round trip is that of the rank that begins it; a single pair makes an
 * empty round trip before. Collective over the team.
 */
enum hitop_status benchmark_team_run(struct benchmark_team *team, struct benchmark_work *work,
                                     int n, struct benchmark_block *out, struct hitop_diag *diag);

#endif /* BENCHMARK_BLOCK_MPI_H */
