/* SPDX-License-Identifier: BSD-3-Clause */
/* model_info.c - prints the contents of a model file, or the differences of two. */
#include <config.h>

#include "tools/info/info.h"

#include "tools/common/take.h"

#include "hitop/output.h"
#include "hitop/text.h"

#include <ctype.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SAMPLE = 100000000 };

/* The command line. */
struct info_settings {
    struct info_request request; /* owns bytes */
    int has_diff_option;         /* one that is of use with --diff only */
    int has_matrix_option;       /* with --matrix */
    int has_format, has_output;
    const char *plot, *points; /* or NULL */
    const char *output;        /* "-" is standard output */
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
    {OPT_WORST, "worst", "N", "lines of each list of what is worst (5)"},
    {OPT_DIFF, "diff", "OTHER", "compare with another model of the same ranks instead"},
    {OPT_TOLERANCE, "tolerance", "X",
     "with --diff: largest relative difference that is none, whatever the\nintervals (0.05)"},
    {OPT_SAMPLE, "sample", "N",
     "with --diff: where there are more pairs of ranks, compare N of them\nat random (1000000)"},
    {OPT_SEED, "seed", "N", "with --diff: of that choice (1)"},
    {OPT_MATRIX, "matrix", "latency|bandwidth|time",
     "that of each two ranks instead, as CSV; the time is of -M bytes"},
    {OPT_BY, "by", "rank|host",
     "with --matrix: rows and columns are ranks, or hosts as they stand in\nthe hierarchy (rank)"},
    {OPT_LARGE, "large", NULL, "with --matrix: also above 2000 rows and columns"},
    {OPT_PLOT, "plot", "PREFIX",
     "write pictures instead: PREFIX-times, PREFIX-matrix and, with points,\n"
     "PREFIX-residuals, each as .gp and .dat for gnuplot, which makes .svg"},
    {OPT_POINTS, "points", "FILE",
     "with --plot: measured times, as hierarchical_model --points writes\nthem"},
    {OPT_AS, "as", "TYPE",
     "write the model in another formula instead: loggp from plogp, or\nback"},
    {'m', "min-size", "SIZE", "with --diff: smallest message (0)"},
    {'M', "max-size", "SIZE", "largest message, whose second half tells the bandwidth, too (1MiB)"},
    {'S', "stride", "SIZE", "with --diff: distance of sizes (powers of two)"},
    {OPT_SIZES, "sizes", "LIST", "with --diff: these sizes instead (0,1k,64k,1m)"},
    {OPT_FORMAT, "format", "text|csv|json",
     "text: a summary; csv, json: every number of the model, or of the\ncomparison (text)"},
    {'o', "output", "FILE", "write there instead of standard output"},
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
};

