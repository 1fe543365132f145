/* SPDX-License-Identifier: BSD-3-Clause */
/* fabric_hosts.c - hosts at the same switches. */
#include <config.h>

#include "hierarchy/sources/fabric_hosts.h"

#include <stdlib.h>
#include <string.h>

/* Hosts with equal sets of switches. */
struct set {
    const int *sw; /* ascending */
    int nsw, nhosts;
    int into; /* the set it is counted with, itself if none */
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
    int *users, *first_user; /* sets by switch; where each switch's begin */
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

/* For each switch the sets that have it. */
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
 * Find what a set with a cable down belongs to: the largest of the larger groups that contain it.
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

enum hitop_status fabric_find_innermost(const struct fabric *f, struct fabric_layer *out,
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

void fabric_layer_clear(struct fabric_layer *layer)
{
    free(layer->sw);
    free(layer->first);
    free(layer->group);
    *layer = (struct fabric_layer){0};
}
