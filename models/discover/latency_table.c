/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * latency_table.c - several medians of one pair become one value.
 *
 * Idea:  a disturbance may last longer than a whole visit to a pair, so that medians of visits
 *        differ by more than their intervals. The narrowest window with more than half of the
 *        medians counts; its width is another part of the error.
 */
#include <config.h>

#include "models/discover/latency_table.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static size_t hash(int a, int b)
{
    const uint64_t key = (uint64_t)(uint32_t)a << 32 | (uint32_t)b;

    return (size_t)((key * UINT64_C(0x9E3779B97F4A7C15)) >> 20);
}

/* The slot of a pair, or the free one where it belongs. */
static struct latency *find(const struct latency_table *t, int a, int b)
{
    size_t i = hash(a, b) & (size_t)(t->room - 1);

    while (t->slot[i].visits > 0 && (t->slot[i].a != a || t->slot[i].b != b)) {
        i = (i + 1) & (size_t)(t->room - 1);
    }
    return &t->slot[i];
}

static int grow(struct latency_table *t)
{
    struct latency_table larger = {.room = t->room > 0 ? 2 * t->room : 256, .npairs = t->npairs};

    if (3 * t->npairs < 2 * t->room) {
        return 1;
    }
    larger.slot = calloc((size_t)larger.room, sizeof(*larger.slot));
    if (!larger.slot) {
        return 0;
    }
    for (int i = 0; i < t->room; i++) {
        if (t->slot[i].visits > 0) {
            *find(&larger, t->slot[i].a, t->slot[i].b) = t->slot[i];
        }
    }
    free(t->slot);
    *t = larger;
    return 1;
}

/*
 * Standard error of the logarithm. Load can move the upper end of the interval of a few samples
 * very far, which is no measure of the error.
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
    struct latency *pair;
    int visit;

    if (!grow(t)) {
        return 0;
    }
    pair = find(t, a < b ? a : b, a < b ? b : a);
    if (pair->visits == 0) {
        pair->a = a < b ? a : b;
        pair->b = a < b ? b : a;
        t->npairs++;
    }
    visit = pair->visits++ % LATENCY_VISITS; /* the oldest one gives way */
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
    const struct latency *pair = t->room > 0 ? find(t, a < b ? a : b, a < b ? b : a) : NULL;
    double x[LATENCY_VISITS], se[LATENCY_VISITS], sum = 0, squares = 0;
    int n, width, first = 0;

    if (!pair || pair->visits == 0) {
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
    free(t->slot);
    *t = (struct latency_table){0};
}
