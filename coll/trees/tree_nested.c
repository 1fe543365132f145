/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_nested.c - trees within trees: each set of near ranks is entered once.
 *
 * Idea:   cluster the ranks by price. In the outermost set one leader of each inner set gets the
 *         message, the root before all others; then the same inside each inner set. The inner set
 *         that takes longest inside is served first, by the leader whose message arrives first.
 *         Its own leader is the rank with which it is done first.
 * Cost:   the times of the levels add up; every expensive link carries the message once. A few
 *         times as many prices as ranks have rings of alike ranks around them.
 * Use:    links between far groups that are shared, which prices of single messages do not show.
 * Needs:  prices. Of equally good leaders the lowest rank is taken. On 200 random machines of
 *         sites of hosts with different processors or links, the predicted broadcast was 9 to 24 %
 *         faster on average than with the lowest rank as leader of each set, and slower on about
 *         5 % of the machines; where all ranks are alike there is no difference.
 * Source: the clusters are those of single linkage; serving the longest set first follows the
 *         look-ahead of P. Bhat, C. Raghavendra, V. Prasanna, ICDCS 1999.
 */
#include <config.h>

#include "coll/trees/clustering.h"
#include "coll/trees/pool.h"
#include "hitop/coroutine.h"
#include "hitop/sys/tree.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CHOICES = 4 };

/* A rank that can lead a set. */
struct choice {
    int leader;
    /*
     * The inner set that it leads, too, as the first choice of that set; CLUSTER_NONE for a single
     * rank.
     */
    int via;
    double inner; /* seconds from the arrival at the leader until all ranks inside have it */
};

/* The leaders that a set can have; the one with the shortest time inside comes first. */
struct choices {
    int n;
    struct choice choice[MOST_CHOICES];
};

/* An inner set of the set that is being served. */
struct part {
    int set;
    struct choice choice; /* the first choice; once the part is served, the choice made */
    int from;             /* the rank that sends to the leader; HITOP_NO_RANK for the first part */
    double ready;         /* when the leader has completed its sends to other parts so far */
};

struct leaders {
    const struct hitop_tree_args *args;
    const struct sets *sets;
    struct clustering clusters;
    struct choices *choices; /* of sets that have inner sets */
    int *slot;               /* [clusters.nsets] index in choices[], or CLUSTER_NONE */
    struct pool informed;    /* leaders of the served set that have the message, by ready time */
    int *part_of;            /* [size] the part that an informed leader leads */
    int *heap;               /* [size] parts whose leaders can send */
};

/* ---- A leader informs ranks of one kind in one set: all messages take the same time ---- */

static int are_alike(const struct leaders *l, const struct part *part, int count)
{
    for (int i = 0; i < count; i++) {
        if (part[i].set >= l->args->size ||
            l->sets->innermost[part[i].set] != l->sets->innermost[part[0].set]) {
            return 0;
        }
    }
    return count > 1;
}

/* Of two parts, whether the first one can send earlier; equal times by rank. */
static int sends_before(const struct part *part, int a, int b)
{
    return part[a].ready < part[b].ready ||
           (part[a].ready <= part[b].ready && part[a].choice.leader < part[b].choice.leader);
}

/* Move a part up the heap of those that can send, from a free place at its end. */
static void push(const struct part *part, int *heap, int n, int index)
{
    for (; n > 0 && sends_before(part, index, heap[(n - 1) / 2]); n = (n - 1) / 2) {
        heap[n] = heap[(n - 1) / 2];
    }
    heap[n] = index;
}

