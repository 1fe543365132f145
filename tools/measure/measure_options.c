/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_options.c - the options of hierarchical_model and flat_model, and their command line. */
#include <config.h>

#include "models/fit/estimate.h"
#include "tools/measure/measure.h"

#include "hitop/text.h"

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
    O_HOMOGENEOUS,
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
    O_FROM_SIMGRID,
    O_RANKS_PER_HOST,
    O_JOURNAL,
    O_RESUME,
    O_RESUME_ANYWAY,
    O_TIME_LIMIT,
    O_WATCHDOG,
    O_DRY_RUN
};

/* The tools that have an option. */
enum { HIERARCHICAL = 1, FLAT = 2, BOTH = HIERARCHICAL | FLAT };

static const struct {
    int tools;
    struct tool_option option;
} options[] = {
    {BOTH,
     {'C', "model", "NAME",
      "formula to fit, such as hockney; auto: hockney or piecewise, as the\n"
      "measurements decide; all: the best of all formulas (auto)"}},
    {HIERARCHICAL,
     {'i', "input", "FILE", "hierarchy, as generate_hierarchy writes it; - is standard input"}},
    {BOTH, {'o', "output", "FILE", "model file to write; - is standard output, without a table"}},
    {HIERARCHICAL,
     {O_ANNOTATE, "annotate", "FILE",
      "also write the hierarchy with the parameters of each level"}},
    {BOTH, {O_POINTS, "points", "FILE", "also write the measured times, as CSV"}},
    {HIERARCHICAL,
     {O_LINKS, "links", "one|ring|pairs|N",
      "links to measure of each group: one; each member with the next; each\n"
      "pair of members, with separate parameters; or N random pairs (one)"}},
    {HIERARCHICAL, {O_VERIFY, "verify", "K", "measure K further random pairs and compare (0)"}},
    {HIERARCHICAL, {O_REFINE, "refine", NULL, "measure groups that do not hold pair by pair"}},
    {FLAT,
     {O_SAMPLE, "sample", "N", "measure N random pairs; one set of parameters, from their median"}},
    {FLAT,
     {O_HOMOGENEOUS, "homogeneous", NULL,
      "one set of parameters for all pairs, from their mean; with --sample of\n"
      "the sampled ones"}},
    {BOTH,
     {O_UPDATE, "update", "MODEL", "earlier model file: measure only links that have changed"}},
    {HIERARCHICAL,
     {O_TOLERANCE, "tolerance", "X",
      "largest relative deviation of a pair from its group's links, or of a\n"
      "time from an earlier one (0.2)"}},
    {FLAT,
     {O_TOLERANCE, "tolerance", "X", "largest deviation of a time from an earlier one (0.2)"}},
    {BOTH, {'m', "min-size", "BYTES", "smallest message (0)"}},
    {BOTH, {'M', "max-size", "BYTES", "largest message, included (1MiB)"}},
    {BOTH,
     {'S', "stride", "BYTES",
      "distance of sizes; 0: adapt sizes to the measured times (a dozen of\n"
      "all magnitudes)"}},
    {BOTH, {'s', "min-stride", "BYTES", "with -S 0: smallest distance of sizes (64)"}},
    {BOTH, {'n', "max-num", "N", "with -S 0: largest number of sizes (100)"}},
    {BOTH, {'d', "max-diff", "X", "with -S 0: deviation at which a size is added (as --eps)"}},
    {BOTH, {'e', "eps", "X", "wanted half width of a median's interval, relative (0.05)"}},
    {BOTH, {'c', "confidence", "X", "level of the intervals (0.95)"}},
    {BOTH, {'r', "min-samples", "N", "fewest samples per size (20)"}},
    {BOTH, {'R', "max-samples", "N", "most samples per size (20000)"}},
    {BOTH,
     {'p', "parallel", "0|1",
      "1: links concurrently as far as a test allows it; 0: one by one (1)"}},
    {BOTH,
     {O_CACHE, "cache", "hot|stream|cold",
      "buffers: the same one again; successive addresses in twice the last-level\n"
      "cache; or likewise, with caches flushed before each sample (hot)"}},
    {BOTH, {O_BUDGET, "budget", "TIME", "time for all measurements together, e.g. 90s (20s)"}},
    {BOTH,
     {O_FIT, "fit", "LINE",
      "line through the times of a link (hockney, loggp, lmo): two-ends, robust,\n"
      "bisquare, least-squares, ordinary or two-point (two-ends)"}},
    {BOTH,
     {O_SCATTER_GATHER, "scatter-gather", NULL,
      "also find the sizes at which linear scatter and gather change (lmo)"}},
    {BOTH,
     {O_TRIPLES, "triples", "N|all",
      "triples of hosts for the times of processors (lmo): N for each host,\n"
      "or all (6)"}},
    {BOTH, {O_SEED, "seed", "N", "seed of the random order of measurements (1)"}},
    {BOTH,
     {O_SIMULATE, "simulate", "FILE", "do not use MPI: simulate the network of this model file"}},
    {HIERARCHICAL,
     {O_FROM_SIMGRID, "from-simgrid", "FILE",
      "measure nothing: model the routes of this platform file of SimGrid;\n"
      "--annotate writes its hierarchy"}},
    {HIERARCHICAL,
     {O_RANKS_PER_HOST, "ranks-per-host", "N",
      "with --from-simgrid: ranks of each host; 0: one for each core (1)"}},
    {BOTH, {O_NOISE, "noise", "X", "relative noise of the simulated network (0)"}},
    {BOTH,
     {O_EXACT_THRESHOLDS, "exact-thresholds", NULL,
      "also find the largest eager message, to the byte"}},
    {BOTH, {O_JOURNAL, "journal", "FILE", "write all samples to this file while measuring"}},
    {BOTH, {O_RESUME, "resume", NULL, "continue from the journal: measure what has not settled"}},
    {BOTH,
     {O_RESUME_ANYWAY, "resume-anyway", NULL,
      "the same, even if hosts, the MPI library or options differ"}},
    {BOTH,
     {O_TIME_LIMIT, "time-limit", "TIME",
      "end after this time (SIGTERM, SIGINT and SIGUSR1 end the measurement\n"
      "immediately)"}},
    {BOTH,
     {O_WATCHDOG, "watchdog", "TIME", "fail if nothing happens for this time; 0: never (30s)"}},
    {BOTH,
     {O_DRY_RUN, "dry-run", NULL,
      "time a few messages under mpirun; print the planned measurements and\n"
      "their duration"}},
    {HIERARCHICAL,
     {O_CAPACITIES, "capacities", NULL,
      "measure how many concurrent messages shared links carry (with --update:\n"
      "again)"}},
    {HIERARCHICAL,
     {O_NO_CAPACITIES, "no-capacities", NULL,
      "do not measure capacities; predictions then assume one message"}},
    {HIERARCHICAL,
     {O_IGNORE_HOSTS, "ignore-hosts", NULL,
      "do not check that ranks run on the hosts of the hierarchy"}},
    {BOTH,
     {O_STRICT, "strict", NULL,
      "exit with status 4 if the result lacks something: unsettled links, an\n"
      "early end, groups that do not hold, pairs that differ"}},
    {BOTH, {O_PROGRESS, "progress", NULL, "report progress even if stderr is not a terminal"}},
    {BOTH, {'q', "quiet", NULL, "no table and no progress"}},
};

