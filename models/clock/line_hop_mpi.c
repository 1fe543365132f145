/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * line_hop_mpi.c - the time of a cache line from one rank of a host to another.
 *
 * Idea:  two ranks increment a number in one line of shared memory in turn, many times between two
 *        readings of the clock, while all other ranks sleep. If both run on one processor, one of
 *        them moves to another processor of its set. The result is the lower quartile of many
 *        bursts. A rank ends when the other one does not answer for long.
 *
 * In every other burst the processors pause between two polls of the line. Without pauses the polls
 * of two threads of a core disturb each other; with pauses, which are as long as such a hop, the
 * threads sometimes fall into step, which shows half of the time. The longer of both times counts.
 */
#include <config.h>

#include "models/clock/line_hop_mpi.h"

#include "hierarchy/job/processors.h"
#include "models/clock/clock.h"
#include "models/clock/shared_lines_mpi.h"
#include "models/fit/quantile.h"
#include "models/transport/transport_impl_mpi.h"
#include "src/pause.h"

#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#ifndef SMPI_H /* which mpi.h has defined */

enum { TURNS = 32, BURSTS = 32, ENOUGH = 8, POLLS = 256, OVER = -1 };

static const double patience = 0.05, longest = 0.005; /* seconds: for an answer, for all bursts */

/*
 * A counter that each rank increments when it passes the turn on; odd: it is the second rank's
 * turn.
 */
struct turn_line {
    _Alignas(SHARED_LINE) _Atomic int32_t number;
};

/* Whether waiters pause in the burst to which a number belongs. Burst 0 is not timed. */
static int pauses(int32_t number)
{
    return (number - 1) / (2 * TURNS) % 2;
}

/* 0: the other rank has left, or does not answer. */
static int wait_for(struct turn_line *line, int32_t number)
{
    const struct hitop_clock clock = hitop_clock_monotonic();
    const int is_patient = pauses(number);
    double since = 0;

    for (int polls = 1;; polls++) {
        const int32_t seen = atomic_load_explicit(&line->number, memory_order_acquire);
        if (seen == number || seen == OVER) {
            return seen == number;
        }
        if (is_patient) {
            hitop_wait_pause();
        }
        if (polls % POLLS == 0) {
            const double now = clock.now(clock.self);
            since = since > 0 ? since : now;
            if (now - since > patience) {
                return 0;
            }
            (void)sched_yield();
        }
    }
}

/* Pass the turn to the other rank and wait for it; *number is the last value. */
static int turn(struct turn_line *line, int32_t *number)
{
    atomic_store_explicit(&line->number, *number + 1, memory_order_release);
    *number += 2;
    return wait_for(line, *number);
}

/* 0: the other rank has left. */
static int burst(struct turn_line *line, int32_t *number)
{
    int is_there = 1;

    for (int i = 0; i < TURNS && is_there; i++) {
        is_there = turn(line, number);
    }
    return is_there;
}

/* The first rank: seconds of a hop, or NaN. */
static double ask(struct turn_line *line)
{
    const struct hitop_clock clock = hitop_clock_monotonic();
    int32_t number = 0;
    int n[2] = {0, 0}, is_there = burst(line, &number);
    const double end = clock.now(clock.self) + longest;
    double hops[2][BURSTS], start = 0;

    for (int b = 0; b < 2 * BURSTS && is_there && start < end; b++) {
        const int kind = pauses(number + 1);
        start = clock.now(clock.self);
        is_there = burst(line, &number);
        hops[kind][n[kind]] = (clock.now(clock.self) - start) / (2 * TURNS);
        n[kind] += is_there;
    }
    atomic_store(&line->number, OVER);
    return n[0] >= ENOUGH && n[1] >= ENOUGH
               ? fmax(quantile(hops[0], n[0], 0.25), quantile(hops[1], n[1], 0.25))
               : NAN;
}

/* The second rank. */
static void answer(struct turn_line *line)
{
    for (int32_t number = 1; wait_for(line, number); number += 2) {
        atomic_store_explicit(&line->number, number + 1, memory_order_release);
    }
}

/*
 * The first rank of a host that, together with rank 0 of the host, may use at least two processors;
 * 0: there is none.
 */
