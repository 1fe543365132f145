/* SPDX-License-Identifier: BSD-3-Clause */
/* merge_attrs.c - what several files say about one thing; where they differ, the first one counts. */
#include <config.h>

#include "hierarchy/edit/merge.h"

#include <string.h>

static const struct hitop_attr *find_attr(const struct merge *m, enum hitop_attr_of of, int origin,
                                          const char *key)
{
    int count;
    const struct merge_origin *o = &m->origin[origin];
    const struct hitop_attr *attr = hitop_hierarchy_attrs(m->part[o->part].h, of, o->node, &count);

    for (int i = 0; i < count; i++) {
        if (strcmp(attr[i].key, key) == 0) {
            return &attr[i];
        }
    }
    return NULL;
}

/* Of these, files by the same tool have different ones without anybody having said so. */
static int is_by_tools(const char *key)
{
    return strcmp(key, "source") == 0 || strcmp(key, "confidence") == 0 ||
           strcmp(key, "label") == 0;
}

/* Leaves of a set are alike, so that one of them tells. */
static int is_first_leaf(const struct hitop_hierarchy *h, int node)
{
    int count, nranges;

    return node >= hitop_hierarchy_nranks(h) ||
           hitop_hierarchy_leaf_set(h, hitop_hierarchy_leaf_sets(h, node, &count), &nranges)[0]
                   .first == node;
}

static void tell_difference(struct merge *m, const char *what, int first, int later,
                            const struct hitop_attr *a, const struct hitop_attr *b)
{
    const struct merge_origin *o = &m->origin[later];

    if (!is_by_tools(a->key) && strcmp(a->value, b->value) != 0 &&
        is_first_leaf(m->part[o->part].h, o->node)) {
        merge_tell(m, "%s: attribute %s is \"%s\" in %s, which counts, and \"%s\" in %s", what,
                   a->key, a->value, m->part[m->origin[first].part].name, b->value,
                   m->part[o->part].name);
    }
}

/* Attributes of one kind from one part, unless an earlier one has them. */
static void add_attrs(struct merge *m, struct hitop_hierarchy_builder *b, enum hitop_attr_of of,
                      const char *what, int first, int origin, int handle)
{
    const struct merge_origin *o = &m->origin[origin];
    int count;
    const struct hitop_attr *attr = hitop_hierarchy_attrs(m->part[o->part].h, of, o->node, &count);

    for (int i = 0; i < count; i++) {
        const struct hitop_attr *earlier = NULL;
        int before = first;

        while (before != origin && !(earlier = find_attr(m, of, before, attr[i].key))) {
            before = m->origin[before].next;
        }
        if (earlier) {
            tell_difference(m, what, before, origin, earlier, &attr[i]);
        } else {
            hitop_hierarchy_builder_add_attr(b, of, handle, &attr[i]);
        }
    }
}

int merge_add_attrs(struct merge *m, struct hitop_hierarchy_builder *b, struct text_index *ids,
                    const char *what, int first_origin, int handle)
{
    int has_id = 0;

    for (int o = first_origin; o != MERGE_NONE; o = m->origin[o].next) {
        const char *id = hitop_hierarchy_id(m->part[m->origin[o].part].h, m->origin[o].node);

        add_attrs(m, b, HITOP_ATTR_OF_NODE, what, first_origin, o, handle);
        add_attrs(m, b, HITOP_ATTR_OF_EDGE, what, first_origin, o, handle);
        if (id[0] && !has_id) {
            if (text_index_put(ids, id, &has_id) < 0) { /* new: nothing else is called so */
                return 0;
            }
            if (has_id) {
                hitop_hierarchy_builder_id(b, handle, id);
            }
        }
    }
    return 1;
}
