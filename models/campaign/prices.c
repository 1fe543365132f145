/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * prices.c - what a message takes between ranks that meet in a group, by a few round trips.
 *
 * Idea:  one link of each level first, then further groups, one after the other, at up to three
 *        sizes, within about two seconds in all. The third one is the largest of which a round trip
 *        fits; the line through the two before it tells. Groups that were not timed take the mean
 *        of others of their level.
 */
#include <config.h>

#include "models/campaign/prices.h"

#include "models/campaign/campaign_impl.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* Seconds for everything, and round trips of a size. */
static const double all_time = 2;
enum { MOST_TRIPS = 12 };

static const size_t middling_size = 65536;

/* How far two pairs are from being of one kind; 0: they meet in one group. */
static int distance(const struct hitop_hierarchy *h, const struct hitop_price *p, int node,
                    int is_inside)
{
    const int levels = abs(hitop_hierarchy_height(h, node) - p->height);

    return p->node == node && p->is_inside == is_inside ? 0
           : p->is_inside == is_inside                  ? 1 + levels
                                                        : 1000 + levels;
}

/* On the line through two points that are timed; beyond them on the last one. */
static double line(const struct hitop_price *p, size_t bytes)
{
    int last = 1;

    while (last + 1 < p->npoints && p->bytes[last] < bytes) {
        last++;
    }
    if (p->npoints == 1) {
        return p->seconds[0];
    }
    return p->seconds[last - 1] + ((double)bytes - (double)p->bytes[last - 1]) *
                                      fmax(0, p->seconds[last] - p->seconds[last - 1]) /
                                      (double)(p->bytes[last] - p->bytes[last - 1]);
}

static double noise_of(const struct hitop_price *p, size_t bytes)
{
    (void)bytes;
    return p->noise;
}

/* The mean of those that are nearest. */
static double mean(const struct hitop_prices *all, int from, int to, size_t bytes,
                   double (*of)(const struct hitop_price *p, size_t bytes))
{
    const int node = hitop_hierarchy_lca(all->h, from, to);
    const int is_inside = hitop_hierarchy_share_host(all->h, from, to);
    double sum = 0;
    int best = INT_MAX, n = 0;

    for (int i = 0; i < all->ntimed; i++) {
        const int far = distance(all->h, &all->price[i], node, is_inside);
        if (far < best) {
            best = far;
            sum = n = 0;
        }
        if (far == best) {
            sum += of(&all->price[i], bytes);
            n++;
        }
    }
    return sum / n;
}

static double p2p(const void *self, int from, int to, size_t bytes)
{
    return mean(self, from, to, bytes, line);
}

struct hitop_cost hitop_prices_cost(const struct hitop_prices *prices)
{
    return (struct hitop_cost){.self = prices, .p2p = p2p};
}

double hitop_prices_noise(const struct hitop_prices *prices, int from, int to)
{
    return mean(prices, from, to, 0, noise_of);
}

/* What is added: links of new levels, of new groups, or any. */
enum novelty { NEW_LEVEL, NEW_GROUP, ANY };

static void add(struct hitop_prices *all, const struct hitop_link *link, enum novelty novelty)
{
    const int node = hitop_hierarchy_lca(all->h, link->rank[0], link->rank[1]);
    const int is_inside = hitop_hierarchy_share_host(all->h, link->rank[0], link->rank[1]);

    for (int i = 0; i < all->n; i++) {
        const struct hitop_price *p = &all->price[i];
        const int far = distance(all->h, p, node, is_inside);
        if ((far == 1 && novelty == NEW_LEVEL) || (far == 0 && novelty != ANY) ||
            (p->rank[0] == link->rank[0] && p->rank[1] == link->rank[1])) {
            return;
        }
    }
    if (all->n < HITOP_MOST_PRICES) {
        all->price[all->n++] = (struct hitop_price){.node = node,
                                                    .height = hitop_hierarchy_height(all->h, node),
                                                    .is_inside = is_inside,
                                                    .rank = {link->rank[0], link->rank[1]}};
    }
}

