/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PREDICT_SETUP_H
#define PREDICT_SETUP_H

/* predict_setup.h - make the question that the options ask of a model. */

#include "tools/common/sizes.h"
#include "tools/common/tool.h"
#include "tools/predict/predict.h"

enum { PREDICT_MAX_PARAMS = 16 };

/* The command line. */
struct predict_settings {
    const struct tool *tool;
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

/* Fill the request once the model is read; TOOL_DONE, or what the tool exits with after saying why. */
int predict_setup(struct predict_settings *s);

/* Check, once all are read, what the options say together, and of what kind the question is; TOOL_DONE or
 * TOOL_USAGE. */
int predict_check(struct predict_settings *s);

/*
 * Write rules for the operation of the request, or for all, to a file or "-". At the sizes of the request they say what
 * auto takes; in between they change where the next one becomes the faster one.
 */
enum hitop_status predict_write_rules(struct predict_request *request, int all, const char *path,
                                      struct hitop_diag *diag);

#endif /* PREDICT_SETUP_H */
