/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * predict_collective.c - print the predicted time of a collective on the machine of a model file.
 */
#include <config.h>

#include "tools/predict/predict.h"
#include "tools/predict/predict_regret.h"

#include "hitop/input.h"
#include "hitop/output.h"
#include "hitop/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPT_SIZES = 256,
    OPT_ALL,
    OPT_ROOT,
    OPT_FROM,
    OPT_TO,
    OPT_SEGMENT,
    OPT_PARAM,
    OPT_PORTS,
    OPT_FORMAT,
    OPT_DRAW,
    OPT_LIST,
    OPT_EXPLAIN,
    OPT_RULES,
    OPT_WRITE_RULES,
    OPT_COUNTS,
    OPT_ORDERED,
    OPT_ELEMENT,
    OPT_MPI,
    OPT_SHAPE,
    OPT_PRICE,
    OPT_RANKS_PER_HOST
};

static const struct tool_option options[] = {
    {'i', "input", "FILE",
     "model of the machine: a model file, or a hierarchy file with latency and\n"
     "bandwidth at its groups; - is standard input"},
    {'O', "operation", "OP[/ALGORITHM]",
     "operation, e.g. p2p, bcast/ecef; bcast alone ranks all its algorithms,\n"
     "bcast/auto is the one that the libraries use, and bcast/twolevel that of\n"
     "libhitop_coll with the placement of ranks in the model"},
    {'C', "model", "NAME",
     "formula of the model, such as hockney: that of the file (the default), or\nloggp from plogp "
     "and back"},
    {OPT_SHAPE, "shape", "LEVELS",
     "predict for a regular machine, such as 'rack:8 host:16 core:64', whose\n"
     "levels root, rack and host have the prices of those of the model"},
    {OPT_PRICE, "price", "LEVEL=PRICE",
     "price of a level of --shape: rack=50us,1GB/s, latency and bandwidth between\n"
     "hosts of a rack, perhaps with a capacity (rack=50us,1GB/s,4), or\n"
     "rack=root, the level root of the model; may be repeated"},
    {OPT_RANKS_PER_HOST, "ranks-per-host", "N",
     "ranks on each host of a hierarchy file with one leaf for each host"},
    {'n', "ranks", "N", "ranks 0..N-1 take part (default: all of the model)"},
    {OPT_ALL, "all", NULL,
     "print all algorithms of a ranking, not only the five fastest of each\nsize; csv and json "
     "always have all"},
    {'m', "min-size", "SIZE", "smallest message (0 with -M or --write-rules)"},
    {'M', "max-size", "SIZE", "largest message, inclusive (204800 with -m or --write-rules)"},
    {'S', "stride", "SIZE", "distance of sizes (powers of two)"},
    {OPT_SIZES, "sizes", "LIST", "these sizes instead (1k,4k,16k,64k,256k,1m)"},
    {OPT_ROOT, "root", "RANK", "root of a collective (default 0)"},
    {OPT_FROM, "from", "RANK", "sender of p2p (default 0)"},
    {OPT_TO, "to", "RANK", "receiver of p2p (default 1)"},
    {OPT_SEGMENT, "segment", "SIZE",
     "bytes per segment (default: no segments; in a ranking the best)"},
    {OPT_PARAM, "param", "NAME=VALUE", "parameter of the algorithm; see --list"},
    {OPT_RULES, "rules", "FILE", "choose by these rules, and by prediction if they say auto"},
    {OPT_WRITE_RULES, "write-rules", "FILE",
     "write the choices of auto as rules, for OP or for all operations, to a\n"
     "file for --rules and HITOP_RULES, and print nothing"},
    {OPT_MPI, "mpi", "LIBRARY",
     "print what this MPI library would choose by default, such as openmpi-4.1\n"
     "or mpich-4.0, the time of it, and the fastest algorithms of the library\n"
     "and of all; OP is a list, or all operations; a name with '/' is a file"},
    {OPT_COUNTS, "counts", "FILE",
     "elements of the block of each rank, one number in a line, for scatterv,\n"
     "gatherv, allgatherv and reduce_scatter"},
    {OPT_ELEMENT, "element", "SIZE", "bytes of an element, which reductions do not divide (1)"},
    {OPT_ORDERED, "ordered", NULL, "operands of reductions do not commute"},
    {OPT_PORTS, "ports", "model|sender|both",
     "what a message occupies: as the model says (the default), its sender\n"
     "as the model says, or both ends until its arrival"},
    {OPT_FORMAT, "format", "text|csv|json", "form of the output (default text)"},
    {'o', "output", "FILE", "write to FILE instead of standard output"},
    {OPT_DRAW, "draw", "FILE",
     "also draw the fastest: FILE.svg is a time line, FILE.dot a graph of\n"
     "senders and receivers; with --mpi FILE.svg is a heat map of losses"},
    {OPT_EXPLAIN, "explain", NULL,
     "also print reasons: rules, crossovers, messages per level, the critical\n"
     "path of the last rank, and violated guidelines"},
    {OPT_LIST, "list", NULL, "print operations, algorithms and parameters, then exit"},
};

