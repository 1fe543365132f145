/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_collective.c - what collectives and messages take on the machine at hand. */
#include <config.h>

#include "tools/benchmark/benchmark_job_mpi.h"
#include "tools/benchmark/benchmark_kinds.h"
#include "tools/benchmark/benchmark_run.h"
#include "tools/common/tool_mpi.h"

#include <stdlib.h>
#include <string.h>

static void list_kinds(void)
{
    for (const struct benchmark_kind *k = benchmark_kinds; k->name; k++) {
        printf("%-12s  %s\n", k->name, k->summary);
    }
}

/* On standard error, unless they are seen in the results there; of nothing, whatever may be the reason is told always. */
static void tell_warnings(const struct tool *tool, const struct benchmark_result *r)
{
    const struct benchmark_request *q = r->request;
    const int is_seen = r->ncurves > 0 && q->format->shows_warnings && strcmp(q->output, "-") == 0;

    const int n = r->ncurves > 0 ? r->nwarnings : r->nwarnings - 1; /* the last one is the reason */

    for (int i = 0; i < n && !is_seen && (!q->quiet || r->ncurves == 0); i++) {
        tool_error(tool, "warning: %s", r->warnings[i]);
    }
}

/* Rank 0: write it all; the exit status. */
static int report(const struct tool *tool, struct benchmark_result *r)
{
    unsigned long long wrong = 0;
    int status;

    benchmark_result_sort(r);
    benchmark_judge_run(r);
    tell_warnings(tool, r);
    if (r->ncurves == 0) {
        tool_error(tool, "there was nothing to measure%s%s", r->nwarnings > 0 ? ": " : "",
                   r->nwarnings > 0 ? r->warnings[r->nwarnings - 1] : "");
        return TOOL_FAILED;
    }
    status = benchmark_write(tool, r);
    for (int i = 0; i < r->ncurves; i++) {
        for (int k = 0; k < r->curves[i].npoints; k++) {
            wrong += r->curves[i].points[k].wrong;
        }
    }
    if (status == TOOL_DONE && wrong > 0) {
        tool_error(tool, "%llu elements were wrong", wrong);
        return TOOL_FAILED;
    }
    return status;
}

static int run(const struct tool *tool, struct benchmark_request *request, int rank)
{
    struct benchmark_result result = {.request = request};
    int status = benchmark_job_read_sizes(tool, request);

    if (status == TOOL_DONE) {
        status = benchmark_run(tool, request, &result);
    }
    if (status == TOOL_DONE && rank == 0 && !request->dry_run) {
        status = report(tool, &result);
    }
    benchmark_result_fini(&result);
    return status;
}

HITOP_API int main(int argc, char **argv)
{
    struct tool tool = {
        .name = "benchmark_collective",
        .synopsis = "[options] [operation...]",
        .summary =
            "Time collectives and messages of this job (under mpirun): every call by itself, begun "
            "by all ranks\n"
            "at one moment, until the last one is through.",
        .options = benchmark_options,
        .noptions = benchmark_noptions,
        .values = benchmark_values,
        .nvalues = benchmark_nvalues,
        .epilogue = "Examples:\n"
                    "  mpirun -n 16 benchmark_collective broadcast reduce -n 4,8,16\n"
                    "  mpirun -n 16 benchmark_collective -O allreduce --compare mpi,hitop\n"
                    "  mpirun -n 16 benchmark_collective -f json -o times.json\n",
    };
    struct benchmark_request request;
    int status;

    (void)setenv("HITOP_TRIAL", "0",
                 0); /* Hitop itself is measured, not the faster one of it and MPI */
    benchmark_imb_options(argc, argv);
    if (tool_help_or_version(&tool, argc, argv)) {
        return tool_finish(&tool);
    }
    tool.quiet = tool_mpi_is_later_rank();
    status = benchmark_options_parse(&tool, argc, argv, &request);
    if (status == TOOL_DONE && request.list) {
        if (!tool.quiet) {
            list_kinds();
        }
        benchmark_request_fini(&request);
        return tool_finish(&tool);
    }
    if (status == TOOL_DONE) {
        const int rank = tool_mpi_start(&tool, NULL, NULL);
        status = tool_mpi_finish(run(&tool, &request, rank));
    } else {
        status = tool_mpi_leave(&tool, status);
    }
    benchmark_request_fini(&request);
    return status;
}
