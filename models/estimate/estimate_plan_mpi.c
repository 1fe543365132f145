/* SPDX-License-Identifier: BSD-3-Clause */
/* estimate_plan_mpi.c - options of hitop_estimate(): their defaults, ranges, and the request. */
#include <config.h>

#include "models/estimate/estimate_impl_mpi.h"

#include "models/fit/estimate.h"

#include "hitop/text.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void hitop_estimate_defaults_of(struct hitop_estimate_options *options, size_t size)
{
    struct hitop_measure_options usual;
    struct hitop_estimate_options o;

    hitop_measure_defaults(&usual);
    o = (struct hitop_estimate_options){.size = size,
                                        .type = "auto",
                                        .tolerance = 0.2,
                                        .capacities = 1,
                                        .max_size = (size_t)1 << 20,
                                        .stride = HITOP_STRIDE_NONE,
                                        .max_sizes = 100,
                                        .min_stride = 64,
                                        .eps = usual.eps,
                                        .confidence = usual.confidence,
                                        .min_samples = usual.min_samples,
                                        .max_samples = usual.max_samples,
                                        .parallel = usual.parallel,
                                        .seed = usual.seed,
                                        .budget = usual.budget,
                                        .cache = hitop_cache_name(HITOP_CACHE_HOT)};
    if (size > sizeof(o)) { /* of a later version: members that are not known here are 0 */
        memset(options, 0, size);
    }
    memcpy(options, &o, size < sizeof(o) ? size : sizeof(o));
}

enum hitop_status hitop_estimate_adopt(const struct hitop_estimate_options *given,
                                       struct hitop_estimate_options *out, struct hitop_diag *diag)
{
    const unsigned char *bytes = (const unsigned char *)given;

    hitop_estimate_defaults(out);
    if (!given || given->size < sizeof(given->size)) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "options: call hitop_estimate_defaults() before setting them");
    }
    for (size_t i = sizeof(*out); i < given->size; i++) {
        if (bytes[i] != 0) {
            return hitop_fail(diag, HITOP_ERR_INVALID,
                              "options: an option that this version of the library lacks");
        }
    }
    memcpy(out, given, given->size < sizeof(*out) ? given->size : sizeof(*out));
    return HITOP_OK;
}

/* Numbers and their ranges, both ends included. */
static enum hitop_status check_numbers(const struct hitop_estimate_options *o,
                                       struct hitop_diag *diag)
{
    const struct {
        const char *name;
        double value, least, most;
    } numbers[] = {
        {"tree", o->tree, HITOP_TREE_FLAT, HITOP_TREE_GIVEN},
        {"tolerance", o->tolerance, 0.001, 100},
        {"capacities", o->capacities, 0, 1},
        {"triples", o->triples, -1, 1000},
        {"exact_thresholds", o->exact_thresholds, 0, 1},
        {"scatter_gather", o->scatter_gather, 0, 1},
        {"nsizes", o->nsizes, 0, 1000},
        {"max_sizes", o->max_sizes, 2, 1000},
        {"min_stride", (double)o->min_stride, 1, HUGE_VAL},
        {"max_diff", o->max_diff, 0, 1},
        {"eps", o->eps, 1e-6, 1},
        {"confidence", o->confidence, 0.5, 0.999999},
        {"min_samples", o->min_samples, 1, 1000000},
        {"max_samples", o->max_samples, 1, 1000000},
        {"parallel", o->parallel, 0, 1},
        {"budget", o->budget, 1e-9, 1e9},
        {"time_limit", o->time_limit, 0, 1e9},
    };

    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        if (!(numbers[i].value >= numbers[i].least && numbers[i].value <= numbers[i].most)) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "options.%s: %g is not between %g and %g",
                              numbers[i].name, numbers[i].value, numbers[i].least, numbers[i].most);
        }
    }
    return o->min_samples > o->max_samples
               ? hitop_fail(diag, HITOP_ERR_INVALID,
                            "options.min_samples: %d are more than the %d of max_samples",
                            o->min_samples, o->max_samples)
               : HITOP_OK;
}

/* Prefix a message with the option. */
static enum hitop_status of_option(const char *name, enum hitop_status status,
                                   const struct hitop_diag *why, struct hitop_diag *diag)
{
    return status == HITOP_OK
               ? HITOP_OK
               : hitop_fail(diag, status == HITOP_ERR_NOMEM ? status : HITOP_ERR_INVALID,
                            "options.%s: %.400s", name, why->message);
}

