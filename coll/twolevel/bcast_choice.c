/* SPDX-License-Identifier: BSD-3-Clause */
/* bcast_choice.c - choose the segment size and the tree of an internode broadcast. */
#include <config.h>

#include "coll/twolevel/bcast_choice.h"

#include "coll/twolevel/relay_predict.h"
#include "hitop/sys/tree.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* Shorter segments start the pipeline earlier; the limits bound the time of predictions. */
    SHORTEST_SEGMENT = 4 * 1024,
    MOST_SHORT_SEGMENTS = 64,
};

/* Cached results for one root and one class of sizes, from a power of two to the next. */
struct bcast_entry {
    struct bcast_entry *next;
    int log2_bytes;
    struct hitop_bcast_choice choice; /* the best of those tried; segment 0: none is */
    double seconds;                   /* of the choice; negative: none could be predicted */
    unsigned ntried;                  /* tree builders that have been tried */
    size_t segment;                   /* to try next with the present one; 0: the longest */
    struct hitop_tree **trees;        /* [nbuilders], built on demand */
};

enum hitop_status hitop_bcast_choices_create(struct hitop_model *model, int is_measured, int copies,
                                             struct hitop_bcast_choices **out,
                                             struct hitop_diag *diag)
{
    struct hitop_bcast_choices *choices = calloc(1, sizeof(*choices));

