/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * benchmark_block_mpi.c - calls that all ranks begin together, each timed by itself.
 *
 * Idea:  between calls one reduction finds late ranks, and holds all ranks until the last one is
 *        done; each rank records what the timing method needs of its calls, and the ranks combine
 *        these facts after the block.
 */
#include <config.h>

#include "models/fit/estimate.h"
#include "models/transport/transport_impl_mpi.h"
#include "tools/benchmark/benchmark_block_mpi.h"
#include "tools/common/signals.h"

#include <math.h>
#include <time.h>

/*
 * Shortest batch of round trips with CACHE_SAME, in s. IMB and OSU time batches, too; the first
 * round trips after a barrier find less in caches and predictors.
 */
static const double same_row = 200e-6;

/* A value for MPI_MAXLOC. */
struct of_rank {
    double value;
    int rank;
};

int benchmark_team_is_over(const struct benchmark_team *t)
{
    return t->rank == 0 && (signals_caught() || (t->deadline > 0 && MPI_Wtime() > t->deadline));
}

enum hitop_status benchmark_team_agree(const struct benchmark_team *team, int *numbers, int n,
                                       struct hitop_diag *diag)
{
    return hitop_transport_check(PMPI_Bcast(numbers, n, MPI_INT, 0, team->comm), "sharing numbers",
                                 diag);
}

/* Wait until that time. A simulation (SMPI) advances time in calls only, and its sleep is exact. */
static void linger(const struct hitop_clock *clock, double until)
{
#ifdef SMPI_H
    const double left = until - clock->now(clock->self);
    const struct timespec pause = {(time_t)left, (long)(1e9 * fmod(left, 1))};

    if (left > 0) {
        (void)nanosleep(&pause, NULL);
    }
#else
    while (clock->now(clock->self) < until) {
    }
#endif
}

/* Wait as long as the pattern delays this rank. */
static void be_late(const struct benchmark_team *t, const struct benchmark_work *w,
                    const struct hitop_clock *clock)
{
    if (t->pattern.ranks > 0) {
        const double start = clock->now(clock->self);
        const int turn = (int)(w->turn % 1000000);
        const double delay = hitop_pattern_delay(&t->pattern, turn, t->rank, w->data->call.root);
        if (delay > 0) {
            linger(clock, start + delay);
        }
    }
}

int benchmark_is_round_trip(const struct benchmark_team *team, const struct benchmark_kind *kind)
{
    return kind->flags & KIND_HALVES && team->pattern.ranks == 0;
}

static int begins(const struct benchmark_team *t, const struct benchmark_data *data)
{
    return t->rank < (data->kind->flags & KIND_TWO_RANKS ? 1 : t->size / 2);
}

int benchmark_batch(const struct benchmark_team *team, const struct benchmark_data *data,
                    double half)
{
    int batch, row;

    if (!benchmark_is_round_trip(team, data->kind) || !benchmark_cache_stays(data->cache) ||
        half <= 0) {
        return 1;
    }
    batch = hitop_batch_size(team->clock_step, 2 * half);
    row = data->cache == CACHE_SAME ? (int)(same_row / (2 * half)) : 1;
    return batch > row ? batch : row;
}

/*
 * Make an empty round trip, so that the first sender does not wait for its partner. Only for a
 * single pair: the starts of several pairs would differ.
 */
static int meet_partner(const struct benchmark_data *data, const struct benchmark_call *call)
{
    struct benchmark_call empty = *call;

    empty.count = 0;
    return data->kind->call(&empty);
}

/* Make one call, or a batch of round trips; *late: 1 if this rank missed the start time. */
static enum hitop_status call_once(struct benchmark_team *t, struct benchmark_work *w,
                                   struct hitop_timing_stamp *out, int *late,
                                   struct hitop_diag *diag)
{
    const struct hitop_clock *clock = hitop_common_clock_local(t->clock);
    struct benchmark_call *call = &w->data->call;
    enum hitop_status status = hitop_starter_begin(&t->starter, late, diag);
    int code = MPI_SUCCESS;

    if (status != HITOP_OK) {
        return status;
    }
    call->by = w->by;
    call->comm = w->comm;
    be_late(t, w, clock);
    if (benchmark_is_round_trip(t, w->data->kind) && w->data->kind->flags & KIND_TWO_RANKS) {
        code = meet_partner(w->data, call);
    }
    out->called = clock->now(clock->self);
    for (int i = 0; i < w->batch && code == MPI_SUCCESS; i++) {
        code = w->data->kind->call(call);
    }
    out->returned = clock->now(clock->self);
    if (w->slow_down > 0) { /* another reading of the clock would add more */
        out->returned += w->slow_down * (out->returned - out->called);
        linger(clock, out->returned);
    }
    status = hitop_transport_check(code, w->data->kind->name, diag);
    if (status == HITOP_OK) {
        status = hitop_starter_confirm(&t->starter, diag);
    }
    out->confirmed = clock->now(clock->self);
    return status;
}

