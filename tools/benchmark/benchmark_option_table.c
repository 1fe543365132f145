/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_option_table.c - the options of benchmark_collective. */
#include <config.h>

#include "tools/benchmark/benchmark_options.h"

const struct tool_option benchmark_options[] = {
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
const size_t benchmark_noptions = sizeof(benchmark_options) / sizeof(benchmark_options[0]);
