/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FEW_SAMPLES_H
#define FEW_SAMPLES_H

/* few_samples.h - options of hitop_estimate() that any machine settles. */

#include "hitop/measure_mpi.h"

static inline void few_samples(struct hitop_estimate_options *o, const char *type, double budget)
{
    static const size_t sizes[] = {0, 1, 4096, 16384, 65536};

    hitop_estimate_defaults(o);
    o->type = type;
    o->sizes = sizes;
    o->nsizes = sizeof(sizes) / sizeof(sizes[0]);
    o->eps = 1;
    o->max_samples = 20;
    o->budget = budget;
}

#endif /* FEW_SAMPLES_H */
