/* SPDX-License-Identifier: BSD-3-Clause */
/* fabric.c - find groups of hosts that are connected by links up to some height. */
#include <config.h>

#include "hierarchy/sources/fabric.h"

#include <stdlib.h>
#include <string.h>

enum { UNREACHED = -1 };

/* A link between switches and the step in which it is added. */
struct step_link {
    int from, to, step;
};

struct joining {
    const struct fabric *f;
    const struct fabric_layer *innermost;
    int *height;    /* per switch */
    int *parent;    /* per switch: union-find, one tree per connected part */
    int *has_hosts; /* per root of it */
    int *top;       /* per root of it: height of the highest switch */
    int *number;    /* per root of it: group in the layer being made */
    struct step_link *link;
    int nlinks;
    int nparts; /* that have hosts */
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

/* List the neighbours of every switch; first[] has nswitches + 2 entries. */
static void list_neighbours(const struct fabric *f, int *first, int *neighbour)
{
    for (int i = 0; i < f->nlinks; i++) {
        first[f->link[i].from + 2]++;
        first[f->link[i].to + 2]++;
    }
    for (int w = 2; w < f->nswitches + 2; w++) {
        first[w] += first[w - 1];
    }
    for (int i = 0; i < f->nlinks; i++) {
        neighbour[first[f->link[i].from + 1]++] = f->link[i].to;
        neighbour[first[f->link[i].to + 1]++] = f->link[i].from;
    }
}

/* Compute the distance of every switch from the nearest one with hosts. */
static enum hitop_status find_heights(struct joining *j)
{
    const struct fabric *f = j->f;
    int *first = calloc((size_t)f->nswitches + 2, sizeof(*first));
    int *neighbour = calloc(2 * (size_t)f->nlinks + 1, sizeof(*neighbour));
    int *queue = calloc((size_t)f->nswitches + 1, sizeof(*queue));
    const int is_good = first && neighbour && queue;
    int n = 0;

    if (is_good) {
        list_neighbours(f, first, neighbour);
    }
    for (int w = 0; w < f->nswitches; w++) {
        j->height[w] = UNREACHED;
    }
    for (int i = 0; i < f->nports && is_good; i++) {
        if (j->height[f->port[i].to] == UNREACHED) {
            j->height[f->port[i].to] = 0;
            queue[n++] = f->port[i].to;
        }
    }
    for (int at = 0; at < n; at++) {
        for (int i = first[queue[at]]; i < first[queue[at] + 1]; i++) {
            if (j->height[neighbour[i]] == UNREACHED) {
                j->height[neighbour[i]] = j->height[queue[at]] + 1;
                queue[n++] = neighbour[i];
            }
        }
    }
    free(queue);
    free(neighbour);
    free(first);
    return is_good ? HITOP_OK : HITOP_ERR_NOMEM;
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

/* Number the connected parts with hosts, in the order of their innermost groups. */
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
static enum hitop_status make_layer(struct joining *j, struct fabric_layer *out)
{
    const struct fabric_layer *in = j->innermost;
    const size_t nhosts = (size_t)j->f->nhosts + 1, nswitches = (size_t)j->f->nswitches + 1;

    *out = (struct fabric_layer){.group = calloc(nhosts, sizeof(*out->group)),
                                 .first = calloc(nhosts + 1, sizeof(*out->first)),
                                 .sw = calloc(nswitches, sizeof(*out->sw))};
    if (!out->group || !out->first || !out->sw) {
        return HITOP_ERR_NOMEM;
    }
    number_parts(j, out);
    for (int h = 0; h < j->f->nhosts; h++) {
        const int g = in->group[h];
        out->group[h] = g < 0 ? -1 : j->number[root_of(j, in->sw[in->first[g]])];
    }
    for (int w = 0; w < j->f->nswitches; w++) {
        const int g = group_named_by(j, w);
        out->first[g + 2] += g >= 0;
    }
    for (int g = 2; g <= out->ngroups; g++) {
        out->first[g] += out->first[g - 1];
    }
    for (int w = 0; w < j->f->nswitches; w++) {
        const int g = group_named_by(j, w);
        if (g >= 0) {
            out->sw[out->first[g + 1]++] = w;
        }
    }
    return HITOP_OK;
}

/* Add a layer if the last step has joined groups of the last layer. */
static enum hitop_status add_layer(struct joining *j, struct fabric_layers *out)
{
    struct fabric_layer *larger;

    if (j->nparts == out->layer[out->n - 1].ngroups) {
        return HITOP_OK;
    }
    larger = reallocarray(out->layer, (size_t)out->n + 1, sizeof(*larger));
    if (!larger) {
        return HITOP_ERR_NOMEM;
    }
    out->layer = larger;
    j->innermost = &larger[0];
    return make_layer(j, &larger[out->n++]);
}

static enum hitop_status find_outer(struct joining *j, struct fabric_layers *out)
{
    enum hitop_status status = find_heights(j);

