/* SPDX-License-Identifier: BSD-3-Clause */
/* export_check.c - check a tuning file, or print what of it is in force. */
#include <config.h>

#include "tools/export/export_check.h"

#include "hitop/input.h"
#include "hitop/text.h"
#include "tools/common/sizes.h"
#include "tools/export/lint/lint.h"

#include <stdlib.h>
#include <string.h>

/* The version by which to judge: that of the caller, of the file, or the newest. */
static struct export_version version_of(const struct lint_kind *kind, const struct lint *lint)
{
    struct export_version version = {0, 0, 0};

    if (lint->has_version) {
        return lint->newest.major >= 0 ? lint->newest : lint->oldest;
    }
    (void)export_parse_version(kind->newest, &version);
    return version;
}

static void note_version(const struct tool *tool, const struct lint *lint)
{
    char text[48];

    if (lint->says_line > 0) {
        export_version_text(lint->oldest, text, sizeof(text));
        fprintf(stderr, "%s: %s is for %s %s%s, as line %d says; see --for\n", tool->name,
                lint->name, lint->software, text, lint->newest.major < 0 ? " and later" : "",
                lint->says_line);
    }
}

/* Print what is in force for all sizes and jobs. */
static enum hitop_status print_in_force(const struct export_check *what,
                                        const struct lint_kind *kind, const char *text,
                                        size_t length, const struct lint *lint,
                                        const struct hitop_operation *operation,
                                        struct hitop_diag *diag)
{
    struct sizes list = SIZES_INIT;
    size_t *sizes = NULL, count = 0;
    enum hitop_status status;
    struct lint_query query = {.operation = operation, .version = version_of(kind, lint)};
    char size[32], version[48];

    list.list = what->sizes;
    export_version_text(query.version, version, sizeof(version));
    status = sizes_make(&list, &sizes, &count, diag);
    for (int j = 0; j < what->njobs; j++) {
        query.hosts = what->nodes[j];
        query.ranks_per_host = what->ranks_per_host[j];
        for (size_t i = 0; i < count && status == HITOP_OK; i++) {
            query.bytes = sizes[i];
            hitop_text_format_size(sizes[i], size, sizeof(size));
            printf("# %s %s, %dx%d %s, %s\n", kind->software, version, query.hosts,
                   query.ranks_per_host,
                   query.hosts == 1 && query.ranks_per_host == 1 ? "rank" : "ranks", size);
            status = kind->in_force(text, length, lint, &query, stdout, diag);
        }
    }
    free(sizes);
    return status;
}

/* The operation that is asked for; TOOL_USAGE if options are wrong. */
static int take_query(const struct tool *tool, const struct export_check *what,
                      const struct lint_kind *kind, const struct hitop_operation **operation)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;

    *operation = NULL;
    if (what->sizes && !kind->in_force) {
        tool_error(tool, "--sizes: files of %s have no rules for sizes", kind->name);
        return TOOL_USAGE;
    }
    if (what->operation && hitop_operation_find(what->operation, operation, &diag) != HITOP_OK) {
        return tool_bad_option(tool, "--operation", &diag);
    }
    return TOOL_DONE;
}

static int take_version(const struct tool *tool, const struct export_check *what, struct lint *lint)
{
    lint->has_version = what->version != NULL;
    if (what->version && !export_parse_version(what->version, &lint->oldest)) {
        tool_error(tool, "--for: '%s' is not a version such as 5.0 or 5.0.7", what->version);
        return TOOL_USAGE;
    }
    lint->newest = lint->oldest;
    return TOOL_DONE;
}

static int check_text(const struct tool *tool, const struct export_check *what, const char *text,
                      size_t length)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const struct lint_kind *kind = lint_kind_of(what->format, text, &diag);
    struct lint lint = {.name = hitop_input_name(what->file), .keeps_rules = what->sizes != NULL};
    const struct hitop_operation *operation;
    enum hitop_status status;
    int result;

    if (!kind && what->format) {
        return tool_bad_option(tool, "--format", &diag);
    }
    if (!kind) {
        tool_error(tool, "%s: %s", lint.name, diag.message);
        return TOOL_BAD_INPUT;
    }
    lint.software = kind->software;
    result = take_query(tool, what, kind, &operation);
    result = result == TOOL_DONE ? take_version(tool, what, &lint) : result;
    if (result != TOOL_DONE) {
        return result;
    }
    status = kind->check(text, length, &lint, &diag);
    if (status == HITOP_OK && what->sizes) {
        status = print_in_force(what, kind, text, length, &lint, operation, &diag);
    } else {
        lint_print(&lint, stdout);
        result = lint.found > 0 ? TOOL_FAILED : TOOL_DONE;
    }
    if (status != HITOP_OK) {
        tool_error(tool, "%s", diag.message);
        result = TOOL_BAD_INPUT;
    } else {
        note_version(tool, &lint);
    }
    lint_fini(&lint);
    return result;
}

int export_check(const struct tool *tool, const struct export_check *what)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char *text = NULL;
    size_t length = 0;
    int result, written;

    if ((what->sizes != NULL) != (what->njobs > 0) || (what->operation && !what->sizes)) {
        tool_error(tool, "--check with --sizes and --job prints what is in force for them, with "
                         "--operation for one operation");
        return TOOL_USAGE;
    }
    if (hitop_input_read_text(what->file, &text, &length, &diag) != HITOP_OK) {
        tool_error(tool, "%s", diag.message);
        return TOOL_BAD_INPUT;
    }
    result = check_text(tool, what, text, length);
    free(text);
    written = tool_finish(tool);
    return written == TOOL_DONE ? result : written;
}
