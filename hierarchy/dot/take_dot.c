/* SPDX-License-Identifier: BSD-3-Clause */
/* take_dot.c - take a DOT graph apart for its reviewers. */
#include <config.h>

#include "hierarchy/dot/dot_scan.h"
#include "hierarchy/dot/dot_text.h"
#include "hierarchy/lint/lint.h"

#include <graphviz/cgraph.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* An edge as cgraph or the scanner has it; both see them in the same order. */
struct seen {
    Agedge_t *edge; /* of cgraph */
    int tail, head;
    int line; /* of the scanner */
};

struct taking {
    struct lint *lint;
    Agraph_t *graph;
    struct seen *edge; /* of cgraph */
    struct seen *scanned;
    int nscanned, max_scanned;
};

static char *unconst(const char *text)
{
    return (char *)(uintptr_t)text;
}

/* AGSEQ counts from 1. */
static int index_of(Agnode_t *node)
{
    return (int)AGSEQ(node) - 1;
}

/* An edge that cgraph does not know would make lines useless: see take_edges(). */
static void note_edge(struct taking *t, const struct dot_statement *s)
{
    Agnode_t *tail = agnode(t->graph, unconst(s->id[0]), 0);
    Agnode_t *head = agnode(t->graph, unconst(s->id[1]), 0);

    if (t->nscanned == t->max_scanned) {
        const int max = 2 * t->max_scanned + 64;
        struct seen *larger = reallocarray(t->scanned, (size_t)max, sizeof(*larger));

        if (!larger) {
            t->lint->out_of_memory = 1;
            return;
        }
        t->scanned = larger;
        t->max_scanned = max;
    }
    t->scanned[t->nscanned++] = (struct seen){.tail = tail ? index_of(tail) : LINT_NONE,
                                              .head = head ? index_of(head) : LINT_NONE,
                                              .line = s->line};
}

static void note_statement(void *data, const struct dot_statement *s)
{
    struct taking *t = data;
    Agnode_t *node = s->kind == DOT_STATES_NODE ? agnode(t->graph, unconst(s->id[0]), 0) : NULL;

    if (node) {
        struct lint_node *n = &t->lint->node[index_of(node)];
        if (s->has_attrs && n->has_attrs) {
            n->again = s->line;
        } else if (s->has_attrs || !n->line) {
            n->line = s->line;
            n->has_attrs = s->has_attrs;
        }
    } else if (s->kind == DOT_STATES_EDGE) {
        note_edge(t, s);
    }
}

static const char *plain(struct lint *l, Agnode_t *node, const char *key)
{
    Agsym_t *symbol = agattrsym(node, unconst(key));
    const char *text = symbol ? hitop_dot_plain(&l->text, agxget(node, symbol)) : "";

    l->out_of_memory |= !text;
    return text ? text : "";
}

static const char *raw(Agnode_t *node, const char *key)
{
    Agsym_t *symbol = agattrsym(node, unconst(key));

    return symbol ? agxget(node, symbol) : "";
}

static void take_nodes(struct taking *t)
{
    struct lint *l = t->lint;

    for (Agnode_t *n = agfstnode(t->graph); n; n = agnxtnode(t->graph, n)) {
        struct lint_node *to = &l->node[index_of(n)];

        *to = (struct lint_node){.id = agnameof(n),
                                 .type = raw(n, "type"),
                                 .data = plain(l, n, "model_data"),
                                 .rank = raw(n, "rank"),
                                 .level = plain(l, n, "level"),
                                 .name = plain(l, n, "name"),
                                 .label = raw(n, "label"),
                                 .capacity = plain(l, n, "capacity"),
                                 .parent = LINT_NONE};
        to->is_html = aghtmlstr(unconst(to->label));
    }
}

static int compare_seen(const void *a, const void *b)
{
    const struct seen *x = a, *y = b;

    return (AGSEQ(x->edge) > AGSEQ(y->edge)) - (AGSEQ(x->edge) < AGSEQ(y->edge));
}