enum { NOPTIONS = sizeof(options) / sizeof(options[0]) };

#define VALUE(option, how, member) TOOL_VALUE(option, how, struct measure_request, member)
#define CAMPAIGN(option, how, member) VALUE(option, how, campaign.member)

static const struct tool_value values[] = {
    {CAMPAIGN('C', TEXT, type)},
    {VALUE('i', TEXT, input)},
    {VALUE('o', TEXT, output)},
    {VALUE(O_ANNOTATE, TEXT, annotate)},
    {VALUE(O_POINTS, TEXT, points)},
    {VALUE(O_SIMULATE, TEXT, simulate)},
    {VALUE(O_UPDATE, TEXT, update)},
    {VALUE(O_FROM_SIMGRID, TEXT, platform)},
    {VALUE(O_RANKS_PER_HOST, INT, ranks_per_host), 0, 100000},
    {VALUE(O_JOURNAL, TEXT, journal)},
    {CAMPAIGN(O_EXACT_THRESHOLDS, FLAG, exact_thresholds)},
    {CAMPAIGN(O_SCATTER_GATHER, FLAG, scatter_gather)},
    {CAMPAIGN(O_REFINE, FLAG, refine)},
    {CAMPAIGN(O_HOMOGENEOUS, FLAG, is_average)},
    {VALUE(O_IGNORE_HOSTS, FLAG, ignore_hosts)},
    {VALUE(O_STRICT, FLAG, strict)},
    {VALUE(O_PROGRESS, FLAG, progress)},
    {VALUE('q', FLAG, quiet)},
    {VALUE(O_RESUME, FLAG, resume)},
    {VALUE(O_RESUME_ANYWAY, FLAG, resume_anyway)},
    {VALUE(O_DRY_RUN, FLAG, dry_run)},
    {VALUE('m', SIZE, range.min)},
    {VALUE('M', SIZE, range.max)},
    {VALUE('S', SIZE, range.stride)},
    {CAMPAIGN('s', SIZE, options.refinement.min_stride)},
    {VALUE('n', INT, range.most), 2, 1000},
    {CAMPAIGN('d', REAL, options.refinement.eps), 1e-6, 1},
    {CAMPAIGN('e', REAL, options.eps), 1e-6, 1},
    {CAMPAIGN('c', REAL, options.confidence), 0.5, 0.999999},
    {CAMPAIGN('r', INT, options.min_samples), 1, 1000000},
    {CAMPAIGN('R', INT, options.max_samples), 1, 1000000},
    {CAMPAIGN('p', INT, options.parallel), 0, 1},
    {CAMPAIGN(O_BUDGET, TIME, options.budget)},
    {CAMPAIGN(O_TIME_LIMIT, TIME, options.time_limit)},
    {VALUE(O_WATCHDOG, DURATION, watchdog)},
    {CAMPAIGN(O_SEED, SEED, options.seed)},
    {CAMPAIGN(O_VERIFY, INT, nverify), 0, 1000000},
    {CAMPAIGN(O_TOLERANCE, REAL, tolerance), 0.001, 100},
    {CAMPAIGN(O_SAMPLE, INT, nsample), 1, 1000000},
    {VALUE(O_NOISE, REAL, noise), 0, 1},
};

