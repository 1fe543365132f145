/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef INFO_OPTIONS_H
#define INFO_OPTIONS_H

/* info_options.h - the command line of model_info. */

#include "tools/info/info.h"

enum { INFO_MAX_SAMPLE = 100000000 };

struct info_settings {
    struct info_request request; /* owns bytes */
    int has_diff_option;         /* one that is of use with --diff only */
    int has_matrix_option;       /* with --matrix */
    int has_format, has_output;
    const char *plot, *points; /* or NULL */
    const char *output;        /* "-" is standard output */
};

/* Read the command line; TOOL_DONE, or TOOL_USAGE after saying why. */
int info_parse(int argc, char **argv, struct info_settings *s);

#endif /* INFO_OPTIONS_H */
