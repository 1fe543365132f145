/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EDIT_FILES_H
#define EDIT_FILES_H

/* edit_files.h - check, compare and merge edited hierarchy files. */

#include "hitop/hierarchy.h"

#include "tools/common/tool.h"

/* Files, of which "-" is standard input, and the output; "-" is standard output. */
struct edit_request {
    char *const *file;
    int nfiles;
    const char *output;
    int is_hierarchy; /* 1: print() writes a hierarchy file, which may replace an input */

    /* Write a hierarchy to output in the requested format. */
    enum hitop_status (*print)(const struct hitop_hierarchy *h, const void *data,
                               struct hitop_diag *diag);
    const void *data;
};

struct edit_work {
    const char *option; /* e.g. "--check" */
    int min_files, max_files;
    /* Returns the exit status. */
    int (*run)(const struct tool *tool, const struct edit_request *request);
};

/* Check each file. */
extern const struct edit_work edit_check;

/* Report the differences from the first of two files to the second. */
extern const struct edit_work edit_diff;

/* Merge all files into one hierarchy. */
extern const struct edit_work edit_merge;

/*
 * Do the work in one process of a job, without MPI; the others return at once. Returns the exit
 * status.
 */
int edit_files(const struct tool *tool, const struct edit_work *work,
               const struct edit_request *request);

#endif /* EDIT_FILES_H */
