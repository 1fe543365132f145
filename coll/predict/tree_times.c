/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_times.c - the times of reductions, broadcasts, gathers and scatters over a tree.
 *
 * Idea:   a rank has one parent, so what it sends and receives needs no search for the next event:
 *         the times of a segment follow from those of the one before. A segment moves up in a sweep
 *         over all ranks, children before parents, and down in one with parents before children.
 *
 *         up    ready(r, k)   = max(ready(r, k - 1), free(r, k - 1), last arrival of segment k)
 *               start(c, k)   = max(ready(c, k), ready(r, k - 1))      for a child c of r
 *         down  ready(r, k)   = max(ready(r, k - 1), free(r, k - 1), arrival of segment k)
 *               start(c, k)   = max(free of the send before, ready(c, k - 1))
 *
 *         ready(r, k) is when rank r can pass on segment k and has posted the receives of the next
 *         one; free(r, k) is when its last send of segment k has left the port.
 * Ports:  upwards, children compete for the port of their parent. Each of them has at most one
 *         message on its way to it, which asks for the port at a time that the others do not
 *         change; so the parent serves them in the order of these times, and equal times by rank.
 *         Downwards a rank has one sender, and nothing waits for its port.
 * Trunks: a message that has its trunks to itself takes the time of a single message. Trees that
 *         enter each set of ranks once have no others, so their times are exact. Where two messages
 *         share a trunk, a second pass gives a bound: delays by trunks and by other messages of the
 *         same receiver are left out, except that a port and a trunk serve all their messages.
 */
#include <config.h>

#include "coll/predict/tree_times.h"

#include "coll/predict/uncontended.h"

#include "hitop/coroutine.h"
#include "hitop/sys/coll.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A message that asks for the port of the parent. */
struct arrival {
    double time, start;
    int rank, place;
};

/* Ranks have places in breadth-first order: those of the children of a rank are consecutive. */
struct times {
    const struct hitop_call *call;
    const struct hitop_tree *tree;
    struct sched_prices *prices;
    double limit;
    int size;
    int *rank;     /* [size]: at each place */
    int *child;    /* [size + 1]: the first place of the children of the rank at a place */
    double *ready; /* [size]: by place */
    double *free;
    double *arrived;
    struct uncontended *edge;   /* [size]: between the rank at a place and its parent */
    struct arrival *arrival;    /* [most children of a rank] */
    double *used_until;         /* [trunks]: seconds */
    struct hitop_crossing *own; /* [size max_crossings]: without groups prices keep only the last */
    double *load;               /* [trunks]: seconds of all messages */
    int has_ports;              /* a receiver serves one message at a time */
    int is_bound;               /* leave out that messages wait for each other */
    int is_shared;              /* two messages share a trunk */
    int work;                   /* places visited since the last hitop_coroutine_yield() */
    int exceeds_limit;          /* some rank takes longer than the limit */
    int is_cancelled;
};

/* What a direction passes: `count` segments, all but the last of `longest` bytes. */
struct flow {
    enum hitop_coll_pass pass;
    int is_up;
    size_t count, longest, last;
};

static struct flow flow_of(const struct hitop_call *call, const struct hitop_choice *choice,
                           int is_up)
{
    const struct hitop_coll_type *type = choice->algorithm.type;
    const struct hitop_coll_args args = choice_coll_args(call, choice, 0);
    struct flow flow = {.pass = is_up ? type->up : type->down, .is_up = is_up};
    size_t bytes = flow.pass == HITOP_PASS_ALL ? call->bytes * (size_t)call->size : call->bytes;

    if (flow.pass == HITOP_PASS_EMPTY || (flow.pass == HITOP_PASS_BLOCKS && bytes > 0)) {
        flow.count = 1;
    } else if (flow.pass != HITOP_PASS_NONE && bytes > 0) {
        flow.longest = hitop_segment_bytes(&args, bytes);
        flow.count = (bytes - 1) / flow.longest + 1;
        flow.last = bytes - (flow.count - 1) * flow.longest;
    }
    return flow;
}

/* Whether the first parameter, which can be the bytes of a segment, is within its range. */
static int has_valid_segment(const struct hitop_choice *choice)
{
    const struct hitop_coll_type *type = choice->algorithm.type;

    return type->nparams == 0 ||
           (choice->params[0] >= type->params[0].min && choice->params[0] <= type->params[0].max);
}

