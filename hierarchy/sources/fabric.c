/* SPDX-License-Identifier: BSD-3-Clause */
/* fabric.c - find groups of hosts that are connected by links up to some height. */
#include <config.h>

#include "hierarchy/sources/fabric.h"

#include "hierarchy/text/buckets.h"

#include <stdlib.h>
#include <string.h>

enum { UNREACHED = -1 };

/* A link between switches and the step in which it is added. */
struct step_link {
    int from, to, step;
};

struct joining {
    const struct fabric *f;
    struct storage *storage;
    const struct fabric_layer *innermost;
    int *height;    /* per switch */
    int *parent;    /* per switch: union-find, one tree per connected part */
    int *has_hosts; /* per root of parent[] */
    int *top;       /* per root of parent[]: height of the highest switch */
    int *number;    /* per root of parent[]: group in the layer being made */
    struct step_link *link;
    int nlinks;
    int nparts; /* connected parts with hosts */
};

static int root_of(struct joining *j, int sw)
{
    while (j->parent[sw] != sw) {
        j->parent[sw] = j->parent[j->parent[sw]];
        sw = j->parent[sw];
    }
    return sw;
}

static void join(struct joining *j, int x, int y)
{
    const int a = root_of(j, x), b = root_of(j, y);

    if (a != b) {
        j->nparts -= j->has_hosts[a] && j->has_hosts[b];
        j->parent[b] = a;
        j->has_hosts[a] |= j->has_hosts[b];
    }
}

/* Compute the distance of every switch from the nearest one with hosts; returns the largest one. */
static int find_heights(struct joining *j)
{
    const struct fabric *f = j->f;
    int *end;                  /* both ends of each link: end k is connected to end k ^ 1 */
    int *first, *item, *queue; /* first, item: ends by switch; queue: reached switches */
    int n = 0;

    if (!STORAGE_ARRAY(j->storage, end, 2 * f->nlinks) ||
        !STORAGE_ARRAY(j->storage, item, 2 * f->nlinks) ||
        !STORAGE_ARRAY(j->storage, first, f->nswitches) ||
        !STORAGE_ARRAY(j->storage, queue, f->nswitches)) {
        return 0;
    }
    for (int i = 0; i < f->nlinks; i++) {
        end[2 * i] = f->link[i].from;
        end[2 * i + 1] = f->link[i].to;
    }
    buckets_fill(end, 2 * f->nlinks, f->nswitches, first, item);
    for (int w = 0; w < f->nswitches; w++) {
        j->height[w] = UNREACHED;
    }
    for (int i = 0; i < f->nports; i++) {
        if (j->height[f->port[i].to] == UNREACHED) {
            j->height[f->port[i].to] = 0;
            queue[n++] = f->port[i].to;
        }
    }
    for (int at = 0; at < n; at++) {
        for (int i = first[queue[at]]; i < first[queue[at] + 1]; i++) {
            const int neighbour = end[item[i] ^ 1];

            if (j->height[neighbour] == UNREACHED) {
                j->height[neighbour] = j->height[queue[at]] + 1;
                queue[n++] = neighbour;
            }
        }
    }
    return n > 0 ? j->height[queue[n - 1]] : 0;
}

static int by_step(const void *a, const void *b)
{
    const struct step_link *x = a, *y = b;

    return (x->step > y->step) - (x->step < y->step);
}

/* Order links by steps: those within height h are step 2h, those from h - 1 to h step 2h - 1. */
static void plan_steps(struct joining *j)
{
    for (int i = 0; i < j->f->nlinks; i++) {
        const int from = j->f->link[i].from, to = j->f->link[i].to;
        const int x = j->height[from], y = j->height[to];

        if (x != UNREACHED && y != UNREACHED) {
            j->link[j->nlinks++] = (struct step_link){from, to, x + y};
        }
    }
    qsort(j->link, (size_t)j->nlinks, sizeof(*j->link), by_step);
}

/* Join the switches of each innermost group. */
static void join_hosts(struct joining *j)
{
    const struct fabric_layer *in = j->innermost;

    for (int w = 0; w < j->f->nswitches; w++) {
        j->parent[w] = w;
    }
    for (int g = 0; g < in->ngroups; g++) {
        const int root = root_of(j, in->sw[in->first[g]]);
        j->nparts += !j->has_hosts[root];
        j->has_hosts[root] = 1;
    }
    for (int g = 0; g < in->ngroups; g++) {
        for (int i = in->first[g]; i < in->first[g + 1]; i++) {
            join(j, in->sw[in->first[g]], in->sw[i]);
        }
    }
}

/*
 * Number the connected parts with hosts, in the order of their innermost groups, and find the
 * height of their highest switches.
 */
static void number_parts(struct joining *j, struct fabric_layer *out)
{
    const struct fabric_layer *in = j->innermost;

    for (int w = 0; w < j->f->nswitches; w++) {
        j->number[w] = -1;
        j->top[w] = 0;
    }
    for (int g = 0; g < in->ngroups; g++) {
        int *number = &j->number[root_of(j, in->sw[in->first[g]])];
        *number = *number < 0 ? out->ngroups++ : *number;
    }
    for (int w = 0; w < j->f->nswitches; w++) {
        int *top = &j->top[root_of(j, w)];
        *top = j->height[w] > *top ? j->height[w] : *top;
    }
}

