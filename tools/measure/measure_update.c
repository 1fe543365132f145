/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure_update.c - what has changed since an earlier model, so that only that is measured.
 *
 * A few messages on a link of each class tell which of them hold. The links of the others go the way of all links; the
 * rank that writes puts their classes in the place of the old ones.
 */
#include <config.h>

#include "tools/measure/measure.h"

#include "hierarchy/hostlist/host_match.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sizes and samples of a check. */
enum { NSIZES = 4, SAMPLES = 10 };

enum hitop_status measure_find_stranger(const struct hitop_hierarchy *h, const char *const *hosts,
                                        int *out, struct hitop_diag *diag)
{
    const int nranks = hitop_hierarchy_nranks(h);
    struct host_match *match = hitop_host_match_ranks(hosts, nranks);
    int rank = 0;

    if (!match) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "comparing hosts: out of memory");
    }
    for (; rank < nranks; rank++) {
        const int found = hitop_host_match_find(match, hitop_hierarchy_host(h, rank));

        if (found < 0 || strcmp(hosts[found], hosts[rank]) != 0) {
            break;
        }
    }
    hitop_host_match_free(match);
    *out = rank;
    return HITOP_OK;
}

void measure_update_init(const struct measure_request *request, struct measure_result *result)
{
    struct hitop_measure_options *o = &result->checks.options;

    *o = request->options;
    o->part = "checks";
    o->experiments = HITOP_SET(HITOP_ECHO);
    o->max_sizes = 0;
    o->eps = fmax(o->eps, request->tolerance / 4);
    o->min_samples = o->min_samples < SAMPLES ? o->min_samples : SAMPLES;
}

/* The first rank that was on another host then; behind all: none. */
static enum hitop_status find_moved(const struct hitop_hierarchy *then,
                                    const struct hitop_hierarchy *h, int *out,
                                    struct hitop_diag *diag)
{
    const int nranks = hitop_hierarchy_nranks(h);
    const char **host = calloc((size_t)nranks, sizeof(*host));
    enum hitop_status status;

    for (int rank = 0; host && rank < nranks; rank++) {
        host[rank] = hitop_hierarchy_host(h, rank);
    }
    status = host ? measure_find_stranger(then, host, out, diag)
                  : hitop_fail(diag, HITOP_ERR_NOMEM, "comparing hosts: out of memory");
    free(host);
    return status;
}

/* The model must be of these ranks on these hosts in these groups. */
static int compare_trees(const struct tool *tool, const struct measure_request *request,
                         const struct measure_result *result)
{
    const struct hitop_hierarchy *h = result->h, *then = hitop_model_hierarchy(result->base);
    const int nranks = hitop_hierarchy_nranks(h);
    const char *name = request->is_flat ? "of the job" : request->input;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int node, rank = nranks;

    if (hitop_hierarchy_nranks(then) != nranks) {
        tool_error(tool, "%s: the model has %d ranks, the hierarchy %s has %d", request->update,
                   hitop_hierarchy_nranks(then), name, nranks);
        return TOOL_BAD_INPUT;
    }
    if (!request->ignore_hosts) {
        const enum hitop_status status = find_moved(then, h, &rank, &diag);
        if (status != HITOP_OK) {
            return tool_fail(tool, status, &diag);
        }
    }
    if (rank < nranks) {
        tool_error(tool, "%s: rank %d was measured on '%s', but the hierarchy %s has it on '%s'",
                   request->update, rank, hitop_hierarchy_host(then, rank), name,
                   hitop_hierarchy_host(h, rank));
        return TOOL_BAD_INPUT;
    }
    node = hitop_hierarchy_first_difference(then, h);
    if (node != HITOP_NO_NODE) {
        tool_error(
            tool,
            "%s: the model is of another tree than the hierarchy %s: node %d (%s '%s') of the "
            "model has another group above it; measure without --update",
            request->update, name, node,
            node < nranks ? "rank on" : hitop_hierarchy_level(then, node),
            node < nranks ? hitop_hierarchy_host(then, node) : hitop_hierarchy_name(then, node));
        return TOOL_BAD_INPUT;
    }
    return TOOL_DONE;
}

