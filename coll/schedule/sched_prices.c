/* SPDX-License-Identifier: BSD-3-Clause */
/* sched_prices.c - a hash table of prices by groups of ranks and size. */
#include <config.h>

#include "coll/schedule/sched_prices.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

enum { FIRST_ROOM = 64, MAX_GROUPS = 1 << 15 };

/* ---- Groups ---- */

struct label {
    int set, kind, rank;
};

static int compare(const void *a, const void *b)
{
    const struct label *x = a, *y = b;

    if (x->set != y->set) {
        return x->set < y->set ? -1 : 1;
    }
    if (x->kind != y->kind) {
        return x->kind < y->kind ? -1 : 1;
    }
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Number the groups of ranks with the same innermost set and kind; return 0 when out of memory. */
static int find_groups(struct sched_prices *prices, int size)
{
    const struct hitop_cost *cost = prices->cost;
    struct label *label = calloc((size_t)size, sizeof(*label));
    unsigned n = 0;
    int is_sorted = 1;

    prices->group = calloc((size_t)size, sizeof(*prices->group));
    if (!label || !prices->group) {
        free(label);
        return 0;
    }
    for (int r = 0; r < size; r++) {
        label[r] = (struct label){cost->enclosing ? cost->enclosing(cost->self, r) : 0,
                                  cost->kind ? cost->kind(cost->self, r) : 0, r};
        is_sorted = is_sorted && (r == 0 || compare(&label[r - 1], &label[r]) < 0);
    }
    if (!is_sorted) {
        qsort(label, (size_t)size, sizeof(*label), compare);
    }
    for (int i = 0; i < size; i++) {
        n += i > 0 && (label[i].set != label[i - 1].set || label[i].kind != label[i - 1].kind);
        prices->group[label[i].rank] = n;
    }
    prices->ngroups = n + 1;
    free(label);
    return 1;
}

/* The largest set around a rank but that of all ranks; the rank itself where there is none. */
static int largest_set(const struct hitop_cost *cost, int rank)
{
    int set = rank;

    for (int up = cost->enclosing(cost->self, set); up >= 0; up = cost->enclosing(cost->self, up)) {
        if (cost->enclosing(cost->self, up) < 0) {
            return set;
        }
        set = up;
    }
    return set;
}

/* Find neighbouring ranks of different largest sets: a few, as most sets are alike. */
static void find_boundaries(struct sched_prices *prices, int size)
{
    const struct hitop_cost *cost = prices->cost;
    int last = largest_set(cost, 0);

    for (int r = 1; r < size && prices->nboundary + 2 <= SCHED_BOUNDARIES; r++) {
        const int set = largest_set(cost, r);
        if (set != last) {
            prices->boundary[prices->nboundary++] = r - 1;
            prices->boundary[prices->nboundary++] = r;
        }
        last = set;
    }
}

enum hitop_status hitop_sched_prices_init(struct sched_prices *prices,
                                          const struct hitop_cost *cost, int size,
                                          struct hitop_diag *diag)
{
    int is_complete = 1;

    *prices = (struct sched_prices){.cost = cost};
    if (cost->enclosing || cost->kind) {
        is_complete = find_groups(prices, size);
        if (prices->ngroups > MAX_GROUPS) { /* pairs of groups have no number */
            free(prices->group);
            prices->group = NULL;
        }
    }
    if (cost->enclosing) {
        find_boundaries(prices, size);
    }
    if (prices->group) {
        prices->room = FIRST_ROOM;
        prices->entries = calloc(prices->room, sizeof(*prices->entries));
        is_complete = is_complete && prices->entries;
    }
    return is_complete
               ? HITOP_OK
               : hitop_fail(diag, HITOP_ERR_NOMEM, "prices of %d ranks: out of memory", size);
}

void hitop_sched_prices_fini(struct sched_prices *prices)
{
    free(prices->crossings);
    free(prices->entries);
    free(prices->group);
}

/* ---- Prices ---- */

/* Append the trunks that a message crosses. */
static void find_crossings(struct sched_prices *prices, int from, int to, size_t bytes,
                           struct sched_price *price)
{
    const struct hitop_cost *cost = prices->cost;
    const size_t most = (size_t)cost->max_crossings + 1;

    if (prices->crossings_room - prices->ncrossings < most) {
        const size_t room = 2 * prices->crossings_room + most;
        struct hitop_crossing *more = reallocarray(prices->crossings, room, sizeof(*more));
        if (!more) {
            prices->out_of_memory = 1;
            return;
        }
        prices->crossings = more;
        prices->crossings_room = room;
    }
    price->first = prices->ncrossings;
    price->ncrossings =
        cost->crossings(cost->self, from, to, bytes, prices->crossings + price->first);
    prices->ncrossings += (size_t)price->ncrossings;
}

static struct sched_price compute(struct sched_prices *prices, int from, int to, size_t bytes)
{
    const struct hitop_cost *cost = prices->cost;
    struct sched_price price = {
        .p2p = cost->p2p(cost->self, from, to, bytes),
        .occupancy = cost->occupancy(cost->self, from, to, bytes),
        .reception = cost->reception ? cost->reception(cost->self, from, to, bytes) : 0,
        .is_eager = cost->eager && bytes <= cost->eager(cost->self, from, to)};

    if (cost->crossings && cost->ntrunks > 0) {
        find_crossings(prices, from, to, bytes, &price);
    }
    if (price.ncrossings > 0) {
        price.latency = cost->p2p(cost->self, from, to, 0);
        price.handshake = cost->handshake ? cost->handshake(cost->self, from, to, bytes) : 0;
    }
    return price;
}

/* The entry of a pair of groups and a size, or the empty one where it belongs. */
static struct sched_price_entry *find(struct sched_price_entry *entries, size_t room, unsigned pair,
                                      size_t bytes)
{
    const uint64_t mixed =
        (pair * UINT64_C(0x9e3779b97f4a7c15)) ^ ((uint64_t)bytes * UINT64_C(0xc2b2ae3d27d4eb4f));
    size_t i = (size_t)(mixed ^ mixed >> 32) & (room - 1);

    while (entries[i].pair != 0 && (entries[i].pair != pair || entries[i].bytes != bytes)) {
        i = (i + 1) & (room - 1);
    }
    return &entries[i];
}

/* Double the table; return 0 when out of memory. */
static int grow(struct sched_prices *prices)
{
    const size_t room = 2 * prices->room;
    struct sched_price_entry *more = calloc(room, sizeof(*more));

    if (!more) {
        prices->out_of_memory = 1;
        return 0;
    }
    for (size_t i = 0; i < prices->room; i++) {
        const struct sched_price_entry *e = &prices->entries[i];
        if (e->pair != 0) {
            *find(more, room, e->pair, e->bytes) = *e;
        }
    }
    free(prices->entries);
    prices->entries = more;
    prices->room = room;
    return 1;
}

const struct sched_price *hitop_sched_price(struct sched_prices *prices, int from, int to,
                                            size_t bytes)
{
    struct sched_price_entry *entry;
    unsigned pair;

    if (!prices->group) {
        prices->ncrossings = 0;
        prices->single = compute(prices, from, to, bytes);
        return &prices->single;
    }
    pair = 1 + prices->group[from] * prices->ngroups + prices->group[to];
    entry = find(prices->entries, prices->room, pair, bytes);
    if (entry->pair == 0) {
        if (2 * prices->count >= prices->room && grow(prices)) {
            entry = find(prices->entries, prices->room, pair, bytes);
        }
        *entry = (struct sched_price_entry){bytes, pair, compute(prices, from, to, bytes)};
        prices->count++;
    }
    return &entry->price;
}
