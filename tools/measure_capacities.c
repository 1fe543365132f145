/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_capacities.c - how many messages the ways of groups carry at once, for --capacities. */
#include <config.h>

#include "measure_request.h"

#include "hitop/capacity.h"

#include <math.h>
#include <stdlib.h>

/* Messages that a way is filled with: long ones, so that it matters little when they meet. */
static const size_t least_size = (size_t)1 << 20;

/* Half width of an interval, relative, above which a capacity is not to be trusted. */
static const double rough = 0.2;

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

enum hitop_status measure_capacities(const struct hitop_transport *transport,
                                     struct measure_result *result, struct hitop_diag *diag)
{
    struct measure_capacities *c = &result->capacities;
    struct hitop_measure_options options = result->links.options;
    const size_t largest = options.sizes[options.nsizes - 1];
    const size_t sizes[] = {0, largest > least_size ? largest : least_size};
    enum hitop_status status = HITOP_OK;

    if (transport->rank <= 0) {
        status = hitop_capacities_choose(result->h, &c->plan, diag);
    }
    status = measure_agree(transport, status, diag);
    options.part = "capacities";
    options.sizes = sizes;
    options.nsizes = 2;
    if (status == HITOP_OK) {
        status = measure_crowd_plan(transport, result, &options, &c->plan.crowds, c->plan.nkinds,
                                    &c->crowds, diag);
    }
    if (status == HITOP_OK && c->crowds.list) {
        status = judge(result, diag);
    }
    return measure_agree(transport, status, diag);
}

int measure_capacities_plan(const struct tool *tool, const struct measure_result *result)
{
    struct hitop_capacity_plan plan;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const enum hitop_status status = hitop_capacities_choose(result->h, &plan, &diag);
    int most = 0;

    for (int k = 0; k < plan.nkinds; k++) {
        most = plan.kind[k].npairs > most ? plan.kind[k].npairs : most;
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
    if (k->named > 0) {
        printf("%.3g, as the hierarchy says\n", k->named);
    } else if (found->is_shared) {
        printf("%.3g (%.3g to %.3g), from %d messages at once\n", found->value, found->lo,
               found->hi, k->npairs);
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

int measure_capacities_are_rough(const struct tool *tool, const struct measure_result *result)
{
    const struct measure_capacities *c = &result->capacities;
    int nrough = 0;

    for (int k = 0; c->found && k < c->plan.nkinds; k++) {
        nrough += c->found[k].is_shared &&
                  c->found[k].hi - c->found[k].lo > 2 * rough * c->found[k].value;
    }
    if (nrough > 0) {
        tool_error(tool,
                   "%d of %d capacities are not known to %g %%, so the result is not trustworthy; "
                   "try a quieter machine",
                   nrough, c->plan.nkinds, 100 * rough);
    }
    return nrough > 0;
}
