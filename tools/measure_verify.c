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

#include "measure_request.h"

#include "hitop/eager.h"
#include "hitop/validate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What interpolates the times of links, without a formula. */
static const char formula_free[] = "lininterp";

/* How far each pair is from the links of its group: the median over sizes. Not a number where nothing is
 * known. To be freed. */
static double *deviations(const struct measure_result *result, struct hitop_diag *diag)
{
    const struct hitop_measured links = measure_part_view(&result->links);
    const struct hitop_measured pairs = measure_part_view(&result->pairs);
    double *out = calloc((size_t)pairs.nlinks + 1, sizeof(*out));
    struct hitop_model *model = NULL;
    enum hitop_status status =
        out ? hitop_measure_fit(formula_free, result->h, &links, NULL, NULL, &model, diag)
            : hitop_fail(diag, HITOP_ERR_NOMEM, "verification: out of memory");

    for (int i = 0; status == HITOP_OK && i < pairs.nlinks; i++) {
        const struct hitop_measured pair = hitop_measured_slice(&pairs, i, 1);
        struct hitop_errors errors;
        status = hitop_compare_links(model, &pair, HITOP_NO_NODE, &errors, diag);
        out[i] = status == HITOP_OK && errors.n > 0 ? errors.median : NAN;
    }
    hitop_model_free(model);
    if (status != HITOP_OK) {
        free(out);
        return NULL;
    }
    return out;
}

/* Mark the groups that do not hold; returns how many, or -1 without memory. is_bad is [nnodes]. */
static int mark_bad(const struct measure_request *request, const struct measure_result *result,
                    char *is_bad, struct hitop_diag *diag)
{
    double *deviation = deviations(result, diag);
    int n = 0;

    if (!deviation) {
        return -1;
    }
    for (int i = 0; i < result->pairs.nlinks; i++) {
        char *mark = &is_bad[result->pairs.links[i].node];
        if (deviation[i] > request->tolerance && !*mark) {
            *mark = 1;
            n++;
        }
    }
    free(deviation);
    return n;
}

/* One group's line: how many pairs, how far the model and how far the links are from them. */
static void print_group(const struct measure_request *request, const struct measure_result *result,
                        const double *deviation, int node)
{
    const struct hitop_measured pairs = measure_part_view(&result->pairs);
    struct hitop_errors errors = {0};
    double worst = 0;
    int n = 0;

    for (int i = 0; i < pairs.nlinks; i++) {
        if (pairs.links[i].node == node) {
            worst = fmax(worst, deviation[i]);
            n++;
        }
    }
    if (n == 0 || hitop_compare_links(result->model, &pairs, node, &errors, NULL) != HITOP_OK) {
        return;
    }
    printf("%-8s %-20s %6d %12.2g %12.2g %14.2g  %s\n", hitop_hierarchy_level(result->h, node),
           hitop_hierarchy_name(result->h, node), n, 100 * errors.median, 100 * errors.q90,
           100 * worst, worst > request->tolerance ? "does not hold" : "holds");
}

/* The links that no group's numbers describe. */
static void print_bad_links(const struct measure_request *request,
                            const struct measure_result *result, const double *deviation)
{
    for (int i = 0; i < result->pairs.nlinks; i++) {
        const struct hitop_link *l = &result->pairs.links[i];
        if (deviation[i] > request->tolerance) {
            printf("pair %d-%d (%s, %s) is %.3g %% off its group\n", l->rank[0], l->rank[1],
                   hitop_hierarchy_host(result->h, l->rank[0]),
                   hitop_hierarchy_host(result->h, l->rank[1]), 100 * deviation[i]);
        }
    }
}

int measure_verify_report(const struct tool *tool, const struct measure_request *request,
                          const struct measure_result *result)
{
    const int nranks = hitop_hierarchy_nranks(result->h);
    struct hitop_diag diag = HITOP_DIAG_INIT;
    double *deviation;
    int noff = 0;

    if (result->pairs.nlinks == 0) {
        return TOOL_DONE;
    }
    deviation = deviations(result, &diag);
    if (!deviation) {
        return tool_fail(tool, HITOP_ERR_NOMEM, &diag);
    }
    for (int i = 0; i < result->pairs.nlinks; i++) {
        noff += deviation[i] > request->tolerance;
    }
    if (!request->quiet && strcmp(request->output, "-") != 0) {
        printf("\nverified on %d pairs that were not measured for the model:\n%-8s %-20s %6s %12s "
               "%12s %14s  %s\n",
               result->pairs.nlinks, "level", "group", "pairs", "model_med_%", "model_q90_%",
               "links_worst_%", "state");
        for (int node = hitop_hierarchy_root(result->h); node >= nranks; node--) {
            print_group(request, result, deviation, node);
        }
        print_bad_links(request, result, deviation);
    }
    free(deviation);
    if (noff > 0) {
        tool_error(tool,
                   "%d of %d verified pairs are more than %g %% off the links of their group, so "
                   "the result is not trustworthy; %s",
                   noff, result->pairs.nlinks, 100 * request->tolerance,
                   request->refine ? "they differ although their groups were measured pair by pair"
                                   : "--refine measures such groups pair by pair");
        return TOOL_UNTRUSTED;
    }
    return TOOL_DONE;
}

