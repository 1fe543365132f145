/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EDIT_FILES_H
#define EDIT_FILES_H

/* edit_files.h - what generate_hierarchy does with files that people have edited. */

#include "hitop/hierarchy.h"

#include "tools/common/tool.h"

/* Files may be "-"; results go to output, another "-" being standard output. */
struct edit_request {
    char *const *file;
    int nfiles;
    const char *output;
    int is_hierarchy; /* what print() writes can be read again, and may replace a file */

    /* Write a hierarchy to output, in the format that was asked for. */
    enum hitop_status (*print)(const struct hitop_hierarchy *h, const void *data,
                               struct hitop_diag *diag);
    const void *data;
};

struct edit_work {
    const char *option; /* "--check" */
    int min_files, max_files;
    int (*run)(const struct tool *tool, const struct edit_request *request); /* the exit status */
};

/* Review each file. */
extern const struct edit_work edit_check;

/* Tell how to get from the first of two files to the second. */
extern const struct edit_work edit_diff;

/* Make one hierarchy of all. */
extern const struct edit_work edit_merge;

/* Do the work once for all processes of a job, without MPI; returns the exit status. */
int edit_files(const struct tool *tool, const struct edit_work *work,
               const struct edit_request *request);

#endif /* EDIT_FILES_H */
