/* SPDX-License-Identifier: BSD-3-Clause */
/* tune_node.c - writes the thresholds of collectives on a node that suit this machine. */
#include <config.h>

#include "hierarchy/job/processors.h"
#include "tools/common/take.h"
#include "tools/common/tool.h"
#include "tools/tune/tune.h"

#include "hitop/output.h"
#include "hitop/version.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

enum { TUNE_MOST_ROWS = 16 };

/* A section of the file. */
struct tune_section {
    int nprocs, alone;
};

struct tune_arguments {
    struct tune_section rows[TUNE_MOST_ROWS];
    int nrows, quads, verbose, nprocessors;
    unsigned wanted;
    size_t most;
    const char *path;
    struct processors allowed;
};

enum { MOST_PROCESSES = 1024, LEAST_MOST = 4096, O_SETTINGS = 256, O_MOST, O_QUADS };

static const struct tool_option options[] = {
    {'r', "rows", "LIST",
     "numbers of processes, such as 2,8 or 4:alone,4:shared; the default is\n"
     "alone if each process has a processor (2, the number of processors,\n"
     "2:shared and twice the number of processors)"},
    {O_SETTINGS, "settings", "LIST", "only these, such as share-from,cma-from (all)"},
    {O_MOST, "most", "SIZE", "longest message, or blocks of a process (8MiB)"},
    {O_QUADS, "quads", "N", "each comparison is N times four blocks, 8 to 96 (12)"},
    {'v', "verbose", NULL, "report each comparison on standard error"},
    {'o', "output", "FILE", "write to FILE, which appears complete or not at all"},
};

static enum hitop_status add_row(struct tune_arguments *a, int nprocs, int alone,
                                 struct hitop_diag *diag)
{
    int at = 0;

    if (a->nrows == TUNE_MOST_ROWS) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "more than %d rows", TUNE_MOST_ROWS);
    }
    if (alone && nprocs > a->nprocessors) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "%d processes have not a processor each: there are %d", nprocs,
                          a->nprocessors);
    }
    while (at < a->nrows && (a->rows[at].alone > alone ||
                             (a->rows[at].alone == alone && a->rows[at].nprocs < nprocs))) {
        at++;
    }
    if (at < a->nrows && a->rows[at].alone == alone && a->rows[at].nprocs == nprocs) {
        return HITOP_OK;
    }
    memmove(&a->rows[at + 1], &a->rows[at], (size_t)(a->nrows - at) * sizeof(a->rows[0]));
    a->rows[at] = (struct tune_section){nprocs, alone};
    a->nrows++;
    return HITOP_OK;
}

static enum hitop_status take_row(void *data, char *word, struct hitop_diag *diag)
{
    struct tune_arguments *a = data;
    char *kind = strchr(word, ':');
    int nprocs;
    enum hitop_status status;

    if (kind) {
        *kind++ = '\0';
        if (strcmp(kind, "alone") != 0 && strcmp(kind, "shared") != 0) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "'%.64s': neither 'alone' nor 'shared'",
                              kind);
        }
    }
    status = hitop_text_int(word, 2, MOST_PROCESSES, &nprocs, diag);
    if (status != HITOP_OK) {
        return status;
    }
    return add_row(a, nprocs, kind ? strcmp(kind, "alone") == 0 : nprocs <= a->nprocessors, diag);
}

static enum hitop_status take_setting(void *data, char *word, struct hitop_diag *diag)
{
    struct tune_arguments *a = data;
    char valid[400] = "";

    for (int i = 0; tune_choice(i); i++) {
        if (strcmp(word, tune_choice(i)->setting) == 0) {
            a->wanted |= 1u << i;
            return HITOP_OK;
        }
        hitop_text_list_name(valid, sizeof(valid), tune_choice(i)->setting);
    }
    return hitop_fail(diag, HITOP_ERR_INVALID, "'%.64s' is none; valid: %s", word, valid);
}