/* A link for each two members of the groups that do not hold. */
static enum hitop_status choose_refined(const struct measure_result *result, const char *is_bad,
                                        struct measure_part *out, struct hitop_diag *diag)
{
    enum hitop_status status = hitop_links_choose_pairs(result->h, &out->links, &out->nlinks, diag);
    int n = 0;

    for (int i = 0; status == HITOP_OK && i < out->nlinks; i++) {
        if (is_bad[out->links[i].node]) {
            out->links[n++] = out->links[i];
        }
    }
    out->nlinks = n;
    return status;
}

/* At the rank that decides: which links to measure in addition; none when all groups hold. */
static enum hitop_status decide(const struct measure_request *request,
                                const struct measure_result *result, char **is_bad,
                                struct measure_part *out, struct hitop_diag *diag)
{
    int nbad;

    *is_bad = calloc((size_t)hitop_hierarchy_nnodes(result->h), 1);
    if (!*is_bad) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "verification: out of memory");
    }
    if (!result->links.measurement.is_complete || !result->pairs.measurement.is_complete) {
        return HITOP_OK;
    }
    nbad = mark_bad(request, result, *is_bad, diag);
    return nbad > 0   ? choose_refined(result, *is_bad, out, diag)
           : nbad < 0 ? HITOP_ERR_NOMEM
                      : HITOP_OK;
}

/* All ranks learn the links; the rank that decided has them. */
static enum hitop_status share(const struct hitop_transport *t, struct measure_part *part,
                               struct hitop_diag *diag)
{
    enum hitop_status status = t->share(t->self, &part->nlinks, sizeof(part->nlinks), diag);

    if (status == HITOP_OK && t->rank > 0) {
        part->links = calloc((size_t)part->nlinks + 1, sizeof(*part->links));
        status = part->links ? HITOP_OK
                             : hitop_fail(diag, HITOP_ERR_NOMEM, "verification: out of memory");
    }
    status = measure_agree(t, status, diag);
    return status == HITOP_OK && part->nlinks > 0
               ? t->share(t->self, part->links, (size_t)part->nlinks * sizeof(*part->links), diag)
               : status;
}

/* Put the refined links in the place of those that stood for their groups. Curves keep lending the points of
 * either measurement. */
static enum hitop_status replace(struct measure_result *result, const char *is_bad,
                                 struct hitop_diag *diag)
{
    struct measure_part *links = &result->links, *refined = &result->refined;
    const size_t room = (size_t)links->nlinks + (size_t)refined->nlinks + 1;
    struct hitop_link *all = calloc(room, sizeof(*all));
    struct hitop_curve *curves = calloc(room * HITOP_NEXPERIMENTS, sizeof(*curves));
    struct hitop_eager *eager = calloc(room, sizeof(*eager)); /* unknown of refined links */
    const struct measure_part *parts[] = {links, refined};
    int n = 0;

    if (!all || !curves || !eager) {
        free(all);
        free(curves);
        free(eager);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "verification: out of memory");
    }
    for (int p = 0; p < 2; p++) {
        for (int i = 0; i < parts[p]->nlinks; i++) {
            if (p == 1 || !is_bad[links->links[i].node]) {
                memcpy(curves + (size_t)n * HITOP_NEXPERIMENTS,
                       parts[p]->measurement.curves + (size_t)i * HITOP_NEXPERIMENTS,
                       HITOP_NEXPERIMENTS * sizeof(*curves));
                if (parts[p]->eager) {
                    eager[n] = parts[p]->eager[i];
                }
                all[n++] = parts[p]->links[i];
            }
        }
    }
    free(links->links);
    free(links->measurement.curves);
    if (links->eager) {
        free(links->eager);
        links->eager = eager;
    } else {
        free(eager);
    }
    links->crowds = NULL; /* refined links have none */
    links->links = all;
    links->nlinks = links->measurement.nlinks = n;
    links->measurement.curves = curves;
    return HITOP_OK;
}

enum hitop_status measure_refine(const struct hitop_transport *transport,
                                 struct measure_result *result, struct hitop_diag *diag)
{
    const struct measure_request *request = result->run.request;
    struct measure_part *refined = &result->refined;
    char *is_bad = NULL;
    enum hitop_status status = HITOP_OK;

    refined->options = result->links.options;
    refined->options.part = "refined";
    if (transport->rank <= 0) {
        status = decide(request, result, &is_bad, refined, diag);
    }
    status = measure_agree(transport, status, diag);
    if (status == HITOP_OK) {
        status = share(transport, refined, diag);
    }
    if (status == HITOP_OK && refined->nlinks > 0) {
        status = measure_run_part(transport, &result->run, refined, diag);
    }
    if (status == HITOP_OK && refined->measurement.is_complete && transport->rank <= 0) {
        status = replace(result, is_bad, diag);
    }
    free(is_bad);
    return status;
}