static const char *const formats[] = {"text", "csv", "json", NULL};
static const char *const ports[] = {"model", "sender", "both", NULL};

static const struct tool_value values[] = {
    {TOOL_VALUE('i', TEXT, struct predict_settings, request.model_path)},
    {TOOL_VALUE('O', TEXT, struct predict_settings, request.operation)},
    {TOOL_VALUE('C', TEXT, struct predict_settings, type)},
    {TOOL_VALUE('n', INT, struct predict_settings, ranks), .least = 1, .most = INT_MAX},
    {TOOL_VALUE(OPT_SHAPE, TEXT, struct predict_settings, shape)},
    {TOOL_VALUE(OPT_RANKS_PER_HOST, INT, struct predict_settings, ranks_per_host), .least = 1,
     .most = WHATIF_RANKS_PER_HOST_MAX},
    {TOOL_VALUE(OPT_ALL, FLAG, struct predict_settings, request.shows_all)},
    {TOOL_VALUE(OPT_ROOT, INT, struct predict_settings, root), .least = 0, .most = INT_MAX},
    {TOOL_VALUE(OPT_FROM, INT, struct predict_settings, from), .least = 0, .most = INT_MAX},
    {TOOL_VALUE(OPT_TO, INT, struct predict_settings, to), .least = 0, .most = INT_MAX},
    {TOOL_VALUE(OPT_SEGMENT, SIZE, struct predict_settings, request.segment)},
    {TOOL_VALUE(OPT_PORTS, WORD, struct predict_settings, request.ports), .words = ports},
    {TOOL_VALUE(OPT_FORMAT, WORD, struct predict_settings, format), .words = formats},
    {TOOL_VALUE('o', TEXT, struct predict_settings, output)},
    {TOOL_VALUE(OPT_RULES, TEXT, struct predict_settings, request.rules_path)},
    {TOOL_VALUE(OPT_WRITE_RULES, TEXT, struct predict_settings, write_rules)},
    {TOOL_VALUE(OPT_MPI, TEXT, struct predict_settings, library)},
    {TOOL_VALUE(OPT_COUNTS, TEXT, struct predict_settings, counts_path)},
    {TOOL_VALUE(OPT_ORDERED, FLAG, struct predict_settings, ordered)},
    {TOOL_VALUE(OPT_EXPLAIN, FLAG, struct predict_settings, explain)},
    {TOOL_VALUE(OPT_LIST, FLAG, struct predict_settings, list)},
};

static const struct tool predict_tool = {
    .name = "predict_collective",
    .synopsis = "-i MODEL -O OP[/ALGORITHM] [OPTION]...",
    .summary = "Predict the time of a collective operation from a model file.",
    .options = options,
    .noptions = sizeof(options) / sizeof(options[0]),
    .values = values,
    .nvalues = sizeof(values) / sizeof(values[0]),
    .epilogue = "A size is a number of bytes, such as 64k or 1.5 MiB; k, m, g, KiB, MiB, GiB are "
                "powers of\n"
                "1024, kB, MB, GB powers of 1000. Times are until the last rank has finished.\n",
};

static enum hitop_status add_param(const char *text, struct predict_settings *s,
                                   struct hitop_diag *diag)
{
    if (s->nparams == PREDICT_MAX_PARAMS) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "at most %d parameters", PREDICT_MAX_PARAMS);
    }
    s->params[s->nparams++] = text;
    return HITOP_OK;
}

static enum hitop_status add_price(const char *text, struct predict_settings *s,
                                   struct hitop_diag *diag)
{
    if (s->nprices == PREDICT_MAX_PARAMS) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "at most %d prices", PREDICT_MAX_PARAMS);
    }
    s->prices[s->nprices++] = text;
    return HITOP_OK;
}

static enum hitop_status parse_element(const char *text, size_t *out, struct hitop_diag *diag)
{
    const enum hitop_status status = hitop_text_size(text, out, diag);

    return status == HITOP_OK && *out == 0
               ? hitop_fail(diag, HITOP_ERR_INVALID, "'%s': an element has bytes", text)
               : status;
}

/* Parse one option; the status reports a wrong argument. */
static enum hitop_status take(void *data, int letter, const char *arg, struct hitop_diag *diag)
{
    struct predict_settings *s = data;

    switch (letter) {
    case 'm':
    case 'M':
    case 'S':
        return sizes_set_range(&s->sizes, letter, arg, diag);
    case OPT_SIZES:
        return sizes_set_list(&s->sizes, arg, diag);
    case OPT_PARAM:
        return add_param(arg, s, diag);
    case OPT_PRICE:
        return add_price(arg, s, diag);
    case OPT_DRAW:
        s->draw = arg;
        return predict_draw_ends(arg, ".svg") || predict_draw_ends(arg, ".dot")
                   ? HITOP_OK
                   : hitop_fail(diag, HITOP_ERR_INVALID, "'%s' ends neither in .svg nor in .dot",
                                arg);
    default:
        return parse_element(arg, &s->element, diag);
    }
}

