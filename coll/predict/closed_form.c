/* SPDX-License-Identifier: BSD-3-Clause */
/* closed_form.c - closed formulas for collectives from or to one root. */
#include <config.h>

#include "coll/predict/fan.h"
#include "coll/trees/sets.h"
#include "hitop/closed_form.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* More than the number of different subtree sizes. */
enum { LEVELS = sizeof(int) * CHAR_BIT };

/* Seconds of a message, and seconds for which it occupies the sender. */
struct price {
    double p2p, occupancy;
};

/* The collective to price. Places count from the root, which has place 0. */
struct question {
    const struct hitop_closed_form_args *args;
    struct hitop_cost cost;
    int is_bcast;
    struct price mean[LEVELS]; /* for 1, 2, 4, ... ranks; used where all links are alike */
};

/*
 * ---- The mean price of a message, over all pairs in both directions ----
 *
 * Ranks with the same innermost piece (sets.h) have the same prices, one for each ring: one rank of
 * each piece asks for the prices of its rings.
 */

/* A rank of a ring that is not empty. */
static int rank_in(const struct sets *sets, const struct ring *ring)
{
    return sets->line[ring->begin < ring->hole_begin ? ring->begin : ring->hole_end];
}

/* Add the prices from one rank to all others, for `weight` ranks with the same prices. */
static void add(const struct hitop_cost *cost, const struct sets *sets, int from, size_t bytes,
                double weight, struct price *out)
{
    struct ring ring = hitop_rings_of(sets, from);

    while (hitop_ring_next(sets, &ring)) {
        const double share = weight * ring_count(&ring);
        if (share > 0) {
            const int to = rank_in(sets, &ring);
            out->p2p += share * cost->p2p(cost->self, from, to, bytes);
            out->occupancy += share * cost->occupancy(cost->self, from, to, bytes);
        }
    }
}

static enum hitop_status find_mean(const struct hitop_cost *cost, size_t bytes, struct price *out,
                                   struct hitop_diag *diag)
{
    const struct hitop_tree_args args = {.size = cost->nranks, .bytes = bytes, .cost = cost};
    const double npairs = (double)cost->nranks * (cost->nranks - 1);
    struct sets sets;
    int *alike = NULL; /* number of ranks of each innermost piece */
    enum hitop_status status;

    *out = (struct price){0};
    if (cost->nranks < 2) {
        return HITOP_OK;
    }
    status = hitop_sets_init(&sets, &args, diag);
    if (status != HITOP_OK) {
        goto out;
    }
    alike = calloc((size_t)sets.first[sets.nsets], sizeof(*alike));
    if (!alike) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "mean price: out of memory");
        goto out;
    }
    for (int rank = 0; rank < cost->nranks; rank++) {
        alike[sets.innermost[rank]]++;
    }
    for (int rank = 0; rank < cost->nranks; rank++) {
        int *n = &alike[sets.innermost[rank]];
        add(cost, &sets, rank, bytes, *n / npairs, out);
        *n = 0; /* the others of this piece are included */
    }

out:
    free(alike);
    hitop_sets_fini(&sets);
    return status;
}

/* ---- Formulas ---- */

static int rank_at(const struct question *q, int place)
{
    const int left = q->cost.nranks - q->args->root;

    return place < left ? q->args->root + place : place - left;
}

static size_t block_at(const struct question *q, int place)
{
    return q->args->blocks ? q->args->blocks[rank_at(q, place)] : q->args->bytes;
}

/* Bytes for a subtree of 2^level places that begins at a place. */
static size_t volume(const struct question *q, int place, int level)
{
    size_t bytes = 0;

    if (q->is_bcast) {
        return q->args->bytes;
    }
    if (!q->args->blocks) {
        return q->args->bytes << level;
    }
    for (int i = 0; i < 1 << level; i++) {
        bytes += block_at(q, place + i);
    }
    return bytes;
}

/* The price of a message between two places, for the subtree of the receiver. */
static struct price ask(const struct question *q, int from, int to, int level)
{
    const int sender = rank_at(q, from), receiver = rank_at(q, to);
    size_t bytes;

    if (q->args->homogeneous) {
        return q->mean[level];
    }
    bytes = volume(q, to, level);
    return (struct price){q->cost.p2p(q->cost.self, sender, receiver, bytes),
                          q->cost.occupancy(q->cost.self, sender, receiver, bytes)};
}

/* The fan of all messages between the root and the others. */
static struct fan add_up(const struct question *q)
{
    struct fan fan = {0};

