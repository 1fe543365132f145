/* SPDX-License-Identifier: BSD-3-Clause */
/* show.c - write a hierarchy in the requested format. */
#include <config.h>

#include "tools/generate/hierarchy_shown.h"

#include "hitop/dot.h"
#include "hitop/text.h"

#include <limits.h>
#include <string.h>

enum { O_FIRST = 3000, O_FORMAT = O_FIRST, O_DEPTH, O_MAX_LEAVES, O_ALL, O_END };

static const struct tool_option own[] = {
    {O_FORMAT, "format", "dot|json|svg|text",
     "a file to edit and measure (the default), one for programs, a\n"
     "picture by Graphviz, or a list to read"},
    {O_DEPTH, "depth", "N", "draw N levels below the root; makes a drawing of dot, too"},
    {O_MAX_LEAVES, "max-leaves", "N",
     "draw at most N innermost boxes or lines: alike groups once, deep\n"
     "levels not at all; 0: draw all (svg: 64)"},
    {O_ALL, "all", NULL,
     "draw all hosts; the default joins alike ones in a text of more\n"
     "than 64 lines"},
};

size_t show_options_add(struct tool_option *options, size_t n, size_t max)
{
    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]) && n < max; i++) {
        options[n++] = own[i];
    }
    return n;
}

static int read_format(const struct tool *tool, const char *text, struct show_request *request)
{
    static const char *const names[] = {"dot", "json", "svg", "text"};

    for (int i = 0; i < 4; i++) {
        if (strcmp(text, names[i]) == 0) {
            request->format = (enum show_format)i;
            return TOOL_DONE;
        }
    }
    tool_error(tool, "--format: '%s' is not one of dot, json, svg, text", text);
    return TOOL_USAGE;
}

static int read_limit(const struct tool *tool, const char *option, const char *text, int least,
                      int *limit)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;

    return hitop_text_int(text, least, INT_MAX, limit, &diag) == HITOP_OK
               ? TOOL_DONE
               : tool_bad_option(tool, option, &diag);
}

int show_options_take(struct show_request *request, const struct tool *tool, int letter,
                      const char *argument, int *status)
{
    switch (letter) {
    case O_FORMAT:
        *status = read_format(tool, argument, request);
        return 1;
    case O_DEPTH:
        request->is_limited = 1;
        *status = read_limit(tool, "--depth", argument, 1, &request->limits.depth);
        return 1;
    case O_MAX_LEAVES:
        request->is_limited = 1;
        *status = read_limit(tool, "--max-leaves", argument, 0, &request->limits.max_leaves);
        return 1;
    case O_ALL:
        request->is_all = 1;
        *status = TOOL_DONE;
        return 1;
    default:
        return 0;
    }
}

int show_options_check(struct show_request *request, const struct tool *tool)
{
    if (request->is_limited && request->format == SHOW_JSON) {
        tool_error(tool, "--format json is for programs and leaves nothing out: --depth and "
                         "--max-leaves do not go with it");
        return TOOL_USAGE;
    }
    if (request->is_limited && request->is_all) {
        tool_error(tool, "--all draws everything: --depth and --max-leaves do not go with it");
        return TOOL_USAGE;
    }
    if (!request->is_limited && !request->is_all && request->format == SHOW_SVG) {
        request->limits.max_leaves = HITOP_DRAWING_LEAVES;
    }
    if (!request->is_limited && !request->is_all && request->format == SHOW_TEXT) {
        request->limits =
            (struct hitop_drawing_limits){.max_leaves = HITOP_DRAWING_LEAVES, .hosts_only = 1};
    }
    return TOOL_DONE;
}

static enum hitop_status draw(const void *data, FILE *to, struct hitop_diag *diag)
{
    return hitop_drawing_write_dot(data, to, diag);
}

static enum hitop_status write_drawing(const struct show_request *request,
                                       const struct hitop_hierarchy *h, FILE *to,
                                       struct hitop_diag *diag)
{
    struct hitop_drawing *drawing = NULL;
    enum hitop_status status = hitop_drawing_make(h, &request->limits, &drawing, diag);

    if (status != HITOP_OK) {
        return status;
    }
    if (request->format == SHOW_TEXT) {
        status = hitop_drawing_write_text(drawing, to, diag);
    } else if (request->format == SHOW_SVG) {
        status = show_run_dot(draw, drawing, to, diag);
    } else {
        status = hitop_drawing_write_dot(drawing, to, diag);
    }
    hitop_drawing_free(drawing);
    return status;
}

enum hitop_status show_write(const struct show_request *request, const struct hitop_hierarchy *h,
                             FILE *to, struct hitop_diag *diag)
{
    if (request->format == SHOW_JSON) {
        return show_write_json(h, to, diag);
    }
    if (request->format == SHOW_DOT && !request->is_limited) {
        return hitop_dot_write(h, NULL, to, diag);
    }
    return write_drawing(request, h, to, diag);
}