/* Links far apart in the list, of a hierarchy that does not say which are alike. */
enum { SPREAD = 12 };

static void choose(struct hitop_campaign *c, struct hitop_prices *out)
{
    const struct hitop_campaign_part *part, *links = &c->links;
    const int is_flat = hitop_hierarchy_height(c->h, hitop_hierarchy_root(c->h)) == 1;

    for (int novelty = NEW_LEVEL; novelty <= NEW_GROUP; novelty++) {
        for (int k = 0; (part = hitop_campaign_part_at(c, k)) != NULL; k++) {
            for (int i = 0; i < part->nlinks && out->n < HITOP_MOST_PRICES; i++) {
                add(out, &part->links[i], (enum novelty)novelty);
            }
        }
    }
    for (int k = 0; k < SPREAD && is_flat && links->nlinks > 0; k++) {
        add(out, &links->links[(long)k * links->nlinks / SPREAD], ANY);
    }
    out->nlevels = out->n;
    for (int i = 1; i < out->n; i++) {
        for (int k = 0; k < i && out->nlevels == out->n; k++) {
            if (distance(out->h, &out->price[k], out->price[i].node, out->price[i].is_inside) < 2) {
                out->nlevels = i;
            }
        }
    }
}

/* The smallest size, one of 64 KiB, and the largest; returns how many. */
static int choose_sizes(const struct hitop_measure_options *o, size_t *out)
{
    const size_t low = o->sizes[0], high = o->sizes[o->nsizes - 1];
    int n = 0;

    out[n++] = low;
    if (low < middling_size && middling_size < high) {
        out[n++] = middling_size;
    }
    if (high > low) {
        out[n++] = high;
    }
    return n;
}

/* Median and relative spread of one message; round trips until the time is up. */
static enum hitop_status time_size(const struct hitop_transport *t, struct hitop_series *series,
                                   double limit, double *seconds, double *noise,
                                   struct hitop_diag *diag)
{
    double sample[MOST_TRIPS], trip, off[MOST_TRIPS];
    enum hitop_status status;

    series->count = 1;
    status = t->exchange(t->self, series, sample, diag); /* connections, memory */
    if (status == HITOP_OK && 4 * sample[0] < limit) {
        status = t->exchange(t->self, series, sample, diag);
    }
    if (status != HITOP_OK) {
        return status;
    }
    trip = fmax(2 * sample[0], 1e-9);
    series->count = (int)fmin(fmax(limit / trip - 2, 1), MOST_TRIPS);
    status = t->exchange(t->self, series, sample, diag);
    if (status == HITOP_OK) {
        for (int i = 0; i < series->count; i++) {
            off[i] = sample[i];
        }
        *seconds = fmax(hitop_median_of(sample, series->count), 1e-9);
        for (int i = 0; i < series->count; i++) {
            off[i] = fabs(off[i] - *seconds);
        }
        *noise = 1.4826 * hitop_median_of(off, series->count) / *seconds;
    }
    return status;
}

/* What the next size takes, by those before it; 0 where they do not tell. */
static double guess(const struct hitop_price *p, size_t bytes, int n)
{
    return n > 1 ? p->seconds[n - 1] + fmax(0, p->seconds[n - 1] - p->seconds[n - 2]) *
                                           (double)(bytes - p->bytes[n - 1]) /
                                           (double)(p->bytes[n - 1] - p->bytes[n - 2])
                 : 0;
}

/* The largest size of which a round trip fits, beyond those that are timed; 0: none. */
static size_t largest_fitting(const struct hitop_price *p, const struct hitop_measure_options *o,
                              int n, double limit)
{
    int k = o->nsizes - 1;

    while (k > 0 && 2 * guess(p, o->sizes[k], n) > limit) {
        k--;
    }
    return o->sizes[k] > p->bytes[n - 1] ? o->sizes[k] : 0;
}

