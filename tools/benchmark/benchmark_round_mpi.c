/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * benchmark_round_mpi.c - operations and sizes on some ranks, in turns.
 *
 * Idea:  in each pass every unfinished size of every operation gets some more repetitions, in a new
 *        random order, so that a disturbance of the machine affects all sizes alike. The first
 *        passes are some time apart, so that no size is measured in one state of the machine only.
 */
#include <config.h>

#include "models/clock/line_hop_mpi.h"
#include "tools/benchmark/benchmark_run.h"

#include "hierarchy/hwloc/last_level.h"
#include "models/transport/transport_impl_mpi.h"
#include "tools/common/progress.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

/* One size of one operation. */
struct turn {
    struct benchmark_curve_run *run;
    struct benchmark_size *size;
};

static void shuffle(struct turn *turns, int n, unsigned long long seed, int pass)
{
    for (int i = n - 1; i > 0; i--) {
        const int j = (int)(hitop_pattern_drawn(seed, pass, i) % (unsigned)(i + 1));
        const struct turn other = turns[j];
        turns[j] = turns[i];
        turns[i] = other;
    }
}

static void report_progress(const struct benchmark_round *round, const struct turn *turns, int pass)
{
    const struct benchmark_request *r = round->request;
    int done = 0;

    if (round->team->rank != 0 || r->quiet || !progress_is_due(r->progress)) {
        return;
    }
    for (int i = 0; i < round->nsizes; i++) {
        done += turns[i].size->finished;
    }
    fprintf(stderr,
            "benchmark_collective: %d rank%s, %d operation%s: %d of %d sizes done, pass %d\n",
            round->team->size, round->team->size == 1 ? "" : "s", round->nruns,
            round->nruns == 1 ? "" : "s", done, round->nsizes, pass);
}

/* The first passes together take at least so many seconds, unless all sizes are finished before. */
static double spread_of(const struct benchmark_round *round)
{
    const struct benchmark_request *r = round->request;

#ifdef SMPI_H
    (void)r;
    return 0; /* a simulated machine is the same at any time */
#else
    /* half of a limit of time remains for later passes */
    const double end = round->team->deadline;
    const double most = end > 0 ? fmax(end - MPI_Wtime(), 0) / 2 : HUGE_VAL;

    return r->passes > 1 ? fmin(most, fmin(r->spread, r->budget * round->nsizes)) : 0;
#endif
}

/*
 * Rank 0 waits until the pass may begin or the run is over; other ranks wait for rank 0 and leave
 * the processors free.
 */
static enum hitop_status wait_for_pass(const struct benchmark_round *round, double begin,
                                       struct hitop_diag *diag)
{
    MPI_Request all;
    double left = begin - MPI_Wtime();

    while (round->team->rank == 0 && left > 0 && !benchmark_team_is_over(round->team)) {
        const double nap = fmin(left, 0.05);
        const struct timespec pause = {.tv_nsec = (long)(1e9 * nap)};
        (void)nanosleep(&pause, NULL);
        left = begin - MPI_Wtime();
    }
    if (PMPI_Ibarrier(round->team->comm, &all) != MPI_SUCCESS) {
        return hitop_fail(diag, HITOP_ERR_MPI, "waiting for a pass");
    }
    return hitop_transport_check(hitop_wait_quietly(&all, 1), "waiting for a pass", diag);
}

/* 1: an unfinished size needs a distance in time between the last pass and this one. */
static int wants_distance(const struct benchmark_round *round, const struct turn *turns, int pass)
{
    for (int i = 0; i < round->nsizes && pass > 1; i++) {
        const struct benchmark_size *z = turns[i].size;
        if (!z->finished && pass <= z->passes.wanted) {
            return 1;
        }
    }
    return 0;
}

/* The part of the remaining time limit for calls; the rest is for the steps between them. */
static const double for_calls = 0.9;

/*
 * The part of the time limit for each remaining turn; this pass has `todo` turns, each later one
 * `left`.
 */
static double share_of(const struct benchmark_round *round, int pass, int todo, int left)
{
    const int later = round->request->passes - pass;
    const double turns = todo + (later > 0 ? (double)later * left : 0);

    return round->team->deadline > 0
               ? for_calls * fmax(round->team->deadline - MPI_Wtime(), 0) / turns
               : HUGE_VAL;
}

/*
 * Take some times of a size. They count if the machine is in the requested state before and after.
 * *goes_on: 0 if the machine has not been in that state for too long.
 */
