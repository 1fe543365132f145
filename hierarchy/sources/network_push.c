/* SPDX-License-Identifier: BSD-3-Clause */
/* network_push.c - make the groups of every host from the switches above it. */
#include <config.h>

#include "hierarchy/sources/network.h"
#include "hierarchy/sources/network_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The attachments of one host. */
struct slice {
    const struct network_attachment *begin, *end;
};

struct work {
    struct network *net;
    struct network_order order;
    struct network_sets sets;
    struct slice *slice; /* per attached host, sorted: equal attachments are contiguous */
    int nslices;
    int *mark;         /* per node: the last round in which it was reached */
    int *reached;      /* nodes reached in this round */
    const char **name; /* [nnodes] */
    int round, nreached;
    int nrailed;                             /* number of hosts with rails */
    const struct network_attachment *railed; /* the first one in the file */
};

static int by_place(const void *a, const void *b)
{
    const struct network_attachment *x = a, *y = b;

    if (x->place != y->place) {
        return x->place < y->place ? -1 : 1;
    }
    if (x->node != y->node) {
        return x->node < y->node ? -1 : 1;
    }
    return (x->line > y->line) - (x->line < y->line);
}

static int compare_nodes(const struct slice *x, const struct slice *y)
{
    const struct network_attachment *i = x->begin, *k = y->begin;

    for (; i < x->end && k < y->end; i++, k++) {
        if (i->node != k->node) {
            return i->node < k->node ? -1 : 1;
        }
    }
    return (i < x->end) - (k < y->end);
}

static int by_nodes(const void *a, const void *b)
{
    const struct slice *x = a, *y = b;
    const int order = compare_nodes(x, y);

    return order ? order : (x->begin > y->begin) - (x->begin < y->begin);
}

/* Make a slice of attachments per host; hosts with equal attachments are contiguous. */
static void make_slices(struct work *w)
{
    struct network *net = w->net;
    int kept = 0;

    if (net->nattachments == 0) {
        return;
    }
    qsort(net->attachment, (size_t)net->nattachments, sizeof(*net->attachment), by_place);
    for (int i = 0; i < net->nattachments; i++) {
        const struct network_attachment *a = &net->attachment[i];
        if (kept == 0 || net->attachment[kept - 1].place != a->place ||
            net->attachment[kept - 1].node != a->node) {
            net->attachment[kept++] = *a;
        }
    }
    net->nattachments = kept;
    for (int i = 0; i < kept; i++) {
        const struct network_attachment *a = &net->attachment[i];
        if (i == 0 || a[-1].place != a->place) {
            w->slice[w->nslices++].begin = a;
        }
        w->slice[w->nslices - 1].end = a + 1;
    }
    qsort(w->slice, (size_t)w->nslices, sizeof(*w->slice), by_nodes);
}

static void reach(struct work *w, int node)
{
    if (w->mark[node] != w->round) {
        w->mark[node] = w->round;
        w->reached[w->nreached++] = node;
    }
}

/* Reach all nodes above those that are reached. */
static void climb(struct work *w)
{
    for (int i = 0; i < w->nreached; i++) {
        const int node = w->reached[i];
        for (int k = w->order.first[node]; k < w->order.first[node + 1]; k++) {
            reach(w, w->order.above[k]);
        }
    }
}

/*
 * Find two attachments of which neither is above the other; returns the later one in the file, or
 * NULL.
 */
static const struct network_attachment *find_rail(struct work *w, const struct slice *s,
                                                  const struct network_attachment **other)
{
    const struct network_attachment *first = NULL;

    w->round++;
    w->nreached = 0;
    for (const struct network_attachment *a = s->begin; a < s->end; a++) {
        for (int k = w->order.first[a->node]; k < w->order.first[a->node + 1]; k++) {
            reach(w, w->order.above[k]);
        }
    }
    climb(w);
    for (const struct network_attachment *a = s->begin; a < s->end; a++) {
        if (w->mark[a->node] == w->round) {
            continue; /* it is above another one */
        }
        if (first) {
            *other = first->line <= a->line ? first : a;
            return first->line <= a->line ? a : first;
        }
        first = a;
    }
    return NULL;
}

static void check_rails(struct work *w)
{
    const struct network_attachment *other = NULL, *railed_other = NULL;
    struct network *net = w->net;
    char message[400], before[NETWORK_LINE];

    for (int i = 0; i < w->nslices; i++) {
        const struct network_attachment *a =
            w->slice[i].end - w->slice[i].begin > 1 ? find_rail(w, &w->slice[i], &other) : NULL;
        if (!a) {
            continue;
        }
        w->nrailed++;
        if (!w->railed || a->line < w->railed->line ||
            (a->line == w->railed->line && a->place < w->railed->place)) {
            w->railed = a;
            railed_other = other;
        }
    }
    if (!w->railed) {
        return;
    }
    (void)snprintf(
        message, sizeof(message), "host '%.64s' is attached to '%.64s' here and to '%.64s' in %s",
        net->place[w->railed->place].host, net->node[w->railed->node].name,
        net->node[railed_other->node].name,
        hitop_network_say_line(net, railed_other->line, w->railed->line, before, sizeof(before)));
    if (!net->rules->many_rails) {
        hitop_network_fail(net, w->railed->line, "%s", message);
    } else if (net->rules->how && 2 * w->nrailed < w->nslices) {
        int line = w->railed->line;
        const char *file = hitop_network_locate(net, &line);
        hitop_source_warn(net->rules->how, "%s:%d: %s", file, line, message);
    }
}

