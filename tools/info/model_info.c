/* SPDX-License-Identifier: BSD-3-Clause */
/* model_info.c - print the contents of a model file, or the differences of two. */
#include <config.h>

#include "tools/common/model_input.h"
#include "tools/info/info.h"

#include "hitop/output.h"

#include <ctype.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SAMPLE = 100000000 };

/* The command line. */
struct info_settings {
    struct info_request request; /* owns bytes */
    int sizes_min_or_step;       /* 1: -m, -S or --sizes was given */
    double tolerance;            /* this and the next line: negative when not given */
    int max_pairs, seed, format, matrix, by;
    const char *plot, *points, *output; /* or NULL */
};

enum {
    OPT_FORMAT = 256,
    OPT_WORST,
    OPT_DIFF,
    OPT_SIZES,
    OPT_TOLERANCE,
    OPT_SAMPLE,
    OPT_SEED,
    OPT_MATRIX,
    OPT_BY,
    OPT_LARGE,
    OPT_PLOT,
    OPT_POINTS,
    OPT_AS
};

static const struct tool_option options[] = {
    {OPT_WORST, "worst", "N", "lines of each list of the worst (5)"},
    {OPT_DIFF, "diff", "OTHER", "compare with another model of the same ranks instead"},
    {OPT_TOLERANCE, "tolerance", "X",
     "with --diff: largest relative difference of equal times (0.05)"},
    {OPT_SAMPLE, "sample", "N", "with --diff: compare at most N random pairs of ranks (1000000)"},
    {OPT_SEED, "seed", "N", "with --diff: seed of that choice (1)"},
    {OPT_MATRIX, "matrix", "latency|bandwidth|time",
     "write a table of all pairs of ranks instead, as CSV; times are of -M bytes"},
    {OPT_BY, "by", "rank|host",
     "with --matrix: rows and columns are ranks, or hosts in the order of\nthe hierarchy (rank)"},
    {OPT_LARGE, "large", NULL, "with --matrix: allow more than 2000 rows and columns"},
    {OPT_PLOT, "plot", "PREFIX",
     "write pictures instead: PREFIX-times, PREFIX-matrix and, with points,\n"
     "PREFIX-residuals, each as .gp and .dat for gnuplot, which makes .svg"},
    {OPT_POINTS, "points", "FILE",
     "with --plot: measured times, as hierarchical_model --points writes\nthem"},
    {OPT_AS, "as", "TYPE",
     "write the model in another formula instead: loggp from plogp, or\nback"},
    {'m', "min-size", "SIZE", "with --diff: smallest message (0)"},
    {'M', "max-size", "SIZE", "largest message; the bandwidth is that of its second half (1MiB)"},
    {'S', "stride", "SIZE", "with --diff: distance of sizes (powers of two)"},
    {OPT_SIZES, "sizes", "LIST", "with --diff: these sizes instead (0,1k,64k,1m)"},
    {OPT_FORMAT, "format", "text|csv|json",
     "text: a summary; csv, json: every number of the model, or of the\ncomparison (text)"},
    {'o', "output", "FILE", "write to FILE instead of standard output"},
};

static const char *const formats[] = {"text", "csv", "json", NULL};
static const char *const matrices[] = {"latency", "bandwidth", "time", NULL};
static const char *const rows[] = {"rank", "host", NULL};

static const struct tool_value values[] = {
    {TOOL_VALUE(OPT_DIFF, TEXT, struct info_settings, request.other_path)},
    {TOOL_VALUE(OPT_WORST, INT, struct info_settings, request.worst), .least = 0, .most = INT_MAX},
    {TOOL_VALUE(OPT_PLOT, TEXT, struct info_settings, plot)},
    {TOOL_VALUE(OPT_AS, TEXT, struct info_settings, request.as)},
    {TOOL_VALUE(OPT_POINTS, TEXT, struct info_settings, points)},
    {TOOL_VALUE(OPT_TOLERANCE, REAL, struct info_settings, tolerance), .least = 0, .most = 1e9},
    {TOOL_VALUE(OPT_SAMPLE, INT, struct info_settings, max_pairs), .least = 1, .most = MAX_SAMPLE},
    {TOOL_VALUE(OPT_SEED, INT, struct info_settings, seed), .least = 0, .most = INT_MAX},
    {TOOL_VALUE(OPT_FORMAT, WORD, struct info_settings, format), .words = formats},
    {TOOL_VALUE(OPT_MATRIX, WORD, struct info_settings, matrix), .words = matrices},
    {TOOL_VALUE(OPT_BY, WORD, struct info_settings, by), .words = rows},
    {TOOL_VALUE(OPT_LARGE, FLAG, struct info_settings, request.is_large)},
    {TOOL_VALUE('o', TEXT, struct info_settings, output)},
};

