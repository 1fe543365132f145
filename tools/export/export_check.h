/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EXPORT_CHECK_H
#define EXPORT_CHECK_H

/* export_check.h - check a tuning file, or print what of it is in force. */

#include "tools/common/tool.h"

/* What to check. Borrowed. */
struct export_check {
    const char *file, *format; /* format NULL: recognise it */
    const char *version;       /* of the library, or NULL */
    const char *sizes;         /* list of sizes to print what is in force, or NULL */
    const char *operation;     /* for this one, or NULL: for all */
    const int *nodes, *ranks_per_host;
    int njobs;
};

/* Check the file; TOOL_FAILED if something is found. With sizes print what is in force instead. */
int export_check(const struct tool *tool, const struct export_check *what);

#endif /* EXPORT_CHECK_H */
