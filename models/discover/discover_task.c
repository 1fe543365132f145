/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * discover_task.c - search one set of units, by their latencies to its pivot.
 *
 * Idea:  a pivot measures all others until the levels of their latencies are reliable; the levels
 *        are shells of groups around it. Levels that noise leaves open count as one. The latency
 *        inside a unit that is a group must be below the latency to other units; else its members
 *        replace it.
 * Test:  the nearest units with the pivot make the innermost group, those with the next shell the
 *        group around it, and so on. Each shell but the nearest is a set with a pivot of its own.
 *        The latencies within the nearest shell should be equal: half of its members are paired to
 *        test that. If a pair is nearer, the pivot does not belong to it: one of that pair becomes
 *        the pivot, and the old one is placed after all others.
 */
#include <config.h>

#include "models/discover/discover_impl.h"

#include "src/grow.h"

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
        hitop_group_tree_place(&s->tree, t->unit[i], group);
    }
}

/* End a task when nothing more can be measured: its units form no groups. */
static void end_unsearched(struct search *s, struct task *t)
{
    int group = t->into;

    if (group < 0) {
        group = hitop_group_tree_add(&s->tree, -1, t->unit[0].host, NAN, 0);
        s->out_of_memory = s->out_of_memory || group < 0;
        s->state[t->known].top = group;
    }
    if (group >= 0) {
        place_all(s, t, group);
        s->tree.group[group].is_open = 1;
    }
    s->nunsearched += t->n;
    t->state = TASK_DONE;
}

/*
 * Read the latencies to the pivot, and request those that are missing; returns 0 if there are any.
 */
static int see(struct search *s, struct task *t)
{
    int missing = 0;

    for (int i = 1; i < t->n; i++) {
        const int from = t->via[i] >= 0 ? t->via[i] : t->unit[0].host;
        const struct latency_value v = look(s, from, t->unit[i].host);

        if (v.visits == 0) {
            hitop_search_request(s, from, t->unit[i].host, hitop_search_first_width(s));
            missing++;
        }
        t->latency[i - 1] =
            (struct host_latency){.index = i, .x = v.x, .se = v.se, .visits = v.visits};
    }
    return missing == 0;
}

/* Request more samples where the levels are not reliable yet; returns 1 if there is no request. */
static int is_believed(struct search *s, struct task *t)
{
    if (s->is_exhausted || t->rounds == MAX_ROUNDS ||
        hitop_latency_levels_doubt(t->latency, t->n - 1, s->step) == 0) {
        return 1;
    }
    t->rounds++;
    for (int k = 0; k < t->n - 1; k++) {
        const int i = t->latency[k].index;
        if (t->latency[k].wanted > 0) {
            hitop_search_request(s, t->via[i] >= 0 ? t->via[i] : t->unit[0].host, t->unit[i].host,
                                 fmin(t->latency[k].wanted, hitop_search_first_width(s)));
        }
    }
    return 0;
}

/*
 * A unit that is alone on its level, at latency k, may just have a bad link to the pivot: measure
 * its latency to the unit nearest to the pivot. Returns 1 when that changes nothing.
 */
static int check_lone(struct search *s, struct task *t, int k)
{
    const int i = t->latency[k].index, nearest = t->latency[0].index;
    const struct latency_value direct = look(s, t->unit[0].host, t->unit[i].host);
    const struct latency_value other = look(s, t->unit[nearest].host, t->unit[i].host);

    if (t->via[i] >= 0) {
        return 1;
    }
    if (other.visits == 0) {
        if (!s->is_exhausted) {
            hitop_search_request(s, t->unit[nearest].host, t->unit[i].host,
                                 hitop_search_first_width(s));
        }
        return s->is_exhausted;
    }
    if (other.x > direct.x - s->step) {
        return 1;
    }
    t->via[i] = t->unit[nearest].host;
    hitop_search_report_outlier(s, t->unit[0].host, t->unit[i].host, direct.x, other.x);
    return 0;
}

static int is_lone(const struct task *t, int k)
{
    const int n = t->n - 1, level = t->latency[k].level;

    return level > 0 && t->latency[k - 1].level != level &&
           (k + 1 == n || t->latency[k + 1].level != level);
}

static int check_lone_ones(struct search *s, struct task *t)
{
    int is_settled = 1;

    for (int k = 1; k < t->n - 1; k++) {
        is_settled = (!is_lone(t, k) || check_lone(s, t, k)) && is_settled;
    }
    return is_settled;
}

/*
 * Whether a unit that is a group turns out to be none, because others are no farther than its
 * members.
 */
static int is_refuted(const struct search *s, const struct task *t, int i)
{
    const struct unit u = t->unit[i];
    const struct tree_group *g = u.group >= 0 ? &s->tree.group[u.group] : NULL;
    const double nearest = i == 0 ? t->latency[0].x : look(s, t->unit[0].host, t->unit[i].host).x;

    return g && !g->is_fixed && g->x >= nearest - s->step;
}

/* Replace refuted groups by their members and search again; returns 0 when all groups hold. */
static int expand(struct search *s, struct task *t)
{
    struct task *all;
    struct unit first;
    int pivot = 0, any = 0;

    for (int i = 0; i < t->n && !any; i++) {
        any = is_refuted(s, t, i);
    }
    if (!any) {
        return 0;
    }
    all = hitop_search_add_task(s, s->tree.nhosts, t->into, t->known);
    if (!all) {
        return 1;
    }
    for (int i = 0; i < t->n; i++) {
        if (is_refuted(s, t, i)) {
            all->n += hitop_group_tree_members(&s->tree, t->unit[i].group, all->unit + all->n);
            hitop_group_tree_dissolve(&s->tree, t->unit[i].group, -1);
        } else {
            all->unit[all->n++] = t->unit[i];
        }
    }
    while (all->unit[pivot].host != t->unit[0].host) {
        pivot++;
    }
    first = all->unit[pivot];
    memmove(all->unit + 1, all->unit, (size_t)pivot * sizeof(*all->unit));
    all->unit[0] = first;
    t->state = TASK_DONE;
    return 1;
}

