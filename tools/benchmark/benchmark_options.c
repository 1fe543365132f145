/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * benchmark_options.c - the command line: the options of benchmark_collective, and those that are
 * named as in the Intel MPI Benchmarks.
 */
#include <config.h>

#include "tools/benchmark/benchmark.h"

#include "tools/common/take.h"
#include "tools/report/report.h"

#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Options without a letter. */
enum {
    O_SIZES = 256,
    O_SIZES_FILE,
    O_POINTS,
    O_ROOT,
    O_TYPE,
    O_COMPARE,
    O_IMPLEMENTATION,
    O_PREFIX,
    O_SUFFIX,
    O_MARGIN,
    O_SLOW_DOWN,
    O_REPETITIONS,
    O_THROUGHPUT,
    O_BUDGET,
    O_TIME_LIMIT,
    O_PASSES,
    O_SPREAD,
    O_LINE_HOP,
    O_FULL_SPEED,
    O_STATE_WAIT,
    O_CACHE,
    O_MEMORY,
    O_CHECK,
    O_ARRIVAL,
    O_INTERVAL,
    O_TRACE,
    O_SEED,
    O_IN_ORDER,
    O_FORMAT,
    O_REPORT,
    O_PROGRESS,
    O_DRY_RUN,
    O_LIST,
    O_NPMIN,
    O_MSGLOG,
    O_ITER,
    O_TIME,
    O_MEM,
    O_OFF_CACHE,
    O_ROOT_SHIFT,
};

static const char *const formats[] = {
    [FORMAT_TEXT] = "text", [FORMAT_CSV] = "csv", [FORMAT_JSON] = "json",
    [FORMAT_IMB] = "imb",   [FORMAT_OSU] = "osu", NULL};

static const char *const repetitions[] = {
    [REPETITIONS_ADAPTIVE] = "adaptive", [REPETITIONS_IMB] = "imb", NULL};
static const char *const throughputs[] = {[THROUGHPUT_MB] = "1e6", [THROUGHPUT_MIB] = "2^20", NULL};

