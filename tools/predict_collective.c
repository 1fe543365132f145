/* SPDX-License-Identifier: BSD-3-Clause */
/* predict_collective.c - print what a collective would cost on the machine of a model file. */
#include <config.h>

#include "predict.h"
#include "sizes.h"
#include "tool.h"

#include "hitop/output.h"
#include "hitop/sys/tree.h"
#include "hitop/text.h"

#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPT_SIZES = 256,
    OPT_ROOT,
    OPT_FROM,
    OPT_TO,
    OPT_SEGMENT,
    OPT_PARAM,
    OPT_FORMAT,
    OPT_LIST,
    OPT_EXPLAIN
};

static const struct tool_option options[] = {
    {'i', "input", "FILE", "model of the machine, or - for standard input"},
    {'O', "operation", "OP[/ALGORITHM]",
     "what to predict, e.g. p2p, bcast/ecef; bcast alone ranks all its\n"
     "algorithms, bcast/auto gives the fastest time"},
    {'n', "ranks", "N", "ranks 0..N-1 take part (default: all of the model)"},
    {'m', "min-size", "SIZE", "smallest message (default 0)"},
    {'M', "max-size", "SIZE", "largest message, inclusive (default 204800)"},
    {'S', "stride", "SIZE", "distance of sizes (default: powers of two)"},
    {OPT_SIZES, "sizes", "LIST", "these sizes instead, e.g. 1k,64k,1m"},
    {OPT_ROOT, "root", "RANK", "root of a collective (default 0)"},
    {OPT_FROM, "from", "RANK", "sender of p2p (default 0)"},
    {OPT_TO, "to", "RANK", "receiver of p2p (default 1)"},
    {OPT_SEGMENT, "segment", "SIZE", "cut messages into segments (default 0: whole)"},
    {OPT_PARAM, "param", "NAME=VALUE", "parameter of the algorithm; see --list"},
    {OPT_FORMAT, "format", "text|csv|json", "form of the output (default text)"},
    {'o', "output", "FILE", "write there instead of standard output"},
    {OPT_EXPLAIN, "explain", NULL,
     "also print crossovers, the levels crossed and the last arrival"},
    {OPT_LIST, "list", NULL, "print operations, algorithms and parameters, then exit"},
};

static const struct tool tool = {
    .name = "predict_collective",
    .synopsis = "-i MODEL -O OP[/ALGORITHM] [OPTION]...",
    .summary = "Predict the time of a collective operation from a model file.",
    .options = options,
    .noptions = sizeof(options) / sizeof(options[0]),
    .epilogue =
        "A size is a number of bytes; k, m, g, KiB, MiB, GiB are powers of 1024, kB, MB, GB\n"
        "powers of 1000. Times are until the last rank has finished.\n",
};

enum { MAX_PARAMS = 16 };

struct settings {
    struct predict_request request;
    struct sizes sizes;
    char *operation; /* copy of the argument, cut at '/' */
    const char *params[MAX_PARAMS];
    int nparams;
    double tree_params[MAX_PARAMS];
    int ranks, root, from, to; /* -1: not given */
    enum predict_format format;
    const char *output;
    int explain;
    int list;
};

static enum hitop_status parse_format(const char *text, enum predict_format *out,
                                      struct hitop_diag *diag)
{
    static const char *const names[] = {"text", "csv", "json"};

    for (int i = 0; i < 3; i++) {
        if (strcmp(text, names[i]) == 0) {
            *out = (enum predict_format)i;
            return HITOP_OK;
        }
    }
    return hitop_fail(diag, HITOP_ERR_INVALID, "'%s' is none of text, csv, json", text);
}

static enum hitop_status parse_operation(const char *text, struct settings *s,
                                         struct hitop_diag *diag)
{
    char *slash;

    free(s->operation);
    s->operation = strdup(text);
    if (!s->operation) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    slash = strchr(s->operation, '/');
    if (slash) {
        *slash = '\0';
    }
    s->request.operation = s->operation;
    s->request.algorithm = slash ? slash + 1 : NULL;
    return HITOP_OK;
}

static enum hitop_status add_param(const char *text, struct settings *s, struct hitop_diag *diag)
{
    if (s->nparams == MAX_PARAMS) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "at most %d parameters", MAX_PARAMS);
    }
    s->params[s->nparams++] = text;
    return HITOP_OK;
}

static enum hitop_status parse_segment(const char *text, double *out, struct hitop_diag *diag)
{
    size_t bytes;
    const enum hitop_status status = hitop_text_size(text, &bytes, diag);

