/* SPDX-License-Identifier: BSD-3-Clause */
/* validate_model.c - compare predictions of a model with measurements. */
#include <config.h>

#include "coll/validate/cases.h"
#include "tools/common/tool_mpi.h"
#include "tools/validate/validate.h"

#include "hitop/text.h"

#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    O_FORMAT = 256,
    O_PAIRS,
    O_PATTERNS,
    O_OPERATIONS,
    O_TOLERANCE,
    O_PATTERN_TOLERANCE,
    O_OPERATION_TOLERANCE,
    O_TIMING,
    O_BUDGET,
    O_TIME_LIMIT,
    O_SEED,
    O_EARLIER,
    O_IGNORE_HOSTS,
    O_STRICT,
    O_PROGRESS
};

static const struct tool_option options[] = {
    {'i', "input", "FILE", "model, as hierarchical_model writes it; - is standard input"},
    {'o', "output", "FILE", "write the report to FILE instead of standard output"},
    {O_FORMAT, "format", "NAME", "text, csv (all times) or json (text)"},
    {O_PAIRS, "pairs", "K",
     "random pairs of ranks of each level; 0: none (8, or fewer where\n--budget is short)"},
    {O_PATTERNS, "patterns", "LIST",
     "all, none, or some of fan, shift, binomial, exchange, pairs, with commas\n"
     "(all)"},
    {O_OPERATIONS, "operations", "LIST",
     "none, or collectives with commas: bcast, bcast/binomial, or bcast/all\n"
     "for all algorithms (one usual algorithm of each of eight)"},
    {'m', "min-size", "BYTES", "smallest message (the smallest of the model)"},
    {'M', "max-size", "BYTES", "largest message (the largest of the model)"},
    {O_TOLERANCE, "tolerance", "X",
     "largest relative median error of pairs of a group that holds; or twice\n"
     "the noise, if that is more (0.1)"},
    {O_PATTERN_TOLERANCE, "pattern-tolerance", "X", "the same for patterns (0.1)"},
    {O_OPERATION_TOLERANCE, "operation-tolerance", "X", "the same for collectives (0.2)"},
    {'e', "eps", "X", "wanted half width of a median's interval, relative (0.05)"},
    {'p', "parallel", "0|1", "1: pairs concurrently as far as a test allows it; 0: one by one (0)"},
    {O_TIMING, "timing", "METHOD",
     "what the time of a pattern or collective is: max, root, global,\none-barrier, window; see "
     "hitop(7) (window)"},
    {O_BUDGET, "budget", "TIME", "time for all measurements together (20s)"},
    {O_TIME_LIMIT, "time-limit", "TIME", "end after this time, even if times are missing"},
    {O_SEED, "seed", "N", "seed of pairs and of the order of measurements (1)"},
    {O_EARLIER, "earlier", "FILE",
     "JSON of an earlier launch, whose times count, too; noise is then the\n"
     "difference of launches; may be repeated"},
    {O_IGNORE_HOSTS, "ignore-hosts", NULL, "rank k is rank k of the model, on any host"},
    {O_STRICT, "strict", NULL,
     "exit with status 4 if the model does not hold, or a signal ended the run"},
    {O_PROGRESS, "progress", NULL, "report progress each second"},
    {'q', "quiet", NULL, "no progress"},
};

static const char *const formats[] = {
    [VALIDATE_TEXT] = "text", [VALIDATE_CSV] = "csv", [VALIDATE_JSON] = "json", NULL};

static const struct tool_value values[] = {
    {TOOL_VALUE('i', TEXT, struct validate_options, request.input)},
    {TOOL_VALUE('o', TEXT, struct validate_options, output)},
    {TOOL_VALUE(O_FORMAT, WORD, struct validate_options, format), .words = formats},
    {TOOL_VALUE(O_TOLERANCE, REAL, struct validate_options, request.tolerance[VALIDATE_PAIRS]),
     .least = 0.001, .most = 1e6},
    {TOOL_VALUE(O_PATTERN_TOLERANCE, REAL, struct validate_options,
                request.tolerance[VALIDATE_PATTERNS]),
     .least = 0.001, .most = 1e6},
    {TOOL_VALUE(O_OPERATION_TOLERANCE, REAL, struct validate_options,
                request.tolerance[VALIDATE_OPERATIONS]),
     .least = 0.001, .most = 1e6},
    {TOOL_VALUE('e', REAL, struct validate_options, request.eps), .least = 1e-6, .most = 1},
    {TOOL_VALUE('p', INT, struct validate_options, request.parallel), .least = 0, .most = 1},
    {TOOL_VALUE(O_BUDGET, TIME, struct validate_options, request.budget)},
    {TOOL_VALUE(O_TIME_LIMIT, TIME, struct validate_options, request.time_limit)},
    {TOOL_VALUE(O_SEED, SEED, struct validate_options, request.seed)},
    {TOOL_VALUE(O_IGNORE_HOSTS, FLAG, struct validate_options, ignore_hosts)},
    {TOOL_VALUE(O_STRICT, FLAG, struct validate_options, strict)},
    {TOOL_VALUE(O_PROGRESS, FLAG, struct validate_options, progress)},
    {TOOL_VALUE('q', FLAG, struct validate_options, quiet)},
};

