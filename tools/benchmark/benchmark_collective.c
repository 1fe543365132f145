/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_collective.c - times collectives and messages on the machine at hand. */
#include <config.h>

#include "tools/benchmark/benchmark.h"
#include "tools/benchmark/benchmark_job_mpi.h"
#include "tools/benchmark/benchmark_kinds.h"
#include "tools/benchmark/benchmark_run.h"
#include "tools/benchmark/request.h"
#include "tools/common/take.h"
#include "tools/common/tool_mpi.h"

#include "hitop/plan.h"
#include "hitop/text.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const struct tool_option options[] = {
    {'O', "operations", "LIST", "operations to time, e.g. broadcast,reduce (all); see --list"},
    {'n', "ranks", "LIST", "numbers of ranks, each on the first ones (2, 4, 8 ... and all)"},
    {'m', "min-size", "BYTES", "smallest message or block (0)"},
    {'M', "max-size", "BYTES", "largest, included (4MiB)"},
    {'S', "stride", "BYTES", "distance of sizes (powers of two)"},
    {O_SIZES, "sizes", "LIST", "these sizes instead, e.g. 8,1KiB,3MiB"},
    {O_SIZES_FILE, "sizes-file", "FILE", "sizes from a file, by lines, blanks or commas"},
    {O_TYPE, "type", "NAME",
     "type of elements: byte, char, int, long, float, double\n(byte, and float where they are "
     "summed up)"},
    {O_ROOT, "root", "RANK|rotating", "root of operations that have one (0)"},
    {O_IMPLEMENTATION, "implementation", "WAY",
     "who serves collectives: mpi, hitop, hitop/ALGORITHM, or preloaded (mpi)"},
    {O_COMPARE, "compare", "A,B", "time two of these in turn, and say which is faster"},
    {O_MARGIN, "margin", "X", "relative difference that matters then (0.02)"},
    {O_SLOW_DOWN, "slow-down", "A|B=X%",
     "make calls of one of them so much longer, to see it found"},
    {'e', "eps", "X", "wanted half width of a median's interval, relative (0.02)"},
    {'c', "confidence", "X", "level of the intervals (0.95)"},
    {'r', "min-reps", "N", "fewest repetitions of a size (20)"},
    {'R', "max-reps", "N", "most repetitions of a size (2000)"},
    {O_BUDGET, "budget", "TIME", "time for a size (1s)"},
    {O_TIME_LIMIT, "time-limit", "TIME", "time for everything (no limit)"},
    {O_PASSES, "passes", "N",
     "fewest passes over the sizes in which their repetitions are taken (6)"},
    {O_SPREAD, "spread", "TIME", "least time for these passes together (2s)"},
    {O_LINE_HOP, "line-hop", "any|TIME",
     "count only times while a cache line takes so long from rank to rank,\ne.g. 55ns: where "
     "processors of a virtual machine are moved (any)"},
    {O_FULL_SPEED, "full-speed", NULL,
     "count only times while no processor computes more slowly than it can,\nas beside a busy "
     "thread of its core"},
    {O_STATE_WAIT, "state-wait", "TIME",
     "how long there may be no such times, for each number of ranks (1min)"},
    {O_CACHE, "cache", "same|hot|stream|cold",
     "what caches know of messages: the same bytes each time, as IMB and OSU do;\nthe buffer that "
     "was used before, just written; nothing, because buffers\nchange; nothing of anything (hot)"},
    {O_MEMORY, "memory", "BYTES", "of a rank; sizes that want more are left out (1GiB)"},
    {O_CHECK, "check", NULL, "look at what arrives; exit with 1 where it is wrong"},
    {O_ARRIVAL, "arrival", "PATTERN",
     "how ranks come to a call: together, uniform, late-rank, late-node,\nlate-leader, late-root, "
     "early-root, sorted (together)"},
    {O_INTERVAL, "interval", "TIME", "how late the latest comes by such a pattern (100us)"},
    {O_TRACE, "trace", "FILE",
     "arrivals from a file instead: a line for each call, microseconds\nfor each rank"},
    {O_SEED, "seed", "N", "of what is random (1)"},
    {O_IN_ORDER, "in-order", NULL, "do not shuffle sizes"},
    {'f', "format", "FORMAT", "text, csv, json, imb or osu (text)"},
    {'o', "output", "FILE", "write results to FILE (standard output)"},
    {O_REPORT, "report", "FILE",
     "write a guide to them, too: FILE.html, .md or .csv, as\nbenchmark_report makes it"},
    {O_DRY_RUN, "dry-run", NULL, "call a few sizes, say how long everything will take, and exit"},
    {O_PROGRESS, "progress", NULL,
     "report progress each second even when stderr is not a terminal"},
    {'q', "quiet", NULL, "no progress and no warnings on stderr"},
    {O_LIST, "list", NULL, "list the operations and exit"},
    {O_NPMIN, "npmin", "N", "IMB: smallest number of ranks where -n is not given (2)"},
    {O_MSGLOG, "msglog", "A:B", "IMB: sizes 0, 2^A ... 2^B; or B alone"},
    {O_SIZES, "msgsize", "LIST", "IMB: as --sizes"},
    {O_SIZES_FILE, "msglen", "FILE", "IMB: as --sizes-file"},
    {O_ITER, "iter", "N", "IMB: as -r N -R N"},
    {O_TIME, "time", "SECONDS", "IMB: as --budget"},
    {O_MEM, "mem", "GBYTES", "IMB: as --memory"},
    {O_OFF_CACHE, "off_cache", "ANY", "IMB: as --cache stream; the argument is ignored"},
    {O_ROOT_SHIFT, "root_shift", "on|off", "IMB: on: as --root rotating"},
};

