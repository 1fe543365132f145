/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_request.c - the command line of hierarchical_model. */
#include <config.h>

#include "measure_request.h"

#include "hitop/text.h"

#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    O_SCATTER_GATHER
};

#define MODEL_OPTION                                                                               \
    {                                                                                              \
        'C', "model", "NAME",                                                                      \
            "formula to fit, such as hockney; all: which of them fits is found out"                \
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
        {O_BUDGET, "budget", "TIME", "time for all measurements together, e.g. 90s (20s)"},        \
        {O_SCATTER_GATHER, "scatter-gather", NULL,                                                 \
         "also find the sizes at which linear scatter and gather change (lmo)"},                   \
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
            "measure nothing; tell what would be and how long it would take"                       \
    }
#define LAST_OPTIONS                                                                               \
    {O_PROGRESS, "progress", NULL, "report progress even when stderr is not a terminal"},          \
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
    {O_TOLERANCE, "tolerance", "X", "how far a pair may be from its group's links (0.2)"},
    MEASURE_OPTIONS,
    THRESHOLD_OPTION,
    RUN_OPTIONS,
    {O_IGNORE_HOSTS, "ignore-hosts", NULL, "ranks need not run on the hosts of the hierarchy"},
    LAST_OPTIONS,
};

const size_t measure_tool_noptions = sizeof(measure_tool_options) / sizeof(measure_tool_options[0]);

const struct tool_option measure_flat_options[] = {
    MODEL_OPTION,    OUTPUT_OPTION,
    POINTS_OPTION,   {O_SAMPLE, "sample", "N", "measure N random pairs and take all to be alike"},
    MEASURE_OPTIONS, THRESHOLD_OPTION,
    RUN_OPTIONS,     LAST_OPTIONS,
};

const size_t measure_flat_noptions = sizeof(measure_flat_options) / sizeof(measure_flat_options[0]);

/* What the sizes are made from. */
struct range {
    size_t min, max, stride;
    int has_stride, max_num;
};

static int bad(const struct tool *tool, const char *name, const struct hitop_diag *diag)
{
    char shown[64];

    (void)snprintf(shown, sizeof(shown), "--%s", name);
    return tool_bad_option(tool, shown, diag);
}

static enum hitop_status read_seed(const char *text, unsigned long long *seed,
                                   struct hitop_diag *diag)
{
    int value;
    const enum hitop_status status = hitop_text_int(text, 0, INT_MAX, &value, diag);

    if (status == HITOP_OK) {
        *seed = (unsigned long long)value;
    }
    return status;
}

static enum hitop_status read_budget(const char *text, double *seconds, struct hitop_diag *diag)
{
    const enum hitop_status status = hitop_text_seconds(text, seconds, diag);

    if (status == HITOP_OK && !(*seconds > 0)) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "'%s' must be more than 0", text);
    }
    return status;
}

static enum hitop_status read_links(const char *text, struct measure_request *r,
                                    struct hitop_diag *diag)
{
    static const char *const word[] = {
        [LINKS_ONE] = "one", [LINKS_RING] = "ring", [LINKS_PAIRS] = "pairs"};

    for (size_t i = 0; i < sizeof(word) / sizeof(word[0]); i++) {
        if (strcmp(text, word[i]) == 0) {
            r->links = (enum measure_links)i;
            return HITOP_OK;
        }
    }
    r->links = LINKS_SAMPLE;
    return hitop_text_int(text, 1, 1000000, &r->nsample, NULL) == HITOP_OK
               ? HITOP_OK
               : hitop_fail(diag, HITOP_ERR_INVALID,
                            "'%s' is none of one, ring, pairs or a number from 1 to 1000000", text);
}

