/* SPDX-License-Identifier: BSD-3-Clause */
/* dot_graph.c - nodes, edges and attributes of a DOT text. */
#include <config.h>

#include "hierarchy/dot/dot_graph.h"

#include "src/grow.h"

#include <string.h>

/* Add an attribute in front of a list. */
static void add_attr(struct dot_graph *g, int *first, int key, struct dot_value value)
{
    if (key < 0 || !HITOP_GROW(g->attr, g->nattrs, g->max_attrs)) {
        g->text.out_of_memory = 1;
        return;
    }
    g->attr[g->nattrs] = (struct dot_attr){key, value, *first};
    *first = g->nattrs++;
}

void hitop_dot_graph_set(struct dot_graph *g, int *first, const char *name, struct dot_value value)
{
    int is_new;
    const int key = hitop_text_index_put(&g->keys, name, &is_new);

    for (int i = *first; i != DOT_NONE; i = g->attr[i].next) {
        if (g->attr[i].key == key) {
            g->attr[i].value = value;
            return;
        }
    }
    add_attr(g, first, key, value);
}

/* A list of attributes that begins as a copy of the defaults. */
static int copy_defaults(struct dot_graph *g, enum hitop_attr_of of)
{
    int copy = DOT_NONE;

    for (int i = g->attrs[of]; i != DOT_NONE; i = g->attr[i].next) {
        add_attr(g, &copy, g->attr[i].key, g->attr[i].value);
    }
    return copy;
}

int hitop_dot_graph_node(struct dot_graph *g, struct dot_value id)
{
    int is_new, node;

    if (!HITOP_GROW(g->node, g->nnodes, g->max_nodes)) {
        return DOT_NONE;
    }
    node = hitop_text_index_put(&g->ids, id.text, &is_new);
    if (is_new) {
        g->node[g->nnodes++] = (struct dot_node){
            .id = id.text, .is_html = id.is_html, .attrs = copy_defaults(g, HITOP_ATTR_OF_NODE)};
    }
    return node;
}

struct dot_edge *hitop_dot_graph_edge(struct dot_graph *g, int tail, int head, int line)
{
    if (!HITOP_GROW(g->edge, g->nedges, g->max_edges)) {
        return NULL;
    }
    g->edge[g->nedges] = (struct dot_edge){.tail = tail,
                                           .head = head,
                                           .key = "",
                                           .line = line,
                                           .attrs = copy_defaults(g, HITOP_ATTR_OF_EDGE)};
    return &g->edge[g->nedges++];
}

void hitop_dot_graph_clear(struct dot_graph *g)
{
    hitop_text_index_clear(&g->ids);
    hitop_text_index_clear(&g->keys);
    hitop_storage_clear(&g->text);
    free(g->node);
    free(g->edge);
    free(g->attr);
    *g = (struct dot_graph){0};
}

const struct dot_value *hitop_dot_graph_find(const struct dot_graph *g, int first, const char *key)
{
    const int wanted = hitop_text_index_find(&g->keys, key);

    for (int i = first; i != DOT_NONE; i = g->attr[i].next) {
        if (g->attr[i].key == wanted) {
            return &g->attr[i].value;
        }
    }
    return NULL;
}

const char *hitop_dot_graph_text(const struct dot_graph *g, int first, const char *key)
{
    const struct dot_value *value = hitop_dot_graph_find(g, first, key);

    return value ? value->text : "";
}