int hitop_tree_times_apply(const struct hitop_choice *choice, const struct hitop_call *call,
                           const struct hitop_cost *cost)
{
    const struct hitop_coll_type *type = choice->algorithm.type;

    return choice->algorithm.tree && has_valid_segment(choice) &&
           (type->up != HITOP_PASS_NONE || type->down != HITOP_PASS_NONE) && !call->starts &&
           !cost->eager && !cost->local &&
           flow_of(call, choice, 0).count <= HITOP_COLL_SEGMENTS_MAX &&
           flow_of(call, choice, 1).count <= HITOP_COLL_SEGMENTS_MAX;
}

/* ---- The tree ---- */

static void fini(struct times *t)
{
    free(t->own);
    free(t->load);
    free(t->used_until);
    free(t->arrival);
    free(t->edge);
    free(t->ready);
    free(t->child);
    free(t->rank);
}

static int init(struct times *t)
{
    const size_t n = (size_t)t->size, ntrunks = (size_t)t->prices->cost->ntrunks;
    int next = 1, most = 0, has_room = 1;

    t->rank = calloc(n, sizeof(*t->rank));
    t->child = calloc(n + 1, sizeof(*t->child));
    t->ready = calloc(3 * n, sizeof(*t->ready));
    t->edge = calloc(n, sizeof(*t->edge));
    t->used_until = calloc(ntrunks + 1, sizeof(*t->used_until));
    t->load = calloc(ntrunks + 1, sizeof(*t->load));
    if (t->prices->cost->crossings && !t->prices->group) {
        t->own = calloc(n * (size_t)t->prices->cost->max_crossings + 1, sizeof(*t->own));
        has_room = t->own != NULL;
    }
    if (!has_room || !t->rank || !t->child || !t->ready || !t->edge || !t->used_until || !t->load) {
        return 0;
    }
    t->free = t->ready + n;
    t->arrived = t->free + n;
    t->has_ports = t->prices->cost->reception != NULL;
    t->rank[0] = hitop_tree_root(t->tree);
    for (int i = 0; i < t->size; i++) {
        int count;
        const int *children = hitop_tree_children(t->tree, t->rank[i], &count);
        t->child[i] = next;
        for (int c = 0; c < count; c++) {
            t->rank[next++] = children[c];
        }
        most = count > most ? count : most;
    }
    t->child[t->size] = t->size;
    t->arrival = calloc((size_t)most + 1, sizeof(*t->arrival));
    return t->arrival != NULL;
}

/* Count `places` visited; return 1 if the computation is to end. */
static int is_done(struct times *t, int places, int places_per_step)
{
    t->work += places;
    if (t->work >= 64 * places_per_step) {
        t->is_cancelled = hitop_coroutine_yield((size_t)(t->work / places_per_step));
        t->work = 0;
    }
    return t->is_cancelled || t->exceeds_limit;
}

/* ---- The messages of a segment ---- */

static struct hitop_crossing *crossings_of(const struct times *t, const struct uncontended *e)
{
    return (t->own ? t->own : t->prices->crossings) + e->first;
}

/* The message over the edge above a place, `count` times. */
static struct uncontended edge_of(struct times *t, int place, const struct sched_price *price,
                                  double count)
{
    struct uncontended e = hitop_uncontended(t->prices, price);
    const struct hitop_crossing *c = t->prices->crossings + e.first;

    for (int i = 0; i < e.ncrossings; i++) {
        t->load[c[i].trunk] += c[i].seconds * count;
    }
    if (t->own && e.ncrossings > 0) {
        e.first = (size_t)place * (size_t)t->prices->cost->max_crossings;
        memcpy(crossings_of(t, &e), c, (size_t)e.ncrossings * sizeof(*c));
    }
    return e;
}

/* A message has started, and got the port of its receiver: it uses its trunks. */
static void use_trunks(struct times *t, const struct uncontended *e, double start, double granted)
{
    const struct hitop_crossing *c = crossings_of(t, e);
    const double enters = (e->is_late ? granted : start) + e->enters;

    for (int i = 0; i < e->ncrossings; i++) {
        double *until = &t->used_until[c[i].trunk];
        if (c[i].seconds > 0) {
            t->is_shared |= enters < *until * (1 - 1e-12);
            *until = enters + c[i].seconds;
        }
    }
}

