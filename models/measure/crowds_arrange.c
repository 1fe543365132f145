/* SPDX-License-Identifier: BSD-3-Clause */
/* crowds_arrange.c - the points of all crowds from the values of their pairs. */
#include <config.h>

#include "models/measure/crowds_impl.h"

#include "models/fit/estimate.h"

#include <math.h>
#include <stdlib.h>

void hitop_crowds_clear(struct hitop_crowds *crowds)
{
    free(crowds->crowd);
    free(crowds->list);
    free(crowds->points);
    *crowds = (struct hitop_crowds){0};
}

/* The values of one crowd at one size, sorted. */
static struct hitop_point sum_up(const struct crowd_value *value, int n, size_t bytes,
                                 const struct hitop_measure_options *o)
{
    const double width = hitop_estimators()->normal_width(o->confidence);
    const double low = value[n / 4].seconds, high = value[n - 1 - n / 4].seconds;
    const double median = (value[(n - 1) / 2].seconds + value[n / 2].seconds) / 2;
    /* from the distance of the quartiles, as of a normal law */
    const double se = fmax((high - low) / 1.349 * 1.2533 / sqrt(n), 1e-3 * median);

    return (struct hitop_point){.bytes = bytes,
                                .seconds = median,
                                .se = fmax(se, 1e-12),
                                .lo = fmax(0, median - width * se),
                                .hi = median + width * se,
                                .nsamples = n,
                                .converged = width * se <= fmax(o->eps, 2e-3) * median};
}

enum hitop_status hitop_crowds_arrange(struct hitop_crowds *out, struct bytes *all,
                                       const struct hitop_crowd_plan *plan, int nlinks,
                                       const struct hitop_measure_options *o,
                                       struct hitop_diag *diag)
{
    const size_t njobs = (size_t)plan->ncrowds * (size_t)o->nsizes;
    struct crowd_value *value = (struct crowd_value *)(void *)all->data;
    const size_t n = all->length / sizeof(*value);
    struct hitop_point *point;
    size_t at = 0, ncrowds = 0;

    out->points = calloc(njobs + 1, sizeof(*out->points));
    out->crowd = calloc((size_t)plan->ncrowds + 1, sizeof(*out->crowd));
    out->list = calloc((size_t)nlinks + 1, sizeof(*out->list));
    if (!out->points || !out->crowd || !out->list) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "crowds: out of memory");
    }
    point = out->points;
    hitop_crowd_values_sort(value, n);
    for (int c = 0; c < plan->ncrowds; c++) {
        struct hitop_crowd_list *list = &out->list[plan->pairs[plan->begin[c]].node];
        struct hitop_crowd *crowd = &out->crowd[ncrowds];
        *crowd = (struct hitop_crowd){.pairs = plan->begin[c + 1] - plan->begin[c],
                                      .curve = {.points = point}};
        for (int k = 0; k < o->nsizes; k++) {
            const size_t first = at;
            while (at < n && value[at].job == c * o->nsizes + k) {
                at++;
            }
            if (at > first) {
                point[crowd->curve.npoints++] =
                    sum_up(value + first, (int)(at - first), o->sizes[k], o);
            }
        }
        if (crowd->curve.npoints < 2 && o->nsizes > 2) {
            continue; /* interrupted: no line goes through it */
        }
        point += crowd->curve.npoints;
        list->crowd = list->n == 0 ? crowd : list->crowd;
        list->n++;
        ncrowds++;
    }
    return HITOP_OK;
}
