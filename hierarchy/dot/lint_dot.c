/* SPDX-License-Identifier: BSD-3-Clause */
/* lint_dot.c - check a DOT file and report all findings. */
#include <config.h>

#include "hierarchy/dot/dot_graph.h"
#include "hierarchy/dot/dot_impl.h"
#include "hierarchy/dot/dot_text.h"
#include "hierarchy/lint/lint.h"

#include "hitop/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *plain(struct lint *l, const struct dot_graph *g, int attrs, const char *key)
{
    return hitop_dot_plain(&l->storage, hitop_dot_graph_text(g, attrs, key));
}

static void fill_nodes(struct lint *l, const struct dot_graph *g)
{
    for (int i = 0; i < g->nnodes; i++) {
        const struct dot_node *n = &g->node[i];
        const struct dot_value *label = hitop_dot_graph_find(g, n->attrs, "label");

        l->node[i] = (struct lint_node){.id = n->id,
                                        .type = hitop_dot_graph_text(g, n->attrs, "type"),
                                        .data = plain(l, g, n->attrs, "model_data"),
                                        .rank = hitop_dot_graph_text(g, n->attrs, "rank"),
                                        .level = plain(l, g, n->attrs, "level"),
                                        .name = plain(l, g, n->attrs, "name"),
                                        .label = label ? label->text : "",
                                        .capacity = plain(l, g, n->attrs, "capacity"),
                                        .is_html = label && label->is_html,
                                        .line = n->line,
                                        .has_attrs = n->has_attrs,
                                        .again = n->again,
                                        .parent = LINT_NONE};
    }
    for (int i = 0; i < g->nedges; i++) {
        const struct dot_edge *e = &g->edge[i];
        struct lint_node *tail = &l->node[e->tail], *head = &l->node[e->head];

        l->edge[i] = (struct lint_edge){e->tail, e->head, e->line,
                                        hitop_dot_graph_text(g, e->attrs, "capacity")};
        tail->edge_line = tail->edge_line ? tail->edge_line : e->line;
        head->edge_line = head->edge_line ? head->edge_line : e->line;
    }
}

/* Add the keys of a list of attributes that are not known yet. */
static void add_keys(struct lint *l, const struct dot_graph *g, int first, char *is_known, int node,
                     int edge)
{
    for (int i = first; i != DOT_NONE; i = g->attr[i].next) {
        const int key = g->attr[i].key;

        if (!is_known[key] && g->attr[i].value.text[0]) {
            is_known[key] = 1;
            l->key[l->nkeys++] = (struct lint_key){g->keys.text[key], node, edge};
        }
    }
}

static int compare_keys(const void *a, const void *b)
{
    const struct lint_key *x = a, *y = b;

    return strcmp(x->key, y->key);
}

/* Sort the keys from index first on, and clear is_known; returns the number of keys. */
static int end_keys(struct lint *l, const struct dot_graph *g, int first, char *is_known)
{
    qsort(l->key + first, (size_t)(l->nkeys - first), sizeof(*l->key), compare_keys);
    memset(is_known, 0, (size_t)g->keys.n);
    return l->nkeys;
}

/*
 * List each key once for nodes, once for edges and once for the graph. The first node or edge with
 * the key stands for all of them.
 */
static void fill_keys(struct lint *l, const struct dot_graph *g, char *is_known)
{
    int first;

    for (int i = 0; i < g->nnodes; i++) {
        add_keys(l, g, g->node[i].attrs, is_known, i, LINT_NONE);
    }
    first = end_keys(l, g, 0, is_known);
    for (int i = 0; i < g->nedges; i++) {
        add_keys(l, g, g->edge[i].attrs, is_known, LINT_NONE, i);
    }
    first = end_keys(l, g, first, is_known);
    add_keys(l, g, g->attrs[HITOP_ATTR_OF_GRAPH], is_known, LINT_NONE, LINT_NONE);
    (void)end_keys(l, g, first, is_known);
}