static const struct tool info_tool = {
    .name = "model_info",
    .synopsis = "MODEL [--diff OTHER | --matrix WHAT | --plot PREFIX | --as TYPE] [OPTION]...",
    .summary =
        "Tell what is in a model file, or what differs between two. MODEL - is standard input.",
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

static int is_of_diff(int letter)
{
    return letter == OPT_TOLERANCE || letter == OPT_SAMPLE || letter == OPT_SEED || letter == 'm' ||
           letter == 'S' || letter == OPT_SIZES;
}

/* Take one option; the status tells whether its argument is right. */
static enum hitop_status take(void *data, int letter, const char *arg, struct hitop_diag *diag)
{
    struct info_settings *s = data;
    struct info_request *r = &s->request;
    enum hitop_status status;
    int index = 0;

    s->has_diff_option |= is_of_diff(letter);
    switch (letter) {
    case OPT_TOLERANCE:
        return hitop_text_double(arg, 0, 1e9, &r->tolerance, diag);
    case OPT_SAMPLE:
        return hitop_text_int(arg, 1, MAX_SAMPLE, &r->max_pairs, diag);
    case OPT_SEED:
        return hitop_text_int(arg, 0, INT_MAX, &r->seed, diag);
    case 'm':
        return sizes_set_min(&r->sizes, arg, diag);
    case 'S':
        return sizes_set_stride(&r->sizes, arg, diag);
    case OPT_SIZES:
        return sizes_set_list(&r->sizes, arg, diag);
    case 'M':
        return sizes_set_max(&r->sizes, arg, diag);
    case OPT_FORMAT:
        status = take_word(arg, formats, &index, diag);
        r->format = (enum info_format)index;
        s->has_format = 1;
        return status;
    case OPT_MATRIX:
        status = take_word(arg, matrices, &index, diag);
        r->matrix = (enum info_matrix)(INFO_LATENCY + index);
        return status;
    case OPT_BY:
        s->has_matrix_option = 1;
        return take_word(arg, rows, &r->by_host, diag);
    case OPT_LARGE:
        s->has_matrix_option = r->is_large = 1;
        return HITOP_OK;
    default:
        s->output = arg;
        s->has_output = 1;
        return HITOP_OK;
    }
}

/* What the options of model_info must not say together. */

static int has_control(const char *text)
{
    while (*text && !iscntrl((unsigned char)*text)) {
        text++;
    }
    return *text != '\0';
}

/* What options must not say together, or NULL. */
static const char *find_conflict(const struct info_settings *s)
{
    const struct info_request *r = &s->request;

    if (!r->path) {
        return "a model file is missing; see model_info --help";
    }
    if (!r->other_path && s->has_diff_option) {
        return "--tolerance, --sample, --seed, -m, -S and --sizes go with --diff only";
    }
    if (!r->matrix && s->has_matrix_option) {
        return "--by and --large go with --matrix only";
    }
    if (r->matrix && (r->other_path || s->has_format)) {
        return "--matrix is CSV, and of one model: --format and --diff do not go with it";
    }
    if (r->as && (r->matrix || r->other_path || s->plot || s->has_format)) {
        return "--as writes a model file: --matrix, --diff, --plot and --format do not go with it";
    }
    if (s->points && !s->plot) {
        return "--points goes with --plot only";
    }
    if (s->plot && (r->matrix || r->other_path || s->has_format || s->has_output)) {
        return "--plot writes files of its own: --matrix, --diff, --format and -o do not go with "
               "it";
    }
    if (s->plot && has_control(s->plot)) {
        return "--plot: a name of a file with control characters";
    }
    if (r->other_path && strcmp(r->path, "-") == 0 && strcmp(r->other_path, "-") == 0) {
        return "standard input cannot be both models";
    }
    if (!r->other_path && r->matrix != INFO_LATENCY && r->matrix != INFO_TIME &&
        r->sizes.max == 0) {
        return "--max-size: a message of 0 bytes tells no bandwidth";
    }
    return NULL;
}

/* After all options: make the sizes; TOOL_DONE, or TOOL_USAGE after saying what does not go together. */
static int info_check(struct info_settings *s)
{
    const char *conflict = find_conflict(s);
    struct info_request *r = &s->request;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const struct tool_file output = {"-o", s->output};
    const struct tool_file input[] = {{info_tool.name, r->path}, {"--diff", r->other_path}};
    enum hitop_status status;

    if (conflict) {
        tool_error(&info_tool, "%s", conflict);
        return TOOL_USAGE;
    }
    if (!r->as && tool_keep_inputs(&info_tool, &output, 1, input, 2) != TOOL_DONE) {
        return TOOL_USAGE; /* of one model another may be made in its place */
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
    enum hitop_status status = hitop_model_convert(request->model, request->as, &model, diag);

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
    enum hitop_status status = hitop_output_open(s->output, &output, &diag);

    if (status == HITOP_OK) {
        status = write_answer(&s->request, &is_same, hitop_output_stream(output), &diag);
        status = hitop_output_end(output, status, &diag);
    }
    if (status != HITOP_OK) {
        return tool_fail(&info_tool, status, &diag);
    }
    return is_same ? TOOL_DONE : TOOL_UNTRUSTED;
}

/* TOOL_DONE, or another exit status after saying why; *out is NULL where there is no path. */
static int read_model(const char *path, struct hitop_model **out)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const enum hitop_status status = path ? hitop_model_read(path, out, &diag) : HITOP_OK;

    if (status == HITOP_OK) {
        return TOOL_DONE;
    }
    return tool_fail(&info_tool, status == HITOP_ERR_IO ? HITOP_ERR_FORMAT : status, &diag);
}

/* Prices of ranks can be compared when both models have them. */
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
    struct info_settings s = {.request = {.tool = &info_tool,
                                          .worst = 5,
                                          .sizes = {.max = (size_t)1 << 20},
                                          .max_pairs = 1000000,
                                          .seed = 1,
                                          .tolerance = 0.05},
                              .output = "-"};
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