/* The factor from a measured time to that of one call; of a round trip half the time counts. */
static double share_of(const struct benchmark_kind *kind, int batch)
{
    return (kind->flags & KIND_HALVES ? 0.5 : 1) / batch;
}

double benchmark_step(const struct benchmark_team *team, const struct benchmark_kind *kind,
                      int batch)
{
    return team->clock_step * share_of(kind, batch);
}

/* The time of a call, from the facts of all ranks. */
static double seconds_of(const struct benchmark_team *t, const struct benchmark_kind *kind,
                         struct hitop_timing_facts f)
{
    if (t->pattern.ranks > 0) { /* from the last arrival on */
        f.minus_began = -f.began;
    }
    return (benchmark_is_round_trip(t, kind) ? &hitop_timing_window : t->starter.method)
        ->seconds(&f);
}

/* Combine the facts of all ranks at rank 0. */
static enum hitop_status put_together(const struct benchmark_team *t,
                                      const struct benchmark_work *w,
                                      const struct hitop_timing_facts *mine,
                                      struct benchmark_block *out, struct hitop_diag *diag)
{
    struct hitop_timing_facts most[BLOCK_MOST];
    struct of_rank ended[BLOCK_MOST], last[BLOCK_MOST] = {{0}};
    const int n = out->n;
    int code = PMPI_Reduce(mine, most, n * TIMING_FACTS, MPI_DOUBLE, MPI_MAX, 0, t->comm);

    for (int i = 0; i < n; i++) {
        ended[i] = (struct of_rank){mine[i].ended, t->rank};
    }
    if (code == MPI_SUCCESS) {
        code = PMPI_Reduce(ended, last, n, MPI_DOUBLE_INT, MPI_MAXLOC, 0, t->comm);
    }
    for (int i = 0; i < n && t->rank == 0 && code == MPI_SUCCESS; i++) {
        out->seconds[i] = share_of(w->data->kind, w->batch) * seconds_of(t, w->data->kind, most[i]);
        out->spread[i] = most[i].began + most[i].minus_began;
        out->last[i] = last[i].rank;
    }
    return hitop_transport_check(code, "collecting times", diag);
}

static void keep(const struct benchmark_team *t, const struct benchmark_work *w,
                 const struct hitop_timing_stamp *s, struct hitop_timing_facts *facts,
                 struct benchmark_block *out)
{
    const int counts = !benchmark_is_round_trip(t, w->data->kind) || begins(t, w->data);
    const int is_root = w->data->call.root == t->rank;
    const double took = share_of(w->data->kind, w->batch) * (s->returned - s->called);

    facts[out->n] = counts ? hitop_timing_facts_of(s, hitop_common_clock_line(t->clock),
                                                   t->starter.barrier, is_root)
                           : hitop_timing_no_facts();
    out->own += took;
    out->at_root += is_root ? took : 0;
    out->n++;
}

enum hitop_status benchmark_team_run(struct benchmark_team *t, struct benchmark_work *w, int n,
                                     struct benchmark_block *out, struct hitop_diag *diag)
{
    struct hitop_timing_facts facts[BLOCK_MOST];
    struct hitop_timing_stamp stamp = {0};
    enum hitop_status status = hitop_starter_time_barrier(&t->starter, n, diag);
    int flags[2] = {0, 0}; /* late, over */

    *out = (struct benchmark_block){0};
    for (int i = -1; status == HITOP_OK; i++) { /* the first call only warms up */
        int code;
        if (i >= 0) {
            benchmark_data_look(w->data);
        }
        flags[1] = benchmark_team_is_over(t);
        code = PMPI_Allreduce(MPI_IN_PLACE, flags, 2, MPI_INT, MPI_MAX, t->comm);
        if (code != MPI_SUCCESS) {
            return hitop_transport_check(code, "agreeing on a call", diag);
        }
        if (i >= 0) {
            if (hitop_starter_learn(&t->starter, flags[0])) {
                out->n = 0;
                out->own = out->at_root = 0;
                out->restarted = 1;
            }
            out->rejected += flags[0];
            if (!flags[0] && i > 0) {
                keep(t, w, &stamp, facts, out);
            }
        }
        out->over = flags[1];
        if (out->n == n || (out->over && out->n > 0)) {
            break;
        }
        w->turn++;
        benchmark_data_prepare(w->data, w->turn,
                               w->root == ROOT_ROTATES ? (int)(w->turn % t->size) : w->root);
        code = t->starter.method->barriers > 0 ? MPI_SUCCESS : PMPI_Barrier(t->comm);
        status = code == MPI_SUCCESS ? call_once(t, w, &stamp, &flags[0], diag)
                                     : hitop_transport_check(code, "preparing a call", diag);
    }
    return status == HITOP_OK ? put_together(t, w, facts, out, diag) : status;
}
