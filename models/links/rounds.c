/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rounds.c - rounds in which each resource is used once.
 *
 * Idea:  each resource has a bit for every round, set once it is taken there; the first bit that
 *        none of an item's resources has set is its round. There are at most as many rounds as
 *        items that share a resource with one of them; and those at the beginning are soon full, so
 *        that they are not looked at again.
 * Cost:  items x rounds / 64 at most.
 */
#include <config.h>

#include "models/links/rounds.h"

#include "hitop/measure.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BITS = 64 };

/* More rounds than ever needed. */
static size_t count_most(const struct rounds_request *s, int *taken)
{
    int most = 0;

    for (int i = 0; i < s->n * s->width; i++) {
        const int items = ++taken[s->resource[i]];
        most = items > most ? items : most;
    }
    return (size_t)most * (size_t)s->width + 1;
}

/* The rounds of all resources, so many words each, of which the first ones are full. */
struct calendar {
    uint64_t *busy;
    size_t words;
    int *nfull;
};

/* The first round, from 0, in which the resources are free; they are taken then. */
static int take(struct calendar *c, const int *resource, int width)
{
    uint64_t taken = UINT64_MAX;
    int w = 0, bit = 0;

    for (int k = 0; k < width; k++) {
        w = c->nfull[resource[k]] > w ? c->nfull[resource[k]] : w;
    }
    for (w--; taken == UINT64_MAX;) {
        w++;
        taken = 0;
        for (int k = 0; k < width; k++) {
            taken |= c->busy[(size_t)resource[k] * c->words + (size_t)w];
        }
    }
    while (taken >> bit & 1) {
        bit++;
    }
    for (int k = 0; k < width; k++) {
        uint64_t *mine = c->busy + (size_t)resource[k] * c->words;
        mine[w] |= (uint64_t)1 << bit;
        while (mine[c->nfull[resource[k]]] == UINT64_MAX) {
            c->nfull[resource[k]]++;
        }
    }
    return w * BITS + bit;
}

int hitop_rounds_fill(const struct rounds_request *s, int *round)
{
    const size_t nresources = (size_t)s->nresources + 1;
    struct calendar c = {.nfull = calloc(nresources, sizeof(*c.nfull))};
    int nrounds = -1;

    if (c.nfull) {
        c.words = count_most(s, c.nfull) / BITS + 1;
        memset(c.nfull, 0, nresources * sizeof(*c.nfull));
        c.busy = calloc(nresources, c.words * sizeof(*c.busy));
        nrounds = c.busy ? 0 : -1;
    }
    for (int i = 0; nrounds >= 0 && i < s->n; i++) {
        round[i] = take(&c, s->resource + (size_t)i * (size_t)s->width, s->width) + 1;
        nrounds = round[i] > nrounds ? round[i] : nrounds;
    }
    free(c.busy);
    free(c.nfull);
    return nrounds;
}

int hitop_links_least_rounds(const struct hitop_link *links, int nlinks, int ends, int nranks)
{
    const int at_once = nranks / ends, share = nlinks > 0 ? (nlinks - 1) / at_once + 1 : 0;
    int *count = calloc((size_t)nranks, sizeof(*count));
    int most = 0;

    for (int i = 0; count && i < nlinks; i++) {
        const int rank[3] = {links[i].rank[0], links[i].rank[1], links[i].third};
        for (int k = 0; k < ends; k++) {
            count[rank[k]]++;
            most = count[rank[k]] > most ? count[rank[k]] : most;
        }
    }
    free(count);
    return most > share ? most : share;
}
