/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * keep_dot.c - what a person added to a file is kept, so that it can be written back.
 *
 * What the writer writes by itself is not: it would outlive the edit that makes it wrong.
 */
#include <config.h>

#include "hierarchy/dot/keep_dot.h"

#include "hierarchy/dot/dot_impl.h"
#include "hierarchy/dot/style_dot.h"

#include <graphviz/cgraph.h>
#include <string.h>

/* Is this attribute part of the format, or what the writer gives every node of its kind? */
static int is_understood(int is_leaf, const char *key, const char *value, const char *label)
{
    static const char *const leaf_keys[] = {"type", "model_data", "rank", "level", NULL};
    static const char *const group_keys[] = {"type", "level", "name", NULL};
    static const struct dot_style styles[] = DOT_STYLES;

    for (const char *const *k = is_leaf ? leaf_keys : group_keys; *k; k++) {
        if (strcmp(key, *k) == 0) {
            return 1;
        }
    }
    for (size_t i = 0; i < sizeof(styles) / sizeof(styles[0]); i++) {
        if (strcmp(key, styles[i].key) == 0 &&
            strcmp(value, is_leaf ? styles[i].leaf : styles[i].group) == 0) {
            return 1;
        }
    }
    if (!is_leaf && strcmp(key, "fillcolor") == 0 && hitop_style_is_color(value)) {
        return 1;
    }
    return strcmp(key, "label") == 0 && (strcmp(value, label) == 0 || strcmp(value, "\\N") == 0);
}

/*
 * "" is what cgraph gives for an attribute that a node does not have. Only a style taken back is said by
 * it, where others of the file have one by default.
 */
static int is_said(const Agsym_t *symbol, const char *value)
{
    return value[0] || (symbol->defval[0] && strcmp(symbol->name, "style") == 0);
}

/* A mere number is an id that any tool may change, as ours do. */
static int is_own_id(char *id)
{
    return id[strspn(id, "0123456789")] != '\0' && !aghtmlstr(id);
}

void hitop_dot_keep_node(struct hitop_hierarchy_builder *b, int handle, Agnode_t *node, int is_leaf,
                         const char *label)
{
    Agraph_t *g = agraphof(node);

    if (is_own_id(agnameof(node))) {
        hitop_hierarchy_builder_id(b, handle, agnameof(node));
    }
    for (Agsym_t *s = agnxtattr(g, AGNODE, NULL); s; s = agnxtattr(g, AGNODE, s)) {
        char *value = agxget(node, s);
        const struct hitop_attr attr = {s->name, value, aghtmlstr(value)};

        if (is_said(s, value) && !is_understood(is_leaf, s->name, value, label)) {
            hitop_hierarchy_builder_add_attr(b, HITOP_ATTR_OF_NODE, handle, &attr);
        }
    }
}

/* Key for the same in an edge that points the other way. */
static const char *turn_key(const char *key)
{
    static const char *const ends[][2] = {
        {"arrowhead", "arrowtail"}, {"headURL", "tailURL"},       {"head_lp", "tail_lp"},
        {"headclip", "tailclip"},   {"headhref", "tailhref"},     {"headlabel", "taillabel"},
        {"headport", "tailport"},   {"headtarget", "tailtarget"}, {"headtooltip", "tailtooltip"},
        {"lhead", "ltail"},         {"samehead", "sametail"},
    };

    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        if (strcmp(key, ends[i][0]) == 0) {
            return ends[i][1];
        }
        if (strcmp(key, ends[i][1]) == 0) {
            return ends[i][0];
        }
    }
    return key;
}

static const char *turn_value(const char *key, const char *value)
{
    static const char *const turned[][3] = {
        {"dir", "forward", "back"}, {"rankdir", "TB", "BT"}, {"rankdir", "LR", "RL"}};

    for (size_t i = 0; i < sizeof(turned) / sizeof(turned[0]); i++) {
        if (strcmp(key, turned[i][0]) == 0 && strcmp(value, turned[i][1]) == 0) {
            return turned[i][2];
        }
        if (strcmp(key, turned[i][0]) == 0 && strcmp(value, turned[i][2]) == 0) {
            return turned[i][1];
        }
    }
    return value;
}

void hitop_dot_keep_edge(struct hitop_hierarchy_builder *b, int child, Agedge_t *edge, int is_down)
{
    Agraph_t *g = agraphof(edge);
    const char *key = agnameof(edge);

    if (key && key[0] && key[0] != '%') { /* cgraph makes names for edges without one */
        const struct hitop_attr attr = {.key = "key", .value = key};
        hitop_hierarchy_builder_add_attr(b, HITOP_ATTR_OF_EDGE, child, &attr);
    }
    for (Agsym_t *s = agnxtattr(g, AGEDGE, NULL); s; s = agnxtattr(g, AGEDGE, s)) {
        char *value = agxget(edge, s);
        const struct hitop_attr attr = {is_down ? turn_key(s->name) : s->name,
                                        is_down ? turn_value(s->name, value) : value,
                                        aghtmlstr(value)};

        if (value[0] && strcmp(s->name, "key") != 0) {
            hitop_hierarchy_builder_add_attr(b, HITOP_ATTR_OF_EDGE, child, &attr);
        }
    }
}

static int is_of_format(const char *key, const char *value)
{
    static const char *const styles[][2] = DOT_GRAPH_STYLES;

    if (strcmp(key, "format") == 0 || strcmp(key, "version") == 0) {
        return 1;
    }
    for (size_t i = 0; i < sizeof(styles) / sizeof(styles[0]); i++) {
        if (strcmp(key, styles[i][0]) == 0 && strcmp(value, styles[i][1]) == 0) {
            return 1;
        }
    }
    return 0;
}

void hitop_dot_keep_graph(struct hitop_hierarchy_builder *b, Agraph_t *g, int is_down)
{
    char *name = agnameof(g);

    if (name[0] != '%' && !aghtmlstr(name) && strcmp(name, DOT_GRAPH_NAME) != 0) {
        hitop_hierarchy_builder_graph_name(b, name);
    }
    for (Agsym_t *s = agnxtattr(g, AGRAPH, NULL); s; s = agnxtattr(g, AGRAPH, s)) {
        char *value = agxget(g, s);
        const struct hitop_attr attr = {s->name, is_down ? turn_value(s->name, value) : value,
                                        aghtmlstr(value)};

        if (value[0] && !is_of_format(attr.key, attr.value)) {
            hitop_hierarchy_builder_add_attr(b, HITOP_ATTR_OF_GRAPH, HITOP_NO_NODE, &attr);
        }
    }
}
