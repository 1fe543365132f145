/* SPDX-License-Identifier: BSD-3-Clause */
/* builder.c - collect the nodes of a hierarchy in any order. */
#include <config.h>

#include "hierarchy/tree/builder_impl.h"

#include "src/grow.h"

#include <assert.h>
#include <stdlib.h>

/* The builder's copy of text. Equal texts have one copy. */
static const char *keep(struct hitop_hierarchy_builder *b, const char *text)
{
    int is_new;
    const int number = hitop_text_index_keep(&b->index, &b->text, text ? text : "", &is_new);

    b->text.out_of_memory |= number < 0;
    return number >= 0 ? b->index.text[number] : "";
}

struct hitop_hierarchy_builder *hitop_hierarchy_builder_new(void)
{
    return calloc(1, sizeof(struct hitop_hierarchy_builder));
}

void hitop_hierarchy_builder_free(struct hitop_hierarchy_builder *b)
{
    if (!b) {
        return;
    }
    hitop_text_index_clear(&b->index);
    hitop_storage_clear(&b->text);
    free(b->ranges);
    hitop_attr_list_clear(&b->attrs);
    free(b->edges);
    free(b->nodes);
    free(b);
}

static int add_node(struct hitop_hierarchy_builder *b, struct builder_node node)
{
    if (b->text.out_of_memory || !HITOP_GROW(b->nodes, b->nnodes, b->max_nodes)) {
        b->text.out_of_memory = 1;
        return HITOP_NO_NODE;
    }
    b->nodes[b->nnodes] = node;
    return b->nnodes++;
}

int hitop_hierarchy_builder_group(struct hitop_hierarchy_builder *b, const char *level,
                                  const char *name)
{
    return add_node(b, (struct builder_node){.level = keep(b, level), .name = keep(b, name)});
}

int hitop_hierarchy_builder_leaves(struct hitop_hierarchy_builder *b,
                                   const struct hitop_rank_range *range, int nranges,
                                   const char *host)
{
    const int begin = b->nranges;

    assert(nranges > 0);
    for (int i = 0; i < nranges && !b->text.out_of_memory; i++) {
        assert(range[i].step > 0 && range[i].last >= range[i].first);
        if (HITOP_GROW(b->ranges, b->nranges, b->max_ranges)) {
            b->ranges[b->nranges++] = range[i];
        } else {
            b->text.out_of_memory = 1;
        }
    }
    if (b->text.out_of_memory) {
        return HITOP_NO_NODE;
    }
    return add_node(
        b, (struct builder_node){.name = keep(b, host), .range_begin = begin, .nranges = nranges});
}

int hitop_hierarchy_builder_leaf(struct hitop_hierarchy_builder *b, int rank, const char *host)
{
    const struct hitop_rank_range range = {.first = rank, .last = rank, .step = 1};

    return hitop_hierarchy_builder_leaves(b, &range, 1, host);
}

void hitop_hierarchy_builder_edge(struct hitop_hierarchy_builder *b, int child, int parent)
{
    if (b->text.out_of_memory) {
        return;
    }
    assert(child >= 0 && child < b->nnodes && parent >= 0 && parent < b->nnodes);
    if (HITOP_GROW(b->edges, b->nedges, b->max_edges)) {
        b->edges[b->nedges++] = (struct builder_edge){.child = child, .parent = parent};
    } else {
        b->text.out_of_memory = 1;
    }
}

static void add_attr(struct hitop_hierarchy_builder *b, int of, int node,
                     const struct hitop_attr *attr)
{
    const struct attr_owner owner = {of, node};
    struct hitop_attr own = {.is_html = attr->is_html};

    assert(node == ATTR_GRAPH || (node >= 0 && node < b->nnodes) || b->text.out_of_memory);
    own.key = keep(b, attr->key);
    own.value = keep(b, attr->value);
    if (!b->text.out_of_memory && !hitop_attr_list_add(&b->attrs, owner, own)) {
        b->text.out_of_memory = 1;
    }
}

void hitop_hierarchy_builder_add_attr(struct hitop_hierarchy_builder *b, enum hitop_attr_of of,
                                      int node, const struct hitop_attr *attr)
{
    add_attr(b, (int)of, of == HITOP_ATTR_OF_GRAPH ? ATTR_GRAPH : node, attr);
}

void hitop_hierarchy_builder_attr(struct hitop_hierarchy_builder *b, int node, const char *key,
                                  const char *value)
{
    const struct hitop_attr attr = {.key = key, .value = value};

    add_attr(b, HITOP_ATTR_OF_NODE, node, &attr);
}

void hitop_hierarchy_builder_id(struct hitop_hierarchy_builder *b, int node, const char *id)
{
    const struct hitop_attr attr = {.key = "", .value = id};

    if (id && id[0]) {
        add_attr(b, ATTR_ID, node, &attr);
    }
}

void hitop_hierarchy_builder_graph_name(struct hitop_hierarchy_builder *b, const char *name)
{
    hitop_hierarchy_builder_id(b, ATTR_GRAPH, name);
}

void hitop_hierarchy_builder_label(struct hitop_hierarchy_builder *b, int node, const char *label)
{
    const char *own_label = keep(b, label);

    if (b->text.out_of_memory) {
        return;
    }
    assert(node >= 0 && node < b->nnodes);
    b->nodes[node].label = own_label;
}
