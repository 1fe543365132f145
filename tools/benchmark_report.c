/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_report.c - make a guide of what benchmark_collective has measured. */
#include <config.h>

#include "report.h"
#include "tool.h"

#include "hitop/input.h"

#include <stdlib.h>

enum { OPT_FORMAT = 256, OPT_NO_FIGURES };

static const struct tool_option options[] = {
    {'i', "input", "FILE", "results in JSON, from benchmark_collective; - is standard input (-)"},
    {'o', "output", "FILE", "write there instead of standard output"},
    {OPT_FORMAT, "format", "html|md|csv",
     "html: one file with tables and figures; md: Markdown, tables only;\n"
     "csv: all points, for other programs (by the name of the output,\nelse md)"},
    {OPT_NO_FIGURES, "no-figures", NULL, "html without figures, for which gnuplot is needed"},
};

static const struct tool report_tool = {
    .name = "benchmark_report",
    .synopsis = "[-i FILE] [-o FILE] [OPTION]...",
    .summary =
        "Make a guide to the cost of communication from the results of benchmark_collective:\n"
        "definitions, tables, curves, formulas, and what the data support. Needs no MPI.",
    .options = options,
    .noptions = sizeof(options) / sizeof(options[0]),
    .epilogue = "Exit status: 0 done, 1 failed, 2 wrong usage, 3 bad input file.\n",
};

struct settings {
    const char *input, *output;
    int format; /* -1: not told */
    int draws;
};

static enum hitop_status take(void *data, int letter, const char *arg, struct hitop_diag *diag)
{
    struct settings *s = data;

    switch (letter) {
    case 'i':
        s->input = arg;
        return HITOP_OK;
    case 'o':
        s->output = arg;
        return HITOP_OK;
    case OPT_NO_FIGURES:
        s->draws = 0;
        return HITOP_OK;
    default:
        s->format = report_format_of(arg);
        return s->format >= 0
                   ? HITOP_OK
                   : hitop_fail(diag, HITOP_ERR_INVALID, "'%s' is none of html, md, csv", arg);
    }
}

static int make(const struct settings *s)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char *text = NULL;
    size_t length = 0;
    int drawn = s->draws;
    enum hitop_status status = hitop_input_read(s->input, &text, &length, &diag);

    if (status != HITOP_OK) {
        return tool_fail(&report_tool, status == HITOP_ERR_IO ? HITOP_ERR_FORMAT : status, &diag);
    }
    status = report_make(hitop_input_name(s->input), text, length, (enum report_format)s->format,
                         s->output, &drawn, &diag);
    free(text);
    if (status != HITOP_OK) {
        return tool_fail(&report_tool, status, &diag);
    }
    if (!drawn) {
        tool_error(&report_tool, "%s: the guide is written without figures", diag.message);
    }
    return TOOL_DONE;
}

int main(int argc, char **argv)
{
    struct settings s = {.input = "-", .output = "-", .format = -1, .draws = 1};
    int result;

    if (tool_help_or_version(&report_tool, argc, argv)) {
        return tool_finish(&report_tool);
    }
    result = tool_take_options(&report_tool, argc, argv, take, &s);
    if (result == TOOL_DONE) {
        result = tool_no_operands(&report_tool, argc, argv);
    }
    if (result != TOOL_DONE) {
        return result;
    }
    if (s.format < 0) {
        s.format = report_format_of_file(s.output);
    }
    if (s.format < 0) {
        s.format = REPORT_MARKDOWN;
    }
    return make(&s);
}