static enum hitop_status take_most(struct tune_arguments *a, const char *text,
                                   struct hitop_diag *diag)
{
    const enum hitop_status status = hitop_text_size(text, &a->most, diag);

    if (status == HITOP_OK &&
        (a->most < LEAST_MOST || a->most > INT_MAX || a->most % LEAST_MOST != 0)) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "'%s': not a multiple of 4KiB from 4KiB to below 2GiB", text);
    }
    return status;
}

static const struct tool_value values[] = {
    {TOOL_VALUE(O_QUADS, INT, struct tune_arguments, quads), .least = TUNE_LEAST_QUADS,
     .most = VERDICT_MOST_QUADS},
    {TOOL_VALUE('v', FLAG, struct tune_arguments, verbose)},
    {TOOL_VALUE('o', TEXT, struct tune_arguments, path)},
};

static enum hitop_status take(void *data, int letter, const char *argument, struct hitop_diag *diag)
{
    switch (letter) {
    case 'r':
        return take_list(data, argument, take_row, diag);
    case O_SETTINGS:
        return take_list(data, argument, take_setting, diag);
    default:
        return take_most(data, argument, diag);
    }
}

/* The rows of usual jobs: few or many processes, with a processor each or not. */
static enum hitop_status add_usual_rows(struct tune_arguments *a, struct hitop_diag *diag)
{
    const int n = a->nprocessors;
    enum hitop_status status = HITOP_OK;

    if (n >= 2) {
        status = add_row(a, 2, 1, diag);
    }
    if (n > 2 && status == HITOP_OK) {
        status = add_row(a, n < MOST_PROCESSES ? n : MOST_PROCESSES, 1, diag);
    }
    if (status == HITOP_OK) {
        status = add_row(a, 2, 0, diag);
    }
    if (n > 1 && n <= MOST_PROCESSES / 2 && status == HITOP_OK) {
        status = add_row(a, 2 * n, 0, diag);
    }
    return status;
}

/* Bind processes that share processors to half as many processors. */
static void limit_processors(const struct tune_arguments *a, const struct tune_section *row)
{
    const int most = row->alone ? INT_MAX : (row->nprocs + 1) / 2;
    struct processors few = processors_none();

    for (int p = 0, n = 0; p < PROCESSORS_MOST && n < most; p++) {
        if (processors_has(&a->allowed, p)) {
            processors_put(&few, p);
            n++;
        }
    }
    (void)processors_bind(&few);
}

static enum hitop_status measure(const struct tune_arguments *a, const struct tune_section *row,
                                 struct tune_request *out, struct hitop_diag *diag)
{
    *out = (struct tune_request){.nprocs = row->nprocs,
                                 .alone = row->alone,
                                 .quads = a->quads,
                                 .most = a->most,
                                 .wanted = a->wanted,
                                 .verbose = a->verbose,
                                 .row = *hitop_thresholds_for(row->nprocs, row->alone)};
    if (a->verbose) {
        fprintf(stderr, "%d processes, %s\n", row->nprocs,
                row->alone ? "each with a processor" : "sharing processors");
    }
    limit_processors(a, row);
    return tune_row(out, diag);
}

/*
 * 1: the row is the last one of its kind, and not for two processes; it then holds for any
 * number of processes.
 */
static int is_last(const struct tune_arguments *a, int i)
{
    return a->rows[i].nprocs > 2 && (i + 1 == a->nrows || a->rows[i + 1].alone != a->rows[i].alone);
}

