/* SPDX-License-Identifier: BSD-3-Clause */
/* leaders.c - a leader informs others, whoever of the informed ones reaches the next one first. */
#include <config.h>

#include "coll/trees/leaders.h"

#include <stdlib.h>
#include <string.h>

/* Who can lead a set; a rank alone leads itself. */
static struct choices choices_of(const struct leaders *l, int set)
{
    return set < l->args->size ? (struct choices){1, {{set, CLUSTER_NONE, 0}}}
                               : l->choices[l->slot[set]];
}

/* The longest first, then the lowest. */
static int compare_parts(const void *a, const void *b)
{
    const struct part *x = a, *y = b;

    if (x->choice.inner != y->choice.inner) {
        return x->choice.inner > y->choice.inner ? -1 : 1;
    }
    return (x->choice.leader > y->choice.leader) - (x->choice.leader < y->choice.leader);
}

/* Put one part before the others, which keep their order. */
static void put_first(struct part *part, int index)
{
    const struct part own = part[index];

    memmove(part + 1, part, (size_t)index * sizeof(*part));
    part[0] = own;
}

struct part *hitop_leaders_parts(const struct leaders *l, int set, int own, int *count)
{
    struct part *part;
    int n = 0;

    for (int s = l->clusters.sets[set].first; s != CLUSTER_NONE; s = l->clusters.sets[s].next) {
        n++;
    }
    *count = n;
    part = calloc((size_t)n, sizeof(*part));
    if (!part) {
        return NULL;
    }
    n = 0;
    for (int s = l->clusters.sets[set].first; s != CLUSTER_NONE; s = l->clusters.sets[s].next) {
        part[n++] = (struct part){s, choices_of(l, s).choice[0], HITOP_NO_RANK, 0};
    }
    qsort(part, (size_t)n, sizeof(*part), compare_parts);
    for (int i = 0; i < n; i++) {
        if (part[i].set == own) {
            put_first(part, i);
        }
    }
    return part;
}

/* The informed leader whose message arrives first at a rank, and when. */
static int first_sender(const struct leaders *l, int to, double *arrival)
{
    const struct hitop_cost *cost = l->args->cost;
    struct ring ring = hitop_rings_around(l->sets, to);
    int best = POOL_EMPTY;

    while (hitop_ring_next(l->sets, &ring)) {
        const int from = hitop_pool_first(&l->informed, &ring);
        double time;
        if (from == POOL_EMPTY) {
            continue;
        }
        time = l->informed.key[from] + cost->p2p(cost->self, from, to, l->args->bytes);
        if (best == POOL_EMPTY || time < *arrival || (time == *arrival && from < best)) {
            best = from;
            *arrival = time;
        }
    }
    return best;
}

static void inform(struct leaders *l, const struct part *part, int index)
{
    l->part_of[part->choice.leader] = index;
    hitop_pool_put(&l->informed, part->choice.leader, part->ready);
}

double hitop_leaders_serve(struct leaders *l, int leader, struct part *part, int count)
{
    const struct hitop_cost *cost = l->args->cost;
    double last = 0;

    part[0].choice.leader = leader;
    part[0].ready = 0;
    inform(l, &part[0], 0);
    for (int i = 1; i < count; i++) {
        const struct choices choices = choices_of(l, part[i].set);
        struct part *from;
        double soonest = 0;
        for (int c = 0; c < choices.n; c++) {
            const struct choice choice = choices.choice[c];
            double arrival = 0;
            const int sender = first_sender(l, choice.leader, &arrival);
            const double done = arrival + choice.inner;
            if (c == 0 || done < soonest) {
                part[i].choice = choice;
                part[i].from = sender;
                part[i].ready = arrival;
                soonest = done;
            }
        }
        from = &part[l->part_of[part[i].from]];
        from->ready +=
            cost->occupancy(cost->self, part[i].from, part[i].choice.leader, l->args->bytes);
        inform(l, from, l->part_of[part[i].from]);
        inform(l, &part[i], i);
    }
    for (int i = 0; i < count; i++) {
        const double time = part[i].ready + part[i].choice.inner;
        last = time > last ? time : last;
        hitop_pool_take(&l->informed, part[i].choice.leader);
    }
    return last;
}
