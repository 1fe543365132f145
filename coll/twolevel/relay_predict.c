/* SPDX-License-Identifier: BSD-3-Clause */
/* relay_predict.c - predict the arrival times of all segments, node by node. */
#include <config.h>

#include "coll/twolevel/relay_predict.h"

#include <stdlib.h>

struct relay {
    const struct hitop_cost *cost;
    const struct hitop_tree *tree;
    size_t bytes, segment, nsegments;
    /* time at which a node receives a message, if its processor is free */
    double *arrival; /* [nodes * nsegments] */
    double *header;  /* [nodes] */
    int *queue;      /* [nodes] nodes with known arrivals whose children are still to be served */
    struct hitop_crossing *crossing; /* for one message; NULL: the model has none */
};

static size_t segment_bytes(const struct relay *r, size_t k)
{
    const size_t offset = k * r->segment;

    return r->bytes - offset < r->segment ? r->bytes - offset : r->segment;
}

/* The state of one node. */
struct node {
    int self;
    int nchildren;
    const int *child;
    double receive;   /* seconds to receive a message from MPI */
    double processor; /* the time from which the processor is free */
    double port;
};

/* Receive a message that arrives at `arrival`. */
static void take(struct node *n, double arrival)
{
    const double taken = n->processor + n->receive;

    n->processor = taken > arrival ? taken : arrival;
}

/*
 * Seconds for which a message occupies the narrowest shared link on its path; the next message to
 * the same child arrives at least that much later.
 */
static double pace(const struct relay *r, int from, int to, size_t bytes)
{
    const struct hitop_cost *cost = r->cost;
    double longest = 0;
    const int n = r->crossing ? cost->crossings(cost->self, from, to, bytes, r->crossing) : 0;

    for (int i = 0; i < n; i++) {
        longest = r->crossing[i].seconds > longest ? r->crossing[i].seconds : longest;
    }
    return longest;
}

/* Send to one child; the previous message arrived there at `before`. Returns the arrival time. */
static double send(const struct relay *r, struct node *n, int child, size_t bytes, double before)
{
    const struct hitop_cost *cost = r->cost;
    const double start = n->port > n->processor ? n->port : n->processor;
    const double alone = start + cost->p2p(cost->self, n->self, child, bytes);
    const double behind = before + pace(r, n->self, child, bytes);

    n->processor += cost->occupancy(cost->self, n->self, child, 0);
    n->port = start + cost->occupancy(cost->self, n->self, child, bytes);
    return alone > behind ? alone : behind;
}

static struct node begin(const struct relay *r, int self)
{
    const int parent = hitop_tree_parent(r->tree, self);
    struct node n = {.self = self};

    n.child = hitop_tree_children(r->tree, self, &n.nchildren);
    if (parent != HITOP_NO_RANK && r->cost->reception) {
        n.receive = r->cost->reception(r->cost->self, parent, self, 0);
    }
    return n;
}

/* Simulate one node; returns the time at which it is done. */
static double serve_children(const struct relay *r, int self)
{
    const double *mine = &r->arrival[(size_t)self * r->nsegments];
    struct node n = begin(r, self);

    if (r->bytes > HITOP_RELAY_IN_HEADER) {
        take(&n, r->header[self]);
        for (int i = 0; i < n.nchildren; i++) {
            r->header[n.child[i]] = send(r, &n, n.child[i], 0, 0);
        }
    }
    for (size_t k = 0; k < r->nsegments; k++) {
        const size_t bytes = segment_bytes(r, k);
        take(&n, mine[k]);
        for (int i = 0; i < n.nchildren; i++) {
            double *arrival = &r->arrival[(size_t)n.child[i] * r->nsegments + k];
            *arrival = send(r, &n, n.child[i], bytes, k > 0 ? arrival[-1] : 0);
        }
        if (r->cost->local) {
            n.processor += r->cost->local(r->cost->self, self, bytes);
        }
    }
    return n.processor;
}