static void put_row(const struct tune_arguments *a, int i, const struct tune_request *r, FILE *to)
{
    fprintf(to, "\n# %d processes\n", r->nprocs);
    if (is_last(a, i)) {
        fprintf(to, "ranks any %s\n", r->alone ? "alone" : "shared");
    } else {
        fprintf(to, "ranks %d %s\n", r->nprocs, r->alone ? "alone" : "shared");
    }
    for (int k = 0; tune_choice(k); k++) {
        int n = 0;
        if (!(r->wanted >> k & 1)) {
            continue;
        }
        while (strcmp(hitop_thresholds_name(n), tune_choice(k)->setting) != 0) {
            n++;
        }
        if (r->changed >> k & 1) {
            (void)fputs("# instead of ", to);
            hitop_thresholds_print_one(hitop_thresholds_for(r->nprocs, r->alone), n, to);
            (void)fputc('\n', to);
        } else {
            (void)fputs("# stays: ", to);
        }
        hitop_thresholds_print_one(&r->row, n, to);
        (void)fputc('\n', to);
    }
}

static enum hitop_status write_all(const struct tune_arguments *a, const struct tune_request *r,
                                   struct hitop_diag *diag)
{
    char host[256] = "?";
    struct hitop_output *output;
    enum hitop_status status = hitop_output_open(a->path, &output, diag);
    FILE *to;

    if (status != HITOP_OK) {
        return status;
    }
    (void)gethostname(host, sizeof(host) - 1);
    to = hitop_output_stream(output);
    fprintf(to,
            "# Thresholds of %s, %d processors, by tune_node of hitop %s: for HITOP_THRESHOLDS\n",
            host, a->nprocessors, hitop_version());
    for (int i = 0; i < a->nrows; i++) {
        put_row(a, i, &r[i], to);
    }
    return hitop_output_end(output, HITOP_OK, diag);
}

/* Write the file when all is measured; an interrupted run leaves no file. */
static int run(const struct tool *tool, const struct tune_arguments *a)
{
    struct tune_request r[TUNE_MOST_ROWS];
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_status status = hitop_output_check(a->path, &diag);

    for (int i = 0; i < a->nrows && status == HITOP_OK; i++) {
        status = measure(a, &a->rows[i], &r[i], &diag);
    }
    if (status == HITOP_OK) {
        status = write_all(a, r, &diag);
    }
    return status == HITOP_OK ? TOOL_DONE : tool_fail(tool, status, &diag);
}

static int tune(const struct tool *tool, int argc, char **argv, struct tune_arguments *a)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int status;

    status = tool_take_options(tool, argc, argv, take, a);
    if (status == TOOL_DONE) {
        status = tool_no_operands(tool, argc, argv);
    }
    if (status != TOOL_DONE) {
        return status;
    }
    if (a->wanted == 0) {
        a->wanted = ~0u;
    }
    if (a->nrows == 0 && add_usual_rows(a, &diag) != HITOP_OK) {
        return tool_fail(tool, HITOP_ERR_INVALID, &diag);
    }
    return run(tool, a);
}

HITOP_API int main(int argc, char **argv)
{
    const struct tool tool = {
        .name = "tune_node",
        .synopsis = "[options]",
        .summary =
            "Measure at which sizes collectives on this machine should change "
            "their algorithm, and\n"
            "write a file for HITOP_THRESHOLDS. What is not shown to be faster stays as it is.",
        .options = options,
        .noptions = sizeof(options) / sizeof(options[0]),
        .values = values,
        .nvalues = sizeof(values) / sizeof(values[0]),
        .epilogue = "Example, once on a machine with nothing else to do:\n"
                    "  tune_node -o thresholds\n"
                    "  HITOP_THRESHOLDS=thresholds mpirun -n 8 ./program\n",
    };
    struct tune_arguments a = {.quads = TUNE_QUADS, .most = (size_t)8 << 20, .path = "-"};

    if (tool_help_or_version(&tool, argc, argv)) {
        return tool_finish(&tool);
    }
    a.allowed = processors_allowed();
    a.nprocessors = processors_count(&a.allowed);
    if (a.nprocessors == 0) {
        tool_error(&tool, "the processors that may be used: %s", strerror(errno));
        return TOOL_FAILED;
    }
    return tune(&tool, argc, argv, &a);
}