static size_t bytes_to(const struct times *t, const struct flow *flow, size_t bytes, int child)
{
    return flow->pass == HITOP_PASS_BLOCKS
               ? (size_t)hitop_tree_weight(t->tree, child) * t->call->bytes
               : bytes;
}

/* Set the messages over all edges for `count` segments of `bytes`. */
static void set_edges(struct times *t, const struct flow *flow, size_t bytes, size_t count)
{
    for (int i = 0; i < t->size && !is_done(t, 1, 1); i++) {
        const int parent = t->rank[i];
        for (int c = t->child[i]; c < t->child[i + 1]; c++) {
            const int child = t->rank[c];
            t->edge[c] = edge_of(t, c,
                                 hitop_sched_price(t->prices, flow->is_up ? child : parent,
                                                   flow->is_up ? parent : child,
                                                   bytes_to(t, flow, bytes, child)),
                                 (double)count);
        }
    }
}

/* The least time of a segment at a place: its sends one after another, or the longest message. */
static double period_at(const struct times *t, const struct flow *flow, int i)
{
    double sends = 0, longest = 0;

    for (int c = t->child[i]; c < t->child[i + 1]; c++) {
        sends += t->edge[c].occupancy;
        longest = later(longest, t->edge[c].reach + t->edge[c].reception);
    }
    if (flow->is_up) {
        return i == 0 ? longest : later(longest, t->edge[i].occupancy);
    }
    return i == 0 ? sends : later(sends, t->edge[i].reach + t->edge[i].reception);
}

/* The place with the longest period, which all further segments have to pass. */
static int find_bottleneck(const struct times *t, const struct flow *flow, double *period)
{
    int slowest = 0;

    *period = 0;
    for (int i = 0; i < t->size; i++) {
        const double own = period_at(t, flow, i);
        slowest = own > *period ? i : slowest;
        *period = later(*period, own);
    }
    return slowest;
}

/* ---- Up ---- */

static int is_before(const struct arrival *a, const struct arrival *b)
{
    return a->time < b->time || (a->time <= b->time && a->rank < b->rank);
}

static int compare(const void *a, const void *b)
{
    return is_before(b, a) - is_before(a, b);
}

/* Sort messages that are mostly in order. */
static void sort(struct arrival *arrival, int n)
{
    enum { FEW = 32 };

    if (n > FEW) {
        qsort(arrival, (size_t)n, sizeof(*arrival), compare);
        return;
    }
    for (int i = 1; i < n; i++) {
        const struct arrival a = arrival[i];
        int k = i;
        for (; k > 0 && is_before(&a, &arrival[k - 1]); k--) {
            arrival[k] = arrival[k - 1];
        }
        arrival[k] = a;
    }
}

/* The children of the rank at a place send a segment to it; return when the last one arrives. */
static double receive_from_children(struct times *t, int i)
{
    const double posted = t->ready[i];
    double port = 0, last = 0;
    int n = 0;

    for (int c = t->child[i + 1] - 1; c >= t->child[i]; c--) { /* the last one is ready first */
        const double start = later(t->ready[c], posted);
        t->free[c] = start + t->edge[c].occupancy;
        t->arrival[n++] = (struct arrival){start + t->edge[c].reach, start, t->rank[c], c};
    }
    if (t->has_ports) {
        sort(t->arrival, n);
    }
    for (int k = 0; k < n; k++) {
        const struct arrival *a = &t->arrival[k];
        const struct uncontended *e = &t->edge[a->place];
        const double begin = later(a->time, port), end = begin + e->reception;
        port = t->has_ports ? end : 0;
        last = later(last, end);
        if (e->overlap > 0) {
            t->free[a->place] = (t->is_bound ? a->time : begin) + e->overlap;
        }
        if (e->ncrossings > 0) {
            use_trunks(t, e, a->start, begin);
        }
    }
    return last;
}

static void move_up(struct times *t)
{
    for (int i = t->size - 1; i >= 0 && !is_done(t, 1, 8); i--) {
        const double last = receive_from_children(t, i);
        t->ready[i] = later(later(t->ready[i], t->free[i]), last);
        t->exceeds_limit = t->ready[i] > t->limit;
    }
}

/* ---- Down ---- */

