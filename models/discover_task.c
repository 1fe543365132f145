/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * discover_task.c - the groups within one set, as its pivot sees them.
 *
 * Idea:  a pivot measures all others; the levels of their latencies are shells of groups around it: the
 *        nearest ones with it make the innermost group, those with the next shell the group around it, and
 *        so on. Each shell but the nearest is a set with a pivot of its own. The nearest one should be
 *        alike throughout: half of its members are paired to see that. Where a pair is nearer the pivot
 *        is a stranger among them: it waits until the others are sorted, by one of that pair.
 */
#include <config.h>

#include "discover_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROUNDS = 4 };

static struct latency_value look(const struct search *s, int a, int b)
{
    return latency_table_get(&s->table, a, b);
}

/* Half width of the intervals of a first visit. */
static double first_width(const struct search *s)
{
    return fmin(0.05, 0.5 * s->step);
}

static void place_all(struct search *s, const struct task *t, int group)
{
    for (int i = 0; i < t->n; i++) {
        nest_place(&s->nest, t->unit[i], group);
    }
}

/* Nothing more can be measured: what is not known makes no groups. */
static void leave(struct search *s, struct task *t)
{
    int group = t->into;

    if (group < 0) {
        group = nest_add(&s->nest, -1, t->unit[0].host, NAN, 0);
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
            search_wish(s, from, t->unit[i].host, first_width(s));
            missing++;
        }
        t->sight[i - 1] = (struct sight){.index = i, .x = v.x, .se = v.se, .visits = v.visits};
    }
    return missing == 0;
}

/* Ask for more samples where the levels cannot be believed yet; 1 when there is nothing to ask for. */
static int is_believed(struct search *s, struct task *t)
{
    if (s->is_exhausted || t->rounds == MAX_ROUNDS ||
        latency_levels_doubt(t->sight, t->n - 1, s->step) == 0) {
        return 1;
    }
    t->rounds++;
    for (int k = 0; k < t->n - 1; k++) {
        const int i = t->sight[k].index;
        if (t->sight[k].wanted > 0) {
            search_wish(s, t->via[i] >= 0 ? t->via[i] : t->unit[0].host, t->unit[i].host,
                        fmin(t->sight[k].wanted, first_width(s)));
        }
    }
    return 0;
}

/* A single unit far out, at sight k, may just have a bad link to the pivot: ask the pivot's nearest. 1
 * when that changes nothing. */
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
            search_wish(s, t->unit[nearest].host, t->unit[i].host, first_width(s));
        }
        return s->is_exhausted;
    }
    if (other.x > direct.x - s->step) {
        return 1;
    }
    t->via[i] = t->unit[nearest].host;
    search_odd(s, t->unit[0].host, t->unit[i].host, direct.x, other.x);
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

/* Whether a unit that is a group turns out to be none, because others are no farther than its members. */
static int is_refuted(const struct search *s, const struct task *t, int i)
{
    const struct unit u = t->unit[i];
    const struct nest_group *g = u.group >= 0 ? &s->nest.group[u.group] : NULL;
    const double nearest = i == 0 ? t->sight[0].x : look(s, t->unit[0].host, t->unit[i].host).x;

    if (!g || g->is_fixed || isnan(g->x) || g->x < nearest - s->step) {
        return 0;
    }
    return g->x > nearest + s->step || nest_has_groups(&s->nest, u.group);
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
            n += nest_members(&s->nest, t->unit[i].group, unit + n);
            nest_dissolve(&s->nest, t->unit[i].group, -1);
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
    search_add_task(s, unit, n, t->into, t->known);
    t->state = TASK_DONE;
    free(unit);
    return 1;
}

/* Levels that noise leaves open count as one. */
static void give_in(struct search *s, struct task *t)
{
    const int open = latency_levels_give_in(t->sight, t->n - 1, s->step);
    const struct sight *middle = &t->sight[(t->n - 1) / 2];
    char name[32];

    t->is_open = open > 0;
    s->nopen += open > 0;
    if (open > 0) {
        search_warn(s,
                    "noise leaves open whether %d hosts around %s are one group or more; they are "
                    "%.3g us +- %.2g %% away",
                    t->n, search_name(s, t->unit[0].host, name, sizeof(name)), 1e6 * exp(middle->x),
                    196 * middle->se);
    }
}

/* Sights k and on that are on one level; returns the first one behind. */
static int level_end(const struct task *t, int k)
{
    const int level = t->sight[k].level;

    while (k < t->n - 1 && t->sight[k].level == level) {
        k++;
    }
    return k;
}

/* Search among the units at sights begin..end. */
static void search_shell(struct search *s, const struct task *t, int begin, int end, int group)
{
    struct unit *unit = calloc((size_t)(end - begin), sizeof(*unit));

    if (!unit) {
        s->out_of_memory = 1;
        return;
    }
    for (int k = begin; k < end; k++) {
        unit[k - begin] = t->unit[t->sight[k].index];
    }
    if (end - begin == 1) {
        nest_place(&s->nest, unit[0], group);
    } else {
        search_add_task(s, unit, end - begin, group, t->known);
    }
    free(unit);
}