static const struct tool_value values[] = {
    {TOOL_VALUE('e', REAL, struct benchmark_request, rule.eps), .least = 0, .most = 1},
    {TOOL_VALUE('c', REAL, struct benchmark_request, rule.confidence), .least = 0.5,
     .most = 0.9999},
    {TOOL_VALUE('r', INT, struct benchmark_request, rule.min_samples), .least = 1, .most = 1000000},
    {TOOL_VALUE('R', INT, struct benchmark_request, rule.max_samples), .least = 1, .most = 1000000},
    {TOOL_VALUE(O_MARGIN, REAL, struct benchmark_request, margin), .least = 0, .most = 1},
    {TOOL_VALUE(O_BUDGET, TIME, struct benchmark_request, budget)},
    {TOOL_VALUE(O_PASSES, INT, struct benchmark_request, passes), .least = 1, .most = 1000},
    {TOOL_VALUE(O_SPREAD, DURATION, struct benchmark_request, spread)},
    {TOOL_VALUE(O_FULL_SPEED, FLAG, struct benchmark_request, full_speed)},
    {TOOL_VALUE(O_STATE_WAIT, TIME, struct benchmark_request, state_wait)},
    {TOOL_VALUE(O_TIME_LIMIT, TIME, struct benchmark_request, time_limit)},
    {TOOL_VALUE(O_SIZES_FILE, TEXT, struct benchmark_request, sizes_file)},
    {TOOL_VALUE(O_TYPE, TEXT, struct benchmark_request, type)},
    {TOOL_VALUE(O_SLOW_DOWN, TEXT, struct benchmark_request, slow_down)},
    {TOOL_VALUE(O_MEMORY, SIZE, struct benchmark_request, memory)},
    {TOOL_VALUE(O_CHECK, FLAG, struct benchmark_request, check)},
    {TOOL_VALUE(O_TRACE, TEXT, struct benchmark_request, trace)},
    {TOOL_VALUE(O_SEED, SEED, struct benchmark_request, seed)},
    {TOOL_VALUE(O_IN_ORDER, FLAG, struct benchmark_request, in_order)},
    {TOOL_VALUE('o', TEXT, struct benchmark_request, output)},
    {TOOL_VALUE(O_PROGRESS, FLAG, struct benchmark_request, progress)},
    {TOOL_VALUE('q', FLAG, struct benchmark_request, quiet)},
    {TOOL_VALUE(O_DRY_RUN, FLAG, struct benchmark_request, dry_run)},
    {TOOL_VALUE(O_LIST, FLAG, struct benchmark_request, list)},
    {TOOL_VALUE(O_NPMIN, INT, struct benchmark_request, least_ranks), .least = 1, .most = 1 << 30},
    {TOOL_VALUE(O_TIME, REAL, struct benchmark_request, budget), .least = 1e-6, .most = 1e6},
};

static enum hitop_status take_line_hop(const char *argument, double *seconds,
                                       struct hitop_diag *diag)
{
    *seconds = 0;
    return strcmp(argument, "any") == 0 ? HITOP_OK : take_time(argument, seconds, diag);
}

