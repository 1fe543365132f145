/* SPDX-License-Identifier: BSD-3-Clause */
/* diff_attrs.c - tell what people say differently about what two hierarchies have in common. */
#include <config.h>

#include "hierarchy/edit/diff.h"
#include "hierarchy/tree/same_rank.h"

#include <stdio.h>
#include <string.h>

static void tell_attr(struct diff *d, const char *where, const struct hitop_attr *a,
                      const struct hitop_attr *b)
{
    if (!a) {
        diff_tell(d, "%s: attribute %s=\"%s\" is new", where, b->key, b->value);
    } else if (!b) {
        diff_tell(d, "%s: attribute %s=\"%s\" is gone", where, a->key, a->value);
    } else if (strcmp(a->value, b->value) != 0 || a->is_html != b->is_html) {
        diff_tell(d, "%s: attribute %s=\"%s\" is now \"%s\"", where, a->key, a->value, b->value);
    }
}

/* Both are in the order of their keys. */
static void compare_attrs(struct diff *d, const char *where, enum hitop_attr_of of, int a, int b)
{
    int na, nb;
    const struct hitop_attr *x = hitop_hierarchy_attrs(d->a.h, of, a, &na);
    const struct hitop_attr *y = hitop_hierarchy_attrs(d->b.h, of, b, &nb);

    for (int i = 0, k = 0; i < na || k < nb;) {
        const int order = i == na ? 1 : k == nb ? -1 : strcmp(x[i].key, y[k].key);

        tell_attr(d, where, order <= 0 ? &x[i] : NULL, order >= 0 ? &y[k] : NULL);
        i += order <= 0;
        k += order >= 0;
    }
}

static void compare_node(struct diff *d, int a, int b)
{
    const struct diff_title title = diff_title(d->b.h, b);
    char edge[sizeof(title.text) + 16];

    (void)snprintf(edge, sizeof(edge), "edge of %s", title.text);
    compare_attrs(d, title.text, HITOP_ATTR_OF_NODE, a, b);
    compare_attrs(d, edge, HITOP_ATTR_OF_EDGE, a, b);
}

static int set_of(const struct hitop_hierarchy *h, int rank)
{
    int count;

    return hitop_hierarchy_leaf_sets(h, rank, &count);
}

/* Leaves of one set are alike, so that one of them is compared. */
static void compare_leaves(struct diff *d, const struct host_entry *entry)
{
    int last_a = -1, last_b = -1;

    for (int i = 0; i < hitop_hierarchy_nranks(d->a.h); i++) {
        const int a = entry[i].rank, b = d->a.match[a];

        if (b != HITOP_NO_NODE && (set_of(d->a.h, a) != last_a || set_of(d->b.h, b) != last_b)) {
            last_a = set_of(d->a.h, a);
            last_b = set_of(d->b.h, b);
            compare_node(d, a, b);
        }
    }
}

void diff_attrs(struct diff *d, const struct host_entry *entry)
{
    const char *old_name = hitop_hierarchy_graph_name(d->a.h);
    const char *name = hitop_hierarchy_graph_name(d->b.h);

    if (strcmp(old_name, name) != 0) {
        diff_tell(d, "graph: its name is now \"%s\", not \"%s\"", name, old_name);
    }
    compare_attrs(d, "graph", HITOP_ATTR_OF_GRAPH, HITOP_NO_NODE, HITOP_NO_NODE);
    for (int a = hitop_hierarchy_nranks(d->a.h); a < hitop_hierarchy_nnodes(d->a.h); a++) {
        if (d->a.match[a] != HITOP_NO_NODE) {
            compare_node(d, a, d->a.match[a]);
        }
    }
    compare_leaves(d, entry);
}