static const struct tool info_tool = {
    .name = "model_info",
    .synopsis = "MODEL [--diff OTHER | --matrix WHAT | --plot PREFIX | --as TYPE] [OPTION]...",
    .summary =
        "Print the contents of a model file, or the differences of two. MODEL - is standard input.",
    .options = options,
    .noptions = sizeof(options) / sizeof(options[0]),
    .values = values,
    .nvalues = sizeof(values) / sizeof(values[0]),
    .epilogue =
        "A size is a number of bytes, such as 64k or 1.5 MiB; k, m, g, KiB, MiB, GiB are powers "
        "of\n"
        "1024, kB, MB, GB powers of 1000.\n"
        "Exit status: 0 done, 1 failed, 2 wrong usage, 3 bad input file, 4 the models differ by "
        "more\n"
        "than the tolerance and their intervals.\n",
};

/* Parse an option for message sizes. */
static enum hitop_status take(void *data, int letter, const char *arg, struct hitop_diag *diag)
{
    struct info_settings *s = data;
    struct sizes *sizes = &s->request.sizes;

    s->sizes_min_or_step |= letter != 'M';
    switch (letter) {
    case 'm':
    case 'M':
    case 'S':
        return sizes_set_range(sizes, letter, arg, diag);
    default:
        return sizes_set_list(sizes, arg, diag);
    }
}

static int has_control(const char *text)
{
    while (*text && !iscntrl((unsigned char)*text)) {
        text++;
    }
    return *text != '\0';
}

/* Which options contradict each other, or NULL. */
static const char *find_conflict(const struct info_settings *s)
{
    const struct info_request *r = &s->request;

    if (!r->path) {
        return "a model file is missing; see model_info --help";
    }
    if (!r->other_path &&
        (s->sizes_min_or_step || s->tolerance >= 0 || s->max_pairs >= 0 || s->seed >= 0)) {
        return "--tolerance, --sample, --seed, -m, -S and --sizes go with --diff only";
    }
    if (s->matrix < 0 && (s->by >= 0 || r->is_large)) {
        return "--by and --large go with --matrix only";
    }
    if (s->matrix >= 0 && (r->other_path || s->format >= 0)) {
        return "--matrix is CSV, and of one model: --format and --diff do not go with it";
    }
    if (r->as && (s->matrix >= 0 || r->other_path || s->plot || s->format >= 0)) {
        return "--as writes a model file: --matrix, --diff, --plot and --format do not go with it";
    }
    if (s->points && !s->plot) {
        return "--points goes with --plot only";
    }
    if (s->plot && (s->matrix >= 0 || r->other_path || s->format >= 0 || s->output)) {
        return "--plot writes files of its own: --matrix, --diff, --format and -o do not go with "
               "it";
    }
    if (s->plot && has_control(s->plot)) {
        return "--plot: a name of a file with control characters";
    }
    if (r->other_path && strcmp(r->path, "-") == 0 && strcmp(r->other_path, "-") == 0) {
        return "standard input cannot be both models";
    }
    if (!r->other_path && (s->matrix < 0 || r->matrix == INFO_BANDWIDTH) && r->sizes.max == 0) {
        return "--max-size: a message of 0 bytes has no bandwidth";
    }
    return NULL;
}

/* Complete the request. Returns TOOL_DONE, or TOOL_USAGE after reporting a conflict of options. */
static int info_check(struct info_settings *s)
{
    struct info_request *r = &s->request;
    const char *conflict;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const struct tool_file output = {"-o", s->output};
    const struct tool_file input[] = {{info_tool.name, r->path}, {"--diff", r->other_path}};
    enum hitop_status status;

    r->tolerance = s->tolerance >= 0 ? s->tolerance : 0.05;
    r->max_pairs = s->max_pairs >= 0 ? s->max_pairs : 1000000;
    r->seed = s->seed >= 0 ? s->seed : 1;
    r->format = s->format >= 0 ? (enum info_format)s->format : INFO_TEXT;
    r->matrix = s->matrix >= 0 ? (enum info_matrix)(INFO_LATENCY + s->matrix) : INFO_NO_MATRIX;
    r->by_host = s->by > 0;
    conflict = find_conflict(s);
    if (conflict) {
        tool_error(&info_tool, "%s", conflict);
        return TOOL_USAGE;
    }
    if (!r->as && tool_keep_inputs(&info_tool, &output, 1, input, 2) != TOOL_DONE) {
        return TOOL_USAGE; /* a converted model may replace its input */
    }
    if (!r->sizes.list && !r->sizes.range_given) {
        r->sizes.list = "0,1k,64k,1m";
    }
    status = sizes_make(&r->sizes, &r->bytes, &r->nsizes, &diag);
    return status == HITOP_OK ? TOOL_DONE : tool_fail(&info_tool, status, &diag);
}