/* At the first rank of a link. */
static enum hitop_status lead(const struct hitop_transport *t, struct hitop_price *p,
                              const struct hitop_measure_options *o, double limit,
                              struct hitop_diag *diag)
{
    struct hitop_series series = {
        .what = HITOP_ECHO, .from = p->rank[0], .to = p->rank[1], .batch = 1};
    enum hitop_status status = HITOP_OK, released;
    size_t sizes[HITOP_PRICE_SIZES];
    const int nsizes = choose_sizes(o, sizes);
    double noise = 0;

    for (int i = 0; status == HITOP_OK && i < nsizes; i++) {
        sizes[i] = i > 1 ? largest_fitting(p, o, i, limit) : sizes[i];
        if (i > 1 && sizes[i] == 0) {
            break;
        }
        series.bytes = p->bytes[i] = sizes[i];
        status = time_size(t, &series, limit / nsizes, &p->seconds[i], &noise, diag);
        p->noise = fmax(p->noise, noise);
        p->npoints = i + 1;
    }
    released = t->release(t->self, p->rank[0], p->rank[1], status == HITOP_OK ? diag : NULL);
    return status == HITOP_OK ? released : status;
}

/* All ranks call it; they learn what was timed, and how long it took. */
static enum hitop_status time_price(const struct hitop_transport *t,
                                    const struct hitop_measure_options *o, struct hitop_price *p,
                                    double start, double limit, double *elapsed,
                                    struct hitop_diag *diag)
{
    enum { FAILED, ELAPSED, NOISE, NPOINTS, BYTES, SECONDS = BYTES + HITOP_PRICE_SIZES };
    double value[SECONDS + HITOP_PRICE_SIZES] = {0};
    enum hitop_status status = HITOP_OK;

    if (t->rank == p->rank[0]) {
        status = lead(t, p, o, limit, diag);
        value[NOISE] = p->noise;
        value[NPOINTS] = p->npoints;
        for (int i = 0; i < p->npoints; i++) {
            value[BYTES + i] = (double)p->bytes[i];
            value[SECONDS + i] = p->seconds[i];
        }
    } else if (t->rank == p->rank[1]) {
        status = t->answer(t->self, p->rank[0], p->rank[1], diag);
    }
    value[ELAPSED] = t->now(t->self) - start;
    status = hitop_agree_on_values(t, status, value, SECONDS + HITOP_PRICE_SIZES, diag);
    if (status != HITOP_OK) {
        return status;
    }
    *elapsed = value[ELAPSED];
    p->noise = value[NOISE];
    p->npoints = (int)value[NPOINTS];
    for (int i = 0; i < p->npoints; i++) {
        p->bytes[i] = (size_t)value[BYTES + i];
        p->seconds[i] = value[SECONDS + i];
    }
    return HITOP_OK;
}

enum hitop_status hitop_prices_time(const struct hitop_transport *t, struct hitop_campaign *c,
                                    struct hitop_prices *out, struct hitop_diag *diag)
{
    const struct hitop_measure_options *o = &c->links.options;
    const size_t largest = o->sizes[o->nsizes - 1];
    const double start = t->now(t->self);
    enum hitop_status status;

    *out = (struct hitop_prices){.clock_step = t->clock_step};
    if (largest > t->max_bytes) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "messages of %zu bytes are too large; at most %zu are possible", largest,
                          t->max_bytes);
    }
    if (t->rank == 0) {
        out->h = c->h;
        choose(c, out);
    }
    campaign_phase(t, c, &c->links);
    status = t->share(t->self, out, sizeof(*out), diag);
    out->h = c->h; /* addresses are those of this process */
    for (int i = 0;
         status == HITOP_OK && i < out->n && (i < out->nlevels || out->seconds < all_time); i++) {
        const double left = fmax(0, all_time - out->seconds);
        const double limit =
            i < out->nlevels ? left / (out->nlevels - i) : fmin(left, all_time / out->n);
        status = time_price(t, o, &out->price[i], start, limit, &out->seconds, diag);
        out->ntimed += status == HITOP_OK;
    }
    campaign_phase(t, c, NULL);
    return status;
}
