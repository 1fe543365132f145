/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TUNE_OPTIONS_H
#define TUNE_OPTIONS_H

/* tune_options.h - what tune_node is asked for. */

#include "hierarchy/job/processors.h"
#include "tools/common/tool.h"
#include "tools/tune/tune.h"

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

extern const struct tool_option tune_options[];
extern const size_t tune_noptions;

/* An option, for tool_take_options(); `data` is a struct tune_arguments. */
enum hitop_status tune_take(void *data, int letter, const char *argument, struct hitop_diag *diag);

/* What jobs have: few or many processes, with a processor each or not. */
enum hitop_status tune_add_usual_rows(struct tune_arguments *a, struct hitop_diag *diag);

#endif /* TUNE_OPTIONS_H */
