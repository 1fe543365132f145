/* SPDX-License-Identifier: BSD-3-Clause */
/* attrs.c - get and copy the attributes of a hierarchy. */
#include <config.h>

#include "hierarchy/tree/builder_impl.h"

#include <assert.h>
#include <string.h>

static int owner_of(const struct hitop_hierarchy *h, int node)
{
    assert(node >= 0 && node < h->nranks + h->ngroups);
    return hierarchy_owner(h, node);
}

const struct hitop_attr *hitop_hierarchy_attrs(const struct hitop_hierarchy *h,
                                               enum hitop_attr_of of, int node, int *count)
{
    const int owner = of == HITOP_ATTR_OF_GRAPH ? ATTR_GRAPH : owner_of(h, node);

    return hitop_attr_table_find(&h->attrs, (struct attr_owner){of, owner}, count);
}

const char *hitop_hierarchy_attr(const struct hitop_hierarchy *h, int node, const char *key)
{
    int count;
    const struct hitop_attr *attr = hitop_hierarchy_attrs(h, HITOP_ATTR_OF_NODE, node, &count);

    for (int i = 0; i < count; i++) {
        if (strcmp(attr[i].key, key) == 0) {
            return attr[i].value;
        }
    }
    return NULL;
}

static const char *find_id(const struct hitop_hierarchy *h, int owner)
{
    int count;
    const struct hitop_attr *id =
        hitop_attr_table_find(&h->attrs, (struct attr_owner){ATTR_ID, owner}, &count);

    return id ? id->value : "";
}

const char *hitop_hierarchy_id(const struct hitop_hierarchy *h, int node)
{
    return find_id(h, owner_of(h, node));
}

const char *hitop_hierarchy_graph_name(const struct hitop_hierarchy *h)
{
    return find_id(h, ATTR_GRAPH);
}

static void copy(struct hitop_hierarchy_builder *b, int node, const struct hitop_hierarchy *from,
                 enum hitop_attr_of of, int from_node)
{
    int count;
    const struct hitop_attr *attr = hitop_hierarchy_attrs(from, of, from_node, &count);

    for (int i = 0; i < count; i++) {
        hitop_hierarchy_builder_add_attr(b, of, node, &attr[i]);
    }
}

void hitop_hierarchy_builder_copy_attrs(struct hitop_hierarchy_builder *b, int node,
                                        const struct hitop_hierarchy *from, int from_node)
{
    copy(b, node, from, HITOP_ATTR_OF_NODE, from_node);
    copy(b, node, from, HITOP_ATTR_OF_EDGE, from_node);
    hitop_hierarchy_builder_id(b, node, hitop_hierarchy_id(from, from_node));
}

void hitop_hierarchy_builder_copy_graph(struct hitop_hierarchy_builder *b,
                                        const struct hitop_hierarchy *from)
{
    copy(b, HITOP_NO_NODE, from, HITOP_ATTR_OF_GRAPH, HITOP_NO_NODE);
    hitop_hierarchy_builder_graph_name(b, hitop_hierarchy_graph_name(from));
}
