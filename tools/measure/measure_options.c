/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_options.c - the options of the measuring tools, and their command line. */
#include <config.h>

#include "models/fit/estimate.h"
#include "tools/common/take.h"
#include "tools/measure/measure.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Options that have no letter. */
enum {
    O_ANNOTATE = 256,
    O_POINTS,
    O_BUDGET,
    O_SEED,
    O_SIMULATE,
    O_NOISE,
    O_IGNORE_HOSTS,
    O_PROGRESS,
    O_LINKS,
    O_SAMPLE,
    O_EXACT_THRESHOLDS,
    O_VERIFY,
    O_REFINE,
    O_TOLERANCE,
    O_UPDATE,
    O_SCATTER_GATHER,
    O_TRIPLES,
    O_FIT,
    O_CACHE,
    O_CAPACITIES,
    O_STRICT,
    O_NO_CAPACITIES,
    O_JOURNAL,
    O_RESUME,
    O_RESUME_ANYWAY,
    O_TIME_LIMIT,
    O_WATCHDOG,
    O_DRY_RUN
};

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

/* The command line as it is read. */
struct reading {
    struct measure_request *r;
    struct measure_range range;
};

static enum hitop_status take_links(const char *text, struct hitop_campaign_request *r,
                                    struct hitop_diag *diag)
{
    static const char *const word[] = {
        [HITOP_LINKS_ONE] = "one", [HITOP_LINKS_RING] = "ring", [HITOP_LINKS_PAIRS] = "pairs"};

    for (size_t i = 0; i < sizeof(word) / sizeof(word[0]); i++) {
        if (strcmp(text, word[i]) == 0) {
            r->links = (enum hitop_campaign_links)i;
            return HITOP_OK;
        }
    }
    r->links = HITOP_LINKS_SAMPLE;
    return hitop_text_int(text, 1, 1000000, &r->nsample, NULL) == HITOP_OK
               ? HITOP_OK
               : hitop_fail(diag, HITOP_ERR_INVALID,
                            "'%s' is none of one, ring, pairs or a number from 1 to 1000000", text);
}

static enum hitop_status take_triples(const char *text, int *npasses, struct hitop_diag *diag)
{
    if (strcmp(text, "all") == 0) {
        *npasses = 0;
        return HITOP_OK;
    }
    return hitop_text_int(text, 1, 1000, npasses, NULL) == HITOP_OK
               ? HITOP_OK
               : hitop_fail(diag, HITOP_ERR_INVALID,
                            "'%s' is neither all nor a number from 1 to 1000", text);
}

static enum hitop_status take_watchdog(const char *text, double *seconds, struct hitop_diag *diag)
{
    if (strcmp(text, "0") == 0) {
        *seconds = 0;
        return HITOP_OK;
    }
    return hitop_text_seconds(text, seconds, diag);
}

/* Options of sizes and of the precision, which have letters. */
static enum hitop_status take_letter(struct reading *reading, int c, const char *text,
                                     struct hitop_diag *diag)
{
    struct measure_range *range = &reading->range;
    struct hitop_measure_options *o = &reading->r->campaign.options;

    if (c == 's' || c == 'n' || c == 'd') {
        range->asking = c;
    }
    switch (c) {
    case 'm':
        return hitop_text_size(text, &range->min, diag);
    case 'M':
        return hitop_text_size(text, &range->max, diag);
    case 'S':
        range->has_stride = 1;
        return hitop_text_size(text, &range->stride, diag);
    case 's':
        return hitop_text_size(text, &o->refinement.min_stride, diag);
    case 'n':
        return hitop_text_int(text, 2, 1000, &range->max_num, diag);
    case 'd':
        return hitop_text_double(text, 1e-6, 1, &o->refinement.eps, diag);
    case 'e':
        return hitop_text_double(text, 1e-6, 1, &o->eps, diag);
    case 'c':
        return hitop_text_double(text, 0.5, 0.999999, &o->confidence, diag);
    case 'r':
        return hitop_text_int(text, 1, 1000000, &o->min_samples, diag);
    case 'R':
        return hitop_text_int(text, 1, 1000000, &o->max_samples, diag);
    default:
        return hitop_text_int(text, 0, 1, &o->parallel, diag);
    }
}

/* Options with a value that have no letter. */
static enum hitop_status take_value(struct measure_request *r, int c, const char *text,
                                    struct hitop_diag *diag)
{
    struct hitop_campaign_request *campaign = &r->campaign;

