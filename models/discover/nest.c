/* SPDX-License-Identifier: BSD-3-Clause */
/* nest.c - nested groups of hosts while they are being found. */
#include <config.h>

#include "models/discover/nest.h"

#include <math.h>
#include <stdlib.h>

int hitop_nest_init(struct nest *nest, int nhosts)
{
    *nest = (struct nest){.nhosts = nhosts};
    nest->home = calloc((size_t)nhosts, sizeof(*nest->home));
    for (int i = 0; nest->home && i < nhosts; i++) {
        nest->home[i] = -1;
    }
    return nest->home != NULL;
}

void hitop_nest_clear(struct nest *nest)
{
    free(nest->home);
    free(nest->group);
    *nest = (struct nest){0};
}

int hitop_nest_add(struct nest *nest, int parent, int speaker, double x, double se)
{
    if (nest->ngroups == nest->max_groups) {
        const int max = nest->max_groups > 0 ? 2 * nest->max_groups : 32;
        struct nest_group *larger = reallocarray(nest->group, (size_t)max, sizeof(*larger));
        if (!larger) {
            return -1;
        }
        nest->group = larger;
        nest->max_groups = max;
    }
    nest->group[nest->ngroups] =
        (struct nest_group){.parent = parent, .speaker = speaker, .x = x, .se = se};
    return nest->ngroups++;
}

void hitop_nest_place(struct nest *nest, struct unit unit, int group)
{
    if (unit.group >= 0) {
        nest->group[unit.group].parent = group;
    } else {
        nest->home[unit.host] = group;
    }
}

static int by_host(const void *a, const void *b)
{
    const struct unit *x = a, *y = b;

    return (x->host > y->host) - (x->host < y->host);
}

int hitop_nest_members(const struct nest *nest, int group, struct unit *members)
{
    int n = 0;

    for (int i = 0; i < nest->ngroups; i++) {
        if (!nest->group[i].is_gone && nest->group[i].parent == group) {
            members[n++] = (struct unit){nest->group[i].speaker, i};
        }
    }
    for (int host = 0; host < nest->nhosts; host++) {
        if (nest->home[host] == group) {
            members[n++] = (struct unit){host, -1};
        }
    }
    qsort(members, (size_t)n, sizeof(*members), by_host);
    return n;
}

void hitop_nest_dissolve(struct nest *nest, int group, int heir)
{
    for (int i = 0; i < nest->ngroups; i++) {
        if (nest->group[i].parent == group) {
            nest->group[i].parent = heir;
        }
    }
    for (int host = 0; host < nest->nhosts; host++) {
        if (nest->home[host] == group) {
            nest->home[host] = heir;
        }
    }
    if (heir >= 0) {
        nest->group[heir].is_open = nest->group[heir].is_open || nest->group[group].is_open;
    }
    nest->group[group].is_gone = 1;
}

static int depth_of(const struct nest *nest, int group)
{
    int depth = 0;

    for (; group >= 0; group = nest->group[group].parent) {
        depth++;
    }
    return depth;
}

int hitop_nest_meet(const struct nest *nest, int a, int b)
{
    int x = nest->home[a], y = nest->home[b];
    int depth_x = depth_of(nest, x), depth_y = depth_of(nest, y);

    while (x != y) {
        if (depth_x >= depth_y) {
            x = nest->group[x].parent;
            depth_x--;
        } else {
            y = nest->group[y].parent;
            depth_y--;
        }
    }
    return x;
}

/* Whether a group says nothing that the one around it does not. */
static int is_idle(const struct nest *nest, int group, double step)
{
    const struct nest_group *g = &nest->group[group];
    const double around = g->parent >= 0 ? nest->group[g->parent].x : NAN;

    if (g->is_gone || g->is_fixed || g->parent < 0) {
        return 0;
    }
    return isnan(g->x) || g->x >= around - step;
}

void hitop_nest_tidy(struct nest *nest, double step)
{
    int changed;

    do {
        changed = 0;
        for (int i = 0; i < nest->ngroups; i++) {
            /* outer groups first: what is around a group must stay */
            if (is_idle(nest, i, step) && !is_idle(nest, nest->group[i].parent, step)) {
                hitop_nest_dissolve(nest, i, nest->group[i].parent);
                changed = 1;
            }
        }
    } while (changed);
}

/*
 * That a link of this noise is on the right side of a cut in the middle of the gap around the
 * group. Time alone proves nothing for certain.
 */
static double confidence_of(const struct nest *nest, int group, double share)
{
    const struct nest_group *g = &nest->group[group];
    const double gap = g->parent >= 0 ? nest->group[g->parent].x - g->x : INFINITY;
    double confidence = 0.99;

    if (isnan(g->x) || g->is_open) {
        return 0.5 * share;
    }
    if (isfinite(gap) && g->se > 0) {
        confidence = fmin(confidence, erf(fmax(gap, 0) / (2 * g->se) / sqrt(2)));
    }
    return confidence * share;
}

/* Number the groups that remain, those around others first; returns how many. */
static int number_groups(const struct nest *nest, int *order, int *number)
{
    int n = 0;

    for (int i = 0; i < nest->ngroups; i++) {
        if (!nest->group[i].is_gone && nest->group[i].parent < 0) {
            number[i] = n;
            order[n++] = i;
        }
    }
    for (int done = 0; done < n; done++) {
        for (int i = 0; i < nest->ngroups; i++) {
            if (!nest->group[i].is_gone && nest->group[i].parent == order[done]) {
                number[i] = n;
                order[n++] = i;
            }
        }
    }
    return n;
}

enum hitop_status hitop_nest_export(const struct nest *nest, double share,
                                    struct hitop_host_groups *out, struct hitop_diag *diag)
{
    int *order = calloc((size_t)nest->ngroups + 1, sizeof(*order));
    int *number = calloc((size_t)nest->ngroups + 1, sizeof(*number));
    enum hitop_status status = HITOP_OK;

    *out = (struct hitop_host_groups){.nhosts = nest->nhosts};
    out->group = calloc((size_t)nest->ngroups + 1, sizeof(*out->group));
    out->home = calloc((size_t)nest->nhosts, sizeof(*out->home));
    if (!order || !number || !out->group || !out->home) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "groups: out of memory");
        goto out;
    }
    out->ngroups = number_groups(nest, order, number);
    for (int i = 0; i < out->ngroups; i++) {
        const struct nest_group *g = &nest->group[order[i]];
        out->group[i] =
            (struct hitop_host_group){.parent = g->parent >= 0 ? number[g->parent] : -1,
                                      .is_fixed = g->is_fixed,
                                      .seconds = isnan(g->x) ? 0 : exp(g->x),
                                      .confidence = confidence_of(nest, order[i], share)};
    }
    for (int host = 0; host < nest->nhosts; host++) {
        out->home[host] = number[nest->home[host]];
    }

out:
    free(number);
    free(order);
    return status;
}
