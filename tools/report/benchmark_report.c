/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_report.c - make a guide from benchmark results, or compare two results. */
#include <config.h>

#include "tools/common/tool.h"
#include "tools/report/report.h"

#include "hitop/input.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_FORMAT = 256, OPT_NO_FIGURES, OPT_COMPARE, OPT_ALL, OPT_STRICT };

static const struct tool_option options[] = {
    {'i', "input", "FILE",
     "results in JSON, from benchmark_collective, as FILE; - is standard\ninput, which is read "
     "when there is no file"},
    {'o', "output", "FILE", "write to FILE instead of standard output"},
    {OPT_COMPARE, "compare", NULL,
     "compare two files: times that are slower or faster in the second one,\nbeyond both "
     "intervals"},
    {OPT_ALL, "all", NULL, "with --compare: also equal times, and all lines"},
    {OPT_STRICT, "strict", NULL, "with --compare: exit status 4 if a time changed"},
    {OPT_FORMAT, "format", "html|md|csv|json|text",
     "html: one file with tables and figures; md: Markdown, tables only;\n"
     "csv, json: all points and formulas, for other programs; text: ten lines\n"
     "at most (by the end of the output's name; standard output text)"},
    {OPT_NO_FIGURES, "no-figures", NULL, "html without figures"},
};

struct settings {
    struct results_input input[RESULTS_MAX_LAUNCHES];
    int ninputs;
    const char *output;
    int format; /* -1: not given */
    int has_no_figures;
    int compares, shows_all, is_strict;
};

static const char *const formats[] = {
    [REPORT_HTML] = "html", [REPORT_MARKDOWN] = "md", [REPORT_CSV] = "csv",
    [REPORT_JSON] = "json", [REPORT_TEXT] = "text",   NULL};

static const struct tool_value values[] = {
    {TOOL_VALUE('o', TEXT, struct settings, output)},
    {TOOL_VALUE(OPT_NO_FIGURES, FLAG, struct settings, has_no_figures)},
    {TOOL_VALUE(OPT_COMPARE, FLAG, struct settings, compares)},
    {TOOL_VALUE(OPT_ALL, FLAG, struct settings, shows_all)},
    {TOOL_VALUE(OPT_STRICT, FLAG, struct settings, is_strict)},
    {TOOL_VALUE(OPT_FORMAT, WORD, struct settings, format), .words = formats},
};

static const struct tool report_tool = {
    .name = "benchmark_report",
    .synopsis = "[-o FILE] [OPTION]... [FILE]...",
    .summary =
        "Make a guide to the cost of communication from the results of benchmark_collective:\n"
        "definitions, tables, curves, formulas, and what the data support. Several files are\n"
        "launches of one set-up, and become one guide, or with --compare two days. Needs no MPI.",
    .options = options,
    .noptions = sizeof(options) / sizeof(options[0]),
    .values = values,
    .nvalues = sizeof(values) / sizeof(values[0]),
    .epilogue =
        "Exit status: 0 done, 1 failed, 2 wrong usage, 3 bad input file; with --strict also 4:\n"
        "written, and a time changed.\n",
};

static enum hitop_status add_input(struct settings *s, const char *path, struct hitop_diag *diag)
{
    if (s->ninputs == RESULTS_MAX_LAUNCHES) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "more than %d launches", RESULTS_MAX_LAUNCHES);
    }
    s->input[s->ninputs++] = (struct results_input){.name = path};
    return HITOP_OK;
}

static enum hitop_status take(void *data, int letter, const char *arg, struct hitop_diag *diag)
{
    struct settings *s = data;

    (void)letter;
    return add_input(s, arg, diag);
}

/* Read all inputs into memory. */
static enum hitop_status read_inputs(struct settings *s, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (int i = 0; i < s->ninputs && status == HITOP_OK; i++) {
        struct results_input *in = &s->input[i];
        const char *path = in->name;
        status = hitop_input_read(path, &in->text, &in->length, diag);
        in->name = hitop_input_name(path);
    }
    return status == HITOP_ERR_IO ? HITOP_ERR_FORMAT : status;
}

static int keep_inputs(const struct settings *s)
{
    const struct tool_file output = {"-o", s->output};
    int status = TOOL_DONE;

    for (int i = 0; i < s->ninputs && status == TOOL_DONE; i++) {
        const struct tool_file input = {report_tool.name, s->input[i].name};
        status = tool_keep_inputs(&report_tool, &output, 1, &input, 1);
    }
    return status;
}

static int make(struct settings *s)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const enum report_format format = (enum report_format)s->format;
    int nchanged = 0;
    enum hitop_status status = read_inputs(s, &diag);

    if (status == HITOP_OK && s->compares) {
        status = report_compare(s->input, format, s->shows_all, s->output, &nchanged, &diag);
    } else if (status == HITOP_OK) {
        status = report_make(s->input, s->ninputs, format, !s->has_no_figures, s->output, &diag);
    }
    for (int i = 0; i < s->ninputs; i++) {
        free(s->input[i].text);
    }
    if (status != HITOP_OK) {
        return tool_fail(&report_tool, status, &diag);
    }
    return s->is_strict && nchanged > 0 ? TOOL_UNTRUSTED : TOOL_DONE;
}

/* Choose the format by the name of the output; 0, after a message, if the name does not fit. */
static int choose_format(struct settings *s)
{
    const char *slash = strrchr(s->output, '/'), *name = slash ? slash + 1 : s->output;

    s->format = report_format_of_file(name);
    if (s->format < 0 && (s->compares || strcmp(s->output, "-") == 0)) {
        s->format = REPORT_TEXT;
        return 1;
    }
    if (s->format < 0 && strchr(name, '.')) {
        tool_error(
            &report_tool,
            "--output: '%s' must end with .html, .md, .csv or .json, or --format say what it is",
            s->output);
        return 0;
    }
    s->format = s->format < 0 ? REPORT_MARKDOWN : s->format;
    return 1;
}

/* 0, after a message, if options contradict each other. */
static int check(const struct settings *s)
{
    if (s->compares && s->ninputs != 2) {
        tool_error(&report_tool, "--compare: %d files; it wants those of two days", s->ninputs);
        return 0;
    }
    if (!s->compares && (s->shows_all || s->is_strict)) {
        tool_error(&report_tool, "--all and --strict go with --compare only");
        return 0;
    }
    return 1;
}

int main(int argc, char **argv)
{
    struct settings s = {.output = "-", .format = -1};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int result;

    if (tool_help_or_version(&report_tool, argc, argv)) {
        return tool_finish(&report_tool);
    }
    result = tool_take_options(&report_tool, argc, argv, take, &s);
    if (result != TOOL_DONE) {
        return result;
    }
    for (; optind < argc; optind++) {
        if (add_input(&s, argv[optind], &diag) != HITOP_OK) {
            tool_error(&report_tool, "%s", diag.message);
            return TOOL_USAGE;
        }
    }
    if (s.ninputs == 0) {
        (void)add_input(&s, "-", &diag);
    }
    if (!check(&s) || (s.format < 0 && !choose_format(&s))) {
        return TOOL_USAGE;
    }
    result = keep_inputs(&s);
    return result == TOOL_DONE ? make(&s) : result;
}
