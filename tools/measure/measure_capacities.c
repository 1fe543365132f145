/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_capacities.c - how many messages the ways of groups carry at once: a probe, then what is
 * slow. */
#include <config.h>

#include "tools/measure/measure.h"

#include "models/measure/capacity.h"

#include <math.h>
#include <stdlib.h>

/* Messages that a way is filled with: long ones, so that it matters little when they meet. */
static const size_t least_size = (size_t)1 << 20;

/* Half width of an interval, relative, above which a capacity is not to be trusted. */
static const double rough = 0.2;

static size_t longest(const struct hitop_measure_options *o)
{
    const size_t largest = o->sizes[o->nsizes - 1];

    return largest > least_size ? largest : least_size;
}

/* At the rank that writes: what it all comes to. */
static enum hitop_status judge(struct measure_result *result, struct hitop_diag *diag)
{
    struct measure_capacities *c = &result->capacities;
    struct hitop_hierarchy *h = NULL;
    enum hitop_status status;

    c->found = calloc((size_t)c->plan.nkinds + 1, sizeof(*c->found));
    if (!c->found) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "capacities: out of memory");
    }
    status = hitop_capacities_judge(result->h, &c->plan, &c->crowds,
                                    result->run.request->options.confidence, c->found, diag);
    if (status == HITOP_OK) {
        status = hitop_capacities_apply(result->h, &c->plan, c->found, &h, diag);
    }
    if (status == HITOP_OK) {
        hitop_hierarchy_free(result->h);
        result->h = h;
    }
    return status;
}

/* As many crowds as there is time for. All ranks know alike how much is left. */
static enum hitop_status measure_until(const struct hitop_transport *t,
                                       struct measure_result *result,
                                       struct hitop_measure_options *options, double end,
                                       struct hitop_diag *diag)
{
    struct measure_capacities *c = &result->capacities;
    const enum hitop_status status = measure_run_agree(t, &result->run, diag);

    options->budget = fmax(0, end - result->run.elapsed);
    return status == HITOP_OK ? measure_crowd_plan(t, result, options, &c->plan.crowds,
                                                   c->plan.nkinds, &c->crowds, diag)
                              : status;
}

/* One probe, of kinds that are not done; what is left to do, on all ranks. */
static enum hitop_status probe(const struct hitop_transport *t, struct measure_result *result,
                               struct hitop_measure_options *options, double end, int step,
                               int *left, struct hitop_diag *diag)
{
    struct measure_capacities *c = &result->capacities;
    struct hitop_crowds before = c->crowds;
    enum hitop_status status = HITOP_OK;
    char part[32];

    c->crowds = (struct hitop_crowds){0};
    if (t->rank <= 0) {
        status =
            hitop_capacities_probe(result->h, &c->plan, before.list ? &before : NULL, left, diag);
    } else {
        hitop_crowd_plan_clear(&c->plan.crowds);
    }
    hitop_crowds_clear(&before);
    status = measure_agree(t, status, diag);
    if (status == HITOP_OK) {
        status = t->share(t->self, left, sizeof(*left), diag);
    }
    (void)snprintf(part, sizeof(part), "probe %d", step);
    options->part = part;
    return status == HITOP_OK && *left > 0 ? measure_until(t, result, options, end, diag) : status;
}

/* Until it is known which ways are slow. Leaves the plan of those. */
static enum hitop_status probe_all(const struct hitop_transport *t, struct measure_result *result,
                                   struct hitop_measure_options *options, double end,
                                   struct hitop_diag *diag)
{
    struct measure_capacities *c = &result->capacities;
    enum hitop_status status = HITOP_OK;
    int left = 1;

    if (t->rank <= 0) {
        status = hitop_capacities_choose(result->h, &c->plan, diag);
    }
    status = measure_agree(t, status, diag);
    for (int step = 1; status == HITOP_OK && left > 0 && !result->run.was_interrupted; step++) {
        status = probe(t, result, options, end, step, &left, diag);
    }
    hitop_crowds_clear(&c->crowds);
    if (status == HITOP_OK && t->rank <= 0) {
        status = hitop_capacities_crowds(result->h, &c->plan, diag);
    } else {
        hitop_crowd_plan_clear(&c->plan.crowds);
    }
    return measure_agree(t, status, diag);
}

