/* SPDX-License-Identifier: BSD-3-Clause */
/* network_push.c - make the groups of every host from the switches above it. */
#include <config.h>

#include "hierarchy/sources/network.h"

#include "hitop/hosts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer names of groups become "first+7". */
enum { READABLE = 64 };

/* The attachments of one host. */
struct slice {
    const struct network_link *begin, *end;
};

struct work {
    struct network *net;

    /* the switches directly above each switch, and its stage */
    int *first; /* [nnodes + 1]: index of the first switch above a node in above[] */
    int *above;
    int *stage; /* [nnodes] */
    int top;    /* highest stage */

    struct text_index wholes, briefs; /* long names of groups, and their replacements */
    struct slice *slice; /* per attached host, sorted: equal attachments are contiguous */
    int nslices;
    int *mark;         /* per node: the last round that reached it */
    int *reached;      /* nodes reached in this round */
    const char **name; /* [nnodes] */
    int round, nreached;
    int nrailed;                       /* number of hosts that are attached to several rails */
    const struct network_link *railed; /* the first attachment of such a host in the file */
};

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

/* Sort links and remove duplicates; returns their number. */
static int sort_links(struct network_link *link, int n)
{
    int kept = 0;

    if (n > 0) {
        qsort(link, (size_t)n, sizeof(*link), by_child);
    }
    for (int i = 0; i < n; i++) {
        if (kept == 0 || link[kept - 1].child != link[i].child ||
            link[kept - 1].parent != link[i].parent) {
            link[kept++] = link[i];
        }
    }
    return kept;
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
        hitop_network_fail(net, second->line,
                           "%s '%.64s' is below '%.64s' here and below '%.64s' in %s",
                           net->rules->what, net->node[second->child].name,
                           net->node[second->parent].name, net->node[first->parent].name,
                           hitop_network_say_line(net, first->line, second->line).text);
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
static void find_stages(struct work *w, int *waiting, int *ready)
{
    struct network *net = w->net;
    int nready = 0;

    for (int i = 0; i < net->nlinks; i++) {
        w->first[net->link[i].child + 1] = i + 1;
        w->above[i] = net->link[i].parent;
        waiting[net->link[i].parent]++;
    }
    for (int i = 0; i < net->nnodes; i++) {
        if (w->first[i + 1] < w->first[i]) { /* nothing is above it */
            w->first[i + 1] = w->first[i];
        }
        if (waiting[i] == 0) {
            ready[nready++] = i;
        }
    }
    for (int i = 0; i < nready; i++) {
        const int node = ready[i], next = w->stage[node] + 1;

        w->top = w->stage[node] > w->top ? w->stage[node] : w->top;
        for (int k = w->first[node]; k < w->first[node + 1]; k++) {
            const int parent = w->above[k];
            w->stage[parent] = next > w->stage[parent] ? next : w->stage[parent];
            if (--waiting[parent] == 0) {
                ready[nready++] = parent;
            }
        }
    }
    if (nready < net->nnodes) {
        report_cycle(net, waiting, ready);
    }
}

/* ---- The groups of hosts ---- */

static int compare_parents(const struct slice *x, const struct slice *y)
{
    const struct network_link *i = x->begin, *k = y->begin;

    for (; i < x->end && k < y->end; i++, k++) {
        if (i->parent != k->parent) {
            return i->parent < k->parent ? -1 : 1;
        }
    }
    return (i < x->end) - (k < y->end);
}

static int by_parents(const void *a, const void *b)
{
    const struct slice *x = a, *y = b;
    const int order = compare_parents(x, y);

    return order ? order : (x->begin > y->begin) - (x->begin < y->begin);
}

/* Make a slice of attachments per host; hosts with equal attachments are contiguous. */
static void make_slices(struct work *w)
{
    struct network *net = w->net;

    net->nattachments = sort_links(net->attachment, net->nattachments);
    for (int i = 0; i < net->nattachments; i++) {
        const struct network_link *a = &net->attachment[i];
        if (i == 0 || a[-1].child != a->child) {
            w->slice[w->nslices++].begin = a;
        }
        w->slice[w->nslices - 1].end = a + 1;
    }
    qsort(w->slice, (size_t)w->nslices, sizeof(*w->slice), by_parents);
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
        for (int k = w->first[node]; k < w->first[node + 1]; k++) {
            reach(w, w->above[k]);
        }
    }
}

/*
 * Find two attachments of which neither is above the other; returns the later one in the file, or
 * NULL.
 */