static enum hitop_status check_tree(const struct hitop_estimate_options *o, struct hitop_diag *diag)
{
    if ((o->tree == HITOP_TREE_GIVEN) != (o->hierarchy != NULL)) {
        return hitop_fail(
            diag, HITOP_ERR_INVALID,
            "options.hierarchy: HITOP_TREE_GIVEN needs one, and no other tree has one");
    }
    return o->grouping && o->tree != HITOP_TREE_HOSTS
               ? hitop_fail(diag, HITOP_ERR_INVALID,
                            "options.grouping goes with HITOP_TREE_HOSTS only")
               : HITOP_OK;
}

/* Whether the tree of the model has groups; that of an earlier model replaces the option. */
static int has_groups(const struct hitop_estimate_options *o)
{
    const struct hitop_hierarchy *h = o->earlier ? hitop_model_hierarchy(o->earlier) : NULL;

    return h ? hitop_hierarchy_height(h, hitop_hierarchy_root(h)) > 1 : o->tree != HITOP_TREE_FLAT;
}

/*
 * Set the links of the request: without groups all pairs of ranks, or a sample. For an earlier
 * model hitop_campaign_choose() replaces those of classes that are pairs. The links that measured
 * an earlier model measure it again, also where no groups were found.
 */
static enum hitop_status choose_links(const struct hitop_estimate_options *o,
                                      struct hitop_campaign_request *r, struct hitop_diag *diag)
{
    const int is_flat = !has_groups(o) && o->tree == HITOP_TREE_FLAT;
    struct hitop_diag why = HITOP_DIAG_INIT;
    enum hitop_status status = HITOP_OK;

    r->links = is_flat && !o->earlier ? HITOP_LINKS_FLAT : HITOP_LINKS_ONE;
    if (o->links) {
        status = hitop_campaign_links_find(o->links, r, &why);
    }
    if (status == HITOP_OK && o->links && is_flat && r->links != HITOP_LINKS_SAMPLE) {
        status = hitop_fail(&why, HITOP_ERR_INVALID,
                            "'%s' needs groups; without them it is a number of pairs", o->links);
    }
    return of_option("links", status, &why, diag);
}

/* A copy of the given sizes, or sizes by their range. */
static enum hitop_status choose_sizes(const struct hitop_estimate_options *o,
                                      struct hitop_estimate_plan *plan, struct hitop_diag *diag)
{
    const struct hitop_campaign_range range = {
        .min = o->min_size, .max = o->max_size, .stride = o->stride, .most = o->max_sizes};
    struct hitop_measure_options *measure = &plan->request.options;
    struct hitop_diag why = HITOP_DIAG_INIT;

    measure->refinement.min_stride = o->min_stride;
    measure->refinement.eps = o->max_diff;
    if (!o->sizes) {
        const enum hitop_status status =
            hitop_campaign_sizes(&plan->request, &range, &plan->sizes, &why);
        return of_option("min_size, max_size, stride", status, &why, diag);
    }
    for (int i = 0; i < o->nsizes; i++) {
        if (i > 0 && o->sizes[i] <= o->sizes[i - 1]) {
            return hitop_fail(diag, HITOP_ERR_INVALID,
                              "options.sizes: %zu does not ascend after %zu", o->sizes[i],
                              o->sizes[i - 1]);
        }
    }
    if (o->nsizes < 2) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "options.nsizes: %d sizes; 2 are the fewest",
                          o->nsizes);
    }
    plan->sizes = malloc((size_t)o->nsizes * sizeof(*plan->sizes));
    if (!plan->sizes) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "options: out of memory");
    }
    memcpy(plan->sizes, o->sizes, (size_t)o->nsizes * sizeof(*plan->sizes));
    measure->sizes = plan->sizes;
    measure->nsizes = o->nsizes;
    return HITOP_OK;
}

/* Counts of MPI are int. */
static enum hitop_status check_largest(const struct hitop_estimate_options *o,
                                       const struct hitop_measure_options *measure,
                                       struct hitop_diag *diag)
{
    const size_t largest = measure->sizes[measure->nsizes - 1];

    return largest > INT_MAX
               ? hitop_fail(diag, HITOP_ERR_INVALID, "options.%s: %zu bytes are more than %d",
                            o->sizes ? "sizes" : "max_size", largest, INT_MAX)
               : HITOP_OK;
}