    for (int place = 1; place < q->cost.nranks; place++) {
        const struct price p = ask(q, 0, place, 0);
        hitop_fan_add(&fan, p.p2p, p.occupancy, block_at(q, place));
    }
    return fan;
}

/*
 * Seconds of a binomial subtree of 2^level places, from the time at which its first place has all
 * data.
 */
static double binomial(const struct question *q, int place, int level)
{
    double start = 0, last = 0;

    while (level-- > 0) {
        const int child = place + (1 << level);
        const struct price p = ask(q, place, child, level);
        last = fmax(last, start + p.p2p + binomial(q, child, level));
        start += p.occupancy;
    }
    return fmax(last, start);
}

/*
 * Seconds of the whole tree. The subtrees of the root have the sizes of the set bits of the number
 * of other ranks; the smallest subtrees have the first places.
 */
static double binomial_from_root(const struct question *q)
{
    const int others = q->cost.nranks - 1;
    double start = 0, last = 0;

    for (int level = LEVELS - 2; level >= 0; level--) {
        if (others >> level & 1) {
            const int child = 1 + (others & ((1 << level) - 1));
            const struct price p = ask(q, 0, child, level);
            last = fmax(last, start + p.p2p + binomial(q, child, level));
            start += p.occupancy;
        }
    }
    return fmax(last, start);
}

static enum hitop_status check(enum hitop_closed_form form,
                               const struct hitop_closed_form_args *args, struct hitop_diag *diag)
{
    const int n = hitop_model_nranks(args->model);
    size_t sum = 0;

    if (args->root < 0 || args->root >= n) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "closed form: root %d is not in 0..%d",
                          args->root, n - 1);
    }
    if (args->blocks && (args->homogeneous || form == HITOP_BINOMIAL_BCAST)) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "closed form: blocks must be of one size for %s",
                          args->homogeneous ? "equal links" : "a broadcast");
    }
    for (int rank = 0; rank < n; rank++) {
        const size_t bytes = args->blocks ? args->blocks[rank] : args->bytes;
        if (bytes > SIZE_MAX - sum) {
            return hitop_fail(diag, HITOP_ERR_INVALID,
                              "closed form: the blocks of %d ranks exceed %zu bytes together", n,
                              (size_t)SIZE_MAX);
        }
        sum += bytes;
    }
    return HITOP_OK;
}

/* Compute the mean prices that the formula needs. */
static enum hitop_status prepare(struct question *q, int is_tree, struct hitop_diag *diag)
{
    const int others = q->cost.nranks - 1;
    enum hitop_status status = HITOP_OK;

    for (int level = 0; status == HITOP_OK && q->args->homogeneous &&
                        (level == 0 || (is_tree && others >> level > 0));
         level++) {
        status = find_mean(&q->cost, volume(q, 0, level), &q->mean[level], diag);
    }
    return status;
}

/* The time of one message between the root and each other rank. */
static struct hitop_bounds flat(const struct question *q, enum hitop_closed_form form)
{
    const struct fan fan = add_up(q);
    struct hitop_irregular irregular;

    (void)hitop_irregular_of(q->args->model, &irregular);
    switch (form) {
    case HITOP_LINEAR_SCATTER:
        return hitop_fan_scatter(&fan, &irregular);
    case HITOP_LINEAR_GATHER:
        return hitop_fan_gather(&fan, &irregular);
    case HITOP_FLAT_SERIAL:
        return (struct hitop_bounds){fan.whole, fan.whole};
    default:
        return (struct hitop_bounds){fan.longest, fan.longest};
    }
}

enum hitop_status hitop_closed_form(enum hitop_closed_form form,
                                    const struct hitop_closed_form_args *args,
                                    struct hitop_bounds *out, struct hitop_diag *diag)
{
    const int is_binomial = form == HITOP_BINOMIAL_BCAST || form == HITOP_BINOMIAL_SCATTER;
    struct question q = {.args = args, .is_bcast = form == HITOP_BINOMIAL_BCAST};
    enum hitop_status status = check(form, args, diag);

    *out = (struct hitop_bounds){0};
    if (status == HITOP_OK) {
        q.cost = hitop_model_cost(args->model);
        status = prepare(&q, is_binomial, diag);
    }
    if (status == HITOP_OK && is_binomial) {
        const double seconds = binomial_from_root(&q);
        *out = (struct hitop_bounds){seconds, seconds};
    } else if (status == HITOP_OK) {
        *out = flat(&q, form);
    }
    return status;
}
