/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_options.c - the options of the measuring tools. */
#include <config.h>

#include "tools/measure/measure_options.h"

#define MODEL_OPTION                                                                               \
    {                                                                                              \
        'C', "model", "NAME",                                                                      \
            "formula to fit, such as hockney; auto: hockney or piecewise, as the\n"                \
            "measurements say; all: which of all formulas fits (auto)"                             \
    }
#define OUTPUT_OPTION                                                                              \
    {                                                                                              \
        'o', "output", "FILE", "model file to write; - is standard output, without a table then"   \
    }
#define POINTS_OPTION                                                                              \
    {                                                                                              \
        O_POINTS, "points", "FILE", "also write the measured times, as CSV"                        \
    }
#define MEASURE_OPTIONS                                                                            \
    {'m', "min-size", "BYTES", "smallest message (0)"},                                            \
        {'M', "max-size", "BYTES", "largest message, included (1MiB)"},                            \
        {'S', "stride", "BYTES",                                                                   \
         "distance of sizes; 0: as many as the times ask for (a dozen of all\n"                    \
         "magnitudes)"},                                                                           \
        {'s', "min-stride", "BYTES", "smallest distance of sizes that are asked for (64)"},        \
        {'n', "max-num", "N", "most sizes then (100)"},                                            \
        {'d', "max-diff", "X", "deviation from a straight line that asks for a size (as --eps)"},  \
        {'e', "eps", "X", "wanted half width of a median's interval, relative (0.05)"},            \
        {'c', "confidence", "X", "level of the intervals (0.95)"},                                 \
        {'r', "min-samples", "N", "fewest samples per size (20)"},                                 \
        {'R', "max-samples", "N", "most samples per size (20000)"},                                \
        {'p', "parallel", "0|1",                                                                   \
         "1: links at once as far as a test allows it; 0: one by one (1)"},                        \
        {O_CACHE, "cache", "hot|stream|cold",                                                      \
         "messages in the same buffer; through memory of twice the last-level\n"                   \
         "cache; or out of all caches, emptied before each sample (hot)"},                         \
        {O_BUDGET, "budget", "TIME", "time for all measurements together, e.g. 90s (20s)"},        \
        {O_FIT, "fit", "LINE",                                                                     \
         "line through the times of a link (hockney, loggp, lmo): two-ends, robust,\n"             \
         "bisquare, least-squares, ordinary or two-point (two-ends)"},                             \
        {O_SCATTER_GATHER, "scatter-gather", NULL,                                                 \
         "also find the sizes at which linear scatter and gather change (lmo)"},                   \
        {O_TRIPLES, "triples", "N|all",                                                            \
         "three hosts at once for processors (lmo): N times each with near ones,\n"                \
         "or all triples (6)"},                                                                    \
        {O_SEED, "seed", "N", "of the random order of measurements (1)"},                          \
        {O_SIMULATE, "simulate", "FILE",                                                           \
         "do not use MPI: simulate the network of this model file"},                               \
    {                                                                                              \
        O_NOISE, "noise", "X", "relative noise of the simulated network (0)"                       \
    }
#define THRESHOLD_OPTION                                                                           \
    {                                                                                              \
        O_EXACT_THRESHOLDS, "exact-thresholds", NULL,                                              \
            "also find the largest message sent eagerly, to the byte"                              \
    }
#define UPDATE_OPTION                                                                              \
    {                                                                                              \
        O_UPDATE, "update", "MODEL", "an earlier model file: measure only what has drifted since"  \
    }
#define RUN_OPTIONS                                                                                \
    {O_JOURNAL, "journal", "FILE", "keep all samples in this file as they are taken"},             \
        {O_RESUME, "resume", NULL, "go on from the journal, with what is not settled there"},      \
        {O_RESUME_ANYWAY, "resume-anyway", NULL,                                                   \
         "the same, though hosts, the MPI library or options differ"},                             \
        {O_TIME_LIMIT, "time-limit", "TIME",                                                       \
         "end by then, whatever is known (with SIGTERM, SIGINT, SIGUSR1:\n"                        \
         "at once)"},                                                                              \
        {O_WATCHDOG, "watchdog", "TIME", "fail when nothing happens for so long; 0: never (30s)"}, \
    {                                                                                              \
        O_DRY_RUN, "dry-run", NULL,                                                                \
            "time a few messages under mpirun; print what would be measured and\n"                 \
            "how long it would take"                                                               \
    }
#define LAST_OPTIONS                                                                               \
    {O_STRICT, "strict", NULL,                                                                     \
     "exit with status 4 where the result lacks something: links that did not\n"                   \
     "settle, an early end, groups that do not hold"},                                             \
        {O_PROGRESS, "progress", NULL, "report progress even when stderr is not a terminal"},      \
    {                                                                                              \
        'q', "quiet", NULL, "no table and no progress"                                             \
    }

const struct tool_option measure_tool_options[] = {
    MODEL_OPTION,
    {'i', "input", "FILE", "hierarchy, as generate_hierarchy writes it; - is standard input"},
    OUTPUT_OPTION,
    {O_ANNOTATE, "annotate", "FILE", "also write the hierarchy with the parameters of each level"},
    POINTS_OPTION,
    {O_LINKS, "links", "one|ring|pairs|N",
     "links to measure of each group: one; each member with the next; each\n"
     "two of its members, with parameters of their own; or N random pairs (one)"},
    {O_VERIFY, "verify", "K", "measure K further pairs at random and compare (0)"},
    {O_REFINE, "refine", NULL, "measure groups that do not hold pair by pair"},
    UPDATE_OPTION,
    {O_TOLERANCE, "tolerance", "X",
     "how far a pair may be from its group's links, or a time from an\n"
     "earlier one (0.2)"},
    MEASURE_OPTIONS,
    THRESHOLD_OPTION,
    RUN_OPTIONS,
    {O_CAPACITIES, "capacities", NULL,
     "measure how many messages at once shared links carry, with --update anew"},
    {O_NO_CAPACITIES, "no-capacities", NULL, "do not; predictions then assume one"},
    {O_IGNORE_HOSTS, "ignore-hosts", NULL, "ranks need not run on the hosts of the hierarchy"},
    LAST_OPTIONS,
};

const size_t measure_tool_noptions = sizeof(measure_tool_options) / sizeof(measure_tool_options[0]);

const struct tool_option measure_flat_options[] = {
    MODEL_OPTION,
    OUTPUT_OPTION,
    POINTS_OPTION,
    {O_SAMPLE, "sample", "N", "measure N random pairs and take all to be alike"},
    UPDATE_OPTION,
    {O_TOLERANCE, "tolerance", "X", "how far a time may be from an earlier one (0.2)"},
    MEASURE_OPTIONS,
    THRESHOLD_OPTION,
    RUN_OPTIONS,
    LAST_OPTIONS,
};

const size_t measure_flat_noptions = sizeof(measure_flat_options) / sizeof(measure_flat_options[0]);
