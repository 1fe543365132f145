/* SPDX-License-Identifier: BSD-3-Clause */
/* model_check.c - check classes, parameters of collectives and the quality of a measurement. */
#include <config.h>

#include "models/model/model_impl.h"

#include <math.h>
#include <stdint.h>

/* Check that a class for two members names two members of its group. */
static enum hitop_status check_members(const struct hitop_hierarchy *h,
                                       const struct hitop_class *class, struct hitop_diag *diag)
{
    for (int k = 0; !model_is_whole(class) && k < 2; k++) {
        const int member = class->between[k];
        if (member < 0 || member >= hitop_hierarchy_nnodes(h) ||
            hitop_hierarchy_parent(h, member) != class->node) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "node %d is not a member of group %d",
                              member, class->node);
        }
    }
    return HITOP_OK;
}

/* Whether a rank is at or below a node. */
static int is_below(const struct hitop_hierarchy *h, int rank, int node)
{
    int at = rank;

    while (at != node && at != HITOP_NO_NODE) {
        at = hitop_hierarchy_parent(h, at);
    }
    return at == node;
}

/* Whether the link between ranks i and j belongs to the class. */
static int is_in_class(const struct hitop_hierarchy *h, const struct hitop_class *class, int i,
                       int j)
{
    const int *b = class->between;

    if (hitop_hierarchy_lca(h, i, j) != class->node) {
        return 0;
    }
    return model_is_whole(class) || (is_below(h, i, b[0]) && is_below(h, j, b[1])) ||
           (is_below(h, i, b[1]) && is_below(h, j, b[0]));
}

/* Check that the class has a group with two or more children, and a measured pair of its links. */
static enum hitop_status check_place(const struct hitop_hierarchy *h,
                                     const struct hitop_class *class, struct hitop_diag *diag)
{
    const int nranks = hitop_hierarchy_nranks(h);
    const int i = class->pair[0], j = class->pair[1];
    enum hitop_status status;

    if (class->node < nranks || class->node >= hitop_hierarchy_nnodes(h) ||
        !model_is_priced(h, class->node)) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "node %d is not a group with two or more children", class->node);
    }
    status = check_members(h, class, diag);
    if (status != HITOP_OK || (i == HITOP_NO_RANK && j == HITOP_NO_RANK)) {
        return status;
    }
    if (i < 0 || j < 0 || i >= nranks || j >= nranks) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "pair %d, %d has a rank outside 0..%d", i, j,
                          nranks - 1);
    }
    if (!is_in_class(h, class, i, j)) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "ranks %d and %d do not meet in node %d", i, j,
                          class->node);
    }
    return HITOP_OK;
}

/* Check that all pairs of a class are links of it, and their difference. */
static enum hitop_status check_pairs(const struct hitop_hierarchy *h,
                                     const struct hitop_class *class, struct hitop_diag *diag)
{
    const int nranks = hitop_hierarchy_nranks(h);

    if (class->npairs < 0 || class->nunlike < 0 || class->nunlike > class->npairs ||
        !(class->spread >= 0 && isfinite(class->spread))) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "%d of %d pairs are unlike the others, by at most %g", class->nunlike,
                          class->npairs, class->spread);
    }
    for (int k = 0; k < class->npairs; k++) {
        const int i = class->pairs[k][0], j = class->pairs[k][1];
        if (i < 0 || j < 0 || i >= nranks || j >= nranks || i == j ||
            !is_in_class(h, class, i, j)) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "pair %d, %d is no link of node %d", i, j,
                              class->node);
        }
    }
    return HITOP_OK;
}

/* Standard errors and intervals that belong to parameters. */
struct quality {
    const double *se, *lo, *hi;
};

