/* SPDX-License-Identifier: BSD-3-Clause */
/* timing_options_mpi.c - the methods of timing by name, and what they need. */
#include <config.h>

#include "models/clock/collective_time_impl_mpi.h"

#include <string.h>

static const char *const names[HITOP_NTIMINGS] = {
    [HITOP_TIMING_ROUND] = "round-time",
    [HITOP_TIMING_GLOBAL] = "global",
    [HITOP_TIMING_MAX] = "max",
    [HITOP_TIMING_ROOT] = "root",
};

const char *hitop_timing_name(enum hitop_timing method)
{
    return names[method];
}

enum hitop_status hitop_timing_find(const char *name, enum hitop_timing *out,
                                    struct hitop_diag *diag)
{
    for (int i = 0; i < HITOP_NTIMINGS; i++) {
        if (strcmp(name, names[i]) == 0) {
            *out = (enum hitop_timing)i;
            return HITOP_OK;
        }
    }
    return hitop_fail(diag, HITOP_ERR_NOTFOUND,
                      "'%.40s' is no method of timing; there are %s, %s, %s and %s", name, names[0],
                      names[1], names[2], names[3]);
}

void hitop_timing_defaults(struct hitop_timing_options *options)
{
    *options = (struct hitop_timing_options){.method = HITOP_TIMING_ROUND,
                                             .median = {.eps = 0.01,
                                                        .confidence = 0.95,
                                                        .min_samples = 20,
                                                        .max_samples = 2000,
                                                        .batch = 1},
                                             .budget = 10};
    hitop_precision_defaults(&options->mean);
}

static enum hitop_status check_stop(const struct hitop_timing_options *o, struct hitop_diag *diag)
{
    const struct hitop_stop_rule *r = &o->median;

    if (!(o->budget > 0)) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "timing: a budget of %g s; more than 0",
                          o->budget);
    }
    if (o->by_mean) { /* asked with one sample, the rule checks itself */
        struct hitop_mean mean;
        const double sample = 1;
        return hitop_precision_check(&o->mean, &sample, 1, &mean, diag);
    }
    if (r->min_samples < 1 || r->max_samples < r->min_samples) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "timing: %d to %d repetitions; at least 1, and no more than the maximum",
                          r->min_samples, r->max_samples);
    }
    if (!(r->confidence > 0 && r->confidence < 1) || !(r->eps >= 0)) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "timing: level %g must be between 0 and 1, error %g must be >= 0",
                          r->confidence, r->eps);
    }
    return HITOP_OK;
}

enum hitop_status hitop_timing_check(const struct hitop_common_clock *clock, int root,
                                     const struct hitop_timing_options *o, struct hitop_diag *diag)
{
    const int needs_clock = o->method == HITOP_TIMING_ROUND || o->method == HITOP_TIMING_GLOBAL;
    int size;

    (void)MPI_Comm_size(hitop_common_clock_comm(clock), &size);
    if ((int)o->method < 0 || o->method >= HITOP_NTIMINGS) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "timing: no method %d", (int)o->method);
    }
    if (needs_clock && hitop_common_clock_source(clock) == HITOP_CLOCK_NONE) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "timing: method %s needs clocks that have been compared",
                          names[o->method]);
    }
    if (root < 0 || root >= size) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "timing: root %d; 0 to %d", root, size - 1);
    }
    return check_stop(o, diag);
}