/* Edges in the order of the file; their lines where the scanner has seen the same ones. */
static void take_edges(struct taking *t)
{
    struct lint *l = t->lint;
    Agsym_t *capacity = agattr(t->graph, AGEDGE, (char[]){"capacity"}, NULL);
    int n = 0, is_same = t->nscanned == l->nedges;

    for (Agnode_t *node = agfstnode(t->graph); node; node = agnxtnode(t->graph, node)) {
        for (Agedge_t *e = agfstout(t->graph, node); e; e = agnxtout(t->graph, e)) {
            t->edge[n++] =
                (struct seen){.edge = e, .tail = index_of(node), .head = index_of(aghead(e))};
        }
    }
    qsort(t->edge, (size_t)n, sizeof(*t->edge), compare_seen);
    for (int i = 0; is_same && i < n; i++) {
        is_same = t->edge[i].tail == t->scanned[i].tail && t->edge[i].head == t->scanned[i].head;
    }
    for (int i = 0; i < n; i++) {
        const struct seen *e = &t->edge[i];
        struct lint_node *tail = &l->node[e->tail], *head = &l->node[e->head];

        l->edge[i] = (struct lint_edge){e->tail, e->head, is_same ? t->scanned[i].line : 0,
                                        capacity ? agxget(e->edge, capacity) : ""};
        tail->edge_line = tail->edge_line ? tail->edge_line : l->edge[i].line;
        head->edge_line = head->edge_line ? head->edge_line : l->edge[i].line;
    }
}

/* The first node or edge that has an attribute stands for all. */
static void take_keys(struct taking *t)
{
    struct lint *l = t->lint;

    for (Agsym_t *s = agnxtattr(t->graph, AGNODE, NULL); s; s = agnxtattr(t->graph, AGNODE, s)) {
        Agnode_t *n = agfstnode(t->graph);
        while (n && !agxget(n, s)[0]) {
            n = agnxtnode(t->graph, n);
        }
        if (n) {
            l->key[l->nkeys++] = (struct lint_key){s->name, index_of(n), LINT_NONE};
        }
    }
    for (Agsym_t *s = agnxtattr(t->graph, AGEDGE, NULL); s; s = agnxtattr(t->graph, AGEDGE, s)) {
        int i = 0;
        while (i < l->nedges && !agxget(t->edge[i].edge, s)[0]) {
            i++;
        }
        if (i < l->nedges) {
            l->key[l->nkeys++] = (struct lint_key){s->name, LINT_NONE, i};
        }
    }
    for (Agsym_t *s = agnxtattr(t->graph, AGRAPH, NULL); s; s = agnxtattr(t->graph, AGRAPH, s)) {
        l->key[l->nkeys++] = (struct lint_key){s->name, LINT_NONE, LINT_NONE};
    }
}

static int count_keys(Agraph_t *g)
{
    int n = 0;

    for (int kind = AGRAPH; kind <= AGEDGE; kind++) {
        for (Agsym_t *s = agnxtattr(g, kind, NULL); s; s = agnxtattr(g, kind, s)) {
            n++;
        }
    }
    return n;
}

int hitop_lint_take(struct lint *l, Agraph_t *g, const char *text, size_t length)
{
    struct taking t = {.lint = l, .graph = g};

    l->nnodes = agnnodes(g);
    l->nedges = agnedges(g);
    l->node = calloc((size_t)l->nnodes + 1, sizeof(*l->node));
    l->edge = calloc((size_t)l->nedges + 1, sizeof(*l->edge));
    l->key = calloc((size_t)count_keys(g) + 1, sizeof(*l->key));
    t.edge = calloc((size_t)l->nedges + 1, sizeof(*t.edge));
    if (l->node && l->edge && l->key && t.edge) {
        take_nodes(&t);
        l->out_of_memory |= !hitop_dot_scan(text, length, note_statement, &t);
        take_edges(&t);
        take_keys(&t);
    } else {
        l->out_of_memory = 1;
    }
    free(t.edge);
    free(t.scanned);
    return !l->out_of_memory;
}