/* Shells become groups, from the outermost one inwards. */
static void settle(struct search *s, struct task *t)
{
    const int nlevels = t->sight[t->n - 2].level + 1;
    int group = t->into;

    for (int level = nlevels - 1; level >= 0; level--) {
        double noise;
        const double x = latency_level_centre(t->sight, t->n - 1, level, &noise);
        group = nest_add(&s->nest, group, t->unit[0].host, x, noise);
        if (group < 0) {
            s->out_of_memory = 1;
            return;
        }
        s->nest.group[group].is_open = t->is_open;
        if (t->into < 0 && level == nlevels - 1) {
            s->state[t->known].top = group;
        }
        if (level > 0) {
            int begin = t->n - 1;
            while (t->sight[begin - 1].level >= level) {
                begin--;
            }
            search_shell(s, t, begin, level_end(t, begin), group);
        }
    }
    nest_place(&s->nest, t->unit[0], group);
    for (int k = 0; k < t->near; k++) {
        nest_place(&s->nest, t->unit[t->sight[k].index], group);
    }
}

/* The nearest shell, for the test. */
static void begin_test(struct task *t)
{
    t->near = level_end(t, 0);
    t->centre = latency_level_centre(t->sight, t->n - 1, 0, &t->noise);
    t->least = t->sight[0].x;
    t->state = TASK_TEST;
}

/* Whether a pair of the nearest shell is nearer (-1) or farther (1) than the shell is from the pivot. */
static int compare_to_shell(const struct search *s, const struct task *t, double x)
{
    if (x < t->centre - s->step && x < t->least - 0.4 * s->step) {
        return -1;
    }
    return x > t->centre + s->step;
}

static int by_host(const void *a, const void *b)
{
    const int *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Neighbours are paired, because they are most likely to have each other near. */
static int *nearest_hosts(const struct task *t)
{
    int *host = calloc((size_t)t->near, sizeof(*host));

    for (int k = 0; k < t->near && host; k++) {
        host[k] = t->unit[t->sight[k].index].host;
    }
    if (host) {
        qsort(host, (size_t)t->near, sizeof(*host), by_host);
    }
    return host;
}

/* Ask for the pairs that are not known well enough; 1 when all are. */
static int know_pairs(struct search *s, const struct task *t, const int *host)
{
    int missing = 0;

    for (int k = 0; k + 1 < t->near && !s->is_exhausted; k += 2) {
        const struct latency_value v = look(s, host[k], host[k + 1]);
        if (v.visits == 0 || (v.visits == 1 && compare_to_shell(s, t, v.x) != 0)) {
            search_wish(s, host[k], host[k + 1], first_width(s));
            missing++;
        }
    }
    return missing == 0;
}

/* A host of the first pair that is nearer, or -1; those that are farther are told. */
static int find_nearer(struct search *s, struct task *t, const int *host)
{
    int hit = -1;

    for (int k = 0; k + 1 < t->near; k += 2) {
        const struct latency_value v = look(s, host[k], host[k + 1]);
        const int order = v.visits > 0 ? compare_to_shell(s, t, v.x) : 0;

        if (v.visits == 0) {
            t->is_open = 1;
        } else if (order < 0 && hit < 0) {
            hit = host[k];
        } else if (order > 0) {
            search_odd(s, host[k], host[k + 1], v.x, t->centre);
        }
    }
    return hit;
}

/* Sort all but the pivot, with another pivot; that one finds its place among them later. */
static void search_without_pivot(struct search *s, const struct task *t, int pivot)
{
    struct unit *unit = calloc((size_t)t->n, sizeof(*unit));
    int at = 1;

    if (!unit) {
        s->out_of_memory = 1;
        return;
    }
    while (t->unit[at].host != pivot) {
        at++;
    }
    unit[0] = t->unit[at];
    for (int i = 1, n = 1; i < t->n; i++) {
        if (i != at) {
            unit[n++] = t->unit[i];
        }
    }
    search_add_late(s, &(struct late){.unit = t->unit[0],
                                      .near = t->unit[t->sight[0].index].host,
                                      .x = t->centre,
                                      .se = t->noise,
                                      .known = t->known});
    search_add_task(s, unit, t->n - 1, t->into, t->known);
    free(unit);
}

static void test(struct search *s, struct task *t)
{
    int *host = nearest_hosts(t);
    int hit;

    if (!host) {
        s->out_of_memory = 1;
    } else if (know_pairs(s, t, host)) {
        hit = find_nearer(s, t, host);
        if (hit >= 0) {
            search_without_pivot(s, t, hit);
        } else {
            settle(s, t);
        }
        t->state = TASK_DONE;
    }
    free(host);
}

void task_step(struct search *s, struct task *t)
{
    if (t->state == TASK_LOOK) {
        if (!see(s, t)) {
            if (s->is_exhausted) {
                leave(s, t);
            }
            return;
        }
        (void)latency_levels_find(t->sight, t->n - 1, s->step);
        if (!is_believed(s, t) || !check_lone_ones(s, t)) {
            return;
        }
        give_in(s, t);
        if (expand(s, t)) {
            return;
        }
        begin_test(t);
    }
    test(s, t);
}