static enum hitop_status check_quality(const struct hitop_param *params, size_t nparams,
                                       const struct quality *q, struct hitop_diag *diag)
{
    for (size_t p = 0; p < nparams; p++) {
        const char *name = params[p].name;
        if (q->se && !isnan(q->se[p]) && !(q->se[p] >= 0 && isfinite(q->se[p]))) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "standard error %g of %s is not >= 0",
                              q->se[p], name);
        }
        if (!q->lo != !q->hi) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "the interval of %s has one end only", name);
        }
        if (q->lo && (!isfinite(q->lo[p]) || !isfinite(q->hi[p]) || !(q->lo[p] <= q->hi[p]))) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "[%g, %g] is not an interval of %s",
                              q->lo[p], q->hi[p], name);
        }
    }
    return HITOP_OK;
}

static enum hitop_status check_table(const struct hitop_model_type *type,
                                     const struct hitop_class *class, struct hitop_diag *diag)
{
    const size_t n = type->ncolumns;
    enum hitop_status status = HITOP_OK;

    if ((n > 0) != (class->nrows > 0) || class->nrows < 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "a table of %d rows", class->nrows);
    }
    for (int row = 0; status == HITOP_OK && row < class->nrows; row++) {
        const double *at = class->table + (size_t)row * n;
        for (size_t c = 0; status == HITOP_OK && c < n; c++) {
            double value;
            status = hitop_params_check(type->name, &type->columns[c], 1, &at[c], &value, diag);
        }
        if (status == HITOP_OK && row > 0 && !(at[0] > at[0 - (long)n])) {
            status =
                hitop_fail(diag, HITOP_ERR_INVALID, "%s does not ascend at row %d of the table",
                           type->columns[0].name, row);
        }
    }
    return status;
}

static enum hitop_status check_params(const char *owner, const struct hitop_param *params,
                                      size_t nparams, const double *values, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (size_t p = 0; status == HITOP_OK && p < nparams; p++) {
        double value;
        status = hitop_params_check(owner, &params[p], 1, &values[p], &value, diag);
    }
    return status;
}

/* Check that times of a class ascend by size and lie in their intervals. */
static enum hitop_status check_times(const struct hitop_class *class, struct hitop_diag *diag)
{
    for (int i = 0; i < class->ntimes; i++) {
        const struct hitop_time *t = &class->times[i];
        if (t->bytes > INT64_MAX || (i > 0 && t->bytes <= t[-1].bytes)) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "sizes of times do not ascend at %zu bytes",
                              t->bytes);
        }
        if (!(t->lo >= 0 && t->lo <= t->seconds && t->seconds <= t->hi && isfinite(t->hi))) {
            return hitop_fail(diag, HITOP_ERR_INVALID,
                              "%zu bytes take %g s, which is not within 0 <= %g <= %g", t->bytes,
                              t->seconds, t->lo, t->hi);
        }
    }
    return HITOP_OK;
}

enum hitop_status hitop_model_check_class(const struct hitop_model_type *type,
                                          const struct hitop_hierarchy *h,
                                          const struct hitop_class *class, struct hitop_diag *diag)
{
    const struct quality quality = {class->se, class->lo, class->hi};
    enum hitop_status status = check_place(h, class, diag);

    if (status == HITOP_OK) {
        status = check_pairs(h, class, diag);
    }
    if (status == HITOP_OK) {
        status = check_params(type->name, type->params, type->nparams, class->params, diag);
    }
    if (status == HITOP_OK) {
        status = check_table(type, class, diag);
    }
    if (status == HITOP_OK) {
        status = check_quality(type->params, type->nparams, &quality, diag);
    }
    if (status != HITOP_OK) {
        return status;
    }
    if (class->nsizes < 0 || class->nsamples < 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "%d sizes or %d samples is negative",
                          class->nsizes, class->nsamples);
    }
    if (!(class->residual >= 0 && isfinite(class->residual))) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "residual %g is not >= 0", class->residual);
    }
    if (class->has_eager && class->eager > INT64_MAX && class->eager != HITOP_ALL_SIZES) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "eager size %zu is not below 2^63",
                          class->eager);
    }
    if (class->is_synchronous && class->synchronous > INT64_MAX) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "synchronous size %zu is not below 2^63",
                          class->synchronous);
    }
    return check_times(class, diag);
}