    if (status == HITOP_OK) {
        *out = (double)bytes;
    }
    return status;
}

/* Take one option; the status tells whether its argument is right. */
static enum hitop_status take(int letter, const char *arg, struct settings *s,
                              struct hitop_diag *diag)
{
    switch (letter) {
    case 'i':
        s->request.model_path = arg;
        return HITOP_OK;
    case 'O':
        return parse_operation(arg, s, diag);
    case 'n':
        return hitop_text_int(arg, 1, INT_MAX, &s->ranks, diag);
    case 'm':
        return sizes_set_min(&s->sizes, arg, diag);
    case 'M':
        return sizes_set_max(&s->sizes, arg, diag);
    case 'S':
        return sizes_set_stride(&s->sizes, arg, diag);
    case OPT_SIZES:
        return sizes_set_list(&s->sizes, arg, diag);
    case OPT_ROOT:
        return hitop_text_int(arg, 0, INT_MAX, &s->root, diag);
    case OPT_FROM:
        return hitop_text_int(arg, 0, INT_MAX, &s->from, diag);
    case OPT_TO:
        return hitop_text_int(arg, 0, INT_MAX, &s->to, diag);
    case OPT_SEGMENT:
        return parse_segment(arg, &s->request.segment, diag);
    case OPT_PARAM:
        return add_param(arg, s, diag);
    case OPT_FORMAT:
        return parse_format(arg, &s->format, diag);
    case 'o':
        s->output = arg;
        return HITOP_OK;
    case OPT_EXPLAIN:
        s->explain = 1;
        return HITOP_OK;
    default:
        s->list = 1;
        return HITOP_OK;
    }
}

static const char *option_name(int letter)
{
    for (size_t i = 0; i < tool.noptions; i++) {
        if (options[i].letter == letter) {
            return options[i].name;
        }
    }
    return "?";
}

static int parse(int argc, char **argv, struct settings *s)
{
    int letter;

    while ((letter = tool_next_option(&tool, argc, argv)) != -1) {
        struct hitop_diag diag = HITOP_DIAG_INIT;
        if (letter == '?') {
            return TOOL_USAGE;
        }
        if (take(letter, optarg, s, &diag) != HITOP_OK) {
            char name[64];
            (void)snprintf(name, sizeof(name), "--%s", option_name(letter));
            return tool_bad_option(&tool, name, &diag);
        }
    }
    if (optind < argc) {
        tool_error(&tool, "unexpected argument '%s'; see %s --help", argv[optind], tool.name);
        return TOOL_USAGE;
    }
    return TOOL_DONE;
}

/* Options that contradict each other or the operation. */
static const char *find_conflict(const struct settings *s)
{
    const struct predict_request *r = &s->request;
    const int p2p = predict_is_p2p(r);

    if (!p2p && (s->from >= 0 || s->to >= 0)) {
        return "--from and --to belong to p2p; a collective has --root";
    }
    if (p2p && r->algorithm) {
        return "p2p has no algorithms";
    }
    if (p2p && (s->root >= 0 || r->segment > 0 || s->explain)) {
        return "--root, --segment and --explain do not go with p2p";
    }
    if (s->nparams > 0 && (!r->algorithm || strcmp(r->algorithm, "auto") == 0)) {
        return "--param needs one algorithm: -O bcast/ALGORITHM";
    }
    if (s->explain && s->format != PREDICT_TEXT) {
        return "--explain is text; leave out --format";
    }
    if (s->explain && r->algorithm && strcmp(r->algorithm, "auto") == 0) {
        return "--explain needs one algorithm or, without any, ranks all: -O bcast";
    }
    return NULL;
}

static int check_operation(const struct settings *s)
{
    const char *const *names = hitop_predict_operations();
    const char *conflict;

    while (*names && strcmp(*names, s->request.operation) != 0) {
        names++;
    }
    if (!*names) {
        tool_error(&tool, "-O: no operation is called '%s'; valid: p2p, bcast",
                   s->request.operation);
        return TOOL_USAGE;
    }
    conflict = find_conflict(s);
    if (conflict) {
        tool_error(&tool, "%s", conflict);
        return TOOL_USAGE;
    }
    return TOOL_DONE;
}

/* Apply --param to the parameters of the algorithm. */
static enum hitop_status assign_params(struct settings *s, struct hitop_diag *diag)
{
    const struct hitop_tree_builder *b = NULL;
    enum hitop_status status;

