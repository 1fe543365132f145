/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GENERATE_OPTIONS_H
#define GENERATE_OPTIONS_H

/* generate_options.h - the command line of generate_hierarchy. */

#include "tools/common/places.h"
#include "tools/generate/edit_files.h"
#include "tools/generate/grouping_options.h"
#include "tools/generate/hierarchy_shown.h"
#include "tools/generate/refine.h"

/* Size of its option table. */
enum { GENERATE_OPTIONS = 64 };

struct generate_request {
    const struct tool *tool; /* for notes */
    struct places_request from;
    struct grouping_options grouping;
    struct refine_request measure;
    const struct edit_work *edit; /* of files, or NULL */
    const char *output;
    struct show_request show;
};

/* Fill in its options; returns their number. */
size_t generate_options_add(struct tool_option *options);

/*
 * TOOL_DONE, or the exit status after a message. The request lends from argv;
 * grouping_options_end() ends its grouping in any case.
 */
int generate_options_read(const struct tool *tool, int argc, char **argv,
                          struct generate_request *request);

#endif /* GENERATE_OPTIONS_H */
