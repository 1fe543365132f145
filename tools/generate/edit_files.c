/* SPDX-License-Identifier: BSD-3-Clause */
/* edit_files.c - run --check, --diff and --merge on hierarchy files. */
#include <config.h>

#include "tools/generate/edit_files.h"

#include "hitop/dot.h"
#include "hitop/edit.h"
#include "hitop/input.h"
#include "hitop/output.h"

#include "tools/common/tool_mpi.h"

#include <stdint.h>
#include <stdlib.h>

static void print_line(void *data, const char *line)
{
    fprintf(data, "%s\n", line);
}

/*
 * Report a bad input file. One that cannot be read has the exit status of one with wrong contents.
 */
static int fail_input(const struct tool *tool, enum hitop_status status,
                      const struct hitop_diag *diag)
{
    const int exit_status = tool_fail(tool, status, diag);

    return status == HITOP_ERR_IO ? TOOL_BAD_INPUT : exit_status;
}

static int check_file(const struct tool *tool, const char *path, FILE *to)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char *text = NULL;
    size_t length = 0;
    enum hitop_status status = hitop_input_read(path, &text, &length, &diag);

    if (status == HITOP_OK) {
        status = hitop_dot_check(hitop_input_name(path), text, length, print_line, to, &diag);
    }
    free(text);
    return status == HITOP_OK ? TOOL_DONE : fail_input(tool, status, &diag);
}

static int check_files(const struct tool *tool, const struct edit_request *request)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_output *to = NULL;
    enum hitop_status status = hitop_output_open(request->output, &to, &diag);
    int worst = TOOL_DONE;

    for (int i = 0; i < request->nfiles && status == HITOP_OK; i++) {
        const int exit_status = check_file(tool, request->file[i], hitop_output_stream(to));
        worst = exit_status == TOOL_DONE ? worst : exit_status;
    }
    status = hitop_output_end(to, status, &diag);
    return status == HITOP_OK ? worst : tool_fail(tool, status, &diag);
}

const struct edit_work edit_check = {"--check", 1, 1000000, check_files};

struct reporting {
    FILE *to;
    int count;
};

static void report(void *data, const char *line)
{
    struct reporting *t = data;

    t->count++;
    print_line(t->to, line);
}

static int read_files(const struct tool *tool, const struct edit_request *request,
                      struct hitop_hierarchy **h)
{
    for (int i = 0; i < request->nfiles; i++) {
        struct hitop_diag diag = HITOP_DIAG_INIT;
        const enum hitop_status status = hitop_dot_read(request->file[i], NULL, &h[i], &diag);
        if (status != HITOP_OK) {
            return fail_input(tool, status, &diag);
        }
    }
    return TOOL_DONE;
}

/* Returns TOOL_UNTRUSTED if the files differ, as model_info --diff does. */
static int diff_files(const struct tool *tool, const struct edit_request *request)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_hierarchy *h[2] = {NULL, NULL};
    struct hitop_output *to = NULL;
    struct reporting reporting = {NULL, 0};
    int exit_status = read_files(tool, request, h);
    enum hitop_status status;

    if (exit_status == TOOL_DONE) {
        status = hitop_output_open(request->output, &to, &diag);
        if (status == HITOP_OK) {
            reporting.to = hitop_output_stream(to);
            status = hitop_hierarchy_diff(h[0], h[1], report, &reporting, &diag);
        }
        status = hitop_output_end(to, status, &diag);
        exit_status = status != HITOP_OK    ? tool_fail(tool, status, &diag)
                      : reporting.count > 0 ? TOOL_UNTRUSTED
                                            : TOOL_DONE;
    }
    hitop_hierarchy_free(h[1]);
    hitop_hierarchy_free(h[0]);
    return exit_status;
}

const struct edit_work edit_diff = {"--diff", 2, 2, diff_files};

static void warn(void *data, const char *line)
{
    tool_error(data, "warning: %s", line);
}

static int merge_files(const struct tool *tool, const struct edit_request *request)
{
    const size_t n = (size_t)request->nfiles;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_hierarchy **h = calloc(n, sizeof(struct hitop_hierarchy *)), *merged = NULL;
    struct hitop_part *part = calloc(n, sizeof(*part));
    int exit_status =
        h && part ? read_files(tool, request, h) : tool_fail(tool, HITOP_ERR_NOMEM, &diag);

    if (exit_status == TOOL_DONE) {
        enum hitop_status status;
        for (size_t i = 0; i < n; i++) {
            part[i] = (struct hitop_part){h[i], hitop_input_name(request->file[i])};
        }
        status = hitop_hierarchy_merge(part, request->nfiles, warn, (void *)(uintptr_t)tool,
                                       &merged, &diag);
        if (status == HITOP_OK) {
            status = request->print(merged, request->data, &diag);
        }
        exit_status = status == HITOP_OK ? TOOL_DONE : tool_fail(tool, status, &diag);
    }
    hitop_hierarchy_free(merged);
    for (size_t i = 0; h && i < n; i++) {
        hitop_hierarchy_free(h[i]);
    }
    free(part);
    free(h);
    return exit_status;
}

const struct edit_work edit_merge = {"--merge", 1, 1000000, merge_files};

int edit_files(const struct tool *tool, const struct edit_work *work,
               const struct edit_request *request)
{
    if (tool_mpi_is_later_rank()) {
        return TOOL_DONE;
    }
    if (request->nfiles < work->min_files || request->nfiles > work->max_files) {
        tool_error(tool, "%s: needs %s, not %d", work->option,
                   work->max_files == work->min_files ? "two files" : "the names of files",
                   request->nfiles);
        return TOOL_USAGE;
    }
    for (int i = 0; i < request->nfiles; i++) {
        const struct tool_file output = {"-o", request->output};
        const struct tool_file input = {work->option, request->file[i]};
        if ((work != &edit_merge || !request->is_hierarchy) &&
            tool_keep_inputs(tool, &output, 1, &input, 1) != TOOL_DONE) {
            return TOOL_USAGE;
        }
    }
    return work->run(tool, request);
}
