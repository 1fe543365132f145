/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rounds.c - the first round in which all seats are free.
 *
 * Idea:  each seat has a bit for every round, set once it is taken there; the first bit that none of an item's
 *        seats has set is its round. There are at most as many rounds as an item can have items beside it.
 * Cost:  items x rounds / 64.
 */
#include <config.h>

#include "rounds.h"

#include "hitop/measure.h"

#include <stdint.h>
#include <stdlib.h>

enum { BITS = 64 };

/* More rounds than ever needed. */
static size_t count_most(const struct seating *s, int *taken)
{
    int most = 0;

    for (int i = 0; i < s->n * s->width; i++) {
        const int items = ++taken[s->seat[i]];
        most = items > most ? items : most;
    }
    return (size_t)most * (size_t)s->width + 1;
}

/* The first round, from 0, in which the seats are free; they are taken then. */
static int take(uint64_t *busy, size_t words, const int *seat, int width)
{
    uint64_t taken = UINT64_MAX;
    size_t w = 0;
    int bit = 0;

    for (; taken == UINT64_MAX; w++) {
        taken = 0;
        for (int k = 0; k < width; k++) {
            taken |= busy[(size_t)seat[k] * words + w];
        }
    }
    for (w--; taken >> bit & 1; bit++) {
    }
    for (int k = 0; k < width; k++) {
        busy[(size_t)seat[k] * words + w] |= (uint64_t)1 << bit;
    }
    return (int)w * BITS + bit;
}

int rounds_fill(const struct seating *s, int *round)
{
    int *taken = calloc((size_t)s->nseats + 1, sizeof(*taken));
    const size_t words = taken ? count_most(s, taken) / BITS + 1 : 1;
    uint64_t *busy = calloc((size_t)s->nseats + 1, words * sizeof(*busy));
    int nrounds = taken && busy ? 0 : -1;

    for (int i = 0; nrounds >= 0 && i < s->n; i++) {
        round[i] = take(busy, words, s->seat + (size_t)i * (size_t)s->width, s->width) + 1;
        nrounds = round[i] > nrounds ? round[i] : nrounds;
    }
    free(busy);
    free(taken);
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
