/* SPDX-License-Identifier: BSD-3-Clause */
/* info_check.c - what the options of model_info must not say together. */
#include <config.h>

#include "tools/info/info_options.h"

#include <ctype.h>
#include <string.h>

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

int info_check(struct info_settings *s)
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
