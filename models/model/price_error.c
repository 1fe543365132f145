/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * price_error.c - how well a model knows one of its prices.
 *
 * Formula:  se(T)^2 = sum over parameters p of [T(p + se(p)) - T(p)]^2
 *
 * Parameters of one fit are most often correlated against each other, a long latency with a low slope, so that this is
 * rather too much than too little.
 */
#include <config.h>

#include "models/model/price_error.h"

#include "hitop/sys/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of a price, and how well each of them is known. */
struct numbers {
    const double *value, *se;
    size_t n;
};

/* The sum of squares for some of the numbers behind a price, at which *place points. NaN where one is unknown. */
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

/* Those of the processor of a rank. */
static struct numbers of_processor(const struct hitop_model *model, int rank)
{
    const struct hitop_processor *p =
        hitop_model_processor(model, hitop_model_processor_of(model, rank));

    return (struct numbers){p->params, p->se, hitop_model_type_of(model)->nprocessor_params};
}

double hitop_price_error(const struct hitop_model *model, int i, int j, size_t bytes)
{
    const struct hitop_model_type *type = hitop_model_type_of(model);
    const struct hitop_class *c = hitop_model_class_of(model, i, j);
    struct hitop_terms terms;
    double sum;

    if (!hitop_model_terms(model, i, j, &terms)) {
        return 0;
    }
    if (type->ncolumns > 0) { /* a table, which says nothing of the errors of its rows */
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