/* The group of a switch if it is one of the highest of its part, else -1. */
static int group_named_by(struct joining *j, int w)
{
    const int root = root_of(j, w);

    return j->number[root] >= 0 && j->height[w] == j->top[root] ? j->number[root] : -1;
}

/* Make a layer of the connected parts. */
static void make_layer(struct joining *j, struct fabric_layer *out)
{
    const struct fabric_layer *in = j->innermost;
    const int nhosts = j->f->nhosts, nswitches = j->f->nswitches;
    int *named; /* per switch: the group whose name contains it, or -1 */

    if (!STORAGE_ARRAY(j->storage, out->group, nhosts) ||
        !STORAGE_ARRAY(j->storage, out->first, nhosts) ||
        !STORAGE_ARRAY(j->storage, out->sw, nswitches) ||
        !STORAGE_ARRAY(j->storage, named, nswitches)) {
        return;
    }
    number_parts(j, out);
    for (int h = 0; h < nhosts; h++) {
        const int g = in->group[h];
        out->group[h] = g < 0 ? -1 : j->number[root_of(j, in->sw[in->first[g]])];
    }
    for (int w = 0; w < nswitches; w++) {
        named[w] = group_named_by(j, w);
    }
    buckets_fill(named, nswitches, out->ngroups, out->first, out->sw);
}

/* Add links step by step, and a layer for each step that joins groups of the last layer. */
static void find_outer(struct joining *j, struct fabric_layers *out)
{
    join_hosts(j);
    plan_steps(j);
    for (int i = 0, step = 0; i <= j->nlinks && !j->storage->out_of_memory; i++) {
        if ((i == j->nlinks || j->link[i].step != step) &&
            j->nparts != out->layer[out->n - 1].ngroups) {
            make_layer(j, &out->layer[out->n++]);
        }
        if (i < j->nlinks) {
            step = j->link[i].step;
            join(j, j->link[i].from, j->link[i].to);
        }
    }
}

static void find_innermost(const struct fabric *f, struct storage *storage,
                           struct fabric_layers *out);

enum hitop_status hitop_fabric_find_layers(const struct fabric *f, struct storage *storage,
                                           struct fabric_layers *out)
{
    const int n = f->nswitches;
    struct joining j = {.f = f, .storage = storage};
    int highest;

    *out = (struct fabric_layers){.n = 1};
    if (STORAGE_ARRAY(storage, j.height, n) && STORAGE_ARRAY(storage, j.parent, n) &&
        STORAGE_ARRAY(storage, j.has_hosts, n) && STORAGE_ARRAY(storage, j.top, n) &&
        STORAGE_ARRAY(storage, j.number, n) && STORAGE_ARRAY(storage, j.link, f->nlinks)) {
        highest = find_heights(&j);
        if (STORAGE_ARRAY(storage, out->layer, 2 * highest + 2)) {
            find_innermost(f, storage, out);
        }
        j.innermost = out->layer;
        if (!storage->out_of_memory) {
            find_outer(&j, out);
        }
    }
    return storage_status(storage);
}

/* ---- The innermost layer: hosts at the same switches ---- */

/* Hosts with equal sets of switches. */
struct set {
    const int *sw; /* ascending */
    int nsw, nhosts;
    int into; /* the set with more hosts that it is part of, or itself */
};

struct host {
    const int *sw;
    int nsw, index, set;
};

struct finding {
    const struct fabric *f;
    struct fabric_link *port; /* sorted, each once */
    int nports;
    int *sw; /* of all ports, in that order */
    struct host *host;
    struct set *set;
    int nsets;
    int *entry, *set_of; /* per entry: a switch and a set that contains it */
    int *user, *first;   /* user: entries by switch; first: per switch, its first one */
    int *number;         /* per set: its group */
};

static int by_port(const void *a, const void *b)
{
    const struct fabric_link *x = a, *y = b;

    return x->from != y->from ? (x->from > y->from ? 1 : -1) : (x->to > y->to) - (x->to < y->to);
}

static int compare_switches(const struct host *x, const struct host *y)
{
    for (int i = 0; i < x->nsw && i < y->nsw; i++) {
        if (x->sw[i] != y->sw[i]) {
            return x->sw[i] > y->sw[i] ? 1 : -1;
        }
    }
    return (x->nsw > y->nsw) - (x->nsw < y->nsw);
}