/*
 * Push the group of all switches at a stage for hosts with equal attachments; 0 when out of memory.
 */
static int push_stage(struct work *w, int stage, const struct slice *begin, const struct slice *end,
                      struct hitop_paths *paths, double confidence)
{
    const struct network *net = w->net;
    const char *level = NULL, *name;
    char numbered[80];
    int n = 0;

    for (int i = 0; i < w->nreached; i++) {
        const struct network_node *node = &net->node[w->reached[i]];
        if (w->order.stage[w->reached[i]] == stage) {
            w->name[n++] = node->name;
            level = node->level && (!level || strcmp(node->level, level) < 0) ? node->level : level;
        }
    }
    if (n == 0) {
        return 1;
    }
    name = hitop_network_set_name(&w->sets, w->name, n);
    if (!level) {
        (void)snprintf(numbered, sizeof(numbered), stage > 0 ? "%.60s%d" : "%.60s",
                       net->rules->level, stage + 1);
        level = numbered;
    }
    for (const struct slice *s = begin; s < end && name; s++) {
        hitop_paths_push(paths, s->begin->place, level, name, confidence);
    }
    return name != NULL;
}

static void push_groups(struct work *w, struct hitop_paths *paths, double confidence)
{
    const struct slice *end;

    for (const struct slice *s = w->slice; s < w->slice + w->nslices; s = end) {
        int is_good = 1;

        for (end = s + 1; end < w->slice + w->nslices && compare_nodes(s, end) == 0; end++) {
        }
        w->round++;
        w->nreached = 0;
        for (const struct network_attachment *a = s->begin; a < s->end; a++) {
            reach(w, a->node);
        }
        climb(w);
        for (int stage = w->order.top; stage >= 0 && is_good; stage--) {
            is_good = push_stage(w, stage, s, end, paths, confidence);
        }
        if (!is_good) {
            w->net->status = HITOP_ERR_NOMEM;
            return;
        }
    }
}

static void network_order_clear(struct network_order *order);

static void network_order_fill(struct network_order *order, struct network *net);

enum hitop_status hitop_network_push(struct network *net, struct hitop_paths *paths,
                                     double confidence, struct hitop_diag *diag)
{
    const size_t n = (size_t)net->nnodes + 1;
    struct work w = {.net = net};

    if (net->status == HITOP_OK) {
        network_order_fill(&w.order, net);
        w.slice = calloc((size_t)net->nplaces, sizeof(*w.slice));
        w.mark = calloc(n, sizeof(*w.mark));
        w.reached = calloc(n, sizeof(*w.reached));
        w.name = calloc(n, sizeof(*w.name));
        if (!w.slice || !w.mark || !w.reached || !w.name) {
            net->status = HITOP_ERR_NOMEM;
        }
    }
    if (net->status == HITOP_OK) {
        make_slices(&w);
        check_rails(&w);
    }
    if (net->status == HITOP_OK) {
        push_groups(&w, paths, confidence);
    }
    free(w.name);
    free(w.reached);
    free(w.mark);
    free(w.slice);
    hitop_network_sets_clear(&w.sets);
    network_order_clear(&w.order);
    if (net->status == HITOP_ERR_NOMEM) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", net->rules->file);
    }
    return net->status == HITOP_OK ? HITOP_OK
                                   : hitop_fail(diag, net->status, "%s", net->diag.message);
}

/* ---- The order of switches ---- */

static int by_child(const void *a, const void *b)
{
    const struct network_link *x = a, *y = b;

    if (x->child != y->child) {
        return x->child < y->child ? -1 : 1;
    }
    if (x->parent != y->parent) {
        return x->parent < y->parent ? -1 : 1;
    }
    return (x->line > y->line) - (x->line < y->line);
}

/* Sort links and remove duplicates. */
static void sort_links(struct network *net)
{
    int kept = 0;

    if (net->nlinks > 0) {
        qsort(net->link, (size_t)net->nlinks, sizeof(*net->link), by_child);
    }
    for (int i = 0; i < net->nlinks; i++) {
        const struct network_link *l = &net->link[i];
        if (kept == 0 || net->link[kept - 1].child != l->child ||
            net->link[kept - 1].parent != l->parent) {
            net->link[kept++] = *l;
        }
    }
    net->nlinks = kept;
}

