/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PREDICT_TRACE_H
#define PREDICT_TRACE_H

/* predict_trace.h - all that happens in a predicted plan. */

#include "tools/predict/predict.h"

#include "hitop/hierarchy.h"

struct predict_trace {
    struct hitop_activity *activities; /* [count] */
    size_t count, room;
    double *finish; /* [ranks]: when each has done */
    int out_of_memory;
};

/* Let the plan happen. Release with predict_trace_fini(), also after a failure. */
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

#endif /* PREDICT_TRACE_H */