static enum hitop_status read_size(const char *text, size_t *out, struct hitop_diag *diag)
{
    const enum hitop_status status = hitop_text_size(text, out, diag);

    return status == HITOP_OK && *out > INT_MAX
               ? hitop_fail(diag, HITOP_ERR_INVALID, "'%s' is more than a message has, %d bytes",
                            text, INT_MAX)
               : status;
}

/* Check names of patterns and collectives, as far as this needs no model. */
static enum hitop_status check_names(const struct validate_request *r, struct hitop_diag *diag)
{
    struct validate_cases cases;
    const enum hitop_status status = hitop_validate_cases_make(r, NULL, NULL, 0, &cases, diag);

    hitop_validate_cases_clear(&cases);
    return status;
}

static enum hitop_status read_list(const char *text, const char **list, struct validate_request *r,
                                   struct hitop_diag *diag)
{
    if (text[0] == '\0') {
        return hitop_fail(diag, HITOP_ERR_INVALID, "an empty list; 'none' if nothing is meant");
    }
    *list = text;
    return check_names(r, diag);
}

static enum hitop_status take(void *data, int letter, const char *argument, struct hitop_diag *diag)
{
    struct validate_options *o = data;
    struct validate_request *r = &o->request;

    switch (letter) {
    case O_PATTERNS:
        return read_list(argument, &r->patterns, r, diag);
    case O_OPERATIONS:
        return read_list(argument, &r->operations, r, diag);
    case O_PAIRS:
        r->has_npairs = 1;
        return hitop_text_int(argument, 0, 10000, &r->npairs, diag);
    case O_TIMING:
        return hitop_timing_find(argument, &o->timing, diag);
    case 'm':
        r->has_range[0] = 1;
        return read_size(argument, &r->min, diag);
    case 'M':
        r->has_range[1] = 1;
        return read_size(argument, &r->max, diag);
    default:
        if (o->nearlier == VALIDATE_MOST_LAUNCHES - 1) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "more than %d earlier launches",
                              o->nearlier);
        }
        o->earlier[o->nearlier++] = argument;
        return HITOP_OK;
    }
}

static int read_options(struct tool *tool, int argc, char **argv, struct validate_options *out)
{
    struct validate_request *request = &out->request;
    int exit_status;

    *out = (struct validate_options){
        .output = "-",
        .timing = &hitop_timing_window,
        .request = {
            .npairs = 8,
            .patterns = "all",
            .operations = "usual",
            .tolerance =
                {[VALIDATE_PAIRS] = 0.1, [VALIDATE_PATTERNS] = 0.1, [VALIDATE_OPERATIONS] = 0.2},
            .eps = 0.05,
            .budget = 20,
            .seed = 1}};
    request->command = tool_command_line(tool, argc, argv);
    if (!request->command) {
        return tool_fail(tool, HITOP_ERR_NOMEM, NULL);
    }
    exit_status = tool_take_options(tool, argc, argv, take, out);
    if (exit_status == TOOL_DONE) {
        exit_status = tool_no_operands(tool, argc, argv);
    }
    if (exit_status != TOOL_DONE) {
        return exit_status;
    }
    if (!request->input) {
        tool_error(tool, "-i MODEL is missing; see %s --help", tool->name);
        return TOOL_USAGE;
    }
    if (request->has_range[0] && request->has_range[1] && request->min > request->max) {
        tool_error(tool, "--min-size: %zu bytes are more than --max-size, %zu", request->min,
                   request->max);
        return TOOL_USAGE;
    }
    return TOOL_DONE;
}

int main(int argc, char **argv)
{
    struct tool tool = {
        .name = "validate_model",
        .synopsis = "-i MODEL [options]",
        .summary =
            "Measure times that a model was not fitted to, and compare its predictions with them:\n"
            "random pairs of ranks, patterns of many messages, and collectives.\n"
            "Runs under mpirun on hosts of the model.",
        .options = options,
        .noptions = sizeof(options) / sizeof(options[0]),
        .values = values,
        .nvalues = sizeof(values) / sizeof(values[0]),
        .epilogue =
            "Sizes take k, m, g, KiB, MiB, GiB (powers of 1024), kB, MB, GB (of 1000).\n"
            "Exit status: 0 the report was written, 1 failed, 2 wrong usage, 3 bad model file, or\n"
            "one of another machine; with --strict also 4: the model does not hold.\n"
            "\n"
            "Example:\n"
            "  mpirun -n 8 validate_model -i model.json\n",
    };
    struct validate_options asked;
    int exit_status;

    if (tool_help_or_version(&tool, argc, argv)) {
        return tool_finish(&tool);
    }
    tool.quiet = tool_mpi_is_later_rank();
    exit_status = read_options(&tool, argc, argv, &asked);
    if (exit_status == TOOL_DONE) {
        (void)tool_mpi_start(&tool, &argc, &argv);
        exit_status = tool_mpi_finish(validate_job(&tool, &asked));
    } else {
        exit_status = tool_mpi_leave(&tool, exit_status);
    }
    free(asked.request.command);
    return exit_status;
}