/* Levels that noise leaves open count as one; single units stay where they seem to be. */
static void merge_levels(struct search *s, struct task *t)
{
    const int open = hitop_latency_levels_merge(t->latency, t->n - 1, s->step);
    const struct host_latency *middle = &t->latency[(t->n - 1) / 2];
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
        const struct host_latency *doubtful = &t->latency[k];
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

/* The least number of pairs to test, if the set has as many. */
enum { FEW_PAIRS = 8 };

struct host_pair {
    int a, b;
};

/* The first latency after k that is on another level. */
static int level_end(const struct task *t, int k)
{
    const int level = t->latency[k].level;

    while (k < t->n - 1 && t->latency[k].level == level) {
        k++;
    }
    return k;
}

/* Search among the units at latencies begin..end. */
static void search_shell(struct search *s, const struct task *t, int begin, int end, int group)
{
    struct task *shell;

    if (end - begin == 1) {
        hitop_group_tree_place(&s->tree, t->unit[t->latency[begin].index], group);
        return;
    }
    shell = hitop_search_add_task(s, end - begin, group, t->known);
    for (int k = begin; shell && k < end; k++) {
        shell->unit[shell->n++] = t->unit[t->latency[k].index];
    }
}

/* Shells become groups, from the outermost one inwards. */
static void settle(struct search *s, struct task *t)
{
    const int nlevels = t->latency[t->n - 2].level + 1;
    int group = t->into;

    for (int level = nlevels - 1; level >= 0; level--) {
        double noise;
        const double x = hitop_latency_level_centre(t->latency, t->n - 1, level, &noise);
        group = hitop_group_tree_add(&s->tree, group, t->unit[0].host, x, noise);
        if (group < 0) {
            s->out_of_memory = 1;
            return;
        }
        s->tree.group[group].is_open = t->is_open;
        if (t->into < 0 && level == nlevels - 1) {
            s->state[t->known].top = group;
        }
        if (level > 0) {
            int begin = t->n - 1;
            while (t->latency[begin - 1].level >= level) {
                begin--;
            }
            search_shell(s, t, begin, level_end(t, begin), group);
        }
    }
    hitop_group_tree_place(&s->tree, t->unit[0], group);
    for (int k = 0; k < t->near; k++) {
        hitop_group_tree_place(&s->tree, t->unit[t->latency[k].index], group);
    }
}

/* Prepare the test of the nearest shell. */
static void begin_test(struct task *t)
{
    t->near = level_end(t, 0);
    t->centre = hitop_latency_level_centre(t->latency, t->n - 1, 0, &t->noise);
    t->least = t->latency[0].x;
    t->state = TASK_TEST;
}

/*
 * Whether a pair of the nearest shell is nearer (-1) or farther (1) than the shell is from the
 * pivot.
 */
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
        host[k] = t->unit[t->latency[k].index].host;
    }
    if (host) {
        qsort(host, (size_t)t->near, sizeof(*host), by_host);
    }
    return host;
}

/*
 * List the pairs of the nearest shell to test; returns their number. Neighbours in the order of
 * hosts come first, because they are most likely near to each other. A pivot with equal latencies
 * to all others may be the only unit that does not belong to them; so even a small set tests
 * FEW_PAIRS pairs then.
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
            hitop_search_request(s, pair[k].a, pair[k].b, hitop_search_first_width(s));
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
            hitop_search_report_outlier(s, pair[k].a, pair[k].b, v.x, t->centre);
        }
    }
    return hit;
}

/* Search among all but the pivot, with another pivot; the old one is placed later. */
static void search_without_pivot(struct search *s, const struct task *t, int pivot)
{
    struct task *rest = hitop_search_add_task(s, t->n - 1, t->into, t->known);
    int at = 1;

    if (!rest || !HITOP_GROW(s->late, s->nlate, s->max_late)) {
        s->out_of_memory = 1;
        return;
    }
    while (t->unit[at].host != pivot) {
        at++;
    }
    rest->unit[rest->n++] = t->unit[at];
    for (int i = 1; i < t->n; i++) {
        if (i != at) {
            rest->unit[rest->n++] = t->unit[i];
        }
    }
    s->late[s->nlate++] = (struct late){.unit = t->unit[0],
                                        .near = t->unit[t->latency[0].index].host,
                                        .x = t->centre,
                                        .se = t->noise,
                                        .into = t->into,
                                        .known = t->known};
}

static void test(struct search *s, struct task *t)
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

void hitop_task_step(struct search *s, struct task *t)
{
    if (t->state == TASK_LOOK) {
        if (!see(s, t)) {
            if (s->is_exhausted) {
                end_unsearched(s, t);
            }
            return;
        }
        (void)hitop_latency_levels_find(t->latency, t->n - 1, s->step);
        if (!is_believed(s, t) || !check_lone_ones(s, t)) {
            return;
        }
        merge_levels(s, t);
        if (expand(s, t)) {
            return;
        }
        begin_test(t);
    }
    test(s, t);
}