static int info_parse(int argc, char **argv, struct info_settings *s)
{
    int result = tool_take_options(&info_tool, argc, argv, take, s);

    if (result == TOOL_DONE && optind < argc) {
        s->request.path = argv[optind++];
    }
    if (result == TOOL_DONE) {
        result = tool_no_operands(&info_tool, argc, argv);
    }
    return result == TOOL_DONE ? info_check(s) : result;
}

static enum hitop_status write_as(const struct info_request *request, FILE *to,
                                  struct hitop_diag *diag)
{
    struct hitop_model *model = NULL;
    enum hitop_status status;

    if (strcmp(hitop_model_type_of(request->model)->name, request->as) == 0) {
        return hitop_model_write(request->model, to, diag);
    }
    status = hitop_model_convert(request->model, request->as, &model, diag);
    if (status == HITOP_OK) {
        status = hitop_model_write(model, to, diag);
    }
    hitop_model_free(model);
    return status;
}

static enum hitop_status write_answer(const struct info_request *request, int *is_same, FILE *to,
                                      struct hitop_diag *diag)
{
    if (request->other) {
        return info_write_diff(request, is_same, to, diag);
    }
    if (request->as) {
        return write_as(request, to, diag);
    }
    if (request->matrix) {
        return info_write_matrix(request, to, diag);
    }
    return request->format == INFO_TEXT ? info_write_text(request, to, diag)
                                        : info_write_rows(request, to, diag);
}

static int answer(const struct info_settings *s)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_output *output = NULL;
    int is_same = 1;
    enum hitop_status status = hitop_output_open(s->output ? s->output : "-", &output, &diag);

    if (status == HITOP_OK) {
        status = write_answer(&s->request, &is_same, hitop_output_stream(output), &diag);
        status = hitop_output_end(output, status, &diag);
    }
    if (status != HITOP_OK) {
        return tool_fail(&info_tool, status, &diag);
    }
    return is_same ? TOOL_DONE : TOOL_UNTRUSTED;
}

/*
 * Read a model unless path is NULL. Returns TOOL_DONE, or another exit status after reporting an
 * error.
 */
static int read_model(const char *path, struct hitop_model **out)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const enum hitop_status status = path ? tool_model_read(path, 0, out, &diag) : HITOP_OK;

    if (status == HITOP_OK) {
        return TOOL_DONE;
    }
    return tool_fail(&info_tool, status == HITOP_ERR_IO ? HITOP_ERR_FORMAT : status, &diag);
}

/* Both models must have the same number of ranks, so that their prices can be compared. */
static int check_ranks(const struct info_request *r)
{
    if (r->other && hitop_model_nranks(r->model) != hitop_model_nranks(r->other)) {
        tool_error(&info_tool, "%s has %d ranks, %s has %d: only models of the same ranks compare",
                   r->other_path, hitop_model_nranks(r->other), r->path,
                   hitop_model_nranks(r->model));
        return TOOL_BAD_INPUT;
    }
    return TOOL_DONE;
}

int main(int argc, char **argv)
{
    struct info_settings s = {
        .request = {.tool = &info_tool, .worst = 5, .sizes = {.max = (size_t)1 << 20}},
        .tolerance = -1,
        .max_pairs = -1,
        .seed = -1,
        .format = -1,
        .matrix = -1,
        .by = -1};
    struct hitop_model *model = NULL, *other = NULL;
    int result;

    if (tool_help_or_version(&info_tool, argc, argv)) {
        return tool_finish(&info_tool);
    }
    result = info_parse(argc, argv, &s);
    if (result == TOOL_DONE) {
        result = read_model(s.request.path, &model);
    }
    if (result == TOOL_DONE) {
        result = read_model(s.request.other_path, &other);
    }
    if (result == TOOL_DONE) {
        s.request.model = model;
        s.request.other = other;
        result = check_ranks(&s.request);
    }
    if (result == TOOL_DONE) {
        result = s.plot ? info_plot(&s.request, s.plot, s.points) : answer(&s);
    }
    hitop_model_free(other);
    hitop_model_free(model);
    free(s.request.bytes);
    return result;
}
