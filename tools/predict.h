/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PREDICT_TOOL_H
#define PREDICT_TOOL_H

/* predict.h - what the parts of predict_collective share: the question with its answers. */

#include "hitop/model.h"
#include "hitop/param.h"
#include "hitop/plan.h"
#include "hitop/predict.h"

#include <stdio.h>

enum predict_format { PREDICT_TEXT, PREDICT_CSV, PREDICT_JSON };

/* What the user asked for. */
struct predict_request {
    const char *model_path;
    const char *operation;
    const char *algorithm; /* NULL: all of them, ranked */
    size_t *sizes;         /* rising */
    size_t nsizes;
    int ranks;
    int root; /* sender for p2p */
    int to;   /* receiver for p2p */
    double segment;
    const double *params;      /* of the algorithm; NULL for the defaults */
    const double *tree_params; /* likewise, of the tree */
    enum hitop_ports ports;
    struct hitop_model *model;
    struct hitop_cost cost;
};

/* One predicted time. */
struct predict_entry {
    size_t bytes;
    const char *algorithm; /* "" for p2p */
    double seconds;
    double relative; /* to the fastest of this size; 1 when nothing is ranked */
    int fastest;     /* 1 for the fastest of this size, when all are ranked */
};

/* The answers: by size, and within a size the fastest first. */
struct predict_report {
    const struct predict_request *request;
    struct predict_entry *entries;
    size_t count;
};

int predict_is_p2p(const struct predict_request *request);

/* The broadcast of libhitop_coll, which chooses its tree itself. */
int predict_is_twolevel(const struct predict_request *request);

/* The request as the library takes it, for one size. */
struct hitop_predict_args predict_args(const struct predict_request *request, size_t bytes);

/* Answer the request; release with predict_report_fini(), also after a failure. */
enum hitop_status predict_report_init(struct predict_report *report,
                                      const struct predict_request *request,
                                      struct hitop_diag *diag);
void predict_report_fini(struct predict_report *report);

/* Print the answers. */
void predict_print_text(const struct predict_report *report, FILE *out);
void predict_print_csv(const struct predict_report *report, FILE *out);
enum hitop_status predict_print_json(const struct predict_report *report, FILE *out,
                                     struct hitop_diag *diag);

/* Print where one algorithm overtakes another, and what the fastest ones do on each level. */
enum hitop_status predict_explain(const struct predict_report *report, FILE *out,
                                  struct hitop_diag *diag);

/* All schedules of one algorithm at one size. Release with hitop_plan_free(). */
enum hitop_status predict_plan(const struct predict_request *request, const char *algorithm,
                               size_t bytes, struct hitop_plan **out, struct hitop_diag *diag);

/* Draw the fastest algorithm of the only size: a time line to "*.svg", who sends to whom to "*.dot". */
enum hitop_status predict_draw(const struct predict_report *report, const char *path,
                               struct hitop_diag *diag);
int predict_draw_ends(const char *path, const char *ending);

/* Print all operations, algorithms and parameters. */
void predict_list(FILE *out);

#endif /* PREDICT_TOOL_H */