/* Of such a model an update is possible whatever the formula. */
static int needs_echoes_only(const struct hitop_model_type *type)
{
    return (type->needs & ~(unsigned int)HITOP_SET(HITOP_ECHO)) == 0 &&
           type->nprocessor_params == 0 && !type->needs_crowds;
}

/* What is measured now must be what was measured then. */
static int compare_ways(const struct tool *tool, const struct measure_request *request,
                        const struct hitop_model *base)
{
    const struct hitop_provenance *then = hitop_model_provenance(base);
    const char *type = hitop_model_type_of(base)->name, *cache = measure_cache_name(request);
    const char *cache_then = then->cache ? then->cache : hitop_cache_name(HITOP_CACHE_HOT);

    if (request->is_auto ? !needs_echoes_only(hitop_model_type_of(base))
                         : strcmp(type, request->model) != 0) {
        tool_error(tool, "%s: a model %s, which -C %s cannot update; -C %s does", request->update,
                   type, request->model, type);
        return TOOL_BAD_INPUT;
    }
    if (then->confidence > 0 && then->confidence != request->options.confidence) {
        tool_error(tool, "%s: intervals of confidence %g, but -c asks for %g; they must agree",
                   request->update, then->confidence, request->options.confidence);
        return TOOL_BAD_INPUT;
    }
    if (cache && strcmp(cache, cache_then) != 0) {
        tool_error(tool, "%s: measured with --cache %s, which --cache %s cannot update",
                   request->update, cache_then, cache);
        return TOOL_BAD_INPUT;
    }
    return TOOL_DONE;
}

/* Give groups the attribute that they had then, where the hierarchy of the run names no capacity.
 * */
static enum hitop_status keep_attribute(struct measure_result *result, const char *key,
                                        const struct hitop_hierarchy *named,
                                        struct hitop_diag *diag)
{
    const struct hitop_hierarchy *then = hitop_model_hierarchy(result->base);
    const int nranks = hitop_hierarchy_nranks(then), nnodes = hitop_hierarchy_nnodes(then);
    const char **value = calloc((size_t)(nnodes - nranks), sizeof(*value));
    struct hitop_hierarchy *h = NULL;
    enum hitop_status status;

    if (!value) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "update: out of memory");
    }
    for (int node = nranks; node < nnodes; node++) {
        if (!(hitop_hierarchy_capacity(named, node) > 0)) {
            value[node - nranks] = hitop_hierarchy_attr(then, node, key);
        }
    }
    status = hitop_hierarchy_copy(result->h, key, value, &h, diag);
    free(value);
    if (status == HITOP_OK) {
        if (result->h != named) {
            hitop_hierarchy_free(result->h);
        }
        result->h = h;
    }
    return status;
}

/* What was measured of the ways of groups then, where the hierarchy names nothing and nobody
 * measures it now. */
static enum hitop_status keep_capacities(struct measure_result *result, struct hitop_diag *diag)
{
    struct hitop_hierarchy *named = result->h;
    enum hitop_status status = keep_attribute(result, "capacity", named, diag);

    if (status == HITOP_OK) {
        status = keep_attribute(result, "capacity_tried", named, diag);
    }
    if (result->h != named) {
        hitop_hierarchy_free(named);
    }
    return status;
}

int measure_update_read(const struct tool *tool, const struct measure_request *request,
                        struct measure_result *result)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int exit_status;

    if (hitop_model_read(request->update, &result->base, &diag) != HITOP_OK) {
        tool_error(tool, "%s", diag.message);
        return TOOL_BAD_INPUT;
    }
    exit_status = compare_ways(tool, request, result->base);
    if (exit_status == TOOL_DONE) {
        exit_status = compare_trees(tool, request, result);
    }
    if (exit_status == TOOL_DONE && request->capacities != CAPACITIES_ANEW &&
        keep_capacities(result, &diag) != HITOP_OK) {
        return tool_fail(tool, HITOP_ERR_NOMEM, &diag);
    }
    return exit_status;
}

