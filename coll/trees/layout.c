/* SPDX-License-Identifier: BSD-3-Clause */
/* layout.c - in-order traversal without sorting children: a counting sort of the lowest ranks. */
#include <config.h>

#include "coll/trees/layout.h"

#include "hitop/hierarchy.h"

#include <stdlib.h>

/* Scratch of one traversal, all [size]. */
struct scratch {
    int *low;    /* lowest rank of each subtree */
    int *by_low; /* the ranks by it */
    int *filled; /* ranks that the subtrees of each rank have taken so far */
};

static void weigh(const struct layout *l, const struct scratch *s, int size, const int *parent,
                  const int *order)
{
    for (int r = 0; r < size; r++) {
        l->weight[r] = 1;
        s->low[r] = r;
    }
    for (int i = size - 1; i > 0; i--) {
        const int r = order[i], up = parent[r];
        l->weight[up] += l->weight[r];
        s->low[up] = s->low[r] < s->low[up] ? s->low[r] : s->low[up];
    }
}

/* Counting sort; place[] is scratch here. */
static void sort_by_low(const struct layout *l, const struct scratch *s, int size)
{
    int total = 0;

    for (int r = 0; r < size; r++) {
        l->place[r] = 0;
    }
    for (int r = 0; r < size; r++) {
        l->place[s->low[r]]++;
    }
    for (int r = 0; r < size; r++) {
        const int here = l->place[r];
        l->place[r] = total;
        total += here;
    }
    for (int r = 0; r < size; r++) {
        s->by_low[l->place[s->low[r]]++] = r;
    }
}

/* first[] relative to the parent's, and place[] relative to the rank's own first[]. */
static void arrange(const struct layout *l, const struct scratch *s, int size, const int *parent)
{
    for (int r = 0; r < size; r++) {
        l->place[r] = 0;
        s->filled[r] = 0;
    }
    for (int i = 0; i < size; i++) {
        const int r = s->by_low[i], up = parent[r];
        if (up == HITOP_NO_RANK) {
            l->first[r] = 0;
            continue;
        }
        l->first[r] = s->filled[up] + (s->low[r] > up);
        s->filled[up] += l->weight[r];
        if (s->low[r] < up) {
            l->place[up] += l->weight[r];
        }
    }
}

static void fill(struct layout *l, const struct scratch *s, int size, const int *parent,
                 const int *order)
{
    weigh(l, s, size, parent, order);
    sort_by_low(l, s, size);
    arrange(l, s, size, parent);
    l->in_order = 1;
    for (int i = 0; i < size; i++) {
        const int r = order[i];
        if (i > 0) {
            l->first[r] += l->first[parent[r]];
        }
        l->place[r] += l->first[r];
        l->rank_at[l->place[r]] = r;
        l->in_order &= l->place[r] == r;
    }
}

int hitop_layout_init(struct layout *layout, int size, const int *parent, const int *order)
{
    const size_t n = (size_t)size;
    const struct scratch s = {calloc(n, sizeof(int)), calloc(n, sizeof(int)),
                              calloc(n, sizeof(int))};
    int done = 0;

    *layout = (struct layout){calloc(n, sizeof(int)), calloc(n, sizeof(int)),
                              calloc(n, sizeof(int)), calloc(n, sizeof(int)), 0};
    if (s.low && s.by_low && s.filled && layout->weight && layout->first && layout->place &&
        layout->rank_at) {
        fill(layout, &s, size, parent, order);
        done = 1;
    }
    free(s.filled);
    free(s.by_low);
    free(s.low);
    return done;
}

void hitop_layout_fini(struct layout *layout)
{
    free(layout->rank_at);
    free(layout->place);
    free(layout->first);
    free(layout->weight);
}