double hitop_relay_predict(const struct hitop_cost *cost, const struct hitop_tree *tree,
                           size_t bytes, size_t segment)
{
    const size_t size = (size_t)hitop_tree_size(tree);
    struct relay r = {.cost = cost,
                      .tree = tree,
                      .bytes = bytes,
                      .segment = segment,
                      .nsegments = (bytes + segment - 1) / segment};
    double last = -1;

    r.arrival = calloc(size * r.nsegments, sizeof(*r.arrival));
    r.header = calloc(size, sizeof(*r.header));
    r.queue = calloc(size, sizeof(*r.queue));
    if (cost->crossings) {
        r.crossing = calloc((size_t)cost->max_crossings + 1, sizeof(*r.crossing));
    }
    if (r.arrival && r.header && r.queue && (r.crossing || !cost->crossings)) {
        int head = 0, tail = 0;
        r.queue[tail++] = hitop_tree_root(tree);
        while (head < tail) {
            const int node = r.queue[head++];
            const double done = serve_children(&r, node);
            int nchildren;
            const int *child = hitop_tree_children(tree, node, &nchildren);
            last = done > last ? done : last;
            for (int i = 0; i < nchildren; i++) {
                r.queue[tail++] = child[i];
            }
        }
    }
    free(r.crossing);
    free(r.queue);
    free(r.header);
    free(r.arrival);
    return last;
}

static double p2p(const void *self, int from, int to, size_t bytes)
{
    const struct hitop_cost *model = self;

    return model->p2p(model->self, from, to, bytes);
}

/* Does the model separate the processor's time for a message from the time until it arrives? */
static int knows_ends(const struct hitop_cost *model, int from, int to)
{
    return model->occupancy(model->self, from, to, 0) < model->p2p(model->self, from, to, 0);
}

static double occupancy(const void *self, int from, int to, size_t bytes)
{
    const struct hitop_cost *model = self;
    const double transfer = p2p(self, from, to, bytes) - p2p(self, from, to, 0);
    const double known = model->occupancy(model->self, from, to, bytes);
    const double call =
        knows_ends(model, from, to) ? model->occupancy(model->self, from, to, 0) : 0;
    const double longer = call > transfer ? call : transfer;

    return known < longer ? known : longer;
}

static double reception(const void *self, int from, int to, size_t bytes)
{
    const struct hitop_cost *model = self;

    return model->reception && knows_ends(model, from, to)
               ? model->reception(model->self, from, to, bytes)
               : 0;
}

static int enclosing(const void *self, int set)
{
    const struct hitop_cost *model = self;

    return model->enclosing(model->self, set);
}

static int kind(const void *self, int node)
{
    const struct hitop_cost *model = self;

    return model->kind(model->self, node);
}

static int crossings(const void *self, int from, int to, size_t bytes, struct hitop_crossing *out)
{
    const struct hitop_cost *model = self;

    return model->crossings(model->self, from, to, bytes, out);
}

/* The rate of a copy on an ordinary node. */
static const double copy_seconds_per_byte = 0.25e-9;

static double copy(const void *self, int node, size_t bytes)
{
    (void)self;
    (void)node;
    return copy_seconds_per_byte * (double)bytes;
}

struct hitop_cost hitop_relay_cost(const struct hitop_cost *model, int copies)
{
    return (struct hitop_cost){.self = model,
                               .nranks = model->nranks,
                               .p2p = p2p,
                               .occupancy = occupancy,
                               .reception = reception,
                               .enclosing = model->enclosing ? enclosing : NULL,
                               .nsets = model->nsets,
                               .kind = model->kind ? kind : NULL,
                               .grows = model->grows,
                               .crossings = model->crossings ? crossings : NULL,
                               .ntrunks = model->ntrunks,
                               .max_crossings = model->max_crossings,
                               .local = copies ? copy : NULL};
}