    *out = NULL;
    if (!choices) {
        hitop_model_free(model);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    choices->model = model;
    choices->is_measured = is_measured;
    choices->model_cost = hitop_model_cost(model);
    choices->cost = hitop_relay_cost(&choices->model_cost, copies);
    while (hitop_tree_builders()[choices->nbuilders]) {
        choices->nbuilders++;
    }
    choices->buckets = calloc((size_t)hitop_model_nranks(model), sizeof(*choices->buckets));
    if (!choices->buckets) {
        hitop_bcast_choices_free(choices);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    *out = choices;
    return HITOP_OK;
}

void hitop_bcast_choices_free(struct hitop_bcast_choices *choices)
{
    if (!choices) {
        return;
    }
    for (int root = 0; choices->buckets && root < hitop_model_nranks(choices->model); root++) {
        struct bcast_entry *e = choices->buckets[root];
        while (e) {
            struct bcast_entry *next = e->next;
            for (unsigned a = 0; a < choices->nbuilders; a++) {
                hitop_tree_free(e->trees[a]);
            }
            free(e->trees);
            free(e);
            e = next;
        }
    }
    free(choices->buckets);
    hitop_model_free(choices->model);
    free(choices);
}

unsigned hitop_bcast_builder(const char *builder)
{
    unsigned i = 0;

    while (strcmp(hitop_tree_builders()[i]->name, builder) != 0) {
        i++;
    }
    return i;
}

static int log2_floor(size_t bytes)
{
    int n = 0;

    while (bytes >>= 1) {
        n++;
    }
    return n;
}

/* A size in the middle of a class. */
static size_t size_of_class(int log2_bytes)
{
    return ((size_t)3 << log2_bytes) / 2;
}

static struct bcast_entry *find_entry(struct hitop_bcast_choices *choices, int root, size_t bytes)
{
    const int log2_bytes = log2_floor(bytes);
    struct bcast_entry *e = choices->buckets[root];

    while (e && e->log2_bytes != log2_bytes) {
        e = e->next;
    }
    if (e) {
        return e;
    }
    e = calloc(1, sizeof(*e));
    if (!e) {
        return NULL;
    }
    e->trees = calloc(choices->nbuilders, sizeof(struct hitop_tree *));
    if (!e->trees) {
        free(e);
        return NULL;
    }
    e->log2_bytes = log2_bytes;
    e->seconds = -1;
    e->next = choices->buckets[root];
    choices->buckets[root] = e;
    return e;
}

const struct hitop_tree *hitop_bcast_choice_tree(struct hitop_bcast_choices *choices,
                                                 unsigned algorithm, int root, size_t bytes)
{
    struct bcast_entry *e = find_entry(choices, root, bytes);

    if (!e || algorithm >= choices->nbuilders) {
        return NULL;
    }
    if (!e->trees[algorithm]) {
        const struct hitop_tree_args args = {.size = hitop_model_nranks(choices->model),
                                             .root = root,
                                             .bytes = size_of_class(e->log2_bytes),
                                             .cost = &choices->cost};
        if (hitop_tree_build(hitop_tree_builders()[algorithm]->name, &args, NULL,
                             &e->trees[algorithm], NULL) != HITOP_OK) {
            return NULL;
        }
    }
    return e->trees[algorithm];
}

/* The builder at a place in the order of trying: first "nested", which is rarely far from best. */
static unsigned builder_at(const struct hitop_bcast_choices *choices, unsigned place)
{
    return (hitop_bcast_builder("nested") + place) % choices->nbuilders;
}

static void keep_if_faster(struct bcast_entry *e, struct hitop_bcast_choice choice, double seconds)
{
    const int is_first = seconds == e->seconds && choice.algorithm < e->choice.algorithm;

    if (seconds >= 0 && (e->seconds < 0 || seconds < e->seconds || is_first)) {
        e->seconds = seconds;
        e->choice = choice;
    }
}

/* Whether to try segments of so many bytes; the longest are always tried. */
static int is_tried(size_t segment, size_t bytes)
{
    return segment == HITOP_BCAST_SEGMENT ||
           (segment < bytes && bytes / segment <= MOST_SHORT_SEGMENTS);
}

/*
 * Try the next tree and segment for a message; return the number of messages that were predicted.
 * A tree whose bound is not below the best time cannot be faster, which is true of most trees for
 * long messages.
 */
static size_t try_next(struct hitop_bcast_choices *choices, struct bcast_entry *e, int root)
{
    const unsigned a = builder_at(choices, e->ntried);
    const size_t bytes = size_of_class(e->log2_bytes), n = (size_t)choices->cost.nranks;
    const size_t shortest = choices->is_measured ? SHORTEST_SEGMENT : HITOP_BCAST_SEGMENT;
    const struct hitop_bcast_choice choice = {
        .algorithm = a, .segment = e->segment > 0 ? e->segment : HITOP_BCAST_SEGMENT};
    const int is_new = e->segment == 0;
    size_t messages = n;

    if (hitop_tree_builders()[a]->by_name ||
        (is_new && e->seconds >= 0 && hitop_bcast_bound(choices, a, root, bytes) > e->seconds)) {
        e->ntried++;
        return messages;
    }
    if (is_tried(choice.segment, bytes)) {
        const double seconds = hitop_bcast_predict(choices, choice, root, bytes);
        keep_if_faster(
            e, choice,
            seconds < 0 ? -1 : seconds + hitop_bcast_segment_cost(choices, choice, root, bytes));
        messages += n * (bytes / choice.segment);
    }
    e->segment = choice.segment / 2 >= shortest ? choice.segment / 2 : 0;
    e->ntried += e->segment == 0;
    return messages;
}

struct hitop_bcast_choice hitop_bcast_choose(struct hitop_bcast_choices *choices, int root,
                                             size_t bytes, size_t most, int *is_complete)
{
    struct bcast_entry *e = find_entry(choices, root, bytes);

    for (size_t n = 0; e && e->ntried < choices->nbuilders && n < most;) {
        n += try_next(choices, e, root);
    }
    *is_complete = !e || e->ntried == choices->nbuilders;
    return e && e->choice.segment > 0 ? e->choice
                                      : (struct hitop_bcast_choice){.segment = HITOP_BCAST_SEGMENT};
}

/*
 * A tree over some of the nodes.
 *
 * The cost of the part has the groups of the full cost, so a tree that crosses each slow link once
 * does so here, too: the root serves one node of a remote group, which serves the others.
 */

struct part {
    const struct hitop_cost *all;
    const int *nodes;
    int n;
};

static double part_p2p(const void *self, int from, int to, size_t bytes)
{
    const struct part *p = self;

    return p->all->p2p(p->all->self, p->nodes[from], p->nodes[to], bytes);
}

static double part_occupancy(const void *self, int from, int to, size_t bytes)
{
    const struct part *p = self;

    return p->all->occupancy(p->all->self, p->nodes[from], p->nodes[to], bytes);
}

/* Sets are numbered from the nodes up; groups follow the nodes, in the order of the full cost. */
static int part_enclosing(const void *self, int set)
{
    const struct part *p = self;
    const int beyond = p->all->nranks - p->n;
    const int up = p->all->enclosing(p->all->self, set < p->n ? p->nodes[set] : set + beyond);

    return up < 0 ? -1 : up - beyond;
}

static int part_kind(const void *self, int node)
{
    const struct part *p = self;

    return p->all->kind(p->all->self, p->nodes[node]);
}

struct hitop_tree *hitop_bcast_part_tree(struct hitop_bcast_choices *choices, unsigned algorithm,
                                         const int *nodes, int n, size_t bytes)
{
    const struct part part = {.all = &choices->cost, .nodes = nodes, .n = n};
    const struct hitop_cost cost = {.self = &part,
                                    .nranks = n,
                                    .p2p = part_p2p,
                                    .occupancy = part_occupancy,
                                    .enclosing = part.all->enclosing ? part_enclosing : NULL,
                                    .nsets = part.all->nsets - part.all->nranks + n,
                                    .kind = part.all->kind ? part_kind : NULL,
                                    .grows = part.all->grows};
    const struct hitop_tree_args args = {.size = n, .root = 0, .bytes = bytes, .cost = &cost};
    struct hitop_tree *tree = NULL;

    if (hitop_tree_build(hitop_tree_builders()[algorithm]->name, &args, NULL, &tree, NULL) !=
        HITOP_OK) {
        return NULL;
    }
    return tree;
}

double hitop_internode_latency(const struct hitop_bcast_choices *choices, int longest)
{
    const struct hitop_cost *cost = &choices->cost;
    double latency = 0;

    for (int node = 1; node < cost->nranks; node++) {
        const double seconds = cost->p2p(cost->self, 0, node, 8);
        if (node == 1 || (longest ? seconds > latency : seconds < latency)) {
            latency = seconds;
        }
    }
    return latency;
}

/* Most messages that one prediction simulates; bounds the time of a first call. */
enum { MAX_MESSAGES = 1 << 16 };

/*
 * Time until the last segment has crossed the busiest link into or out of a group. All messages
 * over a link share it; its capacity is the number that it carries concurrently. The prediction of
 * the relay lacks this: in it, different senders do not slow each other on one link.
 */
static double crossing_time(const struct hitop_bcast_choices *choices,
                            const struct hitop_tree *tree, size_t bytes, size_t segment)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(choices->model);
    const struct hitop_cost *cost = &choices->cost;
    const int nranks = hitop_hierarchy_nranks(h);
    const size_t part = bytes < segment ? bytes : segment;
    const double nparts = part > 0 ? (double)bytes / (double)part : 0;
    double *busy = calloc(2 * (size_t)hitop_hierarchy_nnodes(h), sizeof(*busy)); /* out, in */
    double longest = 0;

    for (int to = 0; busy && to < nranks; to++) {
        const int from = hitop_tree_parent(tree, to);
        const int top = from == HITOP_NO_RANK ? HITOP_NO_NODE : hitop_hierarchy_lca(h, from, to);
        double latency, transfer;

        if (top == HITOP_NO_NODE) {
            continue;
        }
        latency = cost->p2p(cost->self, from, to, 0);
        transfer = nparts * (cost->p2p(cost->self, from, to, part) - latency);
        for (int in = 0; in < 2; in++) {
            for (int node = in ? to : from; node != top; node = hitop_hierarchy_parent(h, node)) {
                const double capacity = hitop_hierarchy_capacity(h, node);
                double *sum = &busy[2 * node + in];
                *sum += capacity > 0 ? transfer / capacity : transfer;
                longest = latency + *sum > longest ? latency + *sum : longest;
            }
        }
    }
    free(busy);
    return longest;
}

double hitop_bcast_bound(struct hitop_bcast_choices *choices, unsigned algorithm, int root,
                         size_t bytes)
{
    const struct hitop_tree *tree = hitop_bcast_choice_tree(choices, algorithm, root, bytes);

    return tree ? crossing_time(choices, tree, bytes, HITOP_BCAST_SEGMENT) : 0;
}

double hitop_bcast_predict(struct hitop_bcast_choices *choices, struct hitop_bcast_choice choice,
                           int root, size_t bytes)
{
    const struct hitop_tree *tree = hitop_bcast_choice_tree(choices, choice.algorithm, root, bytes);
    const size_t messages = (bytes / choice.segment + 1) * (size_t)choices->cost.nranks;
    const size_t parts = messages / MAX_MESSAGES + 1;
    double seconds, shared;

    if (!tree) {
        return -1;
    }
    /* a very long message: fewer, larger segments have the same rate */
    seconds = hitop_relay_predict(&choices->cost, tree, bytes, choice.segment * parts);
    shared = crossing_time(choices, tree, bytes, choice.segment);
    return seconds >= 0 && seconds < shared ? shared : seconds;
}

/* Few models have the processor's time for a message: use a fraction of the shortest latency. */
double hitop_bcast_segment_cost(struct hitop_bcast_choices *choices,
                                struct hitop_bcast_choice choice, int root, size_t bytes)
{
    const struct hitop_tree *tree = hitop_bcast_choice_tree(choices, choice.algorithm, root, bytes);
    const struct hitop_cost *cost = &choices->cost;
    const double own = hitop_internode_latency(choices, 0) / 8;
    int most = 0;

    if (cost->nranks > 1 && cost->occupancy(cost->self, 0, 1, 0) > 0) {
        return 0;
    }
    for (int node = 0; tree && node < hitop_tree_size(tree); node++) {
        int n;
        (void)hitop_tree_children(tree, node, &n);
        most = n > most ? n : most;
    }
    return own * most * (double)((bytes - 1) / choice.segment);
}

static int list_below(const struct hitop_tree *tree, int top, const int *rank,
                      struct hitop_branch *out)
{
    int nchildren, n = 0;
    const int *children = hitop_tree_children(tree, top, &nchildren);

    for (int i = 0; i < nchildren; i++) {
        struct hitop_branch *entry = &out[n++];
        entry->rank = rank[children[i]];
        entry->below = list_below(tree, children[i], rank, out + n);
        n += entry->below;
    }
    return n;
}

int hitop_branch_list(const struct hitop_tree *tree, const int *rank, struct hitop_branch *out)
{
    return list_below(tree, hitop_tree_root(tree), rank, out);
}
