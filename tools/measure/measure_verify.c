/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure_verify.c - whether the links that were measured stand for those that were not.
 *
 * Idea:  random pairs are measured like links. A pair is off when its times, in the middle of the sizes, differ from those
 *        of its group's links by more than the tolerance; that says nothing about formulas. How far the model is
 *        from the pairs says something about both. A group with a pair that is off does not hold, and can be
 *        measured anew with a link for each two members.
 */
#include <config.h>

#include "tools/measure/measure.h"

#include "models/fit/validation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What interpolates the times of links, without a formula. */
static const char formula_free[] = "lininterp";

enum hitop_status measure_verify_deviations(const struct measure_result *result, double **out,
                                            struct hitop_diag *diag)
{
    const struct hitop_measured links = measure_part_view(&result->links);
    const struct hitop_measured pairs = measure_part_view(&result->pairs);
    double *far = calloc((size_t)pairs.nlinks + 1, sizeof(*far));
    struct hitop_model *model = NULL;
    enum hitop_status status =
        far ? hitop_measure_fit(formula_free, result->h, &links, NULL, NULL, &model, diag)
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

/* What the pairs of one group say of it, and of the model. */
static enum hitop_status sum_up(const struct measure_request *request,
                                const struct measure_result *result, const double *deviation,
                                struct hitop_verified *out, struct hitop_diag *diag)
{
    const struct hitop_measured pairs = measure_part_view(&result->pairs);
    struct hitop_errors errors = {0};
    const enum hitop_status status =
        hitop_compare_links(result->model, &pairs, out->node, &errors, diag);

    for (int i = 0; i < pairs.nlinks; i++) {
        if (pairs.links[i].node == out->node) {
            out->worst = fmax(out->worst, deviation[i]);
        }
    }
    out->median = errors.median;
    out->q90 = errors.q90;
    out->holds = out->worst <= request->tolerance;
    return status;
}

enum hitop_status measure_verify(const struct measure_request *request,
                                 struct measure_result *result, struct hitop_diag *diag)
{
    const int nranks = hitop_hierarchy_nranks(result->h);
    const int ngroups = hitop_hierarchy_nnodes(result->h) - nranks;
    struct measure_verification *v = &result->verification;
    enum hitop_status status;

    if (result->pairs.nlinks == 0) {
        return HITOP_OK;
    }
    status = measure_verify_deviations(result, &v->deviation, diag);
    if (status != HITOP_OK) {
        return status;
    }
    v->group = calloc((size_t)ngroups, sizeof(*v->group));
    if (!v->group) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "verification: out of memory");
    }
    for (int i = 0; i < result->pairs.nlinks; i++) {
        v->group[result->pairs.links[i].node - nranks].pairs++;
    }
    for (int i = 0; status == HITOP_OK && i < ngroups; i++) {
        if (v->group[i].pairs > 0) {
            struct hitop_verified *group = &v->group[v->ngroups++];
            *group = (struct hitop_verified){.node = nranks + i, .pairs = v->group[i].pairs};
            status = sum_up(request, result, v->deviation, group, diag);
        }
    }
    return status;
}

void measure_verification_clear(struct measure_verification *v)
{
    free(v->deviation);
    free(v->group);
    *v = (struct measure_verification){0};
}

/* The largest groups first; then the links that no group's numbers describe. */
static void print_verified(const struct measure_request *request,
                           const struct measure_result *result)
{
    const struct measure_verification *v = &result->verification;

    printf("\nverified on %d pairs that were not measured for the model:\n%-8s %-20s %6s %12s "
           "%12s %14s  %s\n",
           result->pairs.nlinks, "level", "group", "pairs", "model_med_%", "model_q90_%",
           "links_worst_%", "state");
    for (int i = v->ngroups - 1; i >= 0; i--) {
        const struct hitop_verified *g = &v->group[i];
        printf("%-8s %-20s %6d %12.2g %12.2g %14.2g  %s\n",
               hitop_hierarchy_level(result->h, g->node), hitop_hierarchy_name(result->h, g->node),
               g->pairs, 100 * g->median, 100 * g->q90, 100 * g->worst,
               g->holds ? "holds" : "does not hold");
    }
    for (int i = 0; i < result->pairs.nlinks; i++) {
        const struct hitop_link *l = &result->pairs.links[i];
        if (v->deviation[i] > request->tolerance) {
            printf("pair %d-%d (%s, %s) is %.3g %% off its group\n", l->rank[0], l->rank[1],
                   hitop_hierarchy_host(result->h, l->rank[0]),
                   hitop_hierarchy_host(result->h, l->rank[1]), 100 * v->deviation[i]);
        }
    }
}

void measure_verify_report(const struct measure_request *request, struct measure_result *result)
{
    int noff = 0;

    if (result->pairs.nlinks == 0) {
        return;
    }
    for (int i = 0; i < result->pairs.nlinks; i++) {
        noff += result->verification.deviation[i] > request->tolerance;
    }
    if (!request->quiet && strcmp(request->output, "-") != 0) {
        print_verified(request, result);
    }
    if (noff > 0) {
        measure_run_doubt(
            &result->run,
            "%d of %d verified pairs are more than %g %% off the links of their group; %s", noff,
            result->pairs.nlinks, 100 * request->tolerance,
            request->refine ? "they differ although their groups were measured pair by pair"
                            : "--refine measures such groups pair by pair");
    }
}
