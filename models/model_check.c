/* SPDX-License-Identifier: BSD-3-Clause */
/* model_check.c - what a class of links must satisfy. */
#include <config.h>

#include "model_impl.h"

#include <math.h>

/* Node and measured pair belong together. */
static enum hitop_status check_place(const struct hitop_hierarchy *h,
                                     const struct hitop_class *class, struct hitop_diag *diag)
{
    const int nranks = hitop_hierarchy_nranks(h);
    const int i = class->pair[0], j = class->pair[1];

    if (class->node < nranks || class->node >= hitop_hierarchy_nnodes(h) ||
        !model_is_priced(h, class->node)) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "node %d is not a group with two or more children", class->node);
    }
    if (i == HITOP_NO_RANK && j == HITOP_NO_RANK) {
        return HITOP_OK;
    }
    if (i < 0 || j < 0 || i >= nranks || j >= nranks) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "pair %d, %d has a rank outside 0..%d", i, j,
                          nranks - 1);
    }
    if (hitop_hierarchy_lca(h, i, j) != class->node) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "ranks %d and %d do not meet in node %d", i, j,
                          class->node);
    }
    return HITOP_OK;
}

static enum hitop_status check_quality(const struct hitop_model_type *type,
                                       const struct hitop_class *class, struct hitop_diag *diag)
{
    for (size_t p = 0; p < type->nparams; p++) {
        const char *name = type->params[p].name;
        if (class->se && !isnan(class->se[p]) && !(class->se[p] >= 0 && isfinite(class->se[p]))) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "standard error %g of %s is not >= 0",
                              class->se[p], name);
        }
        if (!class->lo != !class->hi) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "the interval of %s has one end only", name);
        }
        if (class->lo && (!isfinite(class->lo[p]) || !isfinite(class->hi[p]) ||
                          !(class->lo[p] <= class->hi[p]))) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "[%g, %g] is not an interval of %s",
                              class->lo[p], class->hi[p], name);
        }
    }
    if (class->nsizes < 0 || class->nsamples < 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "%d sizes or %d samples is negative",
                          class->nsizes, class->nsamples);
    }
    if (!(class->residual >= 0 && isfinite(class->residual))) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "residual %g is not >= 0", class->residual);
    }
    return HITOP_OK;
}

enum hitop_status model_check_class(const struct hitop_model_type *type,
                                    const struct hitop_hierarchy *h,
                                    const struct hitop_class *class, struct hitop_diag *diag)
{
    enum hitop_status status = check_place(h, class, diag);

    for (size_t p = 0; status == HITOP_OK && p < type->nparams; p++) {
        double value;
        status =
            hitop_params_check(type->name, &type->params[p], 1, &class->params[p], &value, diag);
    }
    return status == HITOP_OK ? check_quality(type, class, diag) : status;
}