static enum hitop_status take_turn(struct benchmark_round *round, const struct turn *turn,
                                   int *goes_on, struct hitop_diag *diag)
{
    struct benchmark_state *state = &round->state;
    const struct benchmark_size before = *turn->size;
    enum hitop_status status = benchmark_state_await(state, round->team, goes_on, diag);
    const double begin = MPI_Wtime(), hop = state->hop_now;

    if (status != HITOP_OK || !*goes_on) {
        return status;
    }
    status = benchmark_size_advance(turn->run, turn->size, diag);
    if (status == HITOP_OK && !benchmark_state_holds(state, round->team, begin)) {
        benchmark_size_take_back(turn->size, &before);
    } else if (state->hop > 0) {
        round->hop[0] = isfinite(round->hop[0]) ? round->hop[0] : hop;
        round->hop[1] = state->hop_now;
    }
    return status;
}

/*
 * Before the first times of a size: call each implementation once, not timed, and compare all bytes
 * of the results with the definition of the operation. Nothing if the time is over.
 */
static enum hitop_status compare_whole(struct benchmark_curve_run *run, struct benchmark_size *z,
                                       struct hitop_diag *diag)
{
    struct benchmark_data *data = &run->round->data;
    int over = benchmark_team_is_over(run->team);
    enum hitop_status status = benchmark_team_agree(run->team, &over, 1, diag);

    benchmark_data_lay_out(data, run->kind, run->type, z->bytes, z->count, z->type);
    for (int i = 0; i < run->request->nimplementations && !over && status == HITOP_OK; i++) {
        const unsigned long long before = data->wrong;
        z->turn++;
        data->call.by = run->round->by[i];
        data->call.comm = run->comm[i];
        benchmark_data_prepare_whole(
            data, z->turn, run->root == ROOT_ROTATES ? (int)(z->turn % data->size) : run->root);
        status = hitop_transport_check(PMPI_Barrier(run->team->comm), "preparing a call", diag);
        if (status == HITOP_OK) {
            status = hitop_transport_check(run->kind->call(&data->call), run->kind->name, diag);
        }
        benchmark_data_compare(data);
        z->series[i].wrong += data->wrong - before;
    }
    z->compared = 1;
    return status;
}

/* Take one turn of each unfinished size, *left of them; afterwards *left need another pass. */
static enum hitop_status take_pass(struct benchmark_round *round, const struct turn *turns,
                                   int pass, int *left, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    int todo = *left, goes_on = 1;

    for (int i = 0; i < round->nsizes && goes_on && status == HITOP_OK; i++) {
        struct benchmark_size *z = turns[i].size;
        if (!z->finished && round->request->check && !z->compared &&
            benchmark_kind_has_sizes(turns[i].run->kind)) {
            status = compare_whole(turns[i].run, z, diag);
        }
        if (!z->finished && status == HITOP_OK) {
            round->share = share_of(round, pass, todo--, *left);
            status = take_turn(round, &turns[i], &goes_on, diag);
            *left -= z->finished;
            report_progress(round, turns, pass);
        }
    }
    *left = 0;
    for (int i = 0; i < round->nsizes; i++) {
        benchmark_size_begin_anew_if(turns[i].size, round->team->starter.method);
        *left += goes_on && !turns[i].size->finished;
    }
    return status;
}

/* In the order of operations and sizes. */
static struct turn *list_turns(struct benchmark_round *round)
{
    struct turn *turns = calloc((size_t)round->nsizes, sizeof(*turns));

    for (int k = 0, n = 0; turns && k < round->nruns; k++) {
        for (int i = 0; i < round->runs[k].nsizes; i++) {
            turns[n++] = (struct turn){&round->runs[k], &round->runs[k].sizes[i]};
        }
    }
    return turns;
}

static enum hitop_status measure_sizes(struct benchmark_round *round, struct hitop_diag *diag)
{
    const double begin = MPI_Wtime(), distance = spread_of(round) / round->request->passes;
    struct turn *turns = list_turns(round);
    enum hitop_status status = HITOP_OK;
    int left = round->nsizes;

    if (!turns) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "no memory for %d sizes", round->nsizes);
    }
    round->slot = distance / round->nsizes;
    for (int pass = 1; left > 0 && status == HITOP_OK; pass++) {
        if (!round->request->in_order) {
            shuffle(turns, round->nsizes, round->request->seed, pass);
        }
        if (wants_distance(round, turns, pass)) {
            status = wait_for_pass(round, begin + distance * (pass - 1), diag);
        }
        if (status == HITOP_OK) {
            status = take_pass(round, turns, pass, &left, diag);
        }
    }
    free(turns);
    return status;
}

