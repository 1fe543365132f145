/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HIERARCHY_SHOWN_H
#define HIERARCHY_SHOWN_H

/* hierarchy_shown.h - write a hierarchy as DOT, JSON, a picture or a list. */

#include "hierarchy/draw/draw.h"

#include "tools/common/tool.h"

struct show_request {
    enum show_format { SHOW_DOT, SHOW_JSON, SHOW_SVG, SHOW_TEXT } format;
    struct hitop_drawing_limits limits;
    int is_limited; /* 1: --depth or --max-leaves was given */
    int is_all;     /* 1: --all was given; nothing is left out or collapsed */
};

/* Append the options to those of a tool; returns the new number, at most max. */
size_t show_options_add(struct tool_option *options, size_t n, size_t max);

/* Read an option from getopt. Returns 1 and sets *status if it is one of these options; else 0. */
int show_options_take(struct show_request *request, const struct tool *tool, int letter,
                      const char *argument, int *status);

/*
 * Check the combination of options and set default limits. Returns TOOL_DONE, or TOOL_USAGE after a
 * message.
 */
int show_options_check(struct show_request *request, const struct tool *tool);

/*
 * Write a hierarchy in the requested format. HITOP_ERR_UNSUPPORTED: Graphviz is missing or failed.
 */
enum hitop_status show_write(const struct show_request *request, const struct hitop_hierarchy *h,
                             FILE *to, struct hitop_diag *diag);

/* Write a hierarchy as JSON. doc/hierarchy.schema.json describes the format. */
enum hitop_status show_write_json(const struct hitop_hierarchy *h, FILE *to,
                                  struct hitop_diag *diag);

/* Run dot of Graphviz on the DOT text that write() writes, and copy the SVG to a stream. */
enum hitop_status show_run_dot(enum hitop_status (*write)(const void *data, FILE *to,
                                                          struct hitop_diag *diag),
                               const void *data, FILE *to, struct hitop_diag *diag);

#endif /* HIERARCHY_SHOWN_H */
