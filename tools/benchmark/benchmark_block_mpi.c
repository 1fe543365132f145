/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * benchmark_block_mpi.c - calls that all ranks begin together, each timed by itself.
 *
 * Idea:  between calls one reduction finds late ranks, and holds all ranks until the last one is
 *        done; each rank records the times of its calls and returns by the common clock, and the
 *        ranks combine these after the block.
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

/* Times of one rank, by the common clock. */
struct stamps {
    double came[BLOCK_MOST], left[BLOCK_MOST];
};

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
static void linger(const struct hitop_common_clock *clock, double until)
{
#ifdef SMPI_H
    const double left = until - hitop_common_clock_now(clock);
    const struct timespec pause = {(time_t)left, (long)(1e9 * fmod(left, 1))};

    if (left > 0) {
        (void)nanosleep(&pause, NULL);
    }
#else
    while (hitop_common_clock_now(clock) < until) {
    }
#endif
}

/* Wait as long as the pattern delays this rank. */
static void be_late(const struct benchmark_team *t, const struct benchmark_work *w, double start)
{
    if (t->pattern.ranks > 0) {
        const int turn = (int)(w->turn % 1000000);
        const double delay = hitop_pattern_delay(&t->pattern, turn, t->rank, w->data->call.root);
        if (delay > 0) {
            linger(t->clock, start + delay);
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
static enum hitop_status call_once(struct benchmark_team *t, struct benchmark_work *w, double *came,
                                   double *left, int *late, struct hitop_diag *diag)
{
    struct benchmark_call *call = &w->data->call;
    enum hitop_status status = hitop_starter_begin(&t->starter, late, diag);
    int code = MPI_SUCCESS;

    if (status != HITOP_OK) {
        return status;
    }
    call->by = w->by;
    call->comm = w->comm;
    be_late(t, w, hitop_common_clock_now(t->clock));
    if (benchmark_is_round_trip(t, w->data->kind) && w->data->kind->flags & KIND_TWO_RANKS) {
        code = meet_partner(w->data, call);
    }
    *came = hitop_common_clock_now(t->clock);
    for (int i = 0; i < w->batch && code == MPI_SUCCESS; i++) {
        code = w->data->kind->call(call);
    }
    *left = hitop_common_clock_now(t->clock);
    if (w->slow_down > 0) {
        *left += w->slow_down * (*left - *came); /* another reading of the clock would add more */
        linger(t->clock, *left);
    }
    return hitop_transport_check(code, w->data->kind->name, diag);
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

/* Combine the times of all ranks at rank 0. */
static enum hitop_status put_together(const struct benchmark_team *t,
                                      const struct benchmark_work *w, const struct stamps *mine,
                                      struct benchmark_block *out, struct hitop_diag *diag)
{
    double came[2 * BLOCK_MOST], most[2 * BLOCK_MOST] = {0};
    struct of_rank left[BLOCK_MOST], last[BLOCK_MOST] = {{0}};
    const int n = out->n, by_last = t->pattern.ranks > 0;
    const int counts = !benchmark_is_round_trip(t, w->data->kind) || begins(t, w->data);
    const double share = share_of(w->data->kind, w->batch);
    int code;

    for (int i = 0; i < n; i++) {
        came[2 * i] = counts ? mine->came[i] : -HUGE_VAL;
        came[2 * i + 1] = counts ? -mine->came[i] : -HUGE_VAL;
        left[i] = (struct of_rank){counts ? mine->left[i] : -HUGE_VAL, t->rank};
    }
    code = PMPI_Reduce(came, most, 2 * n, MPI_DOUBLE, MPI_MAX, 0, t->comm);
    if (code == MPI_SUCCESS) {
        code = PMPI_Reduce(left, last, n, MPI_DOUBLE_INT, MPI_MAXLOC, 0, t->comm);
    }
    for (int i = 0; i < n && t->rank == 0; i++) {
        const double first = -most[2 * i + 1], latest = most[2 * i];
        out->seconds[i] = share * (last[i].value - (by_last ? latest : first));
        out->spread[i] = latest - first;
        out->last[i] = last[i].rank;
    }
    return hitop_transport_check(code, "collecting times", diag);
}

static void keep(const struct benchmark_team *t, const struct benchmark_work *w,
                 const struct stamps *s, struct benchmark_block *out)
{
    const double took = share_of(w->data->kind, w->batch) * (s->left[out->n] - s->came[out->n]);

    out->own += took;
    out->at_root += w->data->call.root == t->rank ? took : 0;
    out->n++;
}

enum hitop_status benchmark_team_run(struct benchmark_team *t, struct benchmark_work *w, int n,
                                     struct benchmark_block *out, struct hitop_diag *diag)
{
    struct stamps s;
    enum hitop_status status = HITOP_OK;
    int facts[2] = {0, 0}; /* late, over */

    *out = (struct benchmark_block){0};
    for (int i = -1; status == HITOP_OK; i++) { /* the first call only warms up */
        int code;
        if (i >= 0) {
            benchmark_data_look(w->data);
        }
        facts[1] = benchmark_team_is_over(t);
        code = PMPI_Allreduce(MPI_IN_PLACE, facts, 2, MPI_INT, MPI_MAX, t->comm);
        if (code != MPI_SUCCESS) {
            return hitop_transport_check(code, "agreeing on a call", diag);
        }
        if (i >= 0) {
            if (hitop_starter_learn(&t->starter, facts[0])) {
                out->n = 0;
                out->own = out->at_root = 0;
                out->restarted = 1;
            }
            out->rejected += facts[0];
            if (!facts[0] && i > 0) {
                keep(t, w, &s, out);
            }
        }
        out->over = facts[1];
        if (out->n == n || (out->over && out->n > 0)) {
            break;
        }
        w->turn++;
        benchmark_data_prepare(w->data, w->turn,
                               w->root == ROOT_ROTATES ? (int)(w->turn % t->size) : w->root);
        status = PMPI_Barrier(t->comm) == MPI_SUCCESS
                     ? call_once(t, w, &s.came[out->n], &s.left[out->n], &facts[0], diag)
                     : HITOP_ERR_MPI;
    }
    return status == HITOP_OK ? put_together(t, w, &s, out, diag) : status;
}
