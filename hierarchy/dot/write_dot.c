/* SPDX-License-Identifier: BSD-3-Clause */
/* write_dot.c - write a hierarchy as DOT text; the same hierarchy gives the same bytes. */
#include <config.h>

#include "hierarchy/dot/dot_impl.h"
#include "hierarchy/dot/dot_text.h"
#include "hierarchy/dot/style_dot.h"
#include "hierarchy/draw/columns.h"
#include "hierarchy/tree/element.h"

#include <stdlib.h>
#include <string.h>

/* Append text to a label with its backslashes doubled; returns the new end. */
static char *append(char *to, const char *text)
{
    for (; *text; text++) {
        if (*text == '\\') {
            *to++ = '\\';
        }
        *to++ = *text;
    }
    *to = '\0';
    return to;
}

char *hitop_dot_make_label(const char *ranks, const char *level, const char *name)
{
    const size_t length = ranks ? strlen(ranks) : 0;
    char *label = malloc(length + 2 * strlen(level) + 2 * strlen(name) + 16);
    char *end = label;

    if (!label) {
        return NULL;
    }
    end[0] = '\0';
    if (ranks) {
        end = append(end, strpbrk(ranks, ",-") ? "ranks " : "rank ");
        end = append(end, ranks);
    } else {
        end = append(end, level);
    }
    if (end > label && name[0]) {
        *end++ = '\\';
        *end++ = 'n';
    }
    (void)append(end, name);
    return label;
}

/* The value of a key of a node in the overlay, or NULL. */
static const char *overlaid(const struct hitop_dot_overlay *overlay, int node, const char *wanted)
{
    const char *key = NULL, *value = NULL;

    for (int i = 0; overlay && overlay->attr(overlay->data, node, i, &key, &value); i++) {
        if (strcmp(key, wanted) == 0) {
            return value;
        }
    }
    return NULL;
}

static const struct hitop_attr *find_attr(const struct hitop_attr *attr, int count, const char *key)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(attr[i].key, key) == 0) {
            return &attr[i];
        }
    }
    return NULL;
}

/*
 * Write the attributes except model_data and label: first those of the hierarchy, then those of the
 * overlay.
 */
static void put_others(FILE *to, const struct hitop_hierarchy *h, int node,
                       const struct hitop_dot_overlay *overlay)
{
    const char *key = NULL, *value = NULL;
    int count;
    const struct hitop_attr *attr = hitop_hierarchy_attrs(h, HITOP_ATTR_OF_NODE, node, &count);

    for (int i = 0; i < count; i++) {
        if (strcmp(attr[i].key, "model_data") != 0 && strcmp(attr[i].key, "label") != 0 &&
            !overlaid(overlay, node, attr[i].key)) {
            hitop_dot_put_attr(to, ", ", &attr[i]);
        }
    }
    for (int i = 0; overlay && overlay->attr(overlay->data, node, i, &key, &value); i++) {
        if (strcmp(key, "model_data") != 0 && strcmp(key, "label") != 0) {
            hitop_dot_put_attr(to, ", ", &(const struct hitop_attr){key, value, 0});
        }
    }
}

/* The attribute of the overlay, else that of the hierarchy, else the writer's default. */
static struct hitop_attr choose_attr(const struct hitop_hierarchy *h, int node,
                                     const struct hitop_dot_overlay *overlay, const char *key,
                                     const char *made)
{
    const char *value = overlaid(overlay, node, key);
    int count;
    const struct hitop_attr *attr = hitop_hierarchy_attrs(h, HITOP_ATTR_OF_NODE, node, &count);
    const struct hitop_attr *kept = find_attr(attr, count, key);

    return value || !kept ? (struct hitop_attr){key, value ? value : made, 0} : *kept;
}

/* The id from the file that the hierarchy was read from, else the number of the node. */
static void put_id(FILE *to, const struct hitop_hierarchy *h, int node)
{
    const char *id = hitop_hierarchy_id(h, node);

    if (id[0]) {
        hitop_dot_put_key(to, id);
    } else {
        fprintf(to, "%d", node);
    }
}

/* Write the label, unless it is empty, and the other attributes. */
static void put_rest(FILE *to, const struct hitop_hierarchy *h, int node,
                     const struct hitop_dot_overlay *overlay, const char *made)
{
    const struct hitop_attr label = choose_attr(h, node, overlay, "label", made);

    if (label.value[0]) {
        hitop_dot_put_attr(to, ", ", &label);
    }
    put_others(to, h, node, overlay);
    fputs("];\n", to);
}

/* Write one statement for all leaves of the leaf set of a rank. */
static enum hitop_status put_leaves(FILE *to, const struct hitop_hierarchy *h, int rank,
                                    const struct hitop_dot_overlay *overlay)
{
    const char *host = hitop_hierarchy_host(h, rank);
    int count, nranges;
    const struct hitop_rank_range *range =
        hitop_hierarchy_leaf_set(h, hitop_hierarchy_leaf_sets(h, rank, &count), &nranges);
    char *ranks = hitop_ranks_text(range, nranges);
    char *label = ranks ? hitop_dot_make_label(ranks, "", host) : NULL;

    if (label) {
        fputs("    ", to);
        put_id(to, h, rank);
        fputs(" [type=0, model_data=", to);
        hitop_dot_put_plain(to, host);
        fprintf(to, strpbrk(ranks, ",-") ? ", rank=\"%s\"" : ", rank=%s", ranks);
        put_rest(to, h, rank, overlay, label);
    }
    free(label);
    free(ranks);
    return label ? HITOP_OK : HITOP_ERR_NOMEM;
}

