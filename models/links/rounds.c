/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rounds.c - assign items to rounds in which each resource is used at most once.
 *
 * Idea:  each resource has a bit for every round, which is set when an item uses the resource in
 *        that round. The round of an item is the first bit that is clear for all its resources.
 *        The words of a resource at the beginning are soon full, and the search skips them.
 * Cost:  items x rounds / 64 at most.
 */
#include <config.h>

#include "models/links/rounds.h"

#include "hitop/measure.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BITS = 64 };

/*
 * An upper bound for the number of rounds: an item waits only for items with which it shares a
 * resource.
 */
static size_t count_most(const struct rounds_request *s, int *taken)
{
    int most = 0;

    for (int i = 0; i < s->n * s->width; i++) {
        const int items = ++taken[s->resource[i]];
        most = items > most ? items : most;
    }
    return (size_t)most * (size_t)s->width + 1;
}

/* The busy bits of all resources, in `words` words each, of which the first nfull are full. */
struct calendar {
    uint64_t *busy;
    size_t words;
    int *nfull;
};

/* Find the first round, from 0, in which all resources are free, and mark them busy there. */
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