/* Options whose value is a number or a word. HITOP_ERR_NOTFOUND: it is another option. */
static enum hitop_status read_number(int c, const char *text, struct measure_request *r,
                                     struct range *range, struct hitop_diag *diag)
{
    struct hitop_measure_options *o = &r->options;

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
    case 'p':
        return hitop_text_int(text, 0, 1, &o->parallel, diag);
    case O_BUDGET:
        return read_budget(text, &o->budget, diag);
    case O_SEED:
        return read_seed(text, &o->seed, diag);
    case O_LINKS:
        return read_links(text, r, diag);
    case O_VERIFY:
        return hitop_text_int(text, 0, 1000000, &r->nverify, diag);
    case O_TOLERANCE:
        return hitop_text_double(text, 0.001, 100, &r->tolerance, diag);
    case O_SAMPLE:
        r->links = LINKS_SAMPLE;
        return hitop_text_int(text, 1, 1000000, &r->nsample, diag);
    case O_NOISE:
        return hitop_text_double(text, 0, 1, &r->noise, diag);
    default:
        return HITOP_ERR_NOTFOUND;
    }
}

/* 1 when c is an option whose value is a text or that has none. */
static int read_text(int c, struct measure_request *r, int *quiet)
{
    switch (c) {
    case 'C':
        r->model = optarg;
        return 1;
    case 'i':
        r->input = optarg;
        return 1;
    case 'o':
        r->output = optarg;
        return 1;
    case O_ANNOTATE:
        r->annotate = optarg;
        return 1;
    case O_POINTS:
        r->points = optarg;
        return 1;
    case O_SIMULATE:
        r->simulate = optarg;
        return 1;
    case O_EXACT_THRESHOLDS:
        r->exact_thresholds = 1;
        return 1;
    case O_SCATTER_GATHER:
        r->scatter_gather = 1;
        return 1;
    case O_IGNORE_HOSTS:
        r->ignore_hosts = 1;
        return 1;
    case O_REFINE:
        r->refine = 1;
        return 1;
    case O_PROGRESS:
        r->progress = 1;
        return 1;
    case 'q':
        *quiet = 1;
        return 1;
    default:
        return 0;
    }
}

static const char *long_name(const struct tool *tool, int c)
{
    size_t i = 0;

    while (i + 1 < tool->noptions && tool->options[i].letter != c) {
        i++;
    }
    return tool->options[i].name;
}

/* The command line in one string, without the folder of the program. */
static char *join(const struct tool *tool, int argc, char **argv)
{
    size_t length = strlen(tool->name) + 1;
    char *text, *end;

    for (int i = 1; i < argc; i++) {
        length += strlen(argv[i]) + 1;
    }
    text = malloc(length);
    if (!text) {
        return NULL;
    }
    end = stpcpy(text, tool->name);
    for (int i = 1; i < argc; i++) {
        *end++ = ' ';
        end = stpcpy(end, argv[i]);
    }
    return text;
}

/* The largest size that most libraries send without asking first, which is what processors do by
 * themselves. */
static size_t middling_size(const struct measure_request *r)
{
    size_t best = r->sizes[r->options.nsizes - 1];

    for (int i = r->options.nsizes - 1; i > 0 && best > 32768; i--) {
        best = r->sizes[i];
    }
    return best;
}

/* All sizes, or those from which others are found. */
static enum hitop_status choose_sizes(struct measure_request *r, const struct range *range,
                                      struct hitop_diag *diag)
{
    struct hitop_measure_options *o = &r->options;

    if (!range->has_stride || range->stride > 0) {
        return hitop_sizes_choose(range->min, range->max, range->stride, &r->sizes, &o->nsizes,
                                  diag);
    }
    o->max_sizes = range->max_num;
    o->refinement.confidence = o->confidence;
    if (!(o->refinement.eps > 0)) {
        o->refinement.eps = o->eps;
    }
    if (o->refinement.min_stride == 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "-s must be more than 0");
    }
    return hitop_sizes_start(range->min, range->max, &r->sizes, &o->nsizes, diag);
}

/* What the model is fitted to; all models are fitted to what any of them needs. */
static enum hitop_status choose_experiments(struct measure_request *r, struct hitop_diag *diag)
{
    const struct hitop_model_type *type = NULL;

    r->options.experiments = HITOP_SET(HITOP_ECHO);
    r->all_models = strcmp(r->model, "all") == 0;
    if (!r->all_models && hitop_model_type_find(r->model, &type, diag) != HITOP_OK) {
        return HITOP_ERR_INVALID;
    }
    for (int i = 0; hitop_model_types()[i]; i++) {
        const struct hitop_model_type *x = hitop_model_types()[i];
        if (x == type || (r->all_models && x->fit)) {
            r->options.experiments |= x->needs;
            r->needs_triples = r->needs_triples || x->nprocessor_params > 0;
            r->needs_crowds = r->needs_crowds || x->needs_crowds;
        }
    }
    return HITOP_OK;
}

