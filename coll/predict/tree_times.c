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

#include "coll/predict/lone_message.h"

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
    struct lone_message *edge; /* [size]: between the rank at a place and its parent */
    struct arrival *arrival;   /* [most children of a rank] */
    double *used_until;        /* [trunks]: seconds */
    double *load;              /* [trunks]: seconds of all messages */
    int has_ports;             /* a receiver serves one message at a time */
    int is_bound;              /* leave out that messages wait for each other */
    int is_shared;             /* two messages share a trunk */
    int work;                  /* places visited since the last hitop_coroutine_yield() */
    int is_over;               /* some rank takes longer than the limit */
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
    const struct hitop_coll_args args = {.unit = call->unit, .params = choice->params};
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

int hitop_tree_times_apply(const struct hitop_choice *choice, const struct hitop_call *call,
                           const struct hitop_cost *cost)
{
    const struct hitop_coll_type *type = choice->algorithm.type;

    return (type->up != HITOP_PASS_NONE || type->down != HITOP_PASS_NONE) && !call->starts &&
           !cost->eager && !cost->local &&
           flow_of(call, choice, 0).count <= HITOP_COLL_SEGMENTS_MAX &&
           flow_of(call, choice, 1).count <= HITOP_COLL_SEGMENTS_MAX;
}

/* ---- The tree ---- */

static void fini(struct times *t)
{
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
    int next = 1, most = 0;

    t->rank = calloc(n, sizeof(*t->rank));
    t->child = calloc(n + 1, sizeof(*t->child));
    t->ready = calloc(3 * n, sizeof(*t->ready));
    t->edge = calloc(n, sizeof(*t->edge));
    t->used_until = calloc(ntrunks + 1, sizeof(*t->used_until));
    t->load = calloc(ntrunks + 1, sizeof(*t->load));
    if (!t->rank || !t->child || !t->ready || !t->edge || !t->used_until || !t->load) {
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

/* As fmax(), without a call; no time is NaN. */
static inline double later(double a, double b)
{
    return a > b ? a : b;
}

/* Count `places` visited; return 1 if the computation is to end. */
static int is_done(struct times *t, int places, int places_per_step)
{
    t->work += places;
    if (t->work >= 64 * places_per_step) {
        t->is_cancelled = hitop_coroutine_yield((size_t)(t->work / places_per_step));
        t->work = 0;
    }
    return t->is_cancelled || t->is_over;
}

/* ---- The messages of a segment ---- */

static struct lone_message edge_of(struct times *t, const struct sched_price *price, double count)
{
    const struct lone_message e = hitop_lone_message(t->prices, price);
    const struct hitop_crossing *c = t->prices->crossings + e.first;

    for (int i = 0; i < e.ncrossings; i++) {
        t->load[c[i].trunk] += c[i].seconds * count;
    }
    return e;
}

/* A message has started, and got the port of its receiver: it uses its trunks. */
static void use_trunks(struct times *t, const struct lone_message *e, double start, double granted)
{
    const struct hitop_crossing *c = t->prices->crossings + e->first;
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
    for (int i = 0; i < t->size && !is_done(t, 1, 4); i++) {
        const int parent = t->rank[i];
        for (int c = t->child[i]; c < t->child[i + 1]; c++) {
            const int child = t->rank[c];
            t->edge[c] = edge_of(t,
                                 hitop_sched_price(t->prices, flow->is_up ? child : parent,
                                                   flow->is_up ? parent : child,
                                                   bytes_to(t, flow, bytes, child)),
                                 (double)count);
        }
    }
}

/* The longest phase of the rank at a place, with sends one after another. */
static double longest_phase(const struct times *t, const struct flow *flow, int i)
{
    double sum = 0, longest = 0;

    for (int c = t->child[i]; c < t->child[i + 1]; c++) {
        sum += t->edge[c].occupancy;
        longest = later(longest, t->edge[c].reach + t->edge[c].reception);
    }
    if (i == 0) {
        return flow->is_up ? longest : sum;
    }
    return flow->is_up
               ? later(longest, t->edge[i].occupancy *
                                    (t->child[i] < t->child[i + 1] ? 1 : (double)flow->count))
               : later(sum, t->edge[i].reach + t->edge[i].reception);
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
        const struct lone_message *e = &t->edge[a->place];
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
    for (int i = t->size - 1; i >= 0 && !is_done(t, 1, 16); i--) {
        const double last = receive_from_children(t, i);
        t->ready[i] = later(later(t->ready[i], t->free[i]), last);
        t->is_over = t->ready[i] > t->limit;
    }
}

/* ---- Down ---- */

static void send_to_children(struct times *t, int i)
{
    double port = t->ready[i];

    for (int c = t->child[i]; c < t->child[i + 1]; c++) {
        const struct lone_message *e = &t->edge[c];
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
    for (int i = 0; i < t->size && !is_done(t, 1, 16); i++) {
        t->ready[i] = later(later(t->ready[i], t->free[i]), t->arrived[i]);
        t->is_over = t->ready[i] > t->limit;
        send_to_children(t, i);
    }
}

/* ---- A direction ---- */

/* Move all segments in one direction; returns the longest phase of a rank. */
static double move(struct times *t, const struct flow *flow)
{
    double stage = 0;

    for (size_t k = 0; k < flow->count && !t->is_over && !t->is_cancelled; k++) {
        const int is_last = k + 1 == flow->count, is_short = flow->last != flow->longest;
        if (k == 0 || (is_last && is_short)) {
            set_edges(t, flow, is_last ? flow->last : flow->longest,
                      is_last ? 1 : flow->count - (size_t)is_short);
        }
        for (int i = 0; k == 0 && i < t->size; i++) {
            stage = later(stage, longest_phase(t, flow, i));
        }
        if (flow->is_up) {
            move_up(t);
        } else {
            move_down(t);
        }
    }
    return stage;
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

static void forget(double *of, size_t n)
{
    memset(of, 0, n * sizeof(*of)); /* zero bytes are 0.0 */
}

/* Pass everything up and down; returns when the last rank completes. */
static double pass(struct times *t, const struct hitop_choice *choice, double *stage)
{
    const size_t ntrunks = (size_t)t->prices->cost->ntrunks;
    double seconds = 0;

    forget(t->ready, 3 * (size_t)t->size);
    forget(t->used_until, ntrunks);
    forget(t->load, ntrunks);
    t->is_over = 0;
    for (int is_up = 1; is_up >= 0; is_up--) {
        const struct flow flow = flow_of(t->call, choice, is_up);
        *stage = later(*stage, move(t, &flow));
        seconds = complete(t);
    }
    return t->is_over || seconds > t->limit ? INFINITY : seconds;
}

static void find_times(struct times *t, const struct hitop_choice *choice, struct tree_time *out)
{
    const struct hitop_cost *cost = t->prices->cost;
    const int has_trunks = cost->crossings && cost->ntrunks > 0;

    out->seconds = out->bound = pass(t, choice, &out->stage);
    if (!t->is_shared && !(has_trunks && t->is_over)) {
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
