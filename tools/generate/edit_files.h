/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EDIT_FILES_H
#define EDIT_FILES_H

/* edit_files.h - check, compare and merge edited hierarchy files. */

#include "hitop/hierarchy.h"

#include "tools/common/tool.h"

/* Files may be "-", standard input; output may be "-", standard output. */
struct edit_request {
    char *const *file;
    int nfiles;
    const char *output;
    int is_hierarchy; /* 1: the output of print() can be read again, and may replace a file */

    /* Write a hierarchy to output in the requested format. */
    enum hitop_status (*print)(const struct hitop_hierarchy *h, const void *data,
                               struct hitop_diag *diag);
    const void *data;
};

struct edit_work {
    const char *option; /* "--check" */
    int min_files, max_files;
    int (*run)(const struct tool *tool, const struct edit_request *request); /* the exit status */
};

/* Check each file. */
extern const struct edit_work edit_check;

/* Report the differences from the first of two files to the second. */
extern const struct edit_work edit_diff;

/* Merge all files into one hierarchy. */
extern const struct edit_work edit_merge;

/* Do the work once for all processes of a job, without MPI; returns the exit status. */
int edit_files(const struct tool *tool, const struct edit_work *work,
               const struct edit_request *request);

#endif /* EDIT_FILES_H */