    if (status != HITOP_OK) {
        return status;
    }
    join_hosts(j);
    plan_steps(j);
    for (int i = 0, step = 0; i <= j->nlinks && status == HITOP_OK; i++) {
        if (i == j->nlinks || j->link[i].step != step) {
            status = add_layer(j, out);
        }
        if (i < j->nlinks) {
            step = j->link[i].step;
            join(j, j->link[i].from, j->link[i].to);
        }
    }
    return status;
}

static enum hitop_status fabric_find_innermost(const struct fabric *f, struct fabric_layer *out,
                                               int **missing);

enum hitop_status hitop_fabric_find_layers(const struct fabric *f, struct fabric_layers *out)
{
    const size_t nswitches = (size_t)f->nswitches + 1;
    struct joining j = {.f = f};
    enum hitop_status status = HITOP_ERR_NOMEM;

    *out = (struct fabric_layers){.layer = calloc(1, sizeof(*out->layer))};
    j.height = calloc(nswitches, sizeof(*j.height));
    j.parent = calloc(nswitches, sizeof(*j.parent));
    j.has_hosts = calloc(nswitches, sizeof(*j.has_hosts));
    j.top = calloc(nswitches, sizeof(*j.top));
    j.number = calloc(nswitches, sizeof(*j.number));
    j.link = calloc((size_t)f->nlinks + 1, sizeof(*j.link));
    if (out->layer && j.height && j.parent && j.has_hosts && j.top && j.number && j.link) {
        out->n = 1;
        status = fabric_find_innermost(f, &out->layer[0], &out->missing);
    }
    if (status == HITOP_OK) {
        j.innermost = &out->layer[0];
        status = find_outer(&j, out);
    }
    free(j.link);
    free(j.number);
    free(j.top);
    free(j.has_hosts);
    free(j.parent);
    free(j.height);
    return status;
}

static void fabric_layer_clear(struct fabric_layer *layer);

void hitop_fabric_layers_clear(struct fabric_layers *layers)
{
    for (int i = 0; i < layers->n; i++) {
        fabric_layer_clear(&layers->layer[i]);
    }
    free(layers->layer);
    free(layers->missing);
    *layers = (struct fabric_layers){0};
}

/* ---- The innermost layer: hosts at the same switches ---- */

/* Hosts with equal sets of switches. */
struct set {
    const int *sw; /* ascending */
    int nsw, nhosts;
    int into; /* the larger set that it is part of, or itself */
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
    int *users, *first_user; /* sets of each switch; index of the first one */
    int *number;             /* per set: its group */
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
    int *first = g->first_user;

    for (int s = 0; s < g->nsets; s++) {
        for (int i = 0; i < g->set[s].nsw; i++) {
            first[g->set[s].sw[i] + 2]++;
        }
    }
    for (int w = 2; w < g->f->nswitches + 2; w++) {
        first[w] += first[w - 1];
    }
    for (int s = 0; s < g->nsets; s++) {
        for (int i = 0; i < g->set[s].nsw; i++) {
            g->users[first[g->set[s].sw[i] + 1]++] = s;
        }
    }
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
 * A set that is part of a set with more hosts has a cable down; it joins the one with most hosts.
 */
static void absorb(struct finding *g)
{
    for (int s = 0; s < g->nsets; s++) {
        struct set *set = &g->set[s];

        for (int u = g->first_user[set->sw[0]]; u < g->first_user[set->sw[0] + 1]; u++) {
            const struct set *other = &g->set[g->users[u]];
            const int most = set->into == s ? set->nhosts : g->set[set->into].nhosts;

            if (other->nhosts > most && is_part(set, other)) {
                set->into = g->users[u];
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

/*
 * Find the innermost layer, and how many switches of their group hosts miss. HITOP_ERR_NOMEM
 * without a message; clear both in any case.
 */
static enum hitop_status fabric_find_innermost(const struct fabric *f, struct fabric_layer *out,
                                               int **missing)
{
    const size_t nports = (size_t)f->nports + 1, nhosts = (size_t)f->nhosts + 1;
    struct finding g = {.f = f};
    enum hitop_status status = HITOP_ERR_NOMEM;

    *out = (struct fabric_layer){0};
    *missing = calloc(nhosts, sizeof(**missing));
    out->group = calloc(nhosts, sizeof(*out->group));
    out->first = calloc(nhosts, sizeof(*out->first));
    out->sw = calloc(nports, sizeof(*out->sw));
    g.port = calloc(nports, sizeof(*g.port));
    g.sw = calloc(nports, sizeof(*g.sw));
    g.host = calloc(nhosts, sizeof(*g.host));
    g.set = calloc(nhosts, sizeof(*g.set));
    g.number = calloc(nhosts, sizeof(*g.number));
    g.users = calloc(nports, sizeof(*g.users));
    g.first_user = calloc((size_t)f->nswitches + 2, sizeof(*g.first_user));
    if (*missing && out->group && out->first && out->sw && g.port && g.sw && g.host && g.set &&
        g.number && g.users && g.first_user) {
        collect_hosts(&g);
        collect_sets(&g);
        index_sets(&g);
        absorb(&g);
        fill(&g, out, *missing);
        status = HITOP_OK;
    }
    free(g.first_user);
    free(g.users);
    free(g.number);
    free(g.set);
    free(g.host);
    free(g.sw);
    free(g.port);
    return status;
}

static void fabric_layer_clear(struct fabric_layer *layer)
{
    free(layer->sw);
    free(layer->first);
    free(layer->group);
    *layer = (struct fabric_layer){0};
}
