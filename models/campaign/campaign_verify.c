/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * campaign_verify.c - check whether the measured links represent the links that were not measured.
 *
 * Idea:  random pairs are measured like links. The deviation of a pair from its group is the median
 *        over sizes of the differences from the times of the group's links, without a formula. The
 *        differences between the model and the pairs include the error of the formula. A group
 *        with a deviation above the tolerance does not hold, and can be measured again with a link
 *        for each two members.
 */
#include <config.h>

#include "models/campaign/campaign_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* This type interpolates the times of links, without a formula. */
static const char formula_free[] = "lininterp";

/*
 * Find the deviation of each pair from the links of its group: the median over sizes; NaN: unknown.
 * For free(); NULL on failure.
 */
static enum hitop_status find_deviations(const struct hitop_campaign *c, double **out,
                                         struct hitop_diag *diag)
{
    const struct hitop_measured links = hitop_campaign_measured(c, &c->links);
    const struct hitop_measured pairs = hitop_campaign_measured(c, &c->pairs);
    double *far = calloc((size_t)pairs.nlinks + 1, sizeof(*far));
    struct hitop_model *model = NULL;
    enum hitop_status status =
        far ? hitop_measure_fit(formula_free, c->h, &links, NULL, NULL, &model, diag)
            : hitop_fail(diag, HITOP_ERR_NOMEM, "verification: out of memory");

    for (int i = 0; status == HITOP_OK && i < pairs.nlinks; i++) {
        const struct hitop_measured pair = hitop_measured_slice(&pairs, i, 1);
        struct hitop_errors errors;
        status = hitop_compare_links(model, &pair, HITOP_NO_NODE, &errors, diag);
        far[i] = status == HITOP_OK && errors.n > 0 ? errors.median : NAN;
    }
    hitop_model_free(model);
    if (status != HITOP_OK) {
        free(far);
        far = NULL;
    }
    *out = far;
    return status;
}

/* Compare the pairs of one group with its links, and with the model. */
static enum hitop_status sum_up(const struct hitop_campaign *c, struct hitop_verified *out,
                                struct hitop_diag *diag)
{
    const struct hitop_measured pairs = hitop_campaign_measured(c, &c->pairs);
    struct hitop_errors errors = {0};
    const enum hitop_status status =
        hitop_compare_links(c->model, &pairs, out->node, &errors, diag);

    for (int i = 0; i < pairs.nlinks; i++) {
        if (pairs.links[i].node == out->node) {
            out->worst = fmax(out->worst, c->deviation[i]);
        }
    }
    out->median = errors.median;
    out->q90 = errors.q90;
    out->holds = out->worst <= c->request->tolerance;
    return status;
}

enum hitop_status hitop_campaign_verify(struct hitop_campaign *c, struct hitop_diag *diag)
{
    const int nranks = hitop_hierarchy_nranks(c->h);
    const int ngroups = hitop_hierarchy_nnodes(c->h) - nranks;
    enum hitop_status status;

    if (c->pairs.nlinks == 0) {
        return HITOP_OK;
    }
    status = find_deviations(c, &c->deviation, diag);
    if (status != HITOP_OK) {
        return status;
    }
    c->verified = calloc((size_t)ngroups, sizeof(*c->verified));
    if (!c->verified) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "verification: out of memory");
    }
    for (int i = 0; i < c->pairs.nlinks; i++) {
        c->verified[c->pairs.links[i].node - nranks].pairs++;
    }
    for (int i = 0; status == HITOP_OK && i < ngroups; i++) {
        if (c->verified[i].pairs > 0) {
            struct hitop_verified *group = &c->verified[c->nverified++];
            *group = (struct hitop_verified){.node = nranks + i, .pairs = c->verified[i].pairs};
            status = sum_up(c, group, diag);
        }
    }
    return status;
}

/*
 * At rank 0: choose a link for each two members of the groups that do not hold; *is_bad is
 * [nnodes].
 */