/* Memory for the largest message of all operations. */
static enum hitop_status open_data(struct benchmark_round *round, struct hitop_diag *diag)
{
    const struct benchmark_request *r = round->request;
    size_t most = 0;

    round->data = (struct benchmark_data){.cache = (enum benchmark_cache)r->cache,
                                          .check = r->check,
                                          .seed = r->seed,
                                          .rank = round->team->rank,
                                          .size = round->team->size};
    for (int k = 0; k < round->nruns; k++) {
        const struct benchmark_curve_run *run = &round->runs[k];
        for (int i = 0; i < run->nsizes; i++) {
            const size_t place =
                benchmark_data_place(run->kind, round->team->size, run->sizes[i].bytes);
            most = place > most ? place : most;
        }
    }
    return benchmark_data_init(
        &round->data, most, benchmark_cache_stays(round->data.cache) ? 0 : hitop_last_level_cache(),
        r->memory, diag);
}

/* With a requested core-to-core latency each turn records it; else it is measured here. */
static enum hitop_status measure_in_state(struct benchmark_round *round, struct hitop_diag *diag)
{
    enum hitop_status status;

    benchmark_state_open(&round->state, round->request, round->team);
    round->hop[0] = round->state.hop > 0 ? NAN : hitop_line_hop(round->team->comm);
    round->hop[1] = NAN;
    status = measure_sizes(round, diag);
    if (status == HITOP_OK && !(round->state.hop > 0)) {
        round->hop[1] = hitop_line_hop(round->team->comm);
    }
    if (status == HITOP_OK) {
        benchmark_state_close(&round->state);
    }
    return status;
}

static enum hitop_status measure(struct benchmark_round *round, struct benchmark_result *result,
                                 struct hitop_diag *diag)
{
    enum hitop_status status = open_data(round, diag);

    if (status == HITOP_OK && round->request->dry_run) {
        status = benchmark_dry_round(round, spread_of(round), result, diag);
    } else if (status == HITOP_OK) {
        status = measure_in_state(round, diag);
    }
    benchmark_data_fini(&round->data);
    return status;
}

/* Add to the result how often the machine was in the requested state. */
static void add_state(const struct benchmark_round *round, struct benchmark_result *result)
{
    const struct benchmark_state *s = &round->state;

    result->impatient |= s->patience <= 0;
    result->looks += s->looks;
    result->nslowed += s->nslowed;
    if (s->hop > 0) {
        result->hop_seen[0] =
            result->hop_seen[1] > 0 ? fmin(result->hop_seen[0], s->seen[0]) : s->seen[0];
        result->hop_seen[1] = fmax(result->hop_seen[1], s->seen[1]);
    } else if (round->request->line_hop > 0) {
        benchmark_result_warn(result,
                              "%d ranks: all times count, as no host has two of them on different "
                              "processors for --line-hop",
                              round->team->size);
    }
}

static void find_implementations(struct benchmark_round *round)
{
    for (int w = 0; w < round->request->nimplementations; w++) {
        round->by[w] = benchmark_functions(round->request, &round->request->implementations[w]);
    }
}

enum hitop_status benchmark_round(const struct benchmark_request *r, struct benchmark_team *team,
                                  const struct benchmark_kind *const *kinds, int nkinds,
                                  struct benchmark_result *result, struct hitop_diag *diag)
{
    struct benchmark_round round = {.request = r, .team = team, .between = HUGE_VAL};
    enum hitop_status status = HITOP_OK;

    find_implementations(&round);
    for (int k = 0; k < nkinds && status == HITOP_OK; k++) {
        struct benchmark_curve_run *run = &round.runs[round.nruns++];
        status = benchmark_curve_open(run, &round, kinds[k], result, diag);
        round.nsizes += run->nsizes;
    }
    if (status == HITOP_OK && round.nsizes > 0) {
        status = measure(&round, result, diag);
        add_state(&round, result);
    }
    for (int k = 0; k < round.nruns && !r->dry_run && status == HITOP_OK; k++) {
        status = benchmark_curve_report(&round.runs[k], result, diag);
    }
    for (int k = 0; k < round.nruns; k++) {
        benchmark_curve_close(&round.runs[k], status);
    }
    return status;
}