static int answer(const struct predict_settings *s)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_output *output = NULL;
    struct predict_report report = {0};
    enum hitop_status status = predict_report_init(&report, &s->request, &diag);

    if (status == HITOP_OK && s->draw) {
        status = predict_draw(&report, s->draw, &diag);
    }
    if (status == HITOP_OK) {
        status = hitop_output_open(s->output, &output, &diag);
    }
    if (status == HITOP_OK) {
        status = predict_print(&report, s->format, hitop_output_stream(output), &diag);
        if (status == HITOP_OK && s->explain) {
            status = predict_explain(&report, hitop_output_stream(output), &diag);
        }
        status = hitop_output_end(output, status, &diag);
    }
    predict_report_fini(&report);
    return status == HITOP_OK ? TOOL_DONE : tool_fail(&predict_tool, status, &diag);
}

/* Compare an MPI library's choices with the fastest algorithms. */
static int compare_library(const struct predict_settings *s)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_output *output = NULL;
    struct predict_regret regret;
    enum hitop_status status =
        predict_regret_init(&regret, &s->request, s->library, s->operations, &diag);

    if (status == HITOP_OK && s->draw) {
        status = predict_regret_draw(&regret, s->draw, &diag);
    }
    if (status == HITOP_OK) {
        status = hitop_output_open(s->output, &output, &diag);
    }
    if (status == HITOP_OK) {
        status = predict_regret_print(&regret, s->format, hitop_output_stream(output), &diag);
        status = hitop_output_end(output, status, &diag);
    }
    predict_regret_fini(&regret);
    if (status == HITOP_ERR_NOTFOUND) {
        return tool_bad_option(&predict_tool, "--mpi", &diag);
    }
    if (status == HITOP_ERR_IO && !output) {
        (void)tool_fail(&predict_tool, status, &diag);
        return TOOL_BAD_INPUT;
    }
    return status == HITOP_OK ? TOOL_DONE : tool_fail(&predict_tool, status, &diag);
}

static int run(struct predict_settings *s)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct predict_request *r = &s->request;
    enum hitop_status status;
    int result;

    if (!r->operation && s->write_rules) {
        s->all = 1;
        r->operation = hitop_operations()->name; /* the first of all */
    }
    if (!(r->model_path || s->shape) || !(r->operation || s->library)) {
        tool_error(&predict_tool, "%s is missing; see %s --help",
                   r->model_path || s->shape ? "-O OP" : "-i MODEL", predict_tool.name);
        return TOOL_USAGE;
    }
    result = predict_check(s);
    if (result != TOOL_DONE) {
        return result;
    }
    if (!s->sizes.list && !s->sizes.range_given && !s->write_rules) {
        s->sizes.list = "1k,4k,16k,64k,256k,1m";
    }
    status = sizes_make(&s->sizes, &r->sizes, &r->nsizes, &diag);
    if (status == HITOP_OK && s->draw && r->nsizes > 1 && !s->library) {
        tool_error(&predict_tool, "--draw: %zu sizes; take one, such as --sizes 64k", r->nsizes);
        return TOOL_USAGE;
    }
    if (status != HITOP_OK) {
        return tool_fail(&predict_tool, status, &diag);
    }
    result = predict_read_model(s);
    if (result == TOOL_DONE) {
        result = predict_setup(s);
    }
    if (result == TOOL_DONE && s->write_rules) {
        status = predict_write_rules(r, s->all, s->write_rules, &diag);
        return status == HITOP_OK ? TOOL_DONE : tool_fail(&predict_tool, status, &diag);
    }
    if (result != TOOL_DONE) {
        return result;
    }
    return s->library ? compare_library(s) : answer(s);
}

int main(int argc, char **argv)
{
    struct predict_settings s = {.tool = &predict_tool,
                                 .sizes = SIZES_INIT,
                                 .ranks = -1,
                                 .root = -1,
                                 .from = -1,
                                 .to = -1,
                                 .output = "-"};
    int result;

    if (tool_help_or_version(&predict_tool, argc, argv)) {
        return tool_finish(&predict_tool);
    }
    result = tool_take_options(&predict_tool, argc, argv, take, &s);
    if (result == TOOL_DONE) {
        result = tool_no_operands(&predict_tool, argc, argv);
    }
    if (result == TOOL_DONE && s.list) {
        predict_list(stdout);
        result = tool_finish(&predict_tool);
    } else if (result == TOOL_DONE) {
        result = run(&s);
    }
    hitop_choice_memo_free(s.request.memo);
    hitop_model_free(s.request.model);
    hitop_rules_free(s.request.rules);
    free(s.starts);
    free(s.request.sizes);
    return result;
}
