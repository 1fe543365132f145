/* SPDX-License-Identifier: BSD-3-Clause */
/* figures.c - bandwidth and uncertainty from the prices of messages. */
#include <config.h>

#include "models/model/figures.h"

#include "hitop/sys/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void hitop_model_class_pair(const struct hitop_model *model, const struct hitop_class *c,
                            int pair[2])
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(model);
    int nmembers;
    const int *member = hitop_hierarchy_children(h, c->node, &nmembers);
    const int is_whole = c->between[0] == c->between[1];

    for (int k = 0; k < 2; k++) {
        pair[k] = c->pair[k] != HITOP_NO_RANK
                      ? c->pair[k]
                      : hitop_hierarchy_first_rank(h, is_whole ? member[k] : c->between[k]);
    }
}

double hitop_model_bandwidth(const struct hitop_model *model, int i, int j, size_t bytes)
{
    const size_t half = bytes / 2;
    const double seconds = hitop_model_p2p(model, i, j, bytes) - hitop_model_p2p(model, i, j, half);

    return seconds > 0 ? (double)(bytes - half) / seconds : INFINITY;
}

/*
 * Standard error of a price: se(T)^2 = sum over parameters p of [T(p + se(p)) - T(p)]^2
 *
 * Parameters of one fit most often have negative correlations (a longer latency with a smaller
 * slope), so this is rather too large than too small.
 */

/* Parameters and their standard errors. */
struct numbers {
    const double *value, *se;
    size_t n;
};

/*
 * Sum of squares over one group of parameters; *place is the pointer to them in terms. NaN where a
 * standard error is unknown.
 */
static double squares(const struct hitop_model_type *type, struct hitop_terms *terms,
                      const double **place, struct numbers of, size_t bytes)
{
    const double price = type->p2p(terms, bytes);
    double *moved = of.se ? malloc((of.n + 1) * sizeof(*moved)) : NULL;
    double sum = moved || of.n == 0 ? 0 : NAN;

    for (size_t i = 0; moved && i < of.n; i++) {
        memcpy(moved, of.value, of.n * sizeof(*moved));
        moved[i] += of.se[i];
        *place = moved;
        sum += pow(type->p2p(terms, bytes) - price, 2);
        *place = of.value;
    }
    free(moved);
    return sum;
}

/* Parameters of the processor of a rank. */
static struct numbers of_processor(const struct hitop_model *model, int rank)
{
    const struct hitop_processor *p =
        hitop_model_processor(model, hitop_model_processor_of(model, rank));

    return (struct numbers){p->params, p->se, hitop_model_type_of(model)->nprocessor_params};
}

double hitop_model_price_error(const struct hitop_model *model, int i, int j, size_t bytes)
{
    const struct hitop_model_type *type = hitop_model_type_of(model);
    const struct hitop_class *c = hitop_model_class_of(model, i, j);
    struct hitop_terms terms;
    double sum;

    if (!hitop_model_terms(model, i, j, &terms)) {
        return 0;
    }
    if (type->ncolumns > 0) { /* a table has no standard errors */
        return NAN;
    }
    sum = squares(type, &terms, &terms.link, (struct numbers){c->params, c->se, type->nparams},
                  bytes);
    if (terms.from) {
        sum += squares(type, &terms, &terms.from, of_processor(model, i), bytes);
        sum += squares(type, &terms, &terms.to, of_processor(model, j), bytes);
    }
    return sqrt(sum);
}

/*
 * Half of the relative interval of a measured time, interpolated between the sizes of a class; NaN
 * without times.
 */
static double between_times(const struct hitop_class *c, size_t bytes)
{
    double before = NAN, at = 0;

    for (int i = 0; c && i < c->ntimes; i++) {
        const struct hitop_time *t = &c->times[i];
        const double half = t->seconds > 0 ? (t->hi - t->lo) / (2 * t->seconds) : 0;
        const double here = log1p((double)t->bytes);
        if (t->bytes >= bytes) {
            const double share = here > at ? (log1p((double)bytes) - at) / (here - at) : 1;
            return isnan(before) ? half : before + share * (half - before);
        }
        before = half;
        at = here;
    }
    return before;
}

double hitop_model_uncertainty(const struct hitop_model *model, int i, int j, size_t bytes)
{
    static const double width = 1.96; /* standard errors in half an interval of 95 % */
    const double price = hitop_model_p2p(model, i, j, bytes);
    const double error = hitop_model_price_error(model, i, j, bytes);

    return isfinite(error) && price > 0 ? width * error / price
                                        : between_times(hitop_model_class_of(model, i, j), bytes);
}