enum hitop_status hitop_model_check_processor(const struct hitop_model_type *type, int nranks,
                                              const struct hitop_processor *processor,
                                              struct hitop_diag *diag)
{
    const struct quality quality = {processor->se, processor->lo, processor->hi};
    const size_t n = type->nprocessor_params;
    enum hitop_status status =
        check_params(type->name, type->processor_params, n, processor->params, diag);

    if (status == HITOP_OK) {
        status = check_quality(type->processor_params, n, &quality, diag);
    }
    if (status != HITOP_OK) {
        return status;
    }
    if (processor->rank != HITOP_NO_RANK && (processor->rank < 0 || processor->rank >= nranks)) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "rank %d is outside 0..%d", processor->rank,
                          nranks - 1);
    }
    if (processor->nsamples < 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "%d samples is negative", processor->nsamples);
    }
    return HITOP_OK;
}

enum hitop_status hitop_model_check_collective(const struct hitop_model_type *type,
                                               const double *numbers, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (size_t p = 0; status == HITOP_OK && p < type->ncollective_params; p++) {
        if (!isnan(numbers[p])) {
            status = check_params(type->name, &type->collective_params[p], 1, &numbers[p], diag);
        }
    }
    return status;
}

static enum hitop_status check_interference(const char *what, const struct hitop_interference *c,
                                            struct hitop_diag *diag)
{
    return c->at_once >= 0 && c->slowdown >= 1 && isfinite(c->slowdown)
               ? HITOP_OK
               : hitop_fail(diag, HITOP_ERR_INVALID,
                            "%s of %d links at once, %g times as long as alone", what, c->at_once,
                            c->slowdown);
}

static int is_deviation(double x)
{
    return x >= 0 && isfinite(x);
}

/* Check verified groups: each has two or more children, and their nodes ascend. */
static enum hitop_status check_verified(const struct hitop_hierarchy *h,
                                        const struct hitop_quality *q, struct hitop_diag *diag)
{
    for (int i = 0; i < q->nverified; i++) {
        const struct hitop_verified *v = &q->verified[i];
        if (v->node < hitop_hierarchy_nranks(h) || v->node >= hitop_hierarchy_nnodes(h) ||
            !model_is_priced(h, v->node)) {
            return hitop_fail(diag, HITOP_ERR_INVALID,
                              "verification: node %d is not a group with two or more children",
                              v->node);
        }
        if (i > 0 && v->node <= q->verified[i - 1].node) {
            return hitop_fail(diag, HITOP_ERR_INVALID,
                              "verification: node %d follows node %d; they must ascend", v->node,
                              q->verified[i - 1].node);
        }
        if (v->pairs < 1 || !is_deviation(v->median) || !is_deviation(v->q90) ||
            !is_deviation(v->worst)) {
            return hitop_fail(diag, HITOP_ERR_INVALID,
                              "verification: node %d is %g, %g and %g off %d pairs", v->node,
                              v->median, v->q90, v->worst, v->pairs);
        }
    }
    return q->nverified == 0 || (is_deviation(q->tolerance) && q->tolerance > 0)
               ? HITOP_OK
               : hitop_fail(diag, HITOP_ERR_INVALID, "verification: tolerance %g is not > 0",
                            q->tolerance);
}

enum hitop_status hitop_model_check_quality(const struct hitop_hierarchy *h,
                                            const struct hitop_quality *quality,
                                            struct hitop_diag *diag)
{
    enum hitop_status status;

    if (!is_deviation(quality->seconds) || quality->passes < 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "%d passes in %g seconds", quality->passes,
                          quality->seconds);
    }
    status = check_interference("latency", &quality->latency, diag);
    if (status == HITOP_OK) {
        status = check_interference("bandwidth", &quality->bandwidth, diag);
    }
    return status == HITOP_OK ? check_verified(h, quality, diag) : status;
}
