/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * discover_task.c - one set, as its pivot sees it.
 *
 * Idea:  a pivot measures all others until the levels of their latencies can be believed; they are
 *        shells of groups around it. What noise leaves open counts as one level. A unit that stands
 *        for a group must be nearer inside than its surroundings are, or else its members take its
 *        place.
 */
#include <config.h>

#include "models/discover/discover_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROUNDS = 4 };

static struct latency_value look(const struct search *s, int a, int b)
{
    return hitop_latency_table_get(&s->table, a, b);
}

static void place_all(struct search *s, const struct task *t, int group)
{
    for (int i = 0; i < t->n; i++) {
        hitop_nest_place(&s->nest, t->unit[i], group);
    }
}

/* Nothing more can be measured: what is not known makes no groups. */
static void leave(struct search *s, struct task *t)
{
    int group = t->into;

    if (group < 0) {
        group = hitop_nest_add(&s->nest, -1, t->unit[0].host, NAN, 0);
        s->out_of_memory = s->out_of_memory || group < 0;
        s->state[t->known].top = group;
    }
    if (group >= 0) {
        place_all(s, t, group);
        s->nest.group[group].is_open = 1;
    }
    s->nunsearched += t->n;
    t->state = TASK_DONE;
}

/* What the pivot sees; 0 when something is still to be measured. */
static int see(struct search *s, struct task *t)
{
    int missing = 0;

    for (int i = 1; i < t->n; i++) {
        const int from = t->via[i] >= 0 ? t->via[i] : t->unit[0].host;
        const struct latency_value v = look(s, from, t->unit[i].host);

        if (v.visits == 0) {
            hitop_search_wish(s, from, t->unit[i].host, hitop_search_first_width(s));
            missing++;
        }
        t->sight[i - 1] = (struct sight){.index = i, .x = v.x, .se = v.se, .visits = v.visits};
    }
    return missing == 0;
}

/* Ask for more samples where the levels cannot be believed yet; 1 when there is nothing to ask
 * for. */
static int is_believed(struct search *s, struct task *t)
{
    if (s->is_exhausted || t->rounds == MAX_ROUNDS ||
        hitop_latency_levels_doubt(t->sight, t->n - 1, s->step) == 0) {
        return 1;
    }
    t->rounds++;
    for (int k = 0; k < t->n - 1; k++) {
        const int i = t->sight[k].index;
        if (t->sight[k].wanted > 0) {
            hitop_search_wish(s, t->via[i] >= 0 ? t->via[i] : t->unit[0].host, t->unit[i].host,
                              fmin(t->sight[k].wanted, hitop_search_first_width(s)));
        }
    }
    return 0;
}

/* A single unit far out, at sight k, may just have a bad link to the pivot: ask the pivot's
 * nearest. 1 when that changes nothing. */
static int check_lone(struct search *s, struct task *t, int k)
{
    const int i = t->sight[k].index, nearest = t->sight[0].index;
    const struct latency_value direct = look(s, t->unit[0].host, t->unit[i].host);
    const struct latency_value other = look(s, t->unit[nearest].host, t->unit[i].host);

    if (t->via[i] >= 0) {
        return 1;
    }
    if (other.visits == 0) {
        if (!s->is_exhausted) {
            hitop_search_wish(s, t->unit[nearest].host, t->unit[i].host,
                              hitop_search_first_width(s));
        }
        return s->is_exhausted;
    }
    if (other.x > direct.x - s->step) {
        return 1;
    }
    t->via[i] = t->unit[nearest].host;
    hitop_search_odd(s, t->unit[0].host, t->unit[i].host, direct.x, other.x);
    return 0;
}

static int is_lone(const struct task *t, int k)
{
    const int n = t->n - 1, level = t->sight[k].level;

    return level > 0 && t->sight[k - 1].level != level &&
           (k + 1 == n || t->sight[k + 1].level != level);
}

static int check_lone_ones(struct search *s, struct task *t)
{
    int is_settled = 1;

    for (int k = 1; k < t->n - 1; k++) {
        is_settled = (!is_lone(t, k) || check_lone(s, t, k)) && is_settled;
    }
    return is_settled;
}

/* Whether a unit that is a group turns out to be none, because others are no farther than its
 * members. */
static int is_refuted(const struct search *s, const struct task *t, int i)
{
    const struct unit u = t->unit[i];
    const struct nest_group *g = u.group >= 0 ? &s->nest.group[u.group] : NULL;
    const double nearest = i == 0 ? t->sight[0].x : look(s, t->unit[0].host, t->unit[i].host).x;

    return g && !g->is_fixed && g->x >= nearest - s->step;
}

/* Put the members of refuted groups in their places and begin again; 0 when all groups hold. */
static int expand(struct search *s, struct task *t)
{
    struct unit *unit = NULL, first;
    int n = 0, pivot = 0, any = 0;

    for (int i = 0; i < t->n && !any; i++) {
        any = is_refuted(s, t, i);
    }
    if (!any) {
        return 0;
    }
    unit = calloc((size_t)s->nest.nhosts, sizeof(*unit));
    if (!unit) {
        s->out_of_memory = 1;
        return 1;
    }
    for (int i = 0; i < t->n; i++) {
        if (is_refuted(s, t, i)) {
            n += hitop_nest_members(&s->nest, t->unit[i].group, unit + n);
            hitop_nest_dissolve(&s->nest, t->unit[i].group, -1);
        } else {
            unit[n++] = t->unit[i];
        }
    }
    while (unit[pivot].host != t->unit[0].host) {
        pivot++;
    }
    first = unit[pivot];
    memmove(unit + 1, unit, (size_t)pivot * sizeof(*unit));
    unit[0] = first;
    hitop_search_add_task(s, unit, n, t->into, t->known);
    t->state = TASK_DONE;
    free(unit);
    return 1;
}

/* Levels that noise leaves open count as one; single units stay where they seem to be. */
static void give_in(struct search *s, struct task *t)
{
    const int open = hitop_latency_levels_give_in(t->sight, t->n - 1, s->step);
    const struct sight *middle = &t->sight[(t->n - 1) / 2];
    char name[32], other[32];

    t->is_open = open > 0;
    s->nopen += open > 0;
    if (open > 0) {
        hitop_search_warn(
            s,
            "noise leaves open whether %d hosts around %s are one group or more; they are "
            "%.3g us +- %.2g %% away",
            t->n, hitop_search_name(s, t->unit[0].host, name, sizeof(name)), 1e6 * exp(middle->x),
            196 * middle->se);
    }
    for (int k = 0; k < t->n - 1; k++) {
        const struct sight *doubtful = &t->sight[k];
        if (doubtful->wanted > 0) {
            s->nopen++;
            hitop_search_warn(
                s, "noise leaves open how far %s is from %s: %.3g us +- %.2g %%",
                hitop_search_name(s, t->unit[doubtful->index].host, name, sizeof(name)),
                hitop_search_name(s, t->unit[0].host, other, sizeof(other)), 1e6 * exp(doubtful->x),
                196 * doubtful->se);
        }
    }
}

void hitop_task_step(struct search *s, struct task *t)
{
    if (t->state == TASK_LOOK) {
        if (!see(s, t)) {
            if (s->is_exhausted) {
                leave(s, t);
            }
            return;
        }
        (void)hitop_latency_levels_find(t->sight, t->n - 1, s->step);
        if (!is_believed(s, t) || !check_lone_ones(s, t)) {
            return;
        }
        give_in(s, t);
        if (expand(s, t)) {
            return;
        }
        hitop_task_begin_test(t);
    }
    hitop_task_test(s, t);
}
