/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * discover_verify.c - verify the groups that were found.
 *
 * Idea:  unmeasured pairs are drawn at random, one for every four hosts, at most thirty; the
 *        latency of each must be that of the innermost group of its hosts. A smaller latency shows
 *        that this group has groups inside; one host of the pair searches it again.
 */
#include <config.h>

#include "models/discover/discover_impl.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_CHECKS = 30 };

static double value(const struct search *s, const struct pair_request *w)
{
    return hitop_latency_table_get(&s->table, w->a, w->b).x;
}

static double expected(const struct search *s, const struct pair_request *w)
{
    return s->tree.group[hitop_group_tree_common(&s->tree, w->a, w->b)].x;
}

static int is_odd(const struct search *s, const struct pair_request *w)
{
    return fabs(value(s, w) - expected(s, w)) > s->step;
}

/* Draw pairs of different hosts that were never measured; returns their number, at most n. */
static int draw_pairs(struct search *s, gsl_rng *rng, struct pair_request *pair, int n)
{
    const int nhosts = s->tree.nhosts;
    int found = 0;

    for (int tries = 0; tries < 20 * n && found < n; tries++) {
        const int a = (int)gsl_rng_uniform_int(rng, (unsigned long)nhosts);
        const int b = (int)gsl_rng_uniform_int(rng, (unsigned long)nhosts);
        int is_new = a != b && hitop_latency_table_get(&s->table, a, b).visits == 0;

        for (int i = 0; i < found && is_new; i++) {
            is_new = !((pair[i].a == a && pair[i].b == b) || (pair[i].a == b && pair[i].b == a));
        }
        if (is_new) {
            pair[found++] = (struct pair_request){a, b, hitop_search_first_width(s)};
        }
    }
    return found;
}

/* Add pairs to those that are checked; 0 when out of memory. */
static int keep(struct search *s, const struct pair_request *pair, int n)
{
    struct pair_request *larger =
        reallocarray(s->check, (size_t)s->nchecks + (size_t)n, sizeof(*larger));

    if (!larger) {
        return 0;
    }
    s->check = larger;
    for (int i = 0; i < n; i++) {
        s->check[s->nchecks++] = pair[i];
    }
    return 1;
}

enum hitop_status hitop_search_check(struct search *s, gsl_rng *rng, double seconds,
                                     struct hitop_diag *diag)
{
    const int wanted = s->tree.nhosts / 4 < MOST_CHECKS ? s->tree.nhosts / 4 : MOST_CHECKS;
    struct pair_request pair[MOST_CHECKS], again[MOST_CHECKS];
    const int n = s->is_exhausted || seconds <= 0 ? 0 : draw_pairs(s, rng, pair, wanted);
    enum hitop_status status = HITOP_OK;

    if (n > 0 && !keep(s, pair, n)) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "groups: out of memory");
    }
    for (int visit = 0; visit < 3 && status == HITOP_OK; visit++) {
        int nagain = 0;
        for (int i = 0; i < n; i++) {
            if (visit == 0 || is_odd(s, &pair[i])) {
                again[nagain++] = pair[i];
            }
        }
        if (nagain > 0) {
            status =
                hitop_workers_measure(&s->workers, again, nagain, 0.25 * seconds, &s->table, diag);
        }
    }
    return status;
}

/* The unit of a group that a host is in. */
static int find_unit(const struct search *s, int host, int group, const struct unit *unit, int n)
{
    int inner = -1, at = 0;

    for (int g = s->tree.innermost[host]; g != group; g = s->tree.group[g].parent) {
        inner = g;
    }
    while (at < n - 1 && (unit[at].group != inner || (inner < 0 && unit[at].host != host))) {
        at++;
    }
    return at;
}

/* Search among the members of a group, with that of one host as the pivot. */
static void search_again(struct search *s, int group, int host)
{
    struct unit *unit = calloc((size_t)s->tree.nhosts, sizeof(*unit));
    const int n = unit ? hitop_group_tree_members(&s->tree, group, unit) : 0;

    if (!unit) {
        s->out_of_memory = 1;
    } else if (n > 2) {
        const int at = find_unit(s, host, group, unit, n);
        struct task *t = hitop_search_add_task(s, n, group, s->nknown);
        for (; t && t->n < n; t->n++) {
            t->unit[t->n] = unit[t->n == 0 ? at : t->n == at ? 0 : t->n];
        }
    }
    free(unit);
}

int hitop_search_repair(struct search *s)
{
    unsigned char *is_begun = calloc((size_t)s->tree.ngroups + 1, 1);

    for (int i = 0; i < s->nchecks && is_begun && !s->is_exhausted; i++) {
        const struct pair_request *w = &s->check[i];
        const int group = hitop_group_tree_common(&s->tree, w->a, w->b);
        if (value(s, w) < expected(s, w) - s->step && !is_begun[group]) {
            is_begun[group] = 1;
            search_again(s, group, w->a);
        }
    }
    s->out_of_memory = s->out_of_memory || !is_begun;
    free(is_begun);
    return s->ntasks;
}

double hitop_search_judge(struct search *s)
{
    int odd = 0;

    for (int i = 0; i < s->nchecks; i++) {
        const struct pair_request *w = &s->check[i];
        if (is_odd(s, w)) {
            odd++;
            hitop_search_report_outlier(s, w->a, w->b, value(s, w), expected(s, w));
        }
    }
    return s->nchecks > 0 ? 1 - (double)odd / s->nchecks : 1;
}

/*
 * Count the hosts and groups directly in a group; *last receives the last host, *inside the latency
 * in the last group. Returns the number of groups.
 */
static int count_members(const struct group_tree *tree, int group, int *nhosts, int *last,
                         double *inside)
{
    int ngroups = 0;

    *nhosts = 0;
    for (int host = 0; host < tree->nhosts; host++) {
        if (tree->innermost[host] == group) {
            *last = host;
            (*nhosts)++;
        }
    }
    for (int i = 0; i < tree->ngroups; i++) {
        if (!tree->group[i].is_gone && tree->group[i].parent == group) {
            *inside = tree->group[i].x;
            ngroups++;
        }
    }
    return ngroups;
}

void hitop_search_report_lone_hosts(struct search *s)
{
    const struct group_tree *tree = &s->tree;
    char number[32];

    for (int i = 0; i < tree->ngroups; i++) {
        int nhosts, host = -1;
        double inside = NAN;

        /* beside several groups a host is just a group of one */
        if (!tree->group[i].is_gone && count_members(tree, i, &nhosts, &host, &inside) == 1 &&
            nhosts == 1 && inside < tree->group[i].x) {
            hitop_search_warn(
                s,
                "%s is alone: %.3g us from all others, which are %.3g us or less from each "
                "other; look at its link",
                hitop_search_name(s, host, number, sizeof(number)), 1e6 * exp(tree->group[i].x),
                1e6 * exp(inside));
        }
    }
}