/* Take type, confidence and cache policy of the earlier model, whose classes stay comparable. */
static enum hitop_status follow_earlier(struct hitop_estimate_options *o, struct hitop_diag *diag)
{
    const struct hitop_provenance *then = hitop_model_provenance(o->earlier);

    if (!hitop_model_type_of(o->earlier)->fit) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "options.earlier: models of type %s cannot be measured",
                          hitop_model_type_of(o->earlier)->name);
    }
    o->type = hitop_model_type_of(o->earlier)->name;
    o->confidence = then->confidence > 0 ? then->confidence : o->confidence;
    o->cache = then->cache ? then->cache : hitop_cache_name(HITOP_CACHE_HOT);
    return HITOP_OK;
}

/* Set what has its own name in both. */
static void copy_plain(const struct hitop_estimate_options *o, struct hitop_campaign_request *r)
{
    struct hitop_measure_options *m = &r->options;

    hitop_measure_defaults(m);
    m->eps = o->eps;
    m->confidence = o->confidence;
    m->min_samples = o->min_samples;
    m->max_samples = o->max_samples;
    m->parallel = o->parallel;
    m->seed = o->seed;
    m->budget = o->budget;
    m->time_limit = o->time_limit;
    r->npasses = o->triples > 0 ? o->triples : o->triples < 0 ? 0 : -1;
    r->exact_thresholds = o->exact_thresholds;
    r->tolerance = o->tolerance;
    r->scatter_gather = o->scatter_gather;
    r->is_update = o->earlier != NULL;
    r->capacities = o->capacities && has_groups(o) ? HITOP_CAPACITIES_NEW : HITOP_CAPACITIES_NONE;
}

/* Set the type and what it needs. */
static enum hitop_status choose_type(const struct hitop_estimate_options *o,
                                     struct hitop_estimate_plan *plan, struct hitop_diag *diag)
{
    struct hitop_campaign_request *r = &plan->request;
    struct hitop_diag why = HITOP_DIAG_INIT;
    enum hitop_status status;

    (void)snprintf(plan->type, sizeof(plan->type), "%s", o->type ? o->type : "auto");
    r->type = plan->type;
    status = of_option("type", hitop_campaign_resolve(r, &why), &why, diag);
    if (status == HITOP_OK) {
        status = of_option("min_size", hitop_campaign_check_sizes(r, &why), &why, diag);
    }
    if (status == HITOP_OK && o->line) {
        status = of_option("line", hitop_line_method_find(o->line, &r->line, &why), &why, diag);
    }
    if (status == HITOP_OK && o->triples != 0 && !r->needs_triples) {
        status =
            hitop_fail(diag, HITOP_ERR_INVALID,
                       "options.triples: model %s knows nothing of processors; lmo does", r->type);
    }
    if (status == HITOP_OK && r->scatter_gather) {
        status = of_option("scatter_gather", hitop_campaign_check_fans(r, &why), &why, diag);
    }
    return status;
}

enum hitop_status hitop_estimate_plan(const struct hitop_estimate_options *options,
                                      struct hitop_estimate_plan *out, struct hitop_diag *diag)
{
    struct hitop_estimate_options o = *options;
    struct hitop_diag why = HITOP_DIAG_INIT;
    enum hitop_status status = o.earlier ? follow_earlier(&o, diag) : HITOP_OK;

    *out = (struct hitop_estimate_plan){.tree = o.earlier ? HITOP_TREE_FLAT : o.tree};
    if (status == HITOP_OK) {
        status = check_numbers(&o, diag);
    }
    if (status == HITOP_OK) {
        status = check_tree(&o, diag);
    }
    if (status == HITOP_OK) {
        copy_plain(&o, &out->request);
        status = hitop_cache_find(o.cache ? o.cache : hitop_cache_name(HITOP_CACHE_HOT),
                                  &out->cache, &why);
        status = of_option("cache", status, &why, diag);
    }
    if (status == HITOP_OK) {
        status = choose_links(&o, &out->request, diag);
    }
    if (status == HITOP_OK) {
        status = choose_sizes(&o, out, diag);
    }
    if (status == HITOP_OK) {
        status = check_largest(&o, &out->request.options, diag);
    }
    return status == HITOP_OK ? choose_type(&o, out, diag) : status;
}
