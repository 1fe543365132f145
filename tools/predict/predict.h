/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PREDICT_TOOL_H
#define PREDICT_TOOL_H

/* predict.h - what the parts of predict_collective share: the request and its answers. */

#include "hitop/irregular.h"
#include "hitop/param.h"
#include "hitop/plan.h"
#include "hitop/predict.h"
#include "hitop/rules.h"

#include "hitop/hierarchy.h"
#include "models/whatif/whatif.h"
#include "tools/common/sizes.h"
#include "tools/common/tool.h"

#include <stdio.h>

enum predict_format { PREDICT_TEXT, PREDICT_CSV, PREDICT_JSON };

enum predict_kind {
    PREDICT_P2P,
    PREDICT_ONE,     /* one algorithm */
    PREDICT_AUTO,    /* the algorithm that the libraries choose */
    PREDICT_RANKING, /* all algorithms */
    PREDICT_LIBRARY, /* what an MPI library chooses, for several operations */
    PREDICT_TWOLEVEL /* the broadcast of libhitop_coll, which chooses its tree itself */
};

enum { PREDICT_SHOWN = 5 };

/* What the user asked for. */
struct predict_request {
    const char *model_path;
    const char *operation;  /* as given, then its present name */
    const char *algorithm;  /* as given, or NULL */
    const char *model_name; /* of the model in a name of CPM, or NULL */
    int has_params;         /* 1: parameters of the algorithm are given */
    enum predict_kind kind;
    size_t *sizes; /* rising */
    size_t nsizes;
    int ranks;
    int root;                   /* sender for p2p */
    int to;                     /* receiver for p2p */
    size_t segment;             /* 0: messages are sent whole */
    struct hitop_choice choice; /* PREDICT_ONE */
    enum hitop_ports ports;
    struct hitop_model *model;
    struct whatif_shape shape; /* no levels: the model is that of the file */
    struct hitop_cost cost;
    struct hitop_call call;           /* of a collective; predict_call() sets the bytes */
    struct hitop_irregular irregular; /* NaN where nothing is known */
    struct hitop_choice_basis basis;
    struct hitop_choice_memo *memo;
    struct hitop_choice_counts counts; /* of all searches */
    int shows_all; /* 1: a whole ranking; 0: the PREDICT_SHOWN fastest of each size */
    int needs_all; /* 1: the times of the others are used, too */
    const char *rules_path;
    struct hitop_rules *rules; /* or NULL */
};

/* One predicted time. */
struct predict_entry {
    size_t bytes;
    const char *algorithm; /* "" for p2p, "mpi" where a rule leaves it to the MPI library */
    struct hitop_choice choice;
    double seconds;   /* NaN: unknown */
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
enum hitop_status predict_print(const struct predict_report *report, enum predict_format format,
                                FILE *out, struct hitop_diag *diag);

/* Whether two choices have the same algorithm and tree; their parameters may differ. */
int predict_is_same_way(const struct hitop_choice *a, const struct hitop_choice *b);

/*
 * Find by bisection the size above low, and at most high, from which `after` takes less time than
 * `before`. Each step makes two predictions.
 */
enum hitop_status predict_crossover(const struct predict_request *request, size_t low, size_t high,
                                    const struct hitop_choice *before,
                                    const struct hitop_choice *after, size_t *size,
                                    struct hitop_diag *diag);

/*
 * Print reasons: rules, crossovers, messages of each algorithm by level, the critical path of the
 * last rank, violated guidelines.
 */
enum hitop_status predict_explain(const struct predict_report *report, FILE *out,
                                  struct hitop_diag *diag);

/* Build the plan of one answer. Release with hitop_plan_free(). */
enum hitop_status predict_plan(const struct predict_request *request,
                               const struct predict_entry *entry, struct hitop_plan **out,
                               struct hitop_diag *diag);

/*
 * Draw the fastest algorithm of a request with one size: a time line to "*.svg", a graph of senders
 * and receivers to "*.dot".
 */
enum hitop_status predict_draw(const struct predict_report *report, const char *path,
                               struct hitop_diag *diag);
int predict_draw_ends(const char *path, const char *ending);

/* Print all operations, algorithms and parameters. */
void predict_list(FILE *out);

/* Activities of a simulated plan: messages, copies and reductions. */

struct predict_trace {
    struct hitop_activity *activities; /* [count] */
    int count, room;
    double *finish; /* [ranks] time at which each is done */
    int out_of_memory;
};

/* Simulate the plan. Release with predict_trace_fini(), also after a failure. */
enum hitop_status predict_trace_init(struct predict_trace *trace, const struct predict_request *r,
                                     const struct hitop_plan *plan, struct hitop_diag *diag);
void predict_trace_fini(struct predict_trace *trace);

/* The levels on which messages cross a hierarchy. */

enum { PREDICT_MAX_LEVELS = 16 };

/* Names of the levels, the outermost first; those beyond PREDICT_MAX_LEVELS count as the last. */
struct predict_levels {
    const char *name[PREDICT_MAX_LEVELS];
    int count;
};

/* Levels in which two ranks can meet. */
struct predict_levels predict_levels(const struct hitop_hierarchy *h);

/* Index of a level, which is added if it is new. */
int predict_level_of(struct predict_levels *levels, const char *name);

/* Options, and the request that they ask for. */

enum { PREDICT_MAX_PARAMS = 16 };

/* The command line. */
struct predict_settings {
    const struct tool *tool;
    struct predict_request request; /* as far as it is known without the model */
    struct sizes sizes;
    const char *type; /* formula of the model; NULL: that of the file */
    const char *params[PREDICT_MAX_PARAMS];
    int nparams;
    const char *shape; /* or NULL */
    const char *prices[PREDICT_MAX_PARAMS];
    int nprices;
    int ranks_per_host;        /* 0: not given */
    int ranks, root, from, to; /* -1: not given */
    const char *counts_path;   /* or NULL */
    size_t *starts;            /* byte offsets of the blocks in that file, or NULL */
    size_t element;            /* 0: not given */
    int ordered;
    enum predict_format format;
    const char *output;
    const char *draw;        /* file, or NULL */
    const char *write_rules; /* file, or NULL */
    const char *library;     /* MPI library to compare with, or NULL */
    unsigned operations;     /* a set of them, with a library */
    int all;                 /* 1: no operation is given, rules are written for all */
    int explain;
    int list;
};

/*
 * Check the options for models. Returns TOOL_DONE or TOOL_USAGE.
 */
int predict_check_model(const struct predict_settings *s);

/*
 * Read the model of the request, and make that of the shape, if one is given. Returns TOOL_DONE, or
 * another exit status after reporting an error.
 */
int predict_read_model(struct predict_settings *s);

/*
 * Fill the request after the model is read. Returns TOOL_DONE, or another exit status after
 * reporting an error.
 */
int predict_setup(struct predict_settings *s);

/*
 * Check the options against each other after all are parsed, and set the kind of the request.
 * Returns TOOL_DONE or TOOL_USAGE.
 */
int predict_check(struct predict_settings *s);

/*
 * Write rules for the operation of the request, or for all, to a file or "-". They contain the
 * choices of auto at the sizes of the request; between two sizes with different choices, the rule
 * changes at their crossover.
 */
enum hitop_status predict_write_rules(struct predict_request *request, int all, const char *path,
                                      struct hitop_diag *diag);

#endif /* PREDICT_TOOL_H */
