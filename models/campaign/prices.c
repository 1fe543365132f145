/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * prices.c - the time of a message between ranks, by their lowest common group, from a few round
 * trips.
 *
 * Idea:  one link of each level is timed first, then links of further groups, one after the other,
 *        at up to three sizes, within about two seconds. A group without a timed link has the mean
 *        of the groups of the nearest level with timed links.
 */
#include <config.h>

#include "models/campaign/prices.h"

#include "models/campaign/campaign_impl.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Seconds for everything, and samples of a size. */
static const double all_time = 2;
enum { FEWEST_SAMPLES = 3, MOST_SAMPLES = 12 };

static const size_t middling_size = 65536;

/*
 * The distance between a price and pairs of a group: 0: the price is of this group; else the number
 * of levels between them, and more if only one of them is inside a host.
 */
static int distance(const struct hitop_hierarchy *h, const struct hitop_price *p, int node,
                    int is_inside)
{
    const int levels = abs(hitop_hierarchy_height(h, node) - p->height);

    return p->node == node && p->is_inside == is_inside ? 0
           : p->is_inside == is_inside                  ? 1 + levels
                                                        : 1000 + levels;
}

/* Interpolate between two timed points; extrapolate beyond them. */
static double line(const struct hitop_price *p, size_t bytes)
{
    int last = 1;

    while (last + 1 < p->npoints && p->bytes[last] < bytes) {
        last++;
    }
    if (p->npoints < 2) {
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

/* The mean over the nearest entries. */
static double mean(const struct hitop_prices *all, int from, int to, size_t bytes,
                   double (*of)(const struct hitop_price *p, size_t bytes))
{
    const int node = hitop_hierarchy_lca(all->h, from, to);
    const int is_inside = hitop_hierarchy_share_host(all->h, from, to);
    double sum = 0;
    int best = INT_MAX, n = 0;

    for (int i = 0; i < all->n; i++) {
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

/* Which links are added: those of new levels, of new groups, or any. */
enum novelty { NEW_LEVEL, NEW_GROUP, ANY };

/* Add a link to time, if it is new; each link is measured alone. */
static void add(struct hitop_prices *all, struct hitop_campaign_part *part,
                const struct hitop_link *link, enum novelty novelty)
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
        part->links[all->n] = *link;
        part->links[all->n].round = part->links[all->n].phase = all->n;
        all->price[all->n++] = (struct hitop_price){.node = node,
                                                    .height = hitop_hierarchy_height(all->h, node),
                                                    .is_inside = is_inside,
                                                    .rank = {link->rank[0], link->rank[1]}};
    }
}

/* Links of a flat hierarchy that are timed, spread over the list. */
enum { SPREAD = 12 };

static enum hitop_status choose(struct hitop_campaign *c, struct hitop_prices *out,
                                struct hitop_campaign_part *part, struct hitop_diag *diag)
{
    const struct hitop_campaign_part *from, *links = &c->links;
    const int is_flat = hitop_hierarchy_height(c->h, hitop_hierarchy_root(c->h)) == 1;

    part->links = calloc(HITOP_MOST_PRICES, sizeof(*part->links));
    if (!part->links) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "links: out of memory");
    }
    for (int novelty = NEW_LEVEL; novelty <= NEW_GROUP; novelty++) {
        for (int k = 0; (from = hitop_campaign_part_at(c, k)) != NULL; k++) {
            for (int i = 0; i < from->nlinks; i++) {
                add(out, part, &from->links[i], (enum novelty)novelty);
            }
        }
    }
    for (int k = 0; k < SPREAD && is_flat && links->nlinks > 0; k++) {
        add(out, part, &links->links[(long)k * links->nlinks / SPREAD], ANY);
    }
    part->nlinks = out->n;
    return HITOP_OK;
}

/* Choose the smallest size, one of 64 KiB, and the largest; returns their number. */
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

/*
 * The spread of samples around their median, by size, scaled so that it is the standard deviation
 * for a normal distribution.
 */
struct spread {
    const struct hitop_measure_options *o;
    double sum[HITOP_MOST_PRICES][HITOP_PRICE_SIZES]; /* relative, over samples */
    int n[HITOP_MOST_PRICES][HITOP_PRICE_SIZES];
};

static enum hitop_status add_spread(void *data, const struct hitop_batch *batch,
                                    struct hitop_diag *diag)
{
    struct spread *s = data;
    double sample[MOST_SAMPLES], median;
    const int n = batch->n < MOST_SAMPLES ? batch->n : MOST_SAMPLES;
    int size = 0;

    (void)diag;
    memcpy(sample, batch->samples, (size_t)n * sizeof(*sample));
    median = fmax(hitop_median_of(sample, n), 1e-9);
    for (int i = 0; i < n; i++) {
        sample[i] = fabs(batch->samples[i] - median);
    }
    while (size + 1 < s->o->nsizes && s->o->sizes[size] != batch->bytes) {
        size++;
    }
    s->sum[batch->link][size] += n * 1.4826 * hitop_median_of(sample, n) / median;
    s->n[batch->link][size] += n;
    return HITOP_OK;
}

/* The medians of a link, and the largest spread of its sizes. */
static void fill(struct hitop_price *p, const struct hitop_curve *echo, const double *sum,
                 const int *n)
{
    for (size_t i = 0; i < echo->npoints; i++) {
        p->bytes[i] = echo->points[i].bytes;
        p->seconds[i] = fmax(echo->points[i].seconds, 1e-9);
    }
    for (int size = 0; size < HITOP_PRICE_SIZES; size++) {
        p->noise = fmax(p->noise, n[size] > 0 ? sum[size] / n[size] : 0);
    }
    p->npoints = (int)echo->npoints;
}

enum hitop_status hitop_prices_time(const struct hitop_transport *t, struct hitop_campaign *c,
                                    struct hitop_prices *out, struct hitop_diag *diag)
{
    size_t sizes[HITOP_PRICE_SIZES];
    struct hitop_campaign_part part = {.options = c->links.options};
    struct hitop_measure_options *o = &part.options;
    struct spread spread = {.o = o};
    enum hitop_status status = HITOP_OK;

    *out = (struct hitop_prices){.h = c->h, .clock_step = t->clock_step};
    o->experiments = HITOP_SET(HITOP_ECHO);
    o->nsizes = choose_sizes(&c->links.options, sizes);
    o->sizes = sizes;
    o->max_sizes = 0;
    o->min_samples = FEWEST_SAMPLES;
    o->max_samples = MOST_SAMPLES;
    o->budget = all_time;
    o->time_limit = 0;
    o->parallel = 0;
    o->keep = add_spread;
    o->keep_data = &spread;
    if (t->rank <= 0) {
        status = choose(c, out, &part, diag);
    }
    status = hitop_agree_on_status(t, status, diag);
    if (status == HITOP_OK) {
        status = campaign_share_part(t, &part, diag);
    }
    if (status == HITOP_OK) {
        campaign_phase(t, c, &part);
        status = hitop_measure(t, part.links, part.nlinks, o, &part.measurement, diag);
        campaign_phase(t, c, NULL);
    }
    for (int i = 0; status == HITOP_OK && t->rank <= 0 && i < part.nlinks; i++) {
        fill(&out->price[i], &part.measurement.curves[(size_t)i * HITOP_NEXPERIMENTS + HITOP_ECHO],
             spread.sum[i], spread.n[i]);
    }
    hitop_measurement_clear(&part.measurement);
    free(part.links);
    return status;
}
