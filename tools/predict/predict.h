/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PREDICT_TOOL_H
#define PREDICT_TOOL_H

/* predict.h - what the parts of predict_collective share: the question with its answers. */

#include "hitop/irregular.h"
#include "hitop/param.h"
#include "hitop/plan.h"
#include "hitop/predict.h"
#include "hitop/rules.h"

#include <stdio.h>

enum predict_format { PREDICT_TEXT, PREDICT_CSV, PREDICT_JSON };

enum predict_kind {
    PREDICT_P2P,
    PREDICT_ONE,     /* one algorithm */
    PREDICT_AUTO,    /* the one that would be taken */
    PREDICT_RANKING, /* all algorithms */
    PREDICT_TWOLEVEL /* the broadcast of libhitop_coll, which chooses its tree itself */
};

enum { PREDICT_SHOWN = 5 };

/* What the user asked for. */
struct predict_request {
    const char *model_path;
    const char *operation;
    const char *algorithm; /* as given, or NULL */
    enum predict_kind kind;
    size_t *sizes; /* rising */
    size_t nsizes;
    int ranks;
    int root; /* sender for p2p */
    int to;   /* receiver for p2p */
    double segment;
    struct hitop_choice choice; /* PREDICT_ONE */
    enum hitop_ports ports;
    struct hitop_model *model;
    struct hitop_cost cost;
    struct hitop_call call;           /* of a collective, but for the bytes */
    struct hitop_irregular irregular; /* NaN where nothing is known */
    struct hitop_choice_basis basis;
    int shows_all; /* of a ranking, else the PREDICT_SHOWN fastest of each size */
    const char *rules_path;
    struct hitop_rules *rules; /* or NULL */
};

/* One predicted time. */
struct predict_entry {
    size_t bytes;
    const char *algorithm; /* "" for p2p, "mpi" where a rule leaves it to the MPI library */
    struct hitop_choice choice;
    double seconds;   /* NaN where it cannot be told */
    double relative;  /* to the fastest of this size; 1 when nothing is ranked */
    int fastest;      /* 1 for the fastest of this size, when all are ranked */
    int line;         /* of the rule that decided, or 0 */
    char reason[160]; /* why there is no time; "" where there is one */
};

/* The answers: by size, and within a size the fastest first, those without a time last. */
struct predict_report {
    const struct predict_request *request;
    struct predict_entry *entries;
    size_t count;
};

static inline int predict_is_p2p(const struct predict_request *request)
{
    return request->kind == PREDICT_P2P;
}

/* The call of one size. */
struct hitop_call predict_call(const struct predict_request *request, size_t bytes);

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

/* Whether two choices differ in parameters at most. */
int predict_is_same_way(const struct hitop_choice *a, const struct hitop_choice *b);

/* The smallest size above low, as far as up to high, at which the other choice takes less time; two predictions for
 * each halving. */
enum hitop_status predict_meet(const struct predict_request *request, size_t low, size_t high,
                               const struct hitop_choice *before, const struct hitop_choice *after,
                               size_t *size, struct hitop_diag *diag);

/* Print why: rules, crossovers, what each algorithm does on each level, what the last rank waited for. */
enum hitop_status predict_explain(const struct predict_report *report, FILE *out,
                                  struct hitop_diag *diag);

/* All schedules of one answer. Release with hitop_plan_free(). */
enum hitop_status predict_plan(const struct predict_request *request,
                               const struct predict_entry *entry, struct hitop_plan **out,
                               struct hitop_diag *diag);

/* Draw the fastest algorithm of the only size: a time line to "*.svg", who sends to whom to "*.dot". */
enum hitop_status predict_draw(const struct predict_report *report, const char *path,
                               struct hitop_diag *diag);
int predict_draw_ends(const char *path, const char *ending);

/* Print all operations, algorithms and parameters. */
void predict_list(FILE *out);

#endif /* PREDICT_TOOL_H */
