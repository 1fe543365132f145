/* SPDX-License-Identifier: BSD-3-Clause */
/* network_order.c - which switch is above which, and how far from the hosts. */
#include <config.h>

#include "hierarchy/sources/network.h"
#include "hierarchy/sources/network_impl.h"

#include <stdlib.h>

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

/* Sort links and forget those said before. */
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

/* Of all switches below two others, the one that is said first to be. */
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
        network_fail(net, second->line, "%s '%.64s' is below '%.64s' here and below '%.64s' in %s",
                     net->rules->what, net->node[second->child].name,
                     net->node[second->parent].name, net->node[first->parent].name,
                     network_say_line(net, first->line, second->line, before, sizeof(before)));
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
        network_fail(net, missing->line, "%s '%.64s' is described nowhere", net->rules->what,
                     missing->name);
    }
}

/*
 * Report a circle among the nodes that have waiting[] switches below them: every one of them has
 * such a node below it, so that going down for as many steps as there are nodes ends in a circle.
 */
static void report_circle(struct network *net, const int *waiting, int *below)
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
    network_fail(net, closing->line, "%s '%.64s' is below itself, by way of '%.64s'",
                 net->rules->what, net->node[closing->parent].name, net->node[closing->child].name);
}

/* Stages from the bottom upwards: a switch waits until the stage of all below it is known. */
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
        report_circle(net, waiting, ready);
    }
}

void network_order_fill(struct network_order *order, struct network *net)
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

void network_order_clear(struct network_order *order)
{
    free(order->above);
    free(order->stage);
    free(order->first);
    *order = (struct network_order){0};
}
