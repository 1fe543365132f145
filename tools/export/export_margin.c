/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * export_margin.c - how uncertain a model is.
 *
 * Formula: the largest of 5 %, of half the relative width of the interval of a message's time over
 *          all classes of links that matter, and of the median deviation that a check has found.
 *          Links between hosts matter, or all where there is one host.
 */
#include <config.h>

#include "tools/export/export_margin.h"

#include "hitop/sys/model.h"
#include "tools/export/export.h"

#include <math.h>

/* Half of the relative width of the interval of a message's time; 0: it is not known. */
static double width_of(const struct hitop_model_type *type, const struct hitop_class *c,
                       size_t bytes)
{
    struct hitop_terms terms;
    double low, high, middle;

    if (!c->lo || !c->hi) {
        return 0;
    }
    hitop_model_class_terms(c, &terms);
    middle = type->p2p(&terms, bytes);
    terms.link = c->lo;
    low = type->p2p(&terms, bytes);
    terms.link = c->hi;
    high = type->p2p(&terms, bytes);
    return isfinite(high - low) && middle > 0 ? fabs(high - low) / 2 / middle : 0;
}

static double verified_of(const struct hitop_model *model, int node)
{
    const struct hitop_quality *q = hitop_model_quality(model);

    for (int i = 0; q && i < q->nverified; i++) {
        if (q->verified[i].node == node && isfinite(q->verified[i].median)) {
            return q->verified[i].median;
        }
    }
    return 0;
}

double export_margin(const struct hitop_model *model, size_t bytes)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(model);
    const int several = export_is_internode(h, hitop_hierarchy_root(h));
    double margin = EXPORT_LEAST_MARGIN;

    for (int i = 0; i < hitop_model_nclasses(model); i++) {
        const struct hitop_class *c = hitop_model_class(model, i);
        if (!several || export_is_internode(h, c->node)) {
            margin = fmax(margin, width_of(hitop_model_type_of(model), c, bytes));
            margin = fmax(margin, verified_of(model, c->node));
        }
    }
    return margin;
}