enum hitop_status measure_capacities(const struct hitop_transport *transport,
                                     struct measure_result *result, struct hitop_diag *diag)
{
    struct hitop_measure_options options = result->links.options;
    const double end = result->run.elapsed + measure_run_share(&result->run, "capacities");
    const size_t sizes[] = {longest(&options) / 4,
                            longest(&options)}; /* both beyond what precedes the bytes */
    enum hitop_status status;

    options.sizes = &sizes[1];
    options.nsizes = 1;
    status = probe_all(transport, result, &options, end, diag);
    options.part = "capacities";
    options.sizes = sizes;
    options.nsizes = 2;
    if (status == HITOP_OK && !result->run.was_interrupted) {
        status = measure_until(transport, result, &options, end, diag);
    }
    if (status == HITOP_OK && transport->rank <= 0 && !result->run.was_interrupted) {
        status = judge(result, diag);
    }
    return measure_agree(transport, status, diag);
}

/* Seconds for a kind: all probes, and the measurement as if two messages took twice as long as one.
 * */
static double guess(const struct hitop_cost *cost, const struct hitop_hierarchy *h,
                    const struct hitop_group_kind *kind, size_t bytes)
{
    static const double visit = 0.02;
    int n;
    const int *member = hitop_hierarchy_children(h, hitop_hierarchy_parent(h, kind->node), &n);
    const int from = hitop_hierarchy_first_rank(h, kind->node);
    const int to = hitop_hierarchy_first_rank(h, member[member[0] == kind->node]);
    const double one = cost->p2p(cost->self, from, to, bytes);
    const double probes = ceil(log2(kind->most));

    return kind->named > 0 ? 0 : 4 * probes * fmax(visit, 4 * one) + 40 * fmax(visit, 12 * one);
}

int measure_capacities_plan(const struct tool *tool, const struct measure_result *result,
                            const struct hitop_cost *cost, double *seconds)
{
    struct hitop_capacity_plan plan;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const enum hitop_status status = hitop_capacities_choose(result->h, &plan, &diag);
    int most = 0;

    *seconds = 0;
    for (int k = 0; k < plan.nkinds; k++) {
        most = plan.kind[k].most > most ? plan.kind[k].most : most;
        *seconds += guess(cost, result->h, &plan.kind[k], longest(&result->links.options));
    }
    printf("%-12s of %d kinds of groups, with up to %d messages at once\n", "capacities",
           plan.nkinds, most);
    hitop_capacity_plan_clear(&plan);
    return status == HITOP_OK ? TOOL_DONE : tool_fail(tool, status, &diag);
}

void measure_capacities_clear(struct measure_capacities *capacities)
{
    hitop_crowds_clear(&capacities->crowds);
    hitop_capacity_plan_clear(&capacities->plan);
    free(capacities->found);
}

static void print_kind(const struct measure_result *result, int kind)
{
    const struct hitop_group_kind *k = &result->capacities.plan.kind[kind];
    const struct hitop_capacity *found = &result->capacities.found[kind];
    const char *level = hitop_hierarchy_level(result->h, k->node);

    printf("capacity of %d %s of %d ranks: ", k->ngroups, level[0] ? level : "groups",
           hitop_hierarchy_count_ranks(result->h, k->node));
    if (isinf(k->named)) {
        printf("unlimited, as the hierarchy says\n");
    } else if (k->named > 0) {
        printf("%.3g, as the hierarchy says\n", k->named);
    } else if (found->is_shared) {
        printf("%.3g (%.3g to %.3g), from %d messages at once\n", found->value, found->lo,
               found->hi, k->npairs);
    } else if (!found->is_known) {
        printf("not known, times do not tell\n");
    } else {
        printf("%d messages at once have room, or ways inside have less\n", k->npairs);
    }
}

void measure_capacities_print(const struct measure_result *result)
{
    for (int k = 0; result->capacities.found && k < result->capacities.plan.nkinds; k++) {
        print_kind(result, k);
    }
}

void measure_capacities_doubt(struct measure_result *result)
{
    const struct measure_capacities *c = &result->capacities;
    int nrough = 0;

    for (int k = 0; c->found && k < c->plan.nkinds; k++) {
        nrough += !c->found[k].is_known ||
                  (c->found[k].is_shared &&
                   c->found[k].hi - c->found[k].lo > 2 * rough * c->found[k].value);
    }
    if (nrough > 0) {
        measure_run_doubt(&result->run, "%d of %d capacities are not known to %g %%", nrough,
                          c->plan.nkinds, 100 * rough);
    }
}