static enum hitop_status put_group(FILE *to, const struct hitop_hierarchy *h, int node,
                                   const struct hitop_dot_overlay *overlay)
{
    const char *name = hitop_hierarchy_name(h, node);
    const char *level = hitop_hierarchy_level(h, node);
    const struct hitop_attr data = choose_attr(h, node, overlay, "model_data", "");
    char *label = hitop_dot_make_label(NULL, level, name);

    if (!label) {
        return HITOP_ERR_NOMEM;
    }
    fputs("    ", to);
    put_id(to, h, node);
    fputs(" [type=1", to);
    hitop_dot_put_attr(to, ", ", &data);
    fputs(", level=", to);
    hitop_dot_put_plain(to, level);
    fputs(", name=", to);
    hitop_dot_put_plain(to, name);
    put_rest(to, h, node, overlay, label);
    free(label);
    return HITOP_OK;
}

/* Write the default style of the nodes that follow; color is NULL for leaves. */
static void put_style(FILE *to, const char *color)
{
    static const struct dot_style styles[] = DOT_STYLES;

    fputs("    node [", to);
    for (size_t i = 0; i < sizeof(styles) / sizeof(styles[0]); i++) {
        fprintf(to, "%s%s=\"%s\"", i > 0 ? ", " : "", styles[i].key,
                color ? styles[i].group : styles[i].leaf);
    }
    fprintf(to, color ? ", fillcolor=\"%s\"];\n" : "];\n", color);
}

static void put_graph(FILE *to, const struct hitop_hierarchy *h)
{
    static const char *const styles[][2] = DOT_GRAPH_STYLES;
    const char *name = hitop_hierarchy_graph_name(h);
    int count;
    const struct hitop_attr *attr =
        hitop_hierarchy_attrs(h, HITOP_ATTR_OF_GRAPH, HITOP_NO_NODE, &count);

    fputs("digraph ", to);
    hitop_dot_put_key(to, name[0] ? name : DOT_GRAPH_NAME);
    fprintf(to, " {\n    graph [format=\"%s\", version=\"%s\"", DOT_FORMAT, DOT_VERSION);
    for (size_t i = 0; i < sizeof(styles) / sizeof(styles[0]); i++) {
        if (!find_attr(attr, count, styles[i][0])) {
            hitop_dot_put_attr(to, ", ", &(const struct hitop_attr){styles[i][0], styles[i][1], 0});
        }
    }
    for (int i = 0; i < count; i++) {
        hitop_dot_put_attr(to, ", ", &attr[i]);
    }
    fputs("];\n", to);
}

static void put_edge(FILE *to, const struct hitop_hierarchy *h, int child)
{
    int count;
    const struct hitop_attr *attr = hitop_hierarchy_attrs(h, HITOP_ATTR_OF_EDGE, child, &count);

    fputs("    ", to);
    put_id(to, h, child);
    fputs("->", to);
    put_id(to, h, hitop_hierarchy_parent(h, child));
    for (int i = 0; i < count; i++) {
        hitop_dot_put_attr(to, i == 0 ? " [" : ", ", &attr[i]);
    }
    fputs(count > 0 ? "];\n" : ";\n", to);
}

enum hitop_status hitop_dot_write(const struct hitop_hierarchy *h,
                                  const struct hitop_dot_overlay *overlay, FILE *to,
                                  struct hitop_diag *diag)
{
    const int nranks = hitop_hierarchy_nranks(h), nnodes = hitop_hierarchy_nnodes(h);
    const char *last_color = NULL;
    struct storage storage = {0};
    struct columns columns;
    enum hitop_status status;

    hitop_columns_fill(&columns, h, &storage);
    status = storage_status(&storage);
    put_graph(to, h);
    put_style(to, NULL);
    for (int node = 0; node < nranks && status == HITOP_OK; node++) {
        if (element_is_first(h, node)) {
            status = put_leaves(to, h, node, overlay);
        }
    }
    for (int node = nranks; node < nnodes && status == HITOP_OK; node++) {
        const char *color =
            hitop_style_color_of_column(hitop_columns_at(&columns, h, node), columns.n);
        if (color != last_color) {
            put_style(to, color);
            last_color = color;
        }
        status = put_group(to, h, node, overlay);
    }
    hitop_storage_clear(&storage);
    for (int node = 0; node < nnodes; node++) {
        if (hitop_hierarchy_parent(h, node) != HITOP_NO_NODE && element_is_first(h, node)) {
            put_edge(to, h, node);
        }
    }
    fputs("}\n", to);
    return status == HITOP_OK ? status : hitop_fail(diag, status, "hierarchy: out of memory");
}
