/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PREDICT_TRACE_H
#define PREDICT_TRACE_H

/* predict_trace.h - all that happens in a predicted plan. */

#include "tools/predict/predict.h"

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

#endif /* PREDICT_TRACE_H */
