/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EDIT_FILES_H
#define EDIT_FILES_H

/* edit_files.h - what generate_hierarchy does with files that people have edited. */

#include "tool.h"

/* Returns the exit status. Files may be "-"; results go to output, another "-" being standard output. */
struct edit_work {
    const char *option; /* "--check" */
    int min_files, max_files;
    int (*run)(const struct tool *tool, char *const *file, int nfiles, const char *output);
};

/* Review each file. */
extern const struct edit_work edit_check;

/* Tell how to get from the first of two files to the second. */
extern const struct edit_work edit_diff;

/* Do the work once for all processes of a job, without MPI. */
int edit_files(const struct tool *tool, const struct edit_work *work, char *const *file, int nfiles,
               const char *output);

#endif /* EDIT_FILES_H */
