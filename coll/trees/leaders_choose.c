/* SPDX-License-Identifier: BSD-3-Clause */
/* leaders_choose.c - from the inside outwards: what leading a set would take. */
#include <config.h>

#include "coll/trees/leaders.h"

#include <stdlib.h>
#include <string.h>

/* Leaders that are tried for one set. */
enum { MOST_TRIED = 8 };

static enum hitop_status no_memory(const struct leaders *l, struct hitop_diag *diag)
{
    return hitop_fail(diag, HITOP_ERR_NOMEM, "tree over %d ranks: out of memory", l->args->size);
}

/* A rank to try as a leader: first choice of a part. */
struct leader_option {
    struct choice choice;
    double busy; /* seconds for which a message to another part keeps it */
};

/* Who has most to do inside saves the message there; then who sends fastest, then the lowest. */
static int compare_options(const void *a, const void *b)
{
    const struct leader_option *x = a, *y = b;

    if (x->choice.inner != y->choice.inner) {
        return x->choice.inner > y->choice.inner ? -1 : 1;
    }
    if (x->busy != y->busy) {
        return x->busy < y->busy ? -1 : 1;
    }
    return (x->choice.leader > y->choice.leader) - (x->choice.leader < y->choice.leader);
}

static int compare_choices(const void *a, const void *b)
{
    const struct choice *x = a, *y = b;

    if (x->inner != y->inner) {
        return x->inner < y->inner ? -1 : 1;
    }
    return (x->leader > y->leader) - (x->leader < y->leader);
}

/* Those worth trying come first in option[]; of alike ones the lowest. Returns how many. */
static int find_options(const struct leaders *l, const struct part *part, int count,
                        struct leader_option *option)
{
    const struct hitop_cost *cost = l->args->cost;
    int n = 0;

    for (int i = 0; i < count; i++) {
        const int other = part[i == 0].choice.leader;
        option[i] = (struct leader_option){
            part[i].choice,
            cost->occupancy(cost->self, part[i].choice.leader, other, l->args->bytes)};
        option[i].choice.via = part[i].set;
    }
    qsort(option, (size_t)count, sizeof(*option), compare_options);
    for (int i = 0; i < count && n < MOST_TRIED; i++) {
        if (n == 0 || option[i].choice.inner != option[n - 1].choice.inner ||
            option[i].busy != option[n - 1].busy) {
            option[n++] = option[i];
        }
    }
    return n;
}

/* The time inside a set that one of its ranks leads; 0 when out of memory. */
static int try(struct leaders *l, int set, struct choice *choice)
{
    int count;
    struct part *part = hitop_leaders_parts(l, set, choice->via, &count);

    if (!part) {
        return 0;
    }
    choice->inner = hitop_leaders_serve(l, choice->leader, part, count);
    free(part);
    return 1;
}

/* Try leaders of a set; those of the sets inside are chosen. */
static enum hitop_status choose(struct leaders *l, int set, struct hitop_diag *diag)
{
    struct choices *chosen = &l->choices[l->slot[set]];
    struct choice tried[MOST_TRIED];
    int count, n = 0, is_done;
    struct part *part = hitop_leaders_parts(l, set, CLUSTER_NONE, &count);
    struct leader_option *option = calloc((size_t)count, sizeof(*option));

    is_done = part && option;
    if (is_done) {
        n = find_options(l, part, count, option);
    }
    for (int i = 0; i < n && is_done; i++) {
        tried[i] = option[i].choice;
        is_done = try(l, set, &tried[i]);
    }
    free(option);
    free(part);
    if (!is_done) {
        return no_memory(l, diag);
    }
    qsort(tried, (size_t)n, sizeof(*tried), compare_choices);
    chosen->n = n < MOST_CHOICES ? n : MOST_CHOICES;
    memcpy(chosen->choice, tried, (size_t)chosen->n * sizeof(*tried));
    return HITOP_OK;
}

/* Room for the choices of each set that holds sets. */
static int make_slots(struct leaders *l)
{
    int n = 0;

    l->slot = calloc((size_t)l->clusters.nsets, sizeof(*l->slot));
    for (int s = 0; l->slot && s < l->clusters.nsets; s++) {
        l->slot[s] = l->clusters.sets[s].first != CLUSTER_NONE ? n++ : CLUSTER_NONE;
    }
    l->choices = calloc((size_t)n + 1, sizeof(*l->choices));
    l->part_of = calloc((size_t)l->args->size, sizeof(*l->part_of));
    return l->slot && l->choices && l->part_of;
}

enum hitop_status hitop_leaders_init(struct leaders *l, const struct sets *sets,
                                     const struct hitop_tree_args *args, struct hitop_diag *diag)
{
    enum hitop_status status;

    *l = (struct leaders){.args = args, .sets = sets};
    status = hitop_clustering_init(&l->clusters, sets, args, diag);
    if (status == HITOP_OK) {
        status = hitop_pool_init(&l->informed, sets, diag);
    }
    if (status == HITOP_OK && !make_slots(l)) {
        status = no_memory(l, diag);
    }
    for (int s = 0; status == HITOP_OK && s < l->clusters.nsets; s++) {
        if (l->slot[s] != CLUSTER_NONE) { /* those inside come before */
            status = choose(l, s, diag);
        }
    }
    return status;
}

void hitop_leaders_fini(struct leaders *l)
{
    free(l->part_of);
    free(l->choices);
    free(l->slot);
    hitop_pool_fini(&l->informed);
    hitop_clustering_free(&l->clusters);
}