static const struct tool_option options[] = {
    {'O', "operations", "LIST",
     "operations to time, e.g. broadcast,reduce (all), or all by one algorithm,\ne.g. "
     "bcast/chain,reduce/chain; see --list"},
    {'n', "ranks", "LIST", "numbers of ranks, each on the first ones (2, 4, 8 ... and all)"},
    {'m', "min-size", "BYTES", "smallest message or block (0)"},
    {'M', "max-size", "BYTES", "largest, included (4MiB)"},
    {'S', "stride", "BYTES", "distance of sizes (powers of two)"},
    {O_SIZES, "sizes", "LIST", "these sizes instead, e.g. 8,1KiB,3MiB"},
    {O_SIZES_FILE, "sizes-file", "FILE", "sizes from a file, by lines, blanks or commas"},
    {O_POINTS, "points", "LIST",
     "operations at one size each, e.g. bcast:64KiB,reduce:1MiB; of these\noperations no others"},
    {O_TYPE, "type", "NAME",
     "type of elements: byte, char, int, long, float, double\n(byte, and float where they are "
     "summed up)"},
    {O_ROOT, "root", "RANK|rotating", "root of operations that have one (0)"},
    {O_IMPLEMENTATION, "implementation", "NAME",
     "implementation of collectives: mpi, hitop, hitop/ALGORITHM, preloaded,\nor library (mpi)"},
    {O_COMPARE, "compare", "A,B", "time two or more of these in turns, and compare them with A"},
    {'l', "library", "FILE",
     "shared library with collectives, named as MPI's with a prefix or suffix,\ne.g. my_Bcast; "
     "checks its data, and compares mpi,hitop,library"},
    {O_PREFIX, "prefix", "TEXT",
     "prefix of its functions, e.g. my_ (found in the library;\nempty with --suffix)"},
    {O_SUFFIX, "suffix", "TEXT",
     "suffix of its functions, e.g. _fast (found in the library;\nempty with --prefix)"},
    {O_MARGIN, "margin", "X", "smallest relative difference that counts (0.02)"},
    {O_SLOW_DOWN, "slow-down", "A|B=X%",
     "lengthen the calls of one of them, to test the comparison"},
    {'e', "eps", "X", "wanted half width of a median's interval, relative (0.02)"},
    {'c', "confidence", "X", "level of the intervals (0.95)"},
    {'r', "min-reps", "N", "fewest repetitions of a size (20)"},
    {'R', "max-reps", "N", "most repetitions of a size (2000)"},
    {O_REPETITIONS, "repetitions", "adaptive|imb",
     "until the interval is narrow; or 1000 up to 32 KiB, falling to 10 at\n4 MiB (adaptive)"},
    {O_BUDGET, "budget", "TIME", "time for a size (1s; 1min with --repetitions imb)"},
    {O_TIME_LIMIT, "time-limit", "TIME", "time for the whole measurement (no limit)"},
    {O_PASSES, "passes", "N", "fewest passes over all sizes (6)"},
    {O_SPREAD, "spread", "TIME", "least time for these passes together (2s)"},
    {O_LINE_HOP, "line-hop", "any|TIME",
     "count only times while a cache line takes this long from rank to rank,\ne.g. 55ns, on "
     "virtual machines whose processors are moved (any)"},
    {O_FULL_SPEED, "full-speed", NULL,
     "count only times while each processor has its full speed, without\na busy thread on the "
     "same core"},
    {O_STATE_WAIT, "state-wait", "TIME",
     "longest time without such times, for each number of ranks (1min)"},
    {O_CACHE, "cache", "same|hot|stream|cold",
     "buffers: never written again, as in IMB and OSU; the last one, just\nwritten; another one "
     "each time; or likewise, with caches flushed before\neach call (hot)"},
    {O_MEMORY, "memory", "BYTES", "memory of a rank; sizes that need more are left out (1GiB)"},
    {O_CHECK, "check", NULL, "check the data that arrive; exit with 1 if they are wrong"},
    {'t', "timing", "METHOD",
     "what the time of a collective is: max, root, global, one-barrier,\nwindow; see hitop(7) "
     "(window)"},
    {O_ARRIVAL, "arrival", "PATTERN",
     "delays of ranks: together, uniform, late-rank, late-node,\nlate-leader, late-root, "
     "early-root, sorted (together)"},
    {O_INTERVAL, "interval", "TIME", "largest delay of such a pattern (100us)"},
    {O_TRACE, "trace", "FILE",
     "delays from a file instead: a line for each call, microseconds\nfor each rank"},
    {O_SEED, "seed", "N", "seed of random orders and delays (1)"},
    {O_IN_ORDER, "in-order", NULL, "do not shuffle sizes"},
    {'f', "format", "FORMAT", "text, csv, json, imb or osu (text)"},
    {'o', "output", "FILE", "write results to FILE (standard output)"},
    {O_THROUGHPUT, "throughput", "1e6|2^20",
     "bandwidth in MB, or also in MiB, as in IMB of 2015 (1e6)"},
    {O_REPORT, "report", "FILE",
     "write a guide to them, too: FILE.html, .md, .csv or\n.json, as benchmark_report makes it"},
    {O_DRY_RUN, "dry-run", NULL, "call a few sizes, print the expected duration, and exit"},
    {O_PROGRESS, "progress", NULL, "report progress each second even if stderr is not a terminal"},
    {'q', "quiet", NULL, "no progress and no warnings on stderr"},
    {O_LIST, "list", NULL, "list the operations and exit"},
    {O_NPMIN, "npmin", "N", "IMB: smallest number of ranks without -n (2)"},
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
    {TOOL_VALUE('l', TEXT, struct benchmark_request, library.file)},
    {TOOL_VALUE(O_PREFIX, TEXT, struct benchmark_request, library.prefix)},
    {TOOL_VALUE(O_SUFFIX, TEXT, struct benchmark_request, library.suffix)},
    {TOOL_VALUE(O_REPETITIONS, WORD, struct benchmark_request, repetitions), .words = repetitions},
    {TOOL_VALUE(O_THROUGHPUT, WORD, struct benchmark_request, throughput), .words = throughputs},
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
    {TOOL_VALUE(O_CACHE, WORD, struct benchmark_request, cache), .words = benchmark_cache_names},
    {TOOL_VALUE('f', WORD, struct benchmark_request, format), .words = formats},
    {TOOL_VALUE('o', TEXT, struct benchmark_request, output)},
    {TOOL_VALUE(O_PROGRESS, FLAG, struct benchmark_request, progress)},
    {TOOL_VALUE('q', FLAG, struct benchmark_request, quiet)},
    {TOOL_VALUE(O_DRY_RUN, FLAG, struct benchmark_request, dry_run)},
    {TOOL_VALUE(O_LIST, FLAG, struct benchmark_request, list)},
    {TOOL_VALUE(O_NPMIN, INT, struct benchmark_request, least_ranks), .least = 1, .most = 1 << 30},
    {TOOL_VALUE(O_TIME, REAL, struct benchmark_request, budget), .least = 1e-6, .most = 1e6},
};