/* The first of the heap can send later than before: move it down. */
static void delay_first(const struct part *part, int *heap, int n)
{
    const int first = heap[0];
    int i = 0, child;

    while ((child = 2 * i + 1) < n) {
        child += child + 1 < n && sends_before(part, heap[child + 1], heap[child]);
        if (!sends_before(part, heap[child], first)) {
            break;
        }
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = first;
}

/* leaders_serve() for ranks with equal links: one price serves for all messages. */
static double serve_alike(struct leaders *l, struct part *part, int count)
{
    const struct hitop_cost *cost = l->args->cost;
    const int from = part[0].choice.leader, to = part[1].choice.leader;
    const double p2p = cost->p2p(cost->self, from, to, l->args->bytes);
    const double busy = cost->occupancy(cost->self, from, to, l->args->bytes);
    double last = 0;

    l->heap[0] = 0;
    for (int i = 1; i < count; i++) {
        struct part *sender = &part[l->heap[0]];
        part[i].from = sender->choice.leader;
        part[i].ready = sender->ready + p2p;
        sender->ready += busy;
        delay_first(part, l->heap, i);
        push(part, l->heap, i, i);
    }
    for (int i = 0; i < count; i++) {
        last = part[i].ready > last ? part[i].ready : last;
    }
    (void)hitop_coroutine_yield(1 + (size_t)count / 4);
    return last;
}

/* ---- A leader informs the leaders of the sets inside ---- */

/* The ranks that can lead a set; a rank alone leads itself. */
static struct choices choices_of(const struct leaders *l, int set)
{
    return set < l->args->size ? (struct choices){1, {{set, CLUSTER_NONE, 0}}}
                               : l->choices[l->slot[set]];
}

/* The longest time inside first, then the lowest leader. */
static int compare_parts(const void *a, const void *b)
{
    const struct part *x = a, *y = b;

    if (x->choice.inner != y->choice.inner) {
        return x->choice.inner > y->choice.inner ? -1 : 1;
    }
    return (x->choice.leader > y->choice.leader) - (x->choice.leader < y->choice.leader);
}

/* Move one part to the front; the others keep their order. */
static void put_first(struct part *part, int index)
{
    const struct part own = part[index];

    memmove(part + 1, part, (size_t)index * sizeof(*part));
    part[0] = own;
}

static struct part *leaders_parts(const struct leaders *l, int set, int own, int *count)
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

/* The informed leader whose message arrives first at a rank; also sets the time of arrival. */
static int first_sender(const struct leaders *l, int to, double *arrival)
{
    const struct hitop_cost *cost = l->args->cost;
    struct ring ring = hitop_rings_of(l->sets, to);
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

static double leaders_serve(struct leaders *l, int leader, struct part *part, int count)
{
    const struct hitop_cost *cost = l->args->cost;
    double last = 0;

    if (are_alike(l, part, count)) {
        return serve_alike(l, part, count);
    }
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
        (void)hitop_coroutine_yield(1 + (size_t)choices.n);
    }
    for (int i = 0; i < count; i++) {
        const double time = part[i].ready + part[i].choice.inner;
        last = time > last ? time : last;
        hitop_pool_take(&l->informed, part[i].choice.leader);
    }
    return last;
}

/* ---- The choice of leaders, from the inside outwards ---- */

/* The limit of leaders that are tried for one set. */
enum { MOST_TRIED = 8 };

static enum hitop_status no_memory(const struct leaders *l, struct hitop_diag *diag)
{
    return hitop_fail(diag, HITOP_ERR_NOMEM, "tree over %d ranks: out of memory", l->args->size);
}

/* A rank to try as a leader: the first choice of an inner set. */
struct leader_option {
    struct choice choice;
    double busy; /* seconds for which a message to another part occupies it */
};

/*
 * Sort by falling time inside, as a leader needs no message for its own inner set; then by the
 * fastest sender, then by the lowest rank.
 */
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

/*
 * Put the options to try first in option[], of equal ones only the lowest rank. Returns their
 * number.
 */
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

/* Compute the time inside a set for one choice of its leader; 0 when out of memory. */
static int try(struct leaders *l, int set, struct choice *choice)
{
    int count;
    struct part *part = leaders_parts(l, set, choice->via, &count);

    if (!part) {
        return 0;
    }
    choice->inner = leaders_serve(l, choice->leader, part, count);
    free(part);
    return 1;
}

/* Choose the leaders of a set; those of its inner sets are chosen. */
static enum hitop_status choose(struct leaders *l, int set, struct hitop_diag *diag)
{
    struct choices *chosen = &l->choices[l->slot[set]];
    struct choice tried[MOST_TRIED];
    int count, n = 0, is_done;
    struct part *part = leaders_parts(l, set, CLUSTER_NONE, &count);
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

/* Allocate the choices of each set that has inner sets. */
static int make_slots(struct leaders *l)
{
    int n = 0;

    l->slot = calloc((size_t)l->clusters.nsets, sizeof(*l->slot));
    for (int s = 0; l->slot && s < l->clusters.nsets; s++) {
        l->slot[s] = l->clusters.sets[s].first != CLUSTER_NONE ? n++ : CLUSTER_NONE;
    }
    l->choices = calloc((size_t)n + 1, sizeof(*l->choices));
    l->part_of = calloc((size_t)l->args->size, sizeof(*l->part_of));
    l->heap = calloc((size_t)l->args->size, sizeof(*l->heap));
    return l->slot && l->choices && l->part_of && l->heap;
}

static enum hitop_status leaders_init(struct leaders *l, const struct sets *sets,
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
        if (l->slot[s] != CLUSTER_NONE) { /* inner sets come first */
            status = choose(l, s, diag);
        }
    }
    return status;
}

static void leaders_fini(struct leaders *l)
{
    free(l->heap);
    free(l->part_of);
    free(l->choices);
    free(l->slot);
    hitop_pool_fini(&l->informed);
    hitop_clustering_free(&l->clusters);
}

/* ---- The tree ---- */

/* The leader of a set, and the inner set that contains the leader. */
struct lead {
    int leader, via;
};

/* Attach all ranks below the leaders of their sets, from the outermost set inwards. */
static enum hitop_status spread(struct leaders *l, struct lead *lead, int *parent, int *order,
                                struct hitop_diag *diag)
{
    const int size = l->args->size;
    int norder = 1;

    for (int s = l->args->root; s != l->clusters.whole; s = l->clusters.enclosing[s]) {
        lead[l->clusters.enclosing[s]] = (struct lead){l->args->root, s};
    }
    for (int s = l->clusters.whole; s >= size; s--) { /* each set comes after its inner sets */
        struct part *part;
        int count;
        if (l->clusters.sets[s].first == CLUSTER_NONE) {
            continue;
        }
        part = leaders_parts(l, s, lead[s].via, &count);
        if (!part) {
            return no_memory(l, diag);
        }
        (void)leaders_serve(l, lead[s].leader, part, count);
        for (int i = 0; i < count; i++) {
            const struct choice *choice = &part[i].choice;
            if (i > 0) {
                parent[choice->leader] = part[i].from;
                order[norder++] = choice->leader;
            }
            if (choice->leader != l->args->root) {
                lead[part[i].set] = (struct lead){choice->leader, choice->via};
            }
        }
        free(part);
    }
    return HITOP_OK;
}

static enum hitop_status nested_build(const struct hitop_tree_args *args, const double *params,
                                      int *parent, int *order, struct hitop_diag *diag)
{
    struct hitop_tree_args alike = *args; /* all ranks get the same message: counts are ignored */
    struct leaders l = {0};
    struct lead *lead = NULL;
    struct sets sets;
    enum hitop_status status;

    (void)params;
    alike.counts = NULL;
    status = hitop_sets_init(&sets, &alike, diag);
    if (status == HITOP_OK) {
        status = leaders_init(&l, &sets, &alike, diag);
    }
    if (status != HITOP_OK) {
        goto out;
    }
    lead = calloc((size_t)l.clusters.nsets, sizeof(*lead));
    if (!lead) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "nested: out of memory");
        goto out;
    }
    parent[args->root] = HITOP_NO_RANK;
    order[0] = args->root;
    status = spread(&l, lead, parent, order, diag);

out:
    free(lead);
    leaders_fini(&l);
    hitop_sets_fini(&sets);
    return status;
}

const struct hitop_tree_builder hitop_tree_nested = {
    .name = "nested",
    .summary = "trees within trees: no set of near ranks is entered twice",
    .needs = HITOP_TREE_NEEDS_COST,
    .build = nested_build,
};
