/* SPDX-License-Identifier: BSD-3-Clause */
/* measured.c - parts of what was measured. */
#include <config.h>

#include "models/fit/eager.h"
#include "models/measure/measure_impl.h"

#include <string.h>

void hitop_count_samples(const struct hitop_curve *curve, int ncurves, int *nsamples,
                         int *converged)
{
    for (int c = 0; c < ncurves; c++) {
        for (size_t i = 0; i < curve[c].npoints; i++) {
            *nsamples += curve[c].points[i].nsamples;
            *converged = *converged && curve[c].points[i].converged;
        }
    }
}

struct hitop_measured hitop_measured_slice(const struct hitop_measured *measured, int first, int n)
{
    struct hitop_measured out = *measured;

    out.links += first;
    out.nlinks = n;
    out.curves += (size_t)first * HITOP_NEXPERIMENTS;
    out.eager = out.eager ? out.eager + first : NULL;
    out.crowds = out.crowds ? out.crowds + first : NULL;
    return out;
}

struct hitop_evidence hitop_measure_evidence(const struct hitop_measured *measured, int index)
{
    struct hitop_evidence e = {.confidence = measured->confidence};

    memcpy(e.curve, measured->curves + (size_t)index * HITOP_NEXPERIMENTS, sizeof(e.curve));
    if (measured->crowds) {
        e.crowds = measured->crowds[index].crowd;
        e.ncrowds = measured->crowds[index].n;
    }
    return e;
}