void measure_options(struct tool *tool, int is_flat)
{
    static struct tool_option chosen[NOPTIONS];
    size_t n = 0;

    for (int i = 0; i < NOPTIONS; i++) {
        if (options[i].tools & (is_flat ? FLAT : HIERARCHICAL)) {
            chosen[n++] = options[i].option;
        }
    }
    tool->options = chosen;
    tool->noptions = n;
    tool->values = values;
    tool->nvalues = sizeof(values) / sizeof(values[0]);
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

/* Options that need a function. */
static enum hitop_status take(void *data, int c, const char *text, struct hitop_diag *diag)
{
    struct measure_request *r = data;

    switch (c) {
    case O_CACHE:
        return hitop_cache_find(text, &r->cache, diag);
    case O_LINKS:
        return hitop_campaign_links_find(text, &r->campaign, diag);
    case O_TRIPLES:
        return take_triples(text, &r->campaign.npasses, diag);
    case O_FIT:
        return hitop_line_method_find(text, &r->campaign.line, diag);
    case O_CAPACITIES:
        r->campaign.capacities = HITOP_CAPACITIES_ANEW;
        return HITOP_OK;
    default: /* O_NO_CAPACITIES */
        r->campaign.capacities = HITOP_CAPACITIES_NONE;
        return HITOP_OK;
    }
}

int measure_request_read(const struct tool *tool, int argc, char **argv, int is_flat,
                         struct measure_request *r)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;

    *r = (struct measure_request){
        .is_flat = is_flat,
        .watchdog = 30,
        .ranks_per_host = -1,
        .range = {.max = (size_t)1 << 20, .stride = HITOP_STRIDE_NONE},
        .campaign = {.type = "auto",
                     .npasses = -1,
                     .links = is_flat ? HITOP_LINKS_FLAT : HITOP_LINKS_ONE,
                     .capacities = is_flat ? HITOP_CAPACITIES_NONE : HITOP_CAPACITIES_NEW}};
    hitop_measure_defaults(&r->campaign.options);
    r->campaign.options.refinement.min_stride = HITOP_STRIDE_NONE;
    if (tool_take_options(tool, argc, argv, take, r) != TOOL_DONE ||
        tool_no_operands(tool, argc, argv) != TOOL_DONE) {
        return TOOL_USAGE;
    }
    if (is_flat && r->campaign.nsample > 0) {
        r->campaign.links = HITOP_LINKS_SAMPLE;
    }
    r->resume |= r->resume_anyway;
    r->campaign.is_update = r->update != NULL;
    r->campaign.keeps_samples = r->journal != NULL;
    if (measure_request_check(tool, r) != TOOL_DONE) {
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
