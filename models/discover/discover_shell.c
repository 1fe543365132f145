/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * discover_shell.c - the shells around a pivot become groups.
 *
 * Idea:  the nearest units with the pivot make the innermost group, those with the next shell the
 *        group around it, and so on. Each shell but the nearest is a set with a pivot of its own.
 *        The nearest one should be alike throughout: half of its members are paired to see that.
 *        Where a pair is nearer the pivot is a stranger among them: it waits until the others are
 *        sorted, by one of that pair.
 */
#include <config.h>

#include "models/discover/discover_impl.h"

#include <stdlib.h>

/* Pairs that even a small set is tested with where there are as many. */
enum { FEW_PAIRS = 8 };

struct host_pair {
    int a, b;
};

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
        hitop_nest_place(&s->nest, unit[0], group);
    } else {
        hitop_search_add_task(s, unit, end - begin, group, t->known);
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
        const double x = hitop_latency_level_centre(t->sight, t->n - 1, level, &noise);
        group = hitop_nest_add(&s->nest, group, t->unit[0].host, x, noise);
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
    hitop_nest_place(&s->nest, t->unit[0], group);
    for (int k = 0; k < t->near; k++) {
        hitop_nest_place(&s->nest, t->unit[t->sight[k].index], group);
    }
}

/* The nearest shell, for the test. */
void hitop_task_begin_test(struct task *t)
{
    t->near = level_end(t, 0);
    t->centre = hitop_latency_level_centre(t->sight, t->n - 1, 0, &t->noise);
    t->least = t->sight[0].x;
    t->state = TASK_TEST;
}

/* Whether a pair of the nearest shell is nearer (-1) or farther (1) than the shell is from the
 * pivot. */
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

/* The hosts of the nearest shell in order, or NULL when out of memory. */
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

/*
 * The pairs of the nearest shell to look at; returns how many. Neighbours come first, because they
 * are most likely to have each other near. A pivot that sees all others alike may well be the
 * stranger, which few pairs of a small set would show.
 */
static int list_pairs(const struct task *t, const int *host, struct host_pair *pair)
{
    const int n = t->near, all = n * (n - 1) / 2, is_flat = n == t->n - 1;
    const int least = all < FEW_PAIRS ? all : FEW_PAIRS;
    const int most = is_flat && n / 2 < least ? least : n / 2;
    int found = 0;

    for (int distance = 1; found < most; distance++) {
        for (int begin = 0; begin < 2; begin++) {
            for (int i = begin; i + distance < n && found < most; i += 2) {
                pair[found++] = (struct host_pair){host[i], host[i + distance]};
            }
        }
    }
    return found;
}

/* Ask for the pairs that are not known well enough; 1 when all are. */
static int know_pairs(struct search *s, const struct task *t, const struct host_pair *pair, int n)
{
    int missing = 0;

    for (int k = 0; k < n && !s->is_exhausted; k++) {
        const struct latency_value v = hitop_latency_table_get(&s->table, pair[k].a, pair[k].b);
        if (v.visits == 0 || (v.visits == 1 && compare_to_shell(s, t, v.x) != 0)) {
            hitop_search_wish(s, pair[k].a, pair[k].b, hitop_search_first_width(s));
            missing++;
        }
    }
    return missing == 0;
}

/* A host of the first pair that is nearer, or -1; those that are farther are reported. */
static int find_nearer(struct search *s, struct task *t, const struct host_pair *pair, int n)
{
    int hit = -1;

    for (int k = 0; k < n; k++) {
        const struct latency_value v = hitop_latency_table_get(&s->table, pair[k].a, pair[k].b);
        const int order = v.visits > 0 ? compare_to_shell(s, t, v.x) : 0;

        if (v.visits == 0) {
            t->is_open = 1;
        } else if (order < 0 && hit < 0) {
            hit = pair[k].a;
        } else if (order > 0) {
            hitop_search_odd(s, pair[k].a, pair[k].b, v.x, t->centre);
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
    hitop_search_add_late(s, &(struct late){.unit = t->unit[0],
                                            .near = t->unit[t->sight[0].index].host,
                                            .x = t->centre,
                                            .se = t->noise,
                                            .into = t->into,
                                            .known = t->known});
    hitop_search_add_task(s, unit, t->n - 1, t->into, t->known);
    free(unit);
}

void hitop_task_test(struct search *s, struct task *t)
{
    int *host = nearest_hosts(t);
    struct host_pair *pair = calloc((size_t)t->near + FEW_PAIRS, sizeof(*pair));
    const int npairs = host && pair ? list_pairs(t, host, pair) : 0;
    int hit;

    if (!host || !pair) {
        s->out_of_memory = 1;
    } else if (know_pairs(s, t, pair, npairs)) {
        hit = find_nearer(s, t, pair, npairs);
        if (hit >= 0) {
            search_without_pivot(s, t, hit);
        } else {
            settle(s, t);
        }
        t->state = TASK_DONE;
    }
    free(pair);
    free(host);
}
