/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_run_mpi.c - all curves that are asked for, on parts of the job, one after the other. */
#include <config.h>

#include "benchmark_hop_mpi.h"
#include "benchmark_job_mpi.h"
#include "benchmark_plan.h"
#include "benchmark_run.h"
#include "signals.h"

#include "hitop/collectives_mpi.h"
#include "models/transport_mpi.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Who is waiting for the others does not take their processors. */
static void wait_for_all(void)
{
    MPI_Request all;

    (void)PMPI_Ibarrier(MPI_COMM_WORLD, &all);
    (void)wait_quietly(&all, 1);
}

/* A communicator of its own for a way, with its algorithm. */
static enum hitop_status open_way(struct benchmark_curve_run *run, int w, struct hitop_diag *diag)
{
    const struct benchmark_way *way = &run->request->ways[w];

    run->by[w] = way->by == BY_MPI     ? &coll_functions_plain
                 : way->by == BY_HITOP ? &coll_functions_hitop
                                       : &coll_functions_public;
    (void)PMPI_Comm_dup(run->team->comm, &run->comm[w]);
    if (way->algorithm && run->kind->operation) {
        return hitop_coll_set(run->comm[w], run->kind->operation, way->algorithm, diag);
    }
    return HITOP_OK;
}

/* 1 when a kind can be measured on so many ranks, else a warning. */
static int is_possible(const struct benchmark_request *r, const struct benchmark_kind *kind,
                       int size, struct benchmark_result *result)
{
    if (kind->sender && size < 2 && kind->flags & KIND_HALVES) {
        benchmark_result_warn(result, "%s left out: it wants 2 ranks", kind->name);
        return 0;
    }
    if (benchmark_kind_has_root(kind) && r->root >= size) {
        benchmark_result_warn(result, "%s, %d ranks: left out: there is no root %d", kind->name,
                              size, r->root);
        return 0;
    }
    if (kind->flags & KIND_P2P && r->nways > 1 && r->ways[0].by != r->ways[1].by) {
        benchmark_result_warn(result, "%s left out: messages are MPI's alone", kind->name);
        return 0;
    }
    return 1;
}

/* 1 when the pattern makes anybody late on these hosts, else a warning. */
static int is_late(const struct benchmark_request *r, const struct benchmark_team *team,
                   struct benchmark_result *result)
{
    if (r->arrives && team->nodes < 2 &&
        (r->pattern == PATTERN_LATE_NODE || r->pattern == PATTERN_LATE_LEADER)) {
        benchmark_result_warn(result, "%d ranks left out: %s wants two hosts", team->size,
                              pattern_names[r->pattern]);
        return 0;
    }
    return 1;
}

/* One kind, by all ranks of a team. */
static enum hitop_status measure_kind(const struct benchmark_request *r,
                                      const struct benchmark_kind *kind,
                                      struct benchmark_team *team, struct benchmark_result *result,
                                      struct hitop_diag *diag)
{
    struct benchmark_curve_run run = {.request = r, .kind = kind, .team = team};
    enum hitop_status status;

    if (!is_possible(r, kind, team->size, result)) {
        return HITOP_OK;
    }
    run.root = benchmark_kind_has_root(kind) ? r->root : 0;
    status = benchmark_type_find(r->type, kind, &run.type, diag);
    if (status == HITOP_ERR_NOTFOUND) {
        benchmark_result_warn(result, "left out: %s", diag->message);
        return HITOP_OK;
    }
    for (int w = 0; w < r->nways && status == HITOP_OK; w++) {
        status = open_way(&run, w, diag);
    }
    if (status == HITOP_OK) {
        status = benchmark_curve_measure(&run, result, diag);
    }
    benchmark_sizes_free(&run);
    for (int w = 0; w < r->nways && status == HITOP_OK; w++) {
        (void)PMPI_Comm_free(&run.comm[w]);
    }
    return status;
}

/* Kinds of two ranks have a team of two, others those that are asked for. */
static int is_for(const struct benchmark_kind *kind, int size, int is_asked_for)
{
    return kind->flags & KIND_TWO_RANKS ? size == 2 : is_asked_for;
}

static enum hitop_status measure_team(const struct benchmark_request *r, MPI_Comm comm,
                                      int is_asked_for, const struct replay *trace, double deadline,
                                      struct benchmark_result *result, struct hitop_diag *diag)
{
    struct benchmark_team team;
    enum hitop_status status = benchmark_team_init(&team, comm, r, diag);
    double residual = 0;
    int makes_sense;

