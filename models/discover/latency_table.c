/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * latency_table.c - combine several medians of one pair into one value.
 *
 * Idea:  a disturbance may last longer than a whole visit to a pair, so that medians of visits
 *        differ by more than their intervals. The narrowest window with more than half of the
 *        medians counts; the error is at least half of its width.
 */
#include <config.h>

#include "models/discover/discover_impl.h"

#include <math.h>
#include <search.h>
#include <stdlib.h>

/* A pair; times as logarithms of seconds, so that differences are ratios. */
struct latency {
    int a, b;   /* a < b */
    int visits; /* measurements of the pair */
    double x[LATENCY_VISITS], se[LATENCY_VISITS];
};

static int by_pair(const void *left, const void *right)
{
    const struct latency *x = left, *y = right;

    return x->a != y->a ? (x->a > y->a) - (x->a < y->a) : (x->b > y->b) - (x->b < y->b);
}

static struct latency *find(const struct latency_table *t, int a, int b)
{
    const struct latency key = {.a = a < b ? a : b, .b = a < b ? b : a};
    struct latency **found = tfind(&key, &t->root, by_pair);

    return found ? *found : NULL;
}

/*
 * Standard error of the logarithm, scaled by the width of the interval in logarithms: load can move
 * the upper end of the interval of a few samples very far, which is no measure of the error.
 */
static double log_error(const struct hitop_point *point, double seconds)
{
    const double width = point->hi - point->lo;

    return point->lo > 0 && width > 1e-3 * seconds ? point->se / width * log(point->hi / point->lo)
                                                   : point->se / seconds;
}

int hitop_latency_table_add(struct latency_table *t, int a, int b, const struct hitop_point *point)
{
    const double seconds = fmax(point->seconds, 1e-12);
    struct latency *pair = find(t, a, b);
    int visit;

    if (!pair) {
        pair = calloc(1, sizeof(*pair));
        if (!pair) {
            return 0;
        }
        pair->a = a < b ? a : b;
        pair->b = a < b ? b : a;
        if (!tsearch(pair, &t->root, by_pair)) {
            free(pair);
            return 0;
        }
        t->npairs++;
    }
    visit = pair->visits++ % LATENCY_VISITS; /* replaces the oldest one */
    pair->x[visit] = log(seconds);
    pair->se[visit] = log_error(point, seconds);
    return 1;
}

/* Sort the few visits by value. */
static int sort_visits(const struct latency *pair, double *x, double *se)
{
    const int n = pair->visits < LATENCY_VISITS ? pair->visits : LATENCY_VISITS;

    for (int i = 0; i < n; i++) {
        int at = i;
        for (; at > 0 && x[at - 1] > pair->x[i]; at--) {
            x[at] = x[at - 1];
            se[at] = se[at - 1];
        }
        x[at] = pair->x[i];
        se[at] = pair->se[i];
    }
    return n;
}

struct latency_value hitop_latency_table_get(const struct latency_table *t, int a, int b)
{
    const struct latency *pair = find(t, a, b);
    double x[LATENCY_VISITS], se[LATENCY_VISITS], sum = 0, squares = 0;
    int n, width, first = 0;

    if (!pair) {
        return (struct latency_value){.visits = 0};
    }
    n = sort_visits(pair, x, se);
    width = n / 2 + 1;
    for (int i = 1; i + width <= n; i++) {
        if (x[i + width - 1] - x[i] < x[first + width - 1] - x[first]) {
            first = i;
        }
    }
    for (int i = first; i < first + width; i++) {
        sum += x[i];
        squares += se[i] * se[i];
    }
    return (struct latency_value){
        .x = sum / width,
        .se = fmax(sqrt(squares) / width, 0.5 * (x[first + width - 1] - x[first])),
        .visits = pair->visits};
}

void hitop_latency_table_clear(struct latency_table *t)
{
    tdestroy(t->root, free);
    *t = (struct latency_table){0};
}