static int find_partner(MPI_Comm host)
{
    const struct processors mine = processors_allowed();
    struct processors both = mine;
    int rank, size, partner;

    (void)PMPI_Comm_rank(host, &rank);
    (void)PMPI_Comm_size(host, &size);
    (void)PMPI_Bcast(&both, sizeof(both), MPI_BYTE, 0, host);
    processors_add(&both, &mine);
    partner = rank > 0 && processors_count(&both) > 1 ? rank : size;
    (void)PMPI_Allreduce(MPI_IN_PLACE, &partner, 1, MPI_INT, MPI_MIN, host);
    return partner < size ? partner : 0;
}

/* A processor that this process may use, and is not on; -1: there is none. */
static int find_other(const struct processors *set, int here)
{
    for (int p = 0; p < PROCESSORS_MOST; p++) {
        if (processors_has(set, p) && p != here) {
            return p;
        }
    }
    return -1;
}

/* Bind to a processor that the other rank of the pair does not use. 0: impossible. */
static int settle(MPI_Comm pair, int rank, const struct processors *may_use)
{
    int mine[2], both[4], goes;
    struct processors one = processors_none();

    mine[0] = sched_getcpu();
    mine[1] = find_other(may_use, mine[0]);
    (void)PMPI_Allgather(mine, 2, MPI_INT, both, 2, MPI_INT, pair);
    goes = both[0] != both[2] ? -1 : both[3] >= 0 ? 1 : 0;
    processors_put(&one, mine[rank == goes]);
    return processors_bind(&one);
}

/*
 * Measure a hop between two ranks. Returns NaN at the second rank, and if the two cannot stay on
 * different processors.
 */
static double measure(MPI_Comm pair, struct turn_line *line)
{
    double hop = NAN;
    const struct processors may_use = processors_allowed();
    int rank, is_ready;

    (void)PMPI_Comm_rank(pair, &rank);
    is_ready = settle(pair, rank, &may_use);
    (void)PMPI_Allreduce(MPI_IN_PLACE, &is_ready, 1, MPI_INT, MPI_MIN, pair);
    if (is_ready) {
        if (rank == 0) {
            memset(line, 0, sizeof(*line));
        }
        (void)PMPI_Barrier(pair);
        if (rank == 0) {
            hop = ask(line);
        } else {
            answer(line);
        }
    }
    (void)processors_bind(&may_use);
    return hop;
}

void hitop_line_hops_open(struct line_hops *hops, MPI_Comm comm)
{
    MPI_Comm host;
    int rank, partner;

    *hops = (struct line_hops){.comm = comm, .pair = MPI_COMM_NULL, .window = MPI_WIN_NULL};
    (void)PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    (void)PMPI_Comm_rank(host, &rank);
    partner = find_partner(host);
    (void)PMPI_Comm_split(host, partner > 0 && (rank == 0 || rank == partner) ? 0 : MPI_UNDEFINED,
                          rank, &hops->pair);
    (void)PMPI_Comm_free(&host);
    if (hops->pair != MPI_COMM_NULL) {
        hops->line = hitop_shared_lines_open(hops->pair, sizeof(*hops->line), &hops->window);
    }
}

double hitop_line_hops_now(const struct line_hops *hops)
{
    const double mine = hops->line ? measure(hops->pair, hops->line) : NAN;
    double known = isfinite(mine) ? mine : 0, most = 0;
    MPI_Request all;

    (void)PMPI_Iallreduce(&known, &most, 1, MPI_DOUBLE, MPI_MAX, hops->comm, &all);
    (void)hitop_wait_quietly(&all, 1);
    return most > 0 ? most : NAN;
}

void hitop_line_hops_close(struct line_hops *hops)
{
    hitop_shared_lines_close(&hops->window);
    if (hops->pair != MPI_COMM_NULL) {
        (void)PMPI_Comm_free(&hops->pair);
    }
}

#else

/* Simulated ranks have no processors. */
void hitop_line_hops_open(struct line_hops *hops, MPI_Comm comm)
{
    *hops = (struct line_hops){.comm = comm, .pair = MPI_COMM_NULL, .window = MPI_WIN_NULL};
}

double hitop_line_hops_now(const struct line_hops *hops)
{
    (void)hops;
    return NAN;
}

void hitop_line_hops_close(struct line_hops *hops)
{
    (void)hops;
}

#endif

double hitop_line_hop(MPI_Comm comm)
{
    struct line_hops hops;
    double hop;

    hitop_line_hops_open(&hops, comm);
    hop = hitop_line_hops_now(&hops);
    hitop_line_hops_close(&hops);
    return hop;
}
