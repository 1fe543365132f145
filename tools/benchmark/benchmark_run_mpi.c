/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_run_mpi.c - measure the whole request, on one part of the job after the other. */
#include <config.h>

#include "models/clock/line_hop_mpi.h"
#include "tools/benchmark/benchmark_run.h"
#include "tools/check/library_mpi.h"
#include "tools/common/signals.h"
#include "tools/common/tool_mpi.h"

#include "models/transport/transport_impl_mpi.h"

#include <math.h>
#include <stdlib.h>

/* Wait for all ranks and leave the processors to ranks that work. */
static void wait_for_all(void)
{
    MPI_Request all;

    (void)PMPI_Ibarrier(MPI_COMM_WORLD, &all);
    (void)hitop_wait_quietly(&all, 1);
}

/* The end of the first of `shares` equal shares of the time until `end`; 0: there is no end. */
static double share_until(double end, int shares)
{
    const double now = MPI_Wtime();

    return end > 0 ? now + (end - now) / shares : 0;
}

/* 1 if the pattern can delay a rank on these hosts; else 0, with a warning. */
static int is_late(const struct benchmark_request *r, const struct benchmark_team *team,
                   struct benchmark_result *result)
{
    if (r->arrives && team->nodes < 2 &&
        (r->pattern == PATTERN_LATE_NODE || r->pattern == PATTERN_LATE_LEADER)) {
        benchmark_result_warn(result, "%d rank%s left out: %s wants two hosts", team->size,
                              team->size == 1 ? "" : "s", hitop_pattern_names[r->pattern]);
        return 0;
    }
    return 1;
}

/*
 * List the operations of this part: two-rank operations on a team of two, others if their number of
 * ranks was requested (is_asked_for).
 */
static int list_kinds(const struct benchmark_request *r, int size, int is_asked_for,
                      const struct benchmark_kind *kinds[BENCHMARK_KINDS])
{
    int n = 0;

    for (int k = 0; k < r->nkinds; k++) {
        if (r->kinds[k]->flags & KIND_TWO_RANKS ? size == 2 : is_asked_for) {
            kinds[n++] = r->kinds[k];
        }
    }
    return n;
}

/*
 * 1: operations take turns. They do not if a library keeps memory and choices for each
 * communicator, as Hitop does: many communicators would get less memory each, and one communicator
 * for all operations would not keep its choices.
 */
static int takes_turns(const struct benchmark_request *r)
{
    for (int i = 0; i < r->nimplementations; i++) {
        if (r->implementations[i].source->keeps_choices) {
            return 0;
        }
    }
    return 1;
}

static enum hitop_status measure_kinds(const struct benchmark_request *r,
                                       struct benchmark_team *team, int is_asked_for,
                                       struct benchmark_result *result, struct hitop_diag *diag)
{
    const struct benchmark_kind *kinds[BENCHMARK_KINDS];
    const int n = list_kinds(r, team->size, is_asked_for, kinds);
    const int together = takes_turns(r) ? n : 1;
    const double end = team->deadline;
    enum hitop_status status = HITOP_OK;

    for (int k = 0; k < n && status == HITOP_OK; k += together) {
        team->deadline = share_until(end, (n - k) / together);
        status = benchmark_round(r, team, &kinds[k], together, result, diag);
    }
    return status;
}

/*
 * Measure on one team. Its share of the time limit begins after the comparison of clocks, which may
 * take seconds on slow links.
 */
static enum hitop_status measure_team(const struct benchmark_request *r, MPI_Comm comm,
                                      int is_asked_for, const struct replay *trace, double end,
                                      int shares, struct benchmark_result *result,
                                      struct hitop_diag *diag)
{
    struct benchmark_team team;
    enum hitop_status status = hitop_team_init(&team, comm, r->method, diag);
    double residual = 0;

    team.deadline = share_until(end, shares);
    team.pattern.pattern = r->pattern;
    team.pattern.interval = r->interval;
    team.pattern.seed = r->seed;
    team.pattern.ranks = r->arrives ? team.size : 0;
    team.pattern.replay = trace;
    if (status == HITOP_OK && is_late(r, &team, result)) {
        status = measure_kinds(r, &team, is_asked_for, result, diag);
    }
    if (status == HITOP_OK) {
        status = hitop_common_clock_check(team.clock, &residual, NULL, diag);
        result->clock_residual = fmax(result->clock_residual, residual);
    }
    hitop_team_fini(&team);
    return status;
}

/* A team of the first ranks; the others wait. */
static enum hitop_status measure_part(const struct benchmark_request *r, int size, int is_asked_for,
                                      const struct replay *trace, double end, int shares,
                                      struct benchmark_result *result, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    MPI_Comm comm;
    int rank;

    (void)PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    (void)PMPI_Comm_split(MPI_COMM_WORLD, rank < size ? 0 : MPI_UNDEFINED, rank, &comm);
    if (comm != MPI_COMM_NULL) {
        status = measure_team(r, comm, is_asked_for, trace, end, shares, result, diag);
        (void)PMPI_Comm_free(&comm);
    }
    if (status == HITOP_OK) {
        wait_for_all();
    }
    return status;
}

static int wants_two(const struct benchmark_request *r)
{
    for (int k = 0; k < r->nkinds; k++) {
        if (r->kinds[k]->flags & KIND_TWO_RANKS) {
            return 1;
        }
    }
    return 0;
}