static void send_to_children(struct times *t, int i)
{
    double port = t->ready[i];

    for (int c = t->child[i]; c < t->child[i + 1]; c++) {
        const struct uncontended *e = &t->edge[c];
        const double start = later(port, t->ready[c]), begin = start + e->reach;
        if (e->ncrossings > 0) {
            use_trunks(t, e, start, begin);
        }
        t->arrived[c] = begin + e->reception;
        port = e->overlap > 0 ? begin + e->overlap : start + e->occupancy;
    }
    t->free[i] = port;
}

static void move_down(struct times *t)
{
    for (int i = 0; i < t->size && !is_done(t, 1, 8); i++) {
        t->ready[i] = later(later(t->ready[i], t->free[i]), t->arrived[i]);
        t->exceeds_limit = t->ready[i] > t->limit;
        send_to_children(t, i);
    }
}

/* ---- A direction ---- */

/* Move all segments in one direction; returns the longest period of a rank. */
static double move(struct times *t, const struct flow *flow)
{
    double period = 0;
    int bottleneck = 0;

    for (size_t k = 0; k < flow->count && !t->exceeds_limit && !t->is_cancelled; k++) {
        const int is_last = k + 1 == flow->count, is_short = flow->last != flow->longest;
        if (k == 0 || (is_last && is_short)) {
            set_edges(t, flow, is_last ? flow->last : flow->longest,
                      is_last ? 1 : flow->count - (size_t)is_short);
        }
        if (k == 0) {
            bottleneck = find_bottleneck(t, flow, &period);
        }
        if (!is_last && t->ready[bottleneck] + period * (double)(flow->count - k - 2) > t->limit) {
            t->exceeds_limit = 1;
        } else if (flow->is_up) {
            move_up(t);
        } else {
            move_down(t);
        }
    }
    return period;
}

/* All ranks have completed a direction at these times, and begin the next one. */
static double complete(struct times *t)
{
    double last = 0;

    for (int i = 0; i < t->size; i++) {
        t->ready[i] = t->free[i] = later(t->ready[i], t->free[i]);
        last = later(last, t->ready[i]);
    }
    return last;
}

static void clear(double *of, size_t n)
{
    memset(of, 0, n * sizeof(*of)); /* zero bytes are 0.0 */
}

/* Pass everything up and down; returns when the last rank completes. */
static double pass(struct times *t, const struct hitop_choice *choice, double *stage)
{
    const size_t ntrunks = (size_t)t->prices->cost->ntrunks;
    double seconds = 0;

    clear(t->ready, 3 * (size_t)t->size);
    clear(t->used_until, ntrunks);
    clear(t->load, ntrunks);
    t->exceeds_limit = 0;
    for (int is_up = 1; is_up >= 0; is_up--) {
        const struct flow flow = flow_of(t->call, choice, is_up);
        *stage = later(*stage, move(t, &flow));
        seconds = complete(t);
    }
    return t->exceeds_limit || seconds > t->limit ? INFINITY : seconds;
}

static void find_times(struct times *t, const struct hitop_choice *choice, struct tree_time *out)
{
    const struct hitop_cost *cost = t->prices->cost;
    const int has_trunks = cost->crossings && cost->ntrunks > 0;

    out->seconds = out->bound = pass(t, choice, &out->stage);
    if (!t->is_shared && !(has_trunks && t->exceeds_limit)) {
        out->is_exact = 1;
        return;
    }
    if (choice->algorithm.type->up != HITOP_PASS_NONE) {
        t->is_bound = 1;
        out->bound = pass(t, choice, &out->stage);
    }
    for (int i = 0; i < cost->ntrunks; i++) {
        out->bound = later(out->bound, t->load[i]);
    }
}

enum hitop_status hitop_tree_times(const struct hitop_call *call, const struct hitop_choice *choice,
                                   const struct hitop_tree *tree, struct sched_prices *prices,
                                   double limit, struct tree_time *out, struct hitop_diag *diag)
{
    struct times t = {.call = call,
                      .tree = tree,
                      .prices = prices,
                      .limit = limit,
                      .size = hitop_tree_size(tree)};
    enum hitop_status status = HITOP_OK;

    *out = (struct tree_time){0};
    if (init(&t)) {
        find_times(&t, choice, out);
    } else {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "prediction: out of memory");
    }
    if (status == HITOP_OK && prices->out_of_memory) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "prediction: out of memory");
    } else if (status == HITOP_OK && t.is_cancelled) {
        status = hitop_fail(diag, HITOP_ERR_CANCELLED, "prediction: cancelled");
    }
    fini(&t);
    return status;
}
