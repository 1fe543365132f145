/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCHMARK_STATE_MPI_H
#define BENCHMARK_STATE_MPI_H

/*
 * benchmark_state_mpi.h - times count only while the machine is in the requested state.
 *
 * A hypervisor moves the processors of a virtual machine for seconds at a time, from threads of one
 * core to cores of one cache and to other sockets, and lets other machines use the other threads of
 * its cores. Each of these states has its own times of short messages; a median over all states
 * describes none of them. If the user asks for a state, the core-to-core latency between the ranks
 * and the speed of each processor, relative to its highest measured speed, are checked before and
 * after every turn of a size.
 */

#include "models/clock/line_hop_mpi.h"
#include "tools/benchmark/benchmark_block_mpi.h"

struct benchmark_state {
    double hop;         /* the requested core-to-core latency, in s; 0: any */
    int full_speed;     /* 1: all processors must run at full speed */
    double hop_now;     /* the latency at the last look; NaN: it could not be measured */
    int is_slowed;      /* 1: at the last look a processor of some rank was slow */
    double fastest;     /* shortest hitop_benchmark_pace() of this rank's processor, in s */
    double patience;    /* at rank 0: seconds that may still pass without times that count */
    double seen[2];     /* the lowest and the highest latency */
    int looks, nslowed; /* checks; those that found a slow processor */
    struct line_hops hops;
    MPI_Comm host; /* ranks of a host, which run the speed check one after the other */
};

/*
 * Begin to check the processors of a team. If no host of the team has two ranks on different
 * processors, there is no core-to-core latency and `hop` becomes 0. Collective over the team, as
 * are the others; results are the same on all ranks.
 */
void benchmark_state_open(struct benchmark_state *state, const struct benchmark_request *request,
                          const struct benchmark_team *team);
void benchmark_state_close(struct benchmark_state *state);

/* 1: any state will do, and no check is made. */
static inline int benchmark_state_is_any(const struct benchmark_state *state)
{
    return state->hop == 0 && !state->full_speed;
}

/*
 * Wait until the machine is in the requested state, or until patience or the time limit is over;
 * *is_there: 1 if the machine is in that state.
 */
enum hitop_status benchmark_state_await(struct benchmark_state *state,
                                        const struct benchmark_team *team, int *is_there,
                                        struct hitop_diag *diag);

/* 1: the machine still is in that state; a turn that began at `begin`, by MPI_Wtime(), counts. */
int benchmark_state_holds(struct benchmark_state *state, const struct benchmark_team *team,
                          double begin);

#endif /* BENCHMARK_STATE_MPI_H */