/* What no single option can tell. */
static int check_whole(const struct tool *tool, int argc, char **argv, struct measure_request *r,
                       const struct range *range)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;

    if (optind < argc) {
        tool_error(tool, "unexpected argument '%s'; see %s --help", argv[optind], tool->name);
        return TOOL_USAGE;
    }
    if (!r->model || (!r->input && !r->is_flat) || (!r->output && !r->run.dry_run)) {
        tool_error(tool, "%s is needed; see %s --help",
                   !r->model                  ? "-C NAME (a model)"
                   : !r->input && !r->is_flat ? "-i FILE (a hierarchy)"
                                              : "-o FILE (the model file to write)",
                   tool->name);
        return TOOL_USAGE;
    }
    if (choose_experiments(r, &diag) != HITOP_OK) {
        return bad(tool, "model", &diag);
    }
    if (r->refine && r->needs_crowds && !r->all_models) {
        tool_error(tool, "--refine does not go with -C %s", r->model);
        return TOOL_USAGE;
    }
    if (r->refine && r->nverify == 0) {
        tool_error(tool, "--refine goes with --verify K only");
        return TOOL_USAGE;
    }
    if (choose_sizes(r, range, &diag) != HITOP_OK) {
        tool_error(tool, "-m, -M, -S: %s", diag.message);
        return TOOL_USAGE;
    }
    r->options.sizes = r->sizes;
    r->triple_sizes[1] = middling_size(r);
    if (r->sizes[0] > 0 && (r->needs_triples || r->options.experiments != HITOP_SET(HITOP_ECHO))) {
        tool_error(tool, "-m: model %s needs messages of 0 bytes", r->model);
        return TOOL_USAGE;
    }
    if (r->options.min_samples > r->options.max_samples) {
        tool_error(tool, "-r: %d samples are more than the %d that -R allows",
                   r->options.min_samples, r->options.max_samples);
        return TOOL_USAGE;
    }
    if (r->noise > 0 && !r->simulate) {
        tool_error(tool, "--noise goes with --simulate only");
        return TOOL_USAGE;
    }
    if (measure_run_check(tool, &r->run) != TOOL_DONE || measure_fans_check(tool, r) != TOOL_DONE) {
        return TOOL_USAGE;
    }
    r->command = join(tool, argc, argv);
    return r->command ? TOOL_DONE : tool_fail(tool, HITOP_ERR_NOMEM, &diag);
}

int measure_request_read(const struct tool *tool, int argc, char **argv,
                         struct measure_request *request)
{
    struct range range = {.max = (size_t)1 << 20, .max_num = 100};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int quiet = 0;
    int c;

    *request = (struct measure_request){
        .tolerance = 0.2, .is_flat = tool->options == measure_flat_options, .links = LINKS_ONE};
    if (request->is_flat) {
        request->links = LINKS_FLAT;
    }
    hitop_measure_defaults(&request->options);
    request->options.refinement.min_stride = 64;
    measure_run_defaults(&request->run);
    optind = 1;
    while ((c = tool_next_option(tool, argc, argv)) != -1) {
        enum hitop_status status;
        if (c == '?') {
            return TOOL_USAGE;
        }
        if (read_text(c, request, &quiet)) {
            continue;
        }
        status = measure_run_option(c, optarg, &request->run, &diag);
        if (status == HITOP_ERR_NOTFOUND) {
            status = read_number(c, optarg, request, &range, &diag);
        }
        if (status != HITOP_OK) {
            return bad(tool, long_name(tool, c), &diag);
        }
    }
    request->progress = !quiet && (request->progress || isatty(STDERR_FILENO));
    request->quiet = quiet;
    return check_whole(tool, argc, argv, request, &range);
}

void measure_request_release(struct measure_request *request)
{
    free(request->command);
    free(request->sizes);
}