/* Some ranks of the job; is_asked_for is 0 if only operations of two ranks need them. */
struct part {
    int size, is_asked_for;
};

/*
 * List all ranks first, then fewer, so that a run that ends early has results of the whole job
 * rather than of two ranks. Returns the number of parts.
 */
static int list_parts(const struct benchmark_request *r, const int *counts, int ncounts, int nranks,
                      struct part parts[BENCHMARK_COUNTS + 1], struct benchmark_result *result)
{
    int needs_two = wants_two(r), n = 0;

    if (needs_two && nranks < 2) {
        benchmark_result_warn(result, "pingpong left out: it wants 2 ranks");
        needs_two = 0;
    }
    for (int i = 0; i < ncounts; i++) {
        if (needs_two && counts[i] > 2) {
            parts[n++] = (struct part){2, 0};
        }
        needs_two = needs_two && counts[i] < 2;
        parts[n++] = (struct part){counts[i], 1};
    }
    if (needs_two) {
        parts[n++] = (struct part){2, 0};
    }
    for (int i = 0; i < n / 2; i++) {
        const struct part other = parts[i];
        parts[i] = parts[n - 1 - i];
        parts[n - 1 - i] = other;
    }
    return n;
}

/* Print the seconds of a part in a dry run, at rank 0. The set-up took all time but the probes'. */
static void print_plan(const struct part *part, const struct benchmark_result *before,
                       double seconds, struct benchmark_result *result)
{
    const double setup = fmax(seconds - (result->probed - before->probed), 0);

    printf("%5d  %5d  %8.2f  %11.1f\n", part->size, result->nplanned - before->nplanned, setup,
           result->planned - before->planned);
    result->planned += setup;
    (void)fflush(stdout);
}

/* Print the seconds of all parts, and the time limit if that is shorter. */
static void print_plan_of_all(const struct benchmark_request *r,
                              const struct benchmark_result *result)
{
    if (r->time_limit > 0 && r->time_limit < result->planned) {
        printf("all: about %.3g s, which --time-limit ends after %.3g s\n", result->planned,
               r->time_limit);
    } else {
        printf("all: about %.3g s\n", result->planned);
    }
}

/* Measure all parts; each gets an equal share of the time that is left. */
static enum hitop_status measure_all(const struct benchmark_request *r, const int *counts,
                                     int ncounts, int nranks, int rank, const struct replay *trace,
                                     struct benchmark_result *result, struct hitop_diag *diag)
{
    const double end = r->time_limit > 0 ? MPI_Wtime() + r->time_limit : 0;
    struct part parts[BENCHMARK_COUNTS + 1];
    const int n = list_parts(r, counts, ncounts, nranks, parts, result);
    enum hitop_status status = HITOP_OK;

    const int prints = r->dry_run && rank == 0;

    if (prints) {
        printf("ranks  sizes  set-up_s  measuring_s\n");
    }
    for (int i = 0; i < n && status == HITOP_OK; i++) {
        const struct benchmark_result before = *result;
        const double begin = MPI_Wtime();
        status = measure_part(r, parts[i].size, parts[i].is_asked_for, trace, r->dry_run ? 0 : end,
                              n - i, result, diag);
        if (prints && status == HITOP_OK) {
            print_plan(&parts[i], &before, MPI_Wtime() - begin, result);
        }
    }
    if (prints && status == HITOP_OK) {
        print_plan_of_all(r, result);
    }
    return status;
}

/* With --line-hop, report the first and the last latency of times that count. */
static void add_counted_hops(const struct benchmark_request *r, struct benchmark_result *result)
{
    int n = 0;

    for (int i = 0; i < result->ncurves && r->line_hop > 0; i++) {
        const double *hop = result->curves[i].hop;
        if (isfinite(hop[1])) {
            result->hop[0] = n++ > 0 ? result->hop[0] : hop[0];
            result->hop[1] = hop[1];
        }
    }
}

int benchmark_run(const struct tool *tool, struct benchmark_request *r,
                  struct benchmark_result *result)
{
    int counts[BENCHMARK_COUNTS], n, nranks, rank, exit_status;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct replay trace = {0};
    struct library library; /* stays loaded: it may have given callbacks to MPI */
    enum hitop_status status;

    (void)PMPI_Comm_size(MPI_COMM_WORLD, &nranks);
    (void)PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    result->nranks = nranks;
    exit_status = benchmark_job_open(tool, r, nranks, rank, counts, &n, &trace);
    if (exit_status != TOOL_DONE) {
        hitop_replay_free(&trace);
        return exit_status;
    }
    /* its warnings come first: the last one is the reason if nothing was measured */
    status = benchmark_job_describe(r, result, &diag);
    if (status == HITOP_OK) {
        exit_status = benchmark_open_library(tool, r, &library, result);
        if (exit_status != TOOL_DONE) {
            hitop_replay_free(&trace);
            return exit_status;
        }
        signals_catch();
        result->hop[0] = hitop_line_hop(MPI_COMM_WORLD);
        status = measure_all(r, counts, n, nranks, rank, &trace, result, &diag);
    }
    if (status == HITOP_OK) {
        result->hop[1] = hitop_line_hop(MPI_COMM_WORLD);
        add_counted_hops(r, result);
    }
    hitop_replay_free(&trace);
    r->loaded = NULL;
    if (status != HITOP_OK) {
        tool_mpi_abort(tool, &diag);
        return TOOL_FAILED;
    }
    return TOOL_DONE;
}