    if (s->nparams == 0) {
        return HITOP_OK;
    }
    status = hitop_tree_builder_find(s->request.algorithm, &b, diag);
    if (status == HITOP_OK && b->nparams > MAX_PARAMS) {
        status = HITOP_ERR_UNSUPPORTED;
    }
    if (status == HITOP_OK) {
        status = hitop_params_check(b->name, b->params, b->nparams, NULL, s->tree_params, diag);
    }
    for (int i = 0; i < s->nparams && status == HITOP_OK; i++) {
        status =
            hitop_params_assign(b->name, b->params, b->nparams, s->params[i], s->tree_params, diag);
    }
    s->request.tree_params = s->tree_params;
    return status;
}

/* Ranks must be in the model. */
static int check_ranks(struct settings *s)
{
    struct predict_request *r = &s->request;
    const int known = hitop_model_nranks(r->model);
    const int p2p = predict_is_p2p(r);

    r->ranks = s->ranks > 0 ? s->ranks : known;
    r->root = p2p ? (s->from >= 0 ? s->from : 0) : (s->root >= 0 ? s->root : 0);
    r->to = s->to >= 0 ? s->to : 1;
    if (r->ranks > known) {
        tool_error(&tool, "-n: %d ranks, but %s prices %d", r->ranks, r->model_path, known);
        return TOOL_USAGE;
    }
    if (r->root >= r->ranks || (p2p && r->to >= r->ranks)) {
        tool_error(&tool, "rank %d is not in 0..%d", r->root >= r->ranks ? r->root : r->to,
                   r->ranks - 1);
        return TOOL_USAGE;
    }
    return TOOL_DONE;
}

static enum hitop_status print(const struct predict_report *report, const struct settings *s,
                               FILE *out, struct hitop_diag *diag)
{
    if (s->format == PREDICT_JSON) {
        return predict_print_json(report, out, diag);
    }
    if (s->format == PREDICT_CSV) {
        predict_print_csv(report, out);
        return HITOP_OK;
    }
    predict_print_text(report, out);
    return s->explain ? predict_explain(report, out, diag) : HITOP_OK;
}

static int answer(const struct settings *s)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_output *output = NULL;
    struct predict_report report = {0};
    enum hitop_status status = predict_report_init(&report, &s->request, &diag);

    if (status == HITOP_OK) {
        status = hitop_output_open(s->output, &output, &diag);
    }
    if (status == HITOP_OK) {
        status = print(&report, s, hitop_output_stream(output), &diag);
        if (status == HITOP_OK) {
            status = hitop_output_commit(output, &diag);
        } else {
            hitop_output_discard(output);
        }
    }
    predict_report_fini(&report);
    return status == HITOP_OK ? TOOL_DONE : tool_fail(&tool, status, &diag);
}

static int run(struct settings *s)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct predict_request *r = &s->request;
    enum hitop_status status;
    int result;

    if (!r->model_path || !r->operation) {
        tool_error(&tool, "%s is missing; see %s --help", r->model_path ? "-O OP" : "-i MODEL",
                   tool.name);
        return TOOL_USAGE;
    }
    result = check_operation(s);
    if (result != TOOL_DONE) {
        return result;
    }
    status = sizes_make(&s->sizes, &r->sizes, &r->nsizes, &diag);
    if (status == HITOP_OK) {
        status = assign_params(s, &diag);
    }
    if (status != HITOP_OK) {
        return tool_fail(&tool, status, &diag);
    }
    status = hitop_model_read(r->model_path, &r->model, &diag);
    if (status != HITOP_OK) {
        const int result_of_read = tool_fail(&tool, status, &diag);
        return status == HITOP_ERR_IO ? TOOL_BAD_INPUT : result_of_read;
    }
    r->cost = hitop_model_cost(r->model);
    result = check_ranks(s);
    return result == TOOL_DONE ? answer(s) : result;
}

int main(int argc, char **argv)
{
    struct settings s = {
        .sizes = SIZES_INIT, .ranks = -1, .root = -1, .from = -1, .to = -1, .output = "-"};
    int result;

    if (tool_help_or_version(&tool, argc, argv)) {
        return tool_finish(&tool);
    }
    result = parse(argc, argv, &s);
    if (result == TOOL_DONE && s.list) {
        predict_list(stdout);
        result = tool_finish(&tool);
    } else if (result == TOOL_DONE) {
        result = run(&s);
    }
    hitop_model_free(s.request.model);
    free(s.request.sizes);
    free(s.operation);
    return result;
}