/* Report the first switch in the file that is below two others. */
static void check_parents(struct network *net)
{
    const struct network_link *first = NULL, *second = NULL;

    for (int i = 1; i < net->nlinks && !net->rules->many_parents; i++) {
        const struct network_link *x = &net->link[i - 1], *y = &net->link[i];
        const struct network_link *later = x->line > y->line ? x : y;
        if (x->child == y->child && (!second || later->line < second->line)) {
            first = later == y ? x : y;
            second = later;
        }
    }
    if (second) {
        char before[NETWORK_LINE];
        hitop_network_fail(
            net, second->line, "%s '%.64s' is below '%.64s' here and below '%.64s' in %s",
            net->rules->what, net->node[second->child].name, net->node[second->parent].name,
            net->node[first->parent].name,
            hitop_network_say_line(net, first->line, second->line, before, sizeof(before)));
    }
}

static void check_described(struct network *net)
{
    const struct network_node *missing = NULL;

    for (int i = 0; i < net->nnodes && net->rules->must_be_described; i++) {
        const struct network_node *n = &net->node[i];
        if (!n->described && (!missing || n->line < missing->line)) {
            missing = n;
        }
    }
    if (missing) {
        hitop_network_fail(net, missing->line, "%s '%.64s' is described nowhere", net->rules->what,
                           missing->name);
    }
}

/*
 * Report a cycle. Every node with waiting[] > 0 has such a node below it, so that nnodes steps
 * downwards end in a cycle.
 */
static void report_cycle(struct network *net, const int *waiting, int *below)
{
    const struct network_link *closing = NULL;
    int at = 0;

    for (int i = 0; i < net->nlinks; i++) {
        if (waiting[net->link[i].child] > 0) {
            below[net->link[i].parent] = i;
        }
    }
    while (waiting[at] == 0) {
        at++;
    }
    for (int i = 0; i < net->nnodes; i++) {
        at = net->link[below[at]].child;
    }
    for (int from = at; !closing || at != from; at = net->link[below[at]].child) {
        const struct network_link *l = &net->link[below[at]];
        closing = !closing || l->line > closing->line ? l : closing;
    }
    hitop_network_fail(net, closing->line, "%s '%.64s' is below itself, by way of '%.64s'",
                       net->rules->what, net->node[closing->parent].name,
                       net->node[closing->child].name);
}

/* Compute stages from the bottom upwards; a switch is ready when all switches below it are done. */
static void find_stages(struct network_order *order, struct network *net, int *waiting, int *ready)
{
    int nready = 0;

    for (int i = 0; i < net->nlinks; i++) {
        waiting[net->link[i].parent]++;
    }
    for (int i = 0; i < net->nnodes; i++) {
        if (waiting[i] == 0) {
            ready[nready++] = i;
        }
    }
    for (int i = 0; i < nready; i++) {
        const int node = ready[i], above = order->stage[node] + 1;

        order->top = order->stage[node] > order->top ? order->stage[node] : order->top;
        for (int k = order->first[node]; k < order->first[node + 1]; k++) {
            const int parent = order->above[k];
            order->stage[parent] = above > order->stage[parent] ? above : order->stage[parent];
            if (--waiting[parent] == 0) {
                ready[nready++] = parent;
            }
        }
    }
    if (nready < net->nnodes) {
        report_cycle(net, waiting, ready);
    }
}

/*
 * Check and sort links, and fill the order. Failures are stored in the network. Clear in any case.
 */
static void network_order_fill(struct network_order *order, struct network *net)
{
    const size_t n = (size_t)net->nnodes + 1;
    int *waiting = calloc(n, sizeof(*waiting)), *ready = calloc(n, sizeof(*ready));

    *order = (struct network_order){0};
    order->first = calloc(n, sizeof(*order->first));
    order->stage = calloc(n, sizeof(*order->stage));
    order->above = calloc((size_t)net->nlinks + 1, sizeof(*order->above));
    if (!waiting || !ready || !order->first || !order->stage || !order->above) {
        net->status = HITOP_ERR_NOMEM;
    }
    if (net->status == HITOP_OK) {
        sort_links(net);
        check_described(net);
        check_parents(net);
    }
    if (net->status == HITOP_OK) {
        for (int i = 0; i < net->nlinks; i++) {
            order->first[net->link[i].child + 1] = i + 1;
            order->above[i] = net->link[i].parent;
        }
        for (int i = 0; i < net->nnodes; i++) { /* nodes with nothing above them */
            if (order->first[i + 1] < order->first[i]) {
                order->first[i + 1] = order->first[i];
            }
        }
        find_stages(order, net, waiting, ready);
    }
    free(ready);
    free(waiting);
}

static void network_order_clear(struct network_order *order)
{
    free(order->above);
    free(order->stage);
    free(order->first);
    *order = (struct network_order){0};
}