/* Those of which the model still has times, else as many of those asked for, from the first to the last. */
static int choose_sizes(const struct measure_request *request, const struct hitop_model *model,
                        size_t *out)
{
    const struct hitop_class *c =
        hitop_model_nclasses(model) > 0 ? hitop_model_class(model, 0) : NULL;
    const int n = request->options.nsizes < NSIZES ? request->options.nsizes : NSIZES;

    for (int i = 0; c && i < c->ntimes && i < NSIZES; i++) {
        out[i] = c->times[i].bytes;
    }
    for (int i = 0; (!c || c->ntimes == 0) && i < n; i++) {
        out[i] = request->sizes[n == 1 ? 0 : i * (request->options.nsizes - 1) / (n - 1)];
    }
    return !c || c->ntimes == 0 ? n : c->ntimes < NSIZES ? c->ntimes : NSIZES;
}

enum hitop_status measure_update_choose(const struct measure_request *request,
                                        struct measure_result *result, struct hitop_diag *diag)
{
    struct measure_part *checks = &result->checks;
    enum hitop_status status =
        hitop_links_choose_like(result->base, &result->links.links, &result->links.nlinks, diag);

    if (status == HITOP_OK) {
        status = hitop_links_choose_checks(result->base, &checks->links, &checks->nlinks, diag);
    }
    checks->options.nsizes = choose_sizes(request, result->base, result->check_sizes);
    checks->options.sizes = result->check_sizes;
    return status;
}

/* At the rank that knows: what is left to measure. */
static enum hitop_status decide(struct measure_result *result, struct hitop_diag *diag)
{
    const struct hitop_measured checks = measure_part_view(&result->checks);
    const double tolerance = result->run.request->tolerance;
    enum hitop_status status;

    if (!result->checks.measurement.is_complete) {
        return HITOP_OK; /* the run has been interrupted */
    }
    status = hitop_update_judge(result->base, &checks, tolerance, &result->verdict, diag);
    if (status == HITOP_OK) {
        result->links.nlinks = hitop_update_select(result->base, &result->verdict,
                                                   result->links.links, result->links.nlinks);
        result->triples.nlinks = result->verdict.is_all ? result->triples.nlinks : 0;
    }
    return status;
}

enum hitop_status measure_update_check(const struct hitop_transport *t,
                                       struct measure_result *result, struct hitop_diag *diag)
{
    struct hitop_measure_options *o = &result->checks.options;
    enum hitop_status status = t->share(t->self, &o->nsizes, sizeof(o->nsizes), diag);

    if (status == HITOP_OK) {
        status = t->share(t->self, result->check_sizes, sizeof(result->check_sizes), diag);
    }
    o->sizes = result->check_sizes;
    if (status == HITOP_OK) {
        status = measure_run_part(t, &result->run, &result->checks, diag);
    }
    if (status == HITOP_OK) {
        status = measure_agree(t, t->rank <= 0 ? decide(result, diag) : HITOP_OK, diag);
    }
    if (status == HITOP_OK) {
        status = measure_part_share(t, &result->links, diag);
    }
    return status == HITOP_OK ? measure_part_share(t, &result->triples, diag) : status;
}

enum hitop_status measure_update_fit(struct measure_result *result,
                                     const struct hitop_measured *links,
                                     const struct hitop_measured *triples,
                                     const struct hitop_provenance *provenance,
                                     struct hitop_diag *diag)
{
    struct hitop_measured all = *links;

    if (!result->verdict.is_all) {
        return hitop_update_fit(result->base, result->h, links, provenance, &result->model, diag);
    }
    all.collective = all.collective ? all.collective : hitop_model_collective(result->base);
    return hitop_measure_fit(hitop_model_type_of(result->base)->name, result->h, &all, triples,
                             provenance, &result->model, diag);
}