    switch (c) {
    case O_CACHE:
        return hitop_cache_find(text, &r->cache, diag);
    case O_BUDGET:
        return take_time(text, &campaign->options.budget, diag);
    case O_TIME_LIMIT:
        return take_time(text, &campaign->options.time_limit, diag);
    case O_WATCHDOG:
        return take_watchdog(text, &r->watchdog, diag);
    case O_SEED:
        return take_seed(text, &campaign->options.seed, diag);
    case O_LINKS:
        return take_links(text, campaign, diag);
    case O_TRIPLES:
        return take_triples(text, &campaign->npasses, diag);
    case O_FIT:
        return hitop_line_method_find(text, &campaign->line, diag);
    case O_VERIFY:
        return hitop_text_int(text, 0, 1000000, &campaign->nverify, diag);
    case O_TOLERANCE:
        return hitop_text_double(text, 0.001, 100, &campaign->tolerance, diag);
    case O_SAMPLE:
        campaign->links = HITOP_LINKS_SAMPLE;
        return hitop_text_int(text, 1, 1000000, &campaign->nsample, diag);
    default:
        return hitop_text_double(text, 0, 1, &r->noise, diag);
    }
}

#define MEMBER(name) offsetof(struct measure_request, name)

/* Options that are kept as they are: texts, and those without a value. */
static const struct {
    int letter;
    size_t member;
} texts[] = {{'C', MEMBER(campaign.type)}, {'i', MEMBER(input)},
             {'o', MEMBER(output)},        {O_ANNOTATE, MEMBER(annotate)},
             {O_POINTS, MEMBER(points)},   {O_SIMULATE, MEMBER(simulate)},
             {O_UPDATE, MEMBER(update)},   {O_JOURNAL, MEMBER(journal)}},
  flags[] = {{O_EXACT_THRESHOLDS, MEMBER(campaign.exact_thresholds)},
             {O_SCATTER_GATHER, MEMBER(campaign.scatter_gather)},
             {O_REFINE, MEMBER(campaign.refine)},
             {O_IGNORE_HOSTS, MEMBER(ignore_hosts)},
             {O_STRICT, MEMBER(strict)},
             {O_PROGRESS, MEMBER(progress)},
             {'q', MEMBER(quiet)},
             {O_RESUME, MEMBER(resume)},
             {O_RESUME_ANYWAY, MEMBER(resume_anyway)},
             {O_DRY_RUN, MEMBER(dry_run)}};

static enum hitop_status take(void *data, int c, const char *text, struct hitop_diag *diag)
{
    struct reading *reading = data;
    char *r = (char *)reading->r;

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if (texts[i].letter == c) {
            *(const char **)(void *)(r + texts[i].member) = text;
            return HITOP_OK;
        }
    }
    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
        if (flags[i].letter == c) {
            *(int *)(void *)(r + flags[i].member) = 1;
            return HITOP_OK;
        }
    }
    if (c == O_CAPACITIES || c == O_NO_CAPACITIES) {
        reading->r->campaign.capacities =
            c == O_CAPACITIES ? HITOP_CAPACITIES_ANEW : HITOP_CAPACITIES_NONE;
        return HITOP_OK;
    }
    return c < O_ANNOTATE ? take_letter(reading, c, text, diag)
                          : take_value(reading->r, c, text, diag);
}

int measure_request_read(const struct tool *tool, int argc, char **argv, struct measure_request *r)
{
    struct reading reading = {.r = r, .range = {.max = (size_t)1 << 20, .max_num = 100}};
    struct hitop_diag diag = HITOP_DIAG_INIT;

    *r = (struct measure_request){
        .is_flat = tool->options == measure_flat_options,
        .watchdog = 30,
        .campaign = {.type = "auto", .npasses = -1, .capacities = HITOP_CAPACITIES_NEW}};
    if (r->is_flat) {
        r->campaign.links = HITOP_LINKS_FLAT;
        r->campaign.capacities = HITOP_CAPACITIES_NONE;
    }
    hitop_measure_defaults(&r->campaign.options);
    r->campaign.options.refinement.min_stride = 64;
    if (tool_take_options(tool, argc, argv, take, &reading) != TOOL_DONE ||
        tool_no_operands(tool, argc, argv) != TOOL_DONE) {
        return TOOL_USAGE;
    }
    r->resume |= r->resume_anyway;
    r->campaign.is_update = r->update != NULL;
    r->campaign.keeps_samples = r->journal != NULL;
    if (measure_request_check(tool, r, &reading.range) != TOOL_DONE) {
        return TOOL_USAGE;
    }
    r->command = tool_command_line(tool, argc, argv);
    return r->command ? TOOL_DONE : tool_fail(tool, HITOP_ERR_NOMEM, &diag);
}

void measure_request_release(struct measure_request *r)
{
    free(r->command);
    free(r->sizes);
}