static enum hitop_status choose_refined(const struct hitop_campaign *c, char **is_bad,
                                        struct hitop_campaign_part *out, struct hitop_diag *diag)
{
    double *deviation = NULL;
    enum hitop_status status;
    int nbad = 0, n = 0;

    *is_bad = calloc((size_t)hitop_hierarchy_nnodes(c->h), 1);
    if (!*is_bad) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "verification: out of memory");
    }
    if (!c->links.measurement.is_complete || !c->pairs.measurement.is_complete) {
        return HITOP_OK;
    }
    status = find_deviations(c, &deviation, diag);
    for (int i = 0; status == HITOP_OK && i < c->pairs.nlinks; i++) {
        if (deviation[i] > c->request->tolerance) {
            (*is_bad)[c->pairs.links[i].node] = 1;
            nbad++;
        }
    }
    free(deviation);
    if (status == HITOP_OK && nbad > 0) {
        status = hitop_links_choose_pairs(c->h, &out->links, &out->nlinks, diag);
    }
    for (int i = 0; status == HITOP_OK && i < out->nlinks; i++) {
        if ((*is_bad)[out->links[i].node]) {
            out->links[n++] = out->links[i];
        }
    }
    out->nlinks = n;
    return status;
}

/*
 * Replace the links that represent groups by the refined links. Curves keep borrowing the points of
 * both measurements; eager limits of refined links are unknown.
 */
static enum hitop_status replace(struct hitop_campaign *c, const char *is_bad,
                                 struct hitop_diag *diag)
{
    struct hitop_campaign_part *links = &c->links;
    const struct hitop_campaign_part *parts[] = {links, &c->refined};
    const size_t room = (size_t)links->nlinks + (size_t)c->refined.nlinks + 1;
    struct hitop_link *all = calloc(room, sizeof(*all));
    struct hitop_curve *curves = calloc(room * HITOP_NEXPERIMENTS, sizeof(*curves));
    struct hitop_eager *eager = links->eager ? calloc(room, sizeof(*eager)) : NULL;
    int n = 0;

    if (!all || !curves || (links->eager && !eager)) {
        free(all);
        free(curves);
        free(eager);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "verification: out of memory");
    }
    for (int p = 0; p < 2; p++) {
        for (int i = 0; i < parts[p]->nlinks; i++) {
            if (p == 0 && is_bad[links->links[i].node]) {
                continue;
            }
            memcpy(curves + (size_t)n * HITOP_NEXPERIMENTS,
                   parts[p]->measurement.curves + (size_t)i * HITOP_NEXPERIMENTS,
                   HITOP_NEXPERIMENTS * sizeof(*curves));
            if (parts[p]->eager) {
                eager[n] = parts[p]->eager[i];
            }
            all[n++] = parts[p]->links[i];
        }
    }
    free(links->links);
    free(links->measurement.curves);
    free(links->eager);
    links->eager = eager;
    links->pair_sets = NULL; /* refined links have none */
    links->links = all;
    links->nlinks = links->measurement.nlinks = n;
    links->measurement.curves = curves;
    return HITOP_OK;
}

enum hitop_status hitop_campaign_refine(const struct hitop_transport *t, struct hitop_campaign *c,
                                        struct hitop_diag *diag)
{
    struct hitop_campaign_part *refined = &c->refined;
    char *is_bad = NULL;
    enum hitop_status status = t->rank <= 0 ? choose_refined(c, &is_bad, refined, diag) : HITOP_OK;

    status = hitop_agree_on_status(t, status, diag);
    if (status == HITOP_OK) {
        status = campaign_share_part(t, refined, diag);
    }
    if (status == HITOP_OK && refined->nlinks > 0) {
        status = hitop_campaign_run_part(t, c, refined, diag);
    }
    if (status == HITOP_OK && refined->measurement.is_complete && t->rank <= 0) {
        status = replace(c, is_bad, diag);
    }
    free(is_bad);
    return status;
}