static int by_switches(const void *a, const void *b)
{
    const struct host *x = a, *y = b;
    const int order = compare_switches(x, y);

    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static void collect_hosts(struct finding *g)
{
    int n = 0;

    memcpy(g->port, g->f->port, (size_t)g->f->nports * sizeof(*g->port));
    qsort(g->port, (size_t)g->f->nports, sizeof(*g->port), by_port);
    for (int i = 0; i < g->f->nports; i++) {
        if (n == 0 || by_port(&g->port[n - 1], &g->port[i]) != 0) {
            g->port[n] = g->port[i];
            g->sw[n++] = g->port[i].to;
        }
    }
    g->nports = n;
    for (int h = 0, at = 0; h < g->f->nhosts; h++) {
        g->host[h] = (struct host){.sw = g->sw + at, .index = h};
        for (; at < n && g->port[at].from == h; at++) {
            g->host[h].nsw++;
        }
    }
}

static void collect_sets(struct finding *g)
{
    qsort(g->host, (size_t)g->f->nhosts, sizeof(*g->host), by_switches);
    for (int i = 0; i < g->f->nhosts; i++) {
        struct host *host = &g->host[i];

        if (host->nsw > 0 && (g->nsets == 0 || compare_switches(host - 1, host) != 0)) {
            g->set[g->nsets] = (struct set){.sw = host->sw, .nsw = host->nsw, .into = g->nsets};
            g->nsets++;
        }
        host->set = host->nsw > 0 ? g->nsets - 1 : -1;
        if (host->set >= 0) {
            g->set[host->set].nhosts++;
        }
    }
}

/* List the sets of each switch. */
static void index_sets(struct finding *g)
{
    int n = 0;

    for (int s = 0; s < g->nsets; s++) {
        for (int i = 0; i < g->set[s].nsw; i++) {
            g->entry[n] = g->set[s].sw[i];
            g->set_of[n++] = s;
        }
    }
    buckets_fill(g->entry, n, g->f->nswitches, g->first, g->user);
}

static int is_part(const struct set *part, const struct set *whole)
{
    int k = 0;

    for (int i = 0; i < part->nsw; i++) {
        while (k < whole->nsw && whole->sw[k] < part->sw[i]) {
            k++;
        }
        if (k == whole->nsw || whole->sw[k] != part->sw[i]) {
            return 0;
        }
    }
    return part->nsw < whole->nsw;
}

/*
 * Join each set to the set with most hosts that contains it, if that has more hosts: most likely
 * the hosts of the smaller set have a cable that is down.
 */
static void absorb(struct finding *g)
{
    for (int s = 0; s < g->nsets; s++) {
        struct set *set = &g->set[s];

        for (int u = g->first[set->sw[0]]; u < g->first[set->sw[0] + 1]; u++) {
            const int user = g->set_of[g->user[u]];
            const int most = set->into == s ? set->nhosts : g->set[set->into].nhosts;

            if (g->set[user].nhosts > most && is_part(set, &g->set[user])) {
                set->into = user;
            }
        }
    }
}

static int group_of(const struct finding *g, int s)
{
    while (g->set[s].into != s) {
        s = g->set[s].into;
    }
    return s;
}

static void fill(struct finding *g, struct fabric_layer *out, int *missing)
{
    int at = 0;

    for (int s = 0; s < g->nsets; s++) {
        if (g->set[s].into == s) {
            out->first[out->ngroups] = at;
            memcpy(out->sw + at, g->set[s].sw, (size_t)g->set[s].nsw * sizeof(*out->sw));
            at += g->set[s].nsw;
            g->number[s] = out->ngroups++;
        }
    }
    out->first[out->ngroups] = at;
    for (int i = 0; i < g->f->nhosts; i++) {
        const struct host *host = &g->host[i];
        const int s = host->set >= 0 ? group_of(g, host->set) : -1;

        out->group[host->index] = s >= 0 ? g->number[s] : -1;
        missing[host->index] = s >= 0 ? g->set[s].nsw - host->nsw : 0;
    }
}

/* Find the innermost layer, and how many switches of their group hosts miss. */
static void find_innermost(const struct fabric *f, struct storage *storage,
                           struct fabric_layers *out)
{
    const int nports = f->nports, nhosts = f->nhosts;
    struct fabric_layer *layer = out->layer;
    struct finding g = {.f = f};

    if (STORAGE_ARRAY(storage, out->missing, nhosts) &&
        STORAGE_ARRAY(storage, layer->group, nhosts) &&
        STORAGE_ARRAY(storage, layer->first, nhosts) && STORAGE_ARRAY(storage, layer->sw, nports) &&
        STORAGE_ARRAY(storage, g.port, nports) && STORAGE_ARRAY(storage, g.sw, nports) &&
        STORAGE_ARRAY(storage, g.host, nhosts) && STORAGE_ARRAY(storage, g.set, nhosts) &&
        STORAGE_ARRAY(storage, g.number, nhosts) && STORAGE_ARRAY(storage, g.entry, nports) &&
        STORAGE_ARRAY(storage, g.set_of, nports) && STORAGE_ARRAY(storage, g.user, nports) &&
        STORAGE_ARRAY(storage, g.first, f->nswitches)) {
        collect_hosts(&g);
        collect_sets(&g);
        index_sets(&g);
        absorb(&g);
        fill(&g, layer, out->missing);
    }
}