const struct tool benchmark_tool = {
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
                "  mpirun -n 16 benchmark_collective -f json -o times.json\n"
                "  mpirun -n 16 benchmark_collective --library ./libmy.so\n",
};

static enum hitop_status add_count(void *data, char *word, struct hitop_diag *diag)
{
    struct benchmark_request *r = data;

    if (r->ncounts == BENCHMARK_COUNTS) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "more than %d numbers", BENCHMARK_COUNTS);
    }
    return hitop_text_int(word, 1, INT_MAX, &r->counts[r->ncounts++], diag);
}

/* "together" or a pattern by its name; arrivals from a file have an option of their own. */
static enum hitop_status take_arrival(struct benchmark_request *r, const char *text,
                                      struct hitop_diag *diag)
{
    char valid[256] = "together";

    r->arrives = strcmp(text, "together") != 0;
    if (!r->arrives) {
        return HITOP_OK;
    }
    for (int p = 0; p < PATTERN_REPLAY; p++) {
        if (strcmp(text, hitop_pattern_names[p]) == 0) {
            r->pattern = (enum pattern)p;
            return HITOP_OK;
        }
        hitop_text_list_name(valid, sizeof(valid), hitop_pattern_names[p]);
    }
    return hitop_fail(diag, HITOP_ERR_NOTFOUND, "'%.40s' is no pattern; valid: %s", text, valid);
}

static enum hitop_status take_root(struct benchmark_request *r, const char *text,
                                   struct hitop_diag *diag)
{
    r->root = ROOT_ROTATES;
    if (strcmp(text, "rotating") == 0 || hitop_text_int(text, 0, INT_MAX, &r->root, NULL) == 0) {
        return HITOP_OK;
    }
    return hitop_fail(diag, HITOP_ERR_INVALID, "'%.40s' is neither a rank from 0 on nor 'rotating'",
                      text);
}

static enum hitop_status take_report(struct benchmark_request *r, const char *path,
                                     struct hitop_diag *diag)
{
    if (report_format_of_file(path) < 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "'%.200s' must end with .html, .md, .csv or .json", path);
    }
    r->report = path;
    return HITOP_OK;
}

static enum hitop_status take_line_hop(const char *argument, double *seconds,
                                       struct hitop_diag *diag)
{
    *seconds = 0;
    return strcmp(argument, "any") == 0 ? HITOP_OK : take_time(argument, seconds, diag);
}

/* "3:10", or "10" for "0:10". */
static enum hitop_status take_msglog(struct benchmark_request *r, const char *text,
                                     struct hitop_diag *diag)
{
    const size_t length = strcspn(text, ":");
    char word[8] = "";
    int low = 0, high;
    enum hitop_status status = HITOP_OK;

    if (text[length] == ':') {
        memcpy(word, text, length < sizeof(word) ? length : sizeof(word) - 1);
        status = hitop_text_int(word, 0, 62, &low, diag);
        text += length + 1;
    }
    if (status == HITOP_OK) {
        status = hitop_text_int(text, low, 62, &high, diag);
    }
    if (status == HITOP_OK) {
        r->sizes.min = (size_t)1 << low;
        r->sizes.max = (size_t)1 << high;
        r->sizes.range_given = 1;
        r->sizes.zero_too = 1;
    }
    return status;
}

/* "1000,40,100": the first number counts. */
static enum hitop_status take_iter(struct benchmark_request *r, const char *text,
                                   struct hitop_diag *diag)
{
    const size_t length = strcspn(text, ",");
    char word[16] = "";
    int n;
    enum hitop_status status;

    memcpy(word, text, length < sizeof(word) ? length : sizeof(word) - 1);
    status = hitop_text_int(word, 1, 1000000, &n, diag);
    if (status == HITOP_OK) {
        r->rule.min_samples = r->rule.max_samples = n;
    }
    return status;
}

/* The options of the Intel MPI Benchmarks that need a function. */
static enum hitop_status take_imb(struct benchmark_request *r, int letter, const char *argument,
                                  struct hitop_diag *diag)
{
    enum hitop_status status;
    double gigabytes;

