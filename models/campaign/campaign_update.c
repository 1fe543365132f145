/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * campaign_update.c - find the classes that changed since an earlier model; only these are
 * measured.
 *
 * A few messages on one link of each class show whether the class holds. The links of the other
 * classes are measured like new ones; a fit replaces these classes.
 */
#include <config.h>

#include "models/campaign/campaign_impl.h"

#include <math.h>
#include <stdlib.h>

/* Most samples that a check must have. */
enum { SAMPLES = 10 };

void hitop_campaign_init_checks(struct hitop_campaign *c)
{
    struct hitop_measure_options *o = &c->checks.options;

    *o = c->request->options;
    o->part = "checks";
    o->experiments = HITOP_SET(HITOP_ECHO);
    o->max_sizes = 0;
    o->eps = fmax(o->eps, c->request->tolerance / 4);
    o->min_samples = o->min_samples < SAMPLES ? o->min_samples : SAMPLES;
    o->sizes = c->check_sizes;
}

enum hitop_status hitop_campaign_keep_capacities(struct hitop_campaign *c, struct hitop_diag *diag)
{
    static const char *const keys[] = {"capacity", "capacity_tried"};
    const struct hitop_hierarchy *then = hitop_model_hierarchy(c->base);
    const int nranks = hitop_hierarchy_nranks(then), nnodes = hitop_hierarchy_nnodes(then);
    struct hitop_hierarchy *named = c->h, *h = NULL;
    const char **value = calloc((size_t)(nnodes - nranks), sizeof(*value));
    enum hitop_status status =
        value ? HITOP_OK : hitop_fail(diag, HITOP_ERR_NOMEM, "update: out of memory");

    for (int k = 0; status == HITOP_OK && k < 2; k++) {
        for (int node = nranks; node < nnodes; node++) {
            value[node - nranks] = hitop_hierarchy_capacity(named, node) > 0
                                       ? NULL
                                       : hitop_hierarchy_attr(then, node, keys[k]);
        }
        status = hitop_hierarchy_copy(c->h, keys[k], value, &h, diag);
        if (status == HITOP_OK && c->h != named) {
            hitop_hierarchy_free(c->h);
        }
        c->h = status == HITOP_OK ? h : c->h;
    }
    if (c->h != named) {
        hitop_hierarchy_free(named);
    }
    free(value);
    return status;
}

/*
 * Choose the sizes of which the model has times, else as many of the requested ones, spread from
 * the first to the last.
 */
static int choose_sizes(const struct hitop_measure_options *o, const struct hitop_model *model,
                        size_t *out)
{
    const struct hitop_class *c =
        hitop_model_nclasses(model) > 0 ? hitop_model_class(model, 0) : NULL;
    const int ntimes = c ? c->ntimes : 0, most = ntimes > 0 ? ntimes : o->nsizes;
    const int n = most < HITOP_CAMPAIGN_CHECK_SIZES ? most : HITOP_CAMPAIGN_CHECK_SIZES;

    for (int i = 0; i < n; i++) {
        out[i] =
            ntimes > 0 ? c->times[i].bytes : o->sizes[n == 1 ? 0 : i * (o->nsizes - 1) / (n - 1)];
    }
    return n;
}

enum hitop_status hitop_campaign_choose_checks(struct hitop_campaign *c, struct hitop_diag *diag)
{
    struct hitop_campaign_part *checks = &c->checks;
    enum hitop_status status =
        hitop_links_choose_like(c->base, &c->links.links, &c->links.nlinks, diag);

    if (status == HITOP_OK) {
        status = hitop_links_choose_checks(c->base, &checks->links, &checks->nlinks, diag);
    }
    checks->options.nsizes = choose_sizes(&c->request->options, c->base, c->check_sizes);
    return status;
}

/* At rank 0: select the links and triples of classes that do not hold. */
static enum hitop_status decide(struct hitop_campaign *c, struct hitop_diag *diag)
{
    const struct hitop_measured checks = hitop_campaign_measured(c, &c->checks);
    enum hitop_status status;

    if (!c->checks.measurement.is_complete) {
        return HITOP_OK; /* the run has been interrupted */
    }
    status = hitop_update_judge(c->base, &checks, c->request->tolerance, &c->verdict, diag);
    if (status == HITOP_OK) {
        c->links.nlinks =
            hitop_update_select(c->base, &c->verdict, c->links.links, c->links.nlinks);
        c->triples.nlinks = c->verdict.is_all ? c->triples.nlinks : 0;
    }
    return status;
}

enum hitop_status hitop_campaign_check(const struct hitop_transport *t, struct hitop_campaign *c,
                                       struct hitop_diag *diag)
{
    struct hitop_measure_options *o = &c->checks.options;
    enum hitop_status status = t->share(t->self, &o->nsizes, sizeof(o->nsizes), diag);

    if (status == HITOP_OK) {
        status = t->share(t->self, c->check_sizes, sizeof(c->check_sizes), diag);
    }
    if (status == HITOP_OK) {
        status = hitop_campaign_run_part(t, c, &c->checks, diag);
    }
    if (status == HITOP_OK) {
        status = hitop_agree_on_status(t, t->rank <= 0 ? decide(c, diag) : HITOP_OK, diag);
    }
    if (status == HITOP_OK) {
        status = campaign_share_part(t, &c->links, diag);
    }
    return status == HITOP_OK ? campaign_share_part(t, &c->triples, diag) : status;
}
