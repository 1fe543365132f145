/* SPDX-License-Identifier: BSD-3-Clause */
/* sample_for.c - as many samples as fit into a time, whatever the clock. */
#include <config.h>

#include "models/measure/measure_impl.h"

#include <math.h>

enum hitop_status hitop_sample_for(const struct hitop_transport *t, const struct hitop_link *link,
                                   enum hitop_experiment what, size_t bytes, double limit,
                                   int least, int most, double *sample, int *n,
                                   struct hitop_diag *diag)
{
    struct hitop_series series = {
        .what = what, .from = link->rank[0], .to = link->rank[1], .bytes = bytes};
    double trip;
    enum hitop_status status =
        hitop_warm_up(t, link->rank[0], link->rank[1], bytes, 0.05 * limit, &trip, diag);

    if (status != HITOP_OK) {
        return status;
    }
    trip = fmax(trip, 1e-9);
    series.batch = batch_of(t, trip);
    series.count = (int)fmin(fmax(limit / (trip * series.batch + t->pause), least), most);
    *n = series.count;
    return t->exchange(t->self, &series, sample, diag);
}