    team.deadline = deadline;
    team.pattern.replay = trace;
    makes_sense = status == HITOP_OK && is_late(r, &team, result);
    for (int k = 0; status == HITOP_OK && k < r->nkinds && makes_sense; k++) {
        if (is_for(r->kinds[k], team.size, is_asked_for)) {
            status = measure_kind(r, r->kinds[k], &team, result, diag);
        }
    }
    if (status == HITOP_OK) {
        status = hitop_common_clock_check(team.clock, &residual, NULL, diag);
        result->clock_residual = fmax(result->clock_residual, residual);
    }
    benchmark_team_fini(&team);
    return status;
}

/* A team of the first ranks; the others wait. */
static enum hitop_status measure_part(const struct benchmark_request *r, int size, int is_asked_for,
                                      const struct replay *trace, double deadline,
                                      struct benchmark_result *result, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    MPI_Comm comm;
    int rank;

    (void)PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    (void)PMPI_Comm_split(MPI_COMM_WORLD, rank < size ? 0 : MPI_UNDEFINED, rank, &comm);
    if (comm != MPI_COMM_NULL) {
        status = measure_team(r, comm, is_asked_for, trace, deadline, result, diag);
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

/* Ranks may be waiting for each other: nobody goes on. Where rank 0 has failed, too, its word is enough. */
static void give_up(const struct tool *tool, const struct hitop_diag *diag)
{
    const struct timespec pause = {.tv_nsec = 300000000};
    struct tool loud = *tool;

    if (tool->quiet) {
        (void)nanosleep(&pause, NULL);
    }
    loud.quiet = 0;
    tool_error(&loud, "%s", diag->message);
    (void)MPI_Abort(MPI_COMM_WORLD, TOOL_FAILED);
}

static enum hitop_status measure_all(const struct benchmark_request *r, const int *counts,
                                     int ncounts, int nranks, const struct replay *trace,
                                     struct benchmark_result *result, struct hitop_diag *diag)
{
    const double deadline = r->time_limit > 0 ? MPI_Wtime() + r->time_limit : 0;
    enum hitop_status status = HITOP_OK;
    int has_two = !wants_two(r);

    if (!has_two && nranks < 2) {
        benchmark_result_warn(result, "pingpong left out: it wants 2 ranks");
        has_two = 1;
    }
    for (int i = 0; i < ncounts && status == HITOP_OK; i++) {
        if (counts[i] > 2 && !has_two) {
            status = measure_part(r, 2, 0, trace, deadline, result, diag);
            has_two = 1;
        }
        has_two = has_two || counts[i] == 2;
        if (status == HITOP_OK) {
            status = measure_part(r, counts[i], 1, trace, deadline, result, diag);
        }
    }
    if (!has_two && status == HITOP_OK) {
        status = measure_part(r, 2, 0, trace, deadline, result, diag);
    }
    return status;
}

int benchmark_run(const struct tool *tool, const struct benchmark_request *r,
                  struct benchmark_result *result)
{
    int counts[BENCHMARK_COUNTS], n, nranks, exit_status;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct replay trace = {0};
    enum hitop_status status;

    (void)PMPI_Comm_size(MPI_COMM_WORLD, &nranks);
    result->nranks = nranks;
    status = benchmark_plan_counts(r, nranks, counts, &n, &diag);
    if (status != HITOP_OK) {
        return tool_bad_option(tool, "--ranks", &diag);
    }
    exit_status = benchmark_job_check_type(tool, r);
    if (exit_status != TOOL_DONE) {
        return exit_status;
    }
    exit_status = benchmark_job_check_outputs(tool, r);
    if (exit_status != TOOL_DONE) {
        return exit_status;
    }
    exit_status = benchmark_job_read_trace(tool, r, counts[n - 1], &trace);
    if (exit_status != TOOL_DONE) {
        return exit_status;
    }
    signals_catch();
    status = benchmark_job_describe(r, result, &diag);
    if (status == HITOP_OK) {
        result->hop[0] = benchmark_hop(MPI_COMM_WORLD);
        status = measure_all(r, counts, n, nranks, &trace, result, &diag);
    }
    if (status == HITOP_OK) {
        result->hop[1] = benchmark_hop(MPI_COMM_WORLD);
    }
    replay_free(&trace);
    if (status != HITOP_OK) {
        give_up(tool, &diag);
        return TOOL_FAILED;
    }
    return TOOL_DONE;
}