static const struct network_link *find_rail(struct work *w, const struct slice *s,
                                            const struct network_link **other)
{
    const struct network_link *first = NULL;

    w->round++;
    w->nreached = 0;
    for (const struct network_link *a = s->begin; a < s->end; a++) {
        for (int k = w->first[a->parent]; k < w->first[a->parent + 1]; k++) {
            reach(w, w->above[k]);
        }
    }
    climb(w);
    for (const struct network_link *a = s->begin; a < s->end; a++) {
        if (w->mark[a->parent] == w->round) {
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
    const struct network_link *other = NULL, *railed_other = NULL, *railed;
    struct network *net = w->net;
    char message[400];

    for (int i = 0; i < w->nslices; i++) {
        const struct network_link *a =
            w->slice[i].end - w->slice[i].begin > 1 ? find_rail(w, &w->slice[i], &other) : NULL;
        if (!a) {
            continue;
        }
        w->nrailed++;
        if (!w->railed || a->line < w->railed->line ||
            (a->line == w->railed->line && a->child < w->railed->child)) {
            w->railed = a;
            railed_other = other;
        }
    }
    railed = w->railed;
    if (!railed) {
        return;
    }
    (void)snprintf(message, sizeof(message),
                   "host '%.64s' is attached to '%.64s' here and to '%.64s' in %s",
                   net->in->place[railed->child].host, net->node[railed->parent].name,
                   net->node[railed_other->parent].name,
                   hitop_network_say_line(net, railed_other->line, railed->line).text);
    if (!net->rules->many_rails) {
        hitop_network_fail(net, railed->line, "%s", message);
    } else if (2 * w->nrailed < w->nslices) {
        int line = railed->line;
        const char *file = hitop_network_locate(net, &line);
        hitop_source_warn(net->in->how, "%s:%d: %s", file, line, message);
    }
}

static int by_version(const void *a, const void *b)
{
    return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sort the names of n > 0 switches and make the name of their group. */
static const char *name_set(struct work *w, const char **name, int n)
{
    struct storage *storage = &w->net->text;
    const char *kept = "";
    char *whole = NULL;
    int is_new = 0, number;

    if (n == 1) {
        return name[0];
    }
    qsort(name, (size_t)n, sizeof(*name), by_version);
    if (hitop_hosts_compress(name, n, &whole, NULL) != HITOP_OK) {
        storage->out_of_memory = 1;
        return "";
    }
    if (strlen(whole) <= READABLE) {
        kept = hitop_storage_text(storage, whole);
        free(whole);
        return kept;
    }
    /* a long name and its replacement have the same number in wholes and briefs */
    number = hitop_text_index_keep(&w->wholes, storage, whole, &is_new);
    free(whole);
    for (int k = 1; is_new && number >= 0 && w->briefs.n == number; k++) {
        int ignored;

        kept = k == 1 ? hitop_storage_print(storage, "%.*s+%d", READABLE, name[0], n - 1)
                      : hitop_storage_print(storage, "%.*s+%d#%d", READABLE, name[0], n - 1, k);
        if (hitop_text_index_put(&w->briefs, kept, &ignored) < 0) {
            number = -1;
        }
    }
    storage->out_of_memory |= number < 0;
    return number < 0 ? "" : w->briefs.text[number];
}

/* Push the group of all switches at a stage for hosts with equal attachments. */
static void push_stage(struct work *w, int stage, const struct slice *begin,
                       const struct slice *end, struct hitop_paths *paths, double confidence)
{
    const struct network *net = w->net;
    const char *level = NULL, *name;
    char numbered[80];
    int n = 0;

    for (int i = 0; i < w->nreached; i++) {
        const struct network_node *node = &net->node[w->reached[i]];
        if (w->stage[w->reached[i]] == stage) {
            w->name[n++] = node->name;
            level = node->level && (!level || strcmp(node->level, level) < 0) ? node->level : level;
        }
    }
    if (n == 0) {
        return;
    }
    name = name_set(w, w->name, n);
    if (!level) {
        (void)snprintf(numbered, sizeof(numbered), stage > 0 ? "%.60s%d" : "%.60s",
                       net->rules->level, stage + 1);
        level = numbered;
    }
    for (const struct slice *s = begin; s < end; s++) {
        hitop_paths_push(paths, s->begin->child, level, name, confidence);
    }
}

static void push_groups(struct work *w, struct hitop_paths *paths, double confidence)
{
    const struct slice *end;

    for (const struct slice *s = w->slice; s < w->slice + w->nslices; s = end) {
        for (end = s + 1; end < w->slice + w->nslices && compare_parents(s, end) == 0; end++) {
        }
        w->round++;
        w->nreached = 0;
        for (const struct network_link *a = s->begin; a < s->end; a++) {
            reach(w, a->parent);
        }
        climb(w);
        for (int stage = w->top; stage >= 0; stage--) {
            push_stage(w, stage, s, end, paths, confidence);
        }
    }
}

enum hitop_status hitop_network_push(struct network *net, struct hitop_paths *paths,
                                     double confidence, struct hitop_diag *diag)
{
    struct storage *storage = &net->text;
    struct work w = {.net = net};
    int *waiting = NULL, *ready = NULL;

    if (STORAGE_ARRAY(storage, waiting, net->nnodes) &&
        STORAGE_ARRAY(storage, ready, net->nnodes) &&
        STORAGE_ARRAY(storage, w.first, net->nnodes) &&
        STORAGE_ARRAY(storage, w.stage, net->nnodes) &&
        STORAGE_ARRAY(storage, w.above, net->nlinks) &&
        STORAGE_ARRAY(storage, w.slice, net->in->nplaces) &&
        STORAGE_ARRAY(storage, w.mark, net->nnodes) &&
        STORAGE_ARRAY(storage, w.reached, net->nnodes) &&
        STORAGE_ARRAY(storage, w.name, net->nnodes) && net->status == HITOP_OK) {
        net->nlinks = sort_links(net->link, net->nlinks);
        check_described(net);
        check_parents(net);
    }
    if (net->status == HITOP_OK && !storage->out_of_memory) {
        find_stages(&w, waiting, ready);
    }
    if (net->status == HITOP_OK && !storage->out_of_memory) {
        make_slices(&w);
        check_rails(&w);
    }
    if (net->status == HITOP_OK && !storage->out_of_memory) {
        push_groups(&w, paths, confidence);
    }
    hitop_text_index_clear(&w.briefs);
    hitop_text_index_clear(&w.wholes);
    if (net->status == HITOP_OK) {
        return storage_status(storage);
    }
    return hitop_fail(diag, net->status, "%s", net->diag.message);
}
