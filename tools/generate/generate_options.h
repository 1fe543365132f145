/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GENERATE_OPTIONS_H
#define GENERATE_OPTIONS_H

/* generate_options.h - the command line of generate_hierarchy. */

#include "tools/common/places.h"
#include "tools/generate/edit_files.h"
#include "tools/generate/grouping_options.h"
#include "tools/generate/hierarchy_shown.h"
#include "tools/generate/refine.h"

/* Maximum number of its options. */
enum { GENERATE_OPTIONS = 64 };

struct generate_request {
    const struct tool *tool; /* for notes */
    struct places_request from;
    struct grouping_options grouping;
    struct refine_request measure;
    const struct edit_work *edit; /* the work on files, or NULL */
    const char *output;
    struct show_request show;
};

/* Store the options in options[GENERATE_OPTIONS]; returns their number. */
size_t generate_options_add(struct tool_option *options);

/*
 * Read the command line. Returns TOOL_DONE, or the exit status after a message. The request points
 * into argv. In any case the caller calls grouping_options_end() for request->grouping.
 */
int generate_options_read(const struct tool *tool, int argc, char **argv,
                          struct generate_request *request);

#endif /* GENERATE_OPTIONS_H */