static enum hitop_status take(void *data, int letter, const char *argument, struct hitop_diag *diag)
{
    struct benchmark_request *r = data;

    switch (letter) {
    case 'O':
        return benchmark_take_kinds(r, argument, diag);
    case 'n':
        return benchmark_take_counts(r, argument, diag);
    case 'm':
        return sizes_set_min(&r->sizes, argument, diag);
    case 'M':
        return sizes_set_max(&r->sizes, argument, diag);
    case 'S':
        return sizes_set_stride(&r->sizes, argument, diag);
    case O_SIZES:
        return sizes_set_list(&r->sizes, argument, diag);
    case O_ROOT:
        return benchmark_take_root(r, argument, diag);
    case O_IMPLEMENTATION:
        r->way_given = 1;
        return benchmark_way_parse(argument, strlen(argument), &r->ways[0], diag);
    case O_COMPARE:
        return benchmark_take_ways(r, argument, diag);
    case O_LINE_HOP:
        return take_line_hop(argument, &r->line_hop, diag);
    case O_CACHE:
        return benchmark_cache_find(argument, &r->cache, diag);
    case O_ARRIVAL:
        return benchmark_take_arrival(r, argument, diag);
    case O_INTERVAL:
        r->interval_given = 1;
        return hitop_text_seconds(argument, &r->interval, diag);
    case 'f':
        return benchmark_take_format(r, argument, diag);
    case O_REPORT:
        return benchmark_take_report(r, argument, diag);
    default:
        return benchmark_imb_take(r, letter, argument, diag);
    }
}

static int parse_options(const struct tool *tool, int argc, char **argv,
                         struct benchmark_request *r)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int status;

    *r = (struct benchmark_request){.least_ranks = 2,
                                    .sizes = {.min = 0, .max = (size_t)4 << 20},
                                    .nways = 1,
                                    .ways[0].name = "mpi",
                                    .margin = 0.02,
                                    .rule = {.eps = 0.02, .confidence = 0.95, .batch = 1},
                                    .budget = 1,
                                    .cache = CACHE_HOT,
                                    .passes = 6,
                                    .spread = 2,
                                    .state_wait = 60,
                                    .memory = (size_t)1 << 30,
                                    .interval = 100e-6,
                                    .seed = 1,
                                    .format = &benchmark_formats[0],
                                    .output = "-"};
    r->command = tool_command_line(tool, argc, argv);
    if (!r->command) {
        tool_error(tool, "out of memory");
        return TOOL_FAILED;
    }
    status = tool_take_options(tool, argc, argv, take, r);
    for (; status == TOOL_DONE && optind < argc; optind++) {
        if (benchmark_take_kinds(r, argv[optind], &diag) != HITOP_OK) {
            tool_error(tool, "%s", diag.message);
            status = TOOL_USAGE;
        }
    }
    for (const struct benchmark_kind *k = benchmark_kinds; r->nkinds == 0 && k->name;) {
        for (; k->name; k++) {
            r->kinds[r->nkinds++] = k;
        }
    }
    return status == TOOL_DONE ? benchmark_check_whole(tool, r) : status;
}

static void request_fini(struct benchmark_request *request)
{
    free(request->sizes_text);
    free(request->command);
    request->sizes_text = request->command = NULL;
}

static void list_kinds(void)
{
    for (const struct benchmark_kind *k = benchmark_kinds; k->name; k++) {
        printf("%-12s  %s\n", k->name, k->summary);
    }
}

/* Write warnings to standard error, unless the results on standard output contain them. If there
 * are no results, warnings are written even with --quiet. */
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
        .options = options,
        .noptions = sizeof(options) / sizeof(options[0]),
        .values = values,
        .nvalues = sizeof(values) / sizeof(values[0]),
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
    status = parse_options(&tool, argc, argv, &request);
    if (status == TOOL_DONE && request.list) {
        if (!tool.quiet) {
            list_kinds();
        }
        request_fini(&request);
        return tool_finish(&tool);
    }
    if (status == TOOL_DONE) {
        const int rank = tool_mpi_start(&tool, NULL, NULL);
        status = tool_mpi_finish(run(&tool, &request, rank));
    } else {
        status = tool_mpi_leave(&tool, status);
    }
    request_fini(&request);
    return status;
}