/* Check nodes and edges. The graph owns their strings. */
static void review(struct lint *l, const struct dot_graph *g)
{
    char *is_known;

    l->nnodes = g->nnodes;
    l->nedges = g->nedges;
    if (!STORAGE_ARRAY(&l->storage, is_known, g->keys.n) ||
        !STORAGE_ARRAY(&l->storage, l->node, g->nnodes) ||
        !STORAGE_ARRAY(&l->storage, l->edge, g->nedges) ||
        !STORAGE_ARRAY(&l->storage, l->key, 3 * (size_t)g->keys.n)) {
        return;
    }
    fill_nodes(l, g);
    fill_keys(l, g, is_known);
    hitop_lint_nodes(l);
    hitop_lint_edges(l);
    hitop_lint_capacity(l);
    hitop_lint_words(l);
    if (l->is_sound) {
        hitop_lint_groups(l);
        hitop_lint_hosts(l);
    }
}

/* Make a finding of an error of the reader: "file:3: text" or "file: text". */
static void add_refusal(struct lint *l, const struct hitop_diag *why)
{
    const size_t n = strlen(l->file);
    const char *at = strncmp(why->message, l->file, n) == 0 ? why->message + n : why->message;
    char *end = NULL;
    const long line = at[0] == ':' ? strtol(at + 1, &end, 10) : 0;

    at = line > 0 && end ? end : at;
    hitop_lint_error(l, (int)line, "%s", at + (at[0] == ':') + (at[0] == ':' && at[1] == ' '));
}

static int compare_findings(const void *a, const void *b)
{
    const struct lint_finding *x = a, *y = b;

    if (x->line != y->line) {
        return x->line < y->line ? -1 : 1;
    }
    return (x->order > y->order) - (x->order < y->order);
}

static void report(struct lint *l, void (*found)(void *data, const char *finding), void *data)
{
    char line[16] = "";
    char text[1024];

    if (l->nfindings == 0) {
        return; /* qsort() must not receive NULL */
    }
    qsort(l->finding, (size_t)l->nfindings, sizeof(*l->finding), compare_findings);
    for (int i = 0; i < l->nfindings; i++) {
        const struct lint_finding *f = &l->finding[i];
        if (f->line > 0) {
            (void)snprintf(line, sizeof(line), ":%d", f->line);
        }
        (void)snprintf(text, sizeof(text), "%.400s%s: %s: %s", l->file, line,
                       f->is_error ? "error" : "warning", f->text);
        found(data, text);
    }
}

enum hitop_status hitop_dot_check(const char *name, const char *text, size_t length,
                                  void (*found)(void *data, const char *finding), void *data,
                                  struct hitop_diag *diag)
{
    const size_t mark = hitop_input_mark(text, length);
    struct lint lint = {.file = name};
    struct hitop_diag why = HITOP_DIAG_INIT;
    struct hitop_hierarchy *h = NULL;
    struct dot_graph g;
    enum hitop_status status = hitop_dot_graph_parse(&g, name, text + mark, length - mark, &why);

    if (status == HITOP_OK) {
        review(&lint, &g);
    }
    if (status == HITOP_OK && lint.nerrors == 0) { /* errors that the review does not look for */
        status = hitop_dot_parse(name, text, length, NULL, &h, &why);
        hitop_hierarchy_free(h);
    }
    if (status == HITOP_ERR_FORMAT) {
        add_refusal(&lint, &why);
    }
    if (status == HITOP_ERR_NOMEM || lint.storage.out_of_memory) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", name);
    } else {
        report(&lint, found, data);
        status = lint.nerrors == 0 ? HITOP_OK
                                   : hitop_fail(diag, HITOP_ERR_FORMAT, "%s: %d error%s", name,
                                                lint.nerrors, lint.nerrors > 1 ? "s" : "");
    }
    free(lint.finding);
    hitop_dot_graph_clear(&g);
    hitop_storage_clear(&lint.storage);
    return status;
}
