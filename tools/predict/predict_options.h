/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PREDICT_OPTIONS_H
#define PREDICT_OPTIONS_H

/* predict_options.h - the command line of predict_collective. */

#include "tools/common/sizes.h"
#include "tools/common/tool.h"
#include "tools/predict/predict.h"

extern const struct tool predict_tool;

enum { PREDICT_MAX_PARAMS = 16 };

struct predict_settings {
    struct predict_request request; /* as far as the options tell without the model */
    struct sizes sizes;
    char *operation; /* copy of the argument, cut at '/' */
    const char *params[PREDICT_MAX_PARAMS];
    int nparams;
    int ranks, root, from, to; /* -1: not given */
    const char *counts_path;   /* or NULL */
    size_t *starts;            /* what it says */
    size_t element;            /* 0: not given */
    int ordered;
    enum predict_format format;
    const char *output;
    const char *draw;        /* file, or NULL */
    const char *write_rules; /* file, or NULL */
    int all;                 /* 1: no operation is given, rules are written for all */
    int explain;
    int list;
};

/* Read the command line into settings that hold the defaults; returns TOOL_DONE or TOOL_USAGE. */
int predict_parse(int argc, char **argv, struct predict_settings *s);

/* Check, once all are read, what the options say together, and of what kind the question is; TOOL_DONE or
 * TOOL_USAGE. */
int predict_check(struct predict_settings *s);

#endif /* PREDICT_OPTIONS_H */