    switch (letter) {
    case O_MSGLOG:
        return take_msglog(r, argument, diag);
    case O_ITER:
        return take_iter(r, argument, diag);
    case O_MEM:
        status = hitop_text_double(argument, 1e-6, 1e6, &gigabytes, diag);
        r->memory = status == HITOP_OK ? (size_t)(gigabytes * (1 << 30)) : r->memory;
        return status;
    case O_OFF_CACHE:
        r->cache = CACHE_STREAM;
        return HITOP_OK;
    default:
        if (strcmp(argument, "on") != 0 && strcmp(argument, "off") != 0) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "'%.40s' must be on or off", argument);
        }
        r->root = strcmp(argument, "on") == 0 ? ROOT_ROTATES : 0;
        return HITOP_OK;
    }
}

static enum hitop_status take(void *data, int letter, const char *argument, struct hitop_diag *diag)
{
    struct benchmark_request *r = data;

    switch (letter) {
    case 'O':
        return take_list(r, argument, benchmark_add_kind, diag);
    case 'n':
        r->ncounts = 0;
        return take_list(r, argument, add_count, diag);
    case 'm':
    case 'M':
    case 'S':
        return sizes_set_range(&r->sizes, letter, argument, diag);
    case O_SIZES:
        return sizes_set_list(&r->sizes, argument, diag);
    case O_POINTS:
        return take_list(r, argument, benchmark_add_point, diag);
    case O_ROOT:
        return take_root(r, argument, diag);
    case O_IMPLEMENTATION:
        r->implementation_given = 1;
        return benchmark_parse_implementation(argument, &r->implementations[0], diag);
    case O_COMPARE:
        return benchmark_parse_comparison(argument, r, diag);
    case O_LINE_HOP:
        return take_line_hop(argument, &r->line_hop, diag);
    case 't':
        return hitop_timing_find(argument, &r->method, diag);
    case O_ARRIVAL:
        return take_arrival(r, argument, diag);
    case O_INTERVAL:
        r->interval_given = 1;
        return hitop_text_seconds(argument, &r->interval, diag);
    case O_REPORT:
        return take_report(r, argument, diag);
    default:
        return take_imb(r, letter, argument, diag);
    }
}

void benchmark_replace_imb_names(int argc, char **argv)
{
    static char names[][16] = {"--npmin", "--msglog", "--msgsize",   "--msglen",    "--iter",
                               "--time",  "--mem",    "--off_cache", "--root_shift"};

    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
            if (strcmp(argv[i], names[k] + 1) == 0) {
                argv[i] = names[k];
                break;
            }
        }
    }
}

int benchmark_parse_options(const struct tool *tool, int argc, char **argv,
                            struct benchmark_request *r)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int status;

    *r = (struct benchmark_request){.least_ranks = 2,
                                    .sizes = {.min = 0, .max = (size_t)4 << 20},
                                    .margin = 0.02,
                                    .rule = {.eps = 0.02, .confidence = 0.95, .batch = 1},
                                    .method = &hitop_timing_window,
                                    .cache = CACHE_HOT,
                                    .passes = 6,
                                    .spread = 2,
                                    .state_wait = 60,
                                    .memory = (size_t)1 << 30,
                                    .interval = 100e-6,
                                    .seed = 1,
                                    .output = "-"};
    r->nimplementations = 1;
    if (benchmark_parse_implementation("mpi", &r->implementations[0], &diag) != HITOP_OK) {
        return tool_bad_option(tool, "--implementation", &diag);
    }
    r->command = tool_command_line(tool, argc, argv);
    if (!r->command) {
        tool_error(tool, "out of memory");
        return TOOL_FAILED;
    }
    status = tool_take_options(tool, argc, argv, take, r);
    for (; status == TOOL_DONE && optind < argc; optind++) {
        if (take_list(r, argv[optind], benchmark_add_kind, &diag) != HITOP_OK) {
            tool_error(tool, "%s", diag.message);
            status = TOOL_USAGE;
        }
    }
    if (status == TOOL_DONE && benchmark_implement_named(r, &diag) != HITOP_OK) {
        status = tool_bad_option(tool, "--operations", &diag);
    }
    for (int k = 0, has_none = r->nkinds == 0; has_none && benchmark_kinds[k].name; k++) {
        r->kinds[r->nkinds++] = &benchmark_kinds[k];
    }
    return status == TOOL_DONE ? benchmark_check_whole(tool, r) : status;
}

void benchmark_request_fini(struct benchmark_request *request)
{
    free(request->sizes_text);
    free(request->command);
    request->sizes_text = request->command = NULL;
}
