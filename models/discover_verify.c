/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * discover_verify.c - whether the groups that were found tell the truth.
 *
 * Idea:  pairs that nobody has looked at yet are drawn at random, for a quarter of the hosts, thirty at
 *        most; each must be as far as the group in which its hosts meet says.
 */
#include <config.h>

#include "discover_impl.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_CHECKS = 30 };

static double value(const struct search *s, const struct wish *w)
{
    return latency_table_get(&s->table, w->a, w->b).x;
}

static double expected(const struct search *s, const struct wish *w)
{
    return s->nest.group[nest_meet(&s->nest, w->a, w->b)].x;
}

static int is_odd(const struct search *s, const struct wish *w)
{
    return fabs(value(s, w) - expected(s, w)) > s->step;
}

/* Pairs of different hosts never measured; returns how many there are, at most n. */
static int draw_pairs(struct search *s, gsl_rng *rng, struct wish *pair, int n)
{
    const int nhosts = s->nest.nhosts;
    int found = 0;

    for (int tries = 0; tries < 20 * n && found < n; tries++) {
        const int a = (int)gsl_rng_uniform_int(rng, (unsigned long)nhosts);
        const int b = (int)gsl_rng_uniform_int(rng, (unsigned long)nhosts);
        int is_new = a != b && latency_table_get(&s->table, a, b).visits == 0;

        for (int i = 0; i < found && is_new; i++) {
            is_new = !((pair[i].a == a && pair[i].b == b) || (pair[i].a == b && pair[i].b == a));
        }
        if (is_new) {
            pair[found++] = (struct wish){a, b, fmin(0.05, 0.5 * s->step)};
        }
    }
    return found;
}

enum hitop_status search_verify(struct search *s, gsl_rng *rng, double seconds, double *share,
                                struct hitop_diag *diag)
{
    const int wanted = s->nest.nhosts / 4 < MOST_CHECKS ? s->nest.nhosts / 4 : MOST_CHECKS;
    struct wish pair[MOST_CHECKS], again[MOST_CHECKS];
    const int n = s->is_exhausted || seconds <= 0 ? 0 : draw_pairs(s, rng, pair, wanted);
    int nagain = 0, odd = 0;
    enum hitop_status status = HITOP_OK;

    *share = 1;
    if (n == 0) {
        return HITOP_OK;
    }
    for (int i = 0; i < n; i++) {
        again[i] = pair[i];
    }
    status = crew_measure(&s->crew, again, n, 0.5 * seconds, &s->table, diag);
    for (int i = 0; status == HITOP_OK && i < n; i++) {
        if (is_odd(s, &pair[i])) {
            again[nagain++] = pair[i];
        }
    }
    for (int visit = 0; visit < 2 && status == HITOP_OK && nagain > 0; visit++) {
        struct wish once_more[MOST_CHECKS];
        for (int i = 0; i < nagain; i++) {
            once_more[i] = again[i];
        }
        status = crew_measure(&s->crew, once_more, nagain, 0.25 * seconds, &s->table, diag);
    }
    for (int i = 0; status == HITOP_OK && i < nagain; i++) {
        if (is_odd(s, &again[i])) {
            odd++;
            search_odd(s, again[i].a, again[i].b, value(s, &again[i]), expected(s, &again[i]));
        }
    }
    *share = 1 - (double)odd / n;
    return status;
}

void search_report_lone_hosts(struct search *s)
{
    const struct nest *nest = &s->nest;
    char number[32];

    for (int i = 0; i < nest->ngroups; i++) {
        double nearest = -INFINITY;
        int hosts = 0, last = -1;

        for (int host = 0; host < nest->nhosts && !nest->group[i].is_gone; host++) {
            hosts += nest->home[host] == i;
            last = nest->home[host] == i ? host : last;
        }
        for (int k = 0; k < nest->ngroups && hosts == 1; k++) {
            if (!nest->group[k].is_gone && nest->group[k].parent == i) {
                nearest = fmax(nearest, nest->group[k].x);
            }
        }
        if (isfinite(nearest)) {
            search_warn(s,
                        "%s is alone: %.3g us from all others, which are %.3g us or less from each "
                        "other; look at its link",
                        search_name(s, last, number, sizeof(number)), 1e6 * exp(nest->group[i].x),
                        1e6 * exp(nearest));
        }
    }
}
