/* SPDX-License-Identifier: BSD-3-Clause */
/* errors.c - deviations of a model from measurements, summed up. */
#include <config.h>

#include "models/fit/errors.h"

#include "models/fit/estimate.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>

#include <math.h>
#include <stdlib.h>

struct hitop_errors hitop_errors_of(double *log_ratios, int n)
{
    struct hitop_errors out = {.n = n};
    double sum = 0;

    if (n == 0) {
        return out;
    }
    for (int i = 0; i < n; i++) {
        sum += log_ratios[i];
        log_ratios[i] = fabs(log_ratios[i]);
    }
    gsl_sort(log_ratios, 1, (size_t)n);
    out.bias = expm1(sum / n);
    out.median = expm1(gsl_stats_quantile_from_sorted_data(log_ratios, 1, (size_t)n, 0.5));
    out.q90 = expm1(gsl_stats_quantile_from_sorted_data(log_ratios, 1, (size_t)n, 0.9));
    out.largest = expm1(log_ratios[n - 1]);
    return out;
}

size_t hitop_count_points(const struct hitop_measured *measured)
{
    size_t n = 0;

    for (size_t i = 0; i < (size_t)measured->nlinks * HITOP_NEXPERIMENTS; i++) {
        n += measured->curves[i].npoints;
    }
    return n;
}

int hitop_errors_reserve(struct error_list *list, size_t room)
{
    list->value = calloc(room + 1, sizeof(*list->value));
    list->n = 0;
    return list->value != NULL;
}

void hitop_errors_add(struct error_list *list, double predicted, double measured)
{
    if (predicted > 0 && measured > 0) {
        list->value[list->n++] = log(predicted / measured);
    }
}

double hitop_noise_floor(const struct hitop_measured *measured)
{
    struct error_list list;
    double floor = 0;

    if (!hitop_errors_reserve(&list, hitop_count_points(measured))) {
        return 0;
    }
    for (int i = 0; i < measured->nlinks * HITOP_NEXPERIMENTS; i++) {
        const struct hitop_curve *c = &measured->curves[i];
        for (size_t k = 0; k < c->npoints; k++) {
            if (c->points[k].seconds > 0) {
                list.value[list.n++] = 0.6745 * c->points[k].se / c->points[k].seconds;
            }
        }
    }
    if (list.n > 0) {
        floor = hitop_median_of(list.value, list.n);
    }
    free(list.value);
    return floor;
}

void hitop_errors_of_echoes(const struct hitop_model *model, const struct hitop_measured *measured,
                            int node, struct error_list *out)
{
    for (int i = 0; i < measured->nlinks; i++) {
        const struct hitop_link *link = &measured->links[i];
        const struct hitop_curve *c =
            &measured->curves[(size_t)i * HITOP_NEXPERIMENTS + HITOP_ECHO];
        for (size_t k = 0; (node == HITOP_NO_NODE || link->node == node) && k < c->npoints; k++) {
            hitop_errors_add(
                out, hitop_model_p2p(model, link->rank[0], link->rank[1], c->points[k].bytes),
                c->points[k].seconds);
        }
    }
}

enum hitop_status hitop_compare_links(const struct hitop_model *model,
                                      const struct hitop_measured *measured, int node,
                                      struct hitop_errors *out, struct hitop_diag *diag)
{
    struct error_list list;

    if (!hitop_errors_reserve(&list, hitop_count_points(measured))) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "comparison: out of memory");
    }
    hitop_errors_of_echoes(model, measured, node, &list);
    *out = hitop_errors_of(list.value, list.n);
    free(list.value);
    return HITOP_OK;
}

double hitop_repeat_floor(const double *first, const double *second, int n)
{
    struct error_list list;
    double floor;

    if (!hitop_errors_reserve(&list, (size_t)n)) {
        return 0;
    }
    for (int i = 0; i < n; i++) {
        hitop_errors_add(&list, first[i], second[i]);
    }
    floor = hitop_errors_of(list.value, list.n).median;
    free(list.value);
    return floor;
}
