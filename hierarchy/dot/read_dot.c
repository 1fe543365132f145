/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * read_dot.c - a DOT graph becomes a hierarchy.
 *
 * What a person added to the file (ids, attributes, the name of the graph) is kept, to be written
 * back. What the writer itself adds is not kept: it would be wrong after an edit.
 */
#include <config.h>

#include "hierarchy/dot/dot_graph.h"
#include "hierarchy/dot/dot_impl.h"
#include "hierarchy/dot/dot_text.h"
#include "hierarchy/dot/style_dot.h"

#include "hitop/input.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct reading {
    const char *file;
    const struct dot_graph *g;
    struct dot_leaf *leaf; /* in the order of the file */
    int *handle;           /* by node: its handle in the builder */
    int *leaf_of;          /* by node: index in leaf[], or -1 for a group */
    int nleaves;
    struct hitop_ranks ranks; /* of all leaves */
    struct hitop_hierarchy_builder *builder;
    struct storage text;
    struct hitop_diag *diag;
};

static const char *show_node(const struct reading *r, int node, struct dot_shown *shown)
{
    *shown = hitop_dot_show(r->g->node[node].id);
    return shown->text;
}

#define SHOW(r, node) show_node(r, node, &(struct dot_shown){""})

static enum hitop_status refuse(const struct reading *r, int node, const char *why)
{
    return hitop_fail(r->diag, HITOP_ERR_FORMAT, "%s: node \"%s\": %s", r->file, SHOW(r, node),
                      why);
}

/* An attribute as it is written, "" when the node has none. */
static const char *raw_attr(const struct reading *r, int node, const char *key)
{
    return hitop_dot_graph_text(r->g, r->g->node[node].attrs, key);
}

/* The same as plain text; r or the graph owns it. */
static const char *plain_attr(struct reading *r, int node, const char *key)
{
    return hitop_dot_plain(&r->text, raw_attr(r, node, key));
}

static enum hitop_status list_leaves(struct reading *r)
{
    for (int n = 0; n < r->g->nnodes; n++) {
        const char *type = raw_attr(r, n, "type");
        const int is_leaf = strcmp(type, "0") == 0;
        const char *host = is_leaf ? plain_attr(r, n, "model_data") : "";

        if (!type[0]) {
            return refuse(r, n, "no type; a leaf has type=0, a group type=1");
        }
        if (!is_leaf && strcmp(type, "1") != 0) {
            return hitop_fail(r->diag, HITOP_ERR_FORMAT,
                              "%s: node \"%s\": type \"%s\" is neither 0 (leaf) nor 1 (group)",
                              r->file, SHOW(r, n), hitop_dot_show(type).text);
        }
        if (is_leaf && !host[0]) {
            return refuse(r, n, "a leaf without its host name in model_data");
        }
        r->leaf_of[n] = is_leaf ? r->nleaves : -1;
        if (is_leaf) {
            r->leaf[r->nleaves++] = (struct dot_leaf){
                .id = r->g->node[n].id, .host = host, .rank_text = raw_attr(r, n, "rank")};
        }
    }
    return HITOP_OK;
}

/*
 * 1 for an attribute of the format, and for a default that the writer gives every node of its kind.
 */
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
    for (size_t i = 0; i < COUNT(styles); i++) {
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
 * Keep the id and the attributes of a node, but not those that the writer makes itself. An empty
 * value counts as none, except for a style that overrides a default.
 *
 * label  the label that the writer makes
 */
static void keep_node(struct reading *r, int handle, int node, const char *label)
{
    const struct dot_node *n = &r->g->node[node];
    const int is_leaf = r->leaf_of[node] >= 0;
    const int has_style =
        hitop_dot_graph_text(r->g, r->g->attrs[HITOP_ATTR_OF_NODE], "style")[0] != '\0';

    if (n->id[strspn(n->id, "0123456789")] && !n->is_html) { /* the writer's ids are numbers */
        hitop_hierarchy_builder_id(r->builder, handle, n->id);
    }
    for (int i = n->attrs; i != DOT_NONE; i = r->g->attr[i].next) {
        const struct dot_attr *a = &r->g->attr[i];
        const struct hitop_attr attr = {r->g->keys.text[a->key], a->value.text, a->value.is_html};

        if (attr.value[0] && !is_understood(is_leaf, attr.key, attr.value, label)) {
            hitop_hierarchy_builder_add_attr(r->builder, HITOP_ATTR_OF_NODE, handle, &attr);
        }
    }
    if (has_style && !raw_attr(r, node, "style")[0] &&
        !is_understood(is_leaf, "style", "", label)) {
        hitop_hierarchy_builder_attr(r->builder, handle, "style", "");
    }
}

/* Add a leaf or a group; the caller frees its default label. */
static int begin_node(struct reading *r, int n, char **label)
{
    const struct dot_leaf *leaf = r->leaf_of[n] < 0 ? NULL : &r->leaf[r->leaf_of[n]];
    const struct hitop_rank_range *range = leaf ? &r->ranks.range[leaf->range_begin] : NULL;

    if (leaf) {
        char *ranks = hitop_ranks_text(range, leaf->nranges);
        *label = ranks ? hitop_dot_make_label(ranks, "", leaf->host) : NULL;
        free(ranks);
        return hitop_hierarchy_builder_leaves(r->builder, range, leaf->nranges, leaf->host);
    }
    *label = hitop_dot_make_label(NULL, plain_attr(r, n, "level"), plain_attr(r, n, "name"));
    return hitop_hierarchy_builder_group(r->builder, plain_attr(r, n, "level"),
                                         plain_attr(r, n, "name"));
}

static enum hitop_status add_node(struct reading *r, int n)
{
    char *label = NULL;
    const int handle = begin_node(r, n, &label);

    if (!label || handle == HITOP_NO_NODE) {
        free(label);
        return HITOP_ERR_NOMEM;
    }
    r->handle[n] = handle;
    hitop_hierarchy_builder_label(r->builder, handle, r->g->node[n].id);
    keep_node(r, handle, n, label);
    free(label);
    return HITOP_OK;
}

/* The key with the same meaning in an edge of the opposite direction. */
static const char *turn_key(const char *key)
{
    static const char *const ends[][2] = {
        {"arrowhead", "arrowtail"}, {"headURL", "tailURL"},       {"head_lp", "tail_lp"},
        {"headclip", "tailclip"},   {"headhref", "tailhref"},     {"headlabel", "taillabel"},
        {"headport", "tailport"},   {"headtarget", "tailtarget"}, {"headtooltip", "tailtooltip"},
        {"lhead", "ltail"},         {"samehead", "sametail"},
    };

    for (size_t i = 0; i < COUNT(ends); i++) {
        for (int k = 0; k < 2; k++) {
            if (strcmp(key, ends[i][k]) == 0) {
                return ends[i][1 - k];
            }
        }
    }
    return key;
}

static const char *turn_value(const char *key, const char *value)
{
    static const char *const turned[][3] = {
        {"dir", "forward", "back"}, {"rankdir", "TB", "BT"}, {"rankdir", "LR", "RL"}};

    for (size_t i = 0; i < COUNT(turned); i++) {
        for (int k = 1; k <= 2; k++) {
            if (strcmp(key, turned[i][0]) == 0 && strcmp(value, turned[i][k]) == 0) {
                return turned[i][3 - k];
            }
        }
    }
    return value;
}

/* Add an edge with its attributes; is_down: the file has it from group to member. */
static void add_edge(struct reading *r, const struct dot_edge *e, int is_down)
{
    const int child = r->handle[is_down ? e->head : e->tail];
    const struct hitop_attr key = {.key = "key", .value = e->key};

    hitop_hierarchy_builder_edge(r->builder, child, r->handle[is_down ? e->tail : e->head]);
    if (e->key[0] && e->key[0] != '%') { /* Graphviz calls nameless edges %N */
        hitop_hierarchy_builder_add_attr(r->builder, HITOP_ATTR_OF_EDGE, child, &key);
    }
    for (int i = e->attrs; i != DOT_NONE; i = r->g->attr[i].next) {
        const struct dot_value value = r->g->attr[i].value;
        const char *name = r->g->keys.text[r->g->attr[i].key];
        const struct hitop_attr attr = {is_down ? turn_key(name) : name,
                                        is_down ? turn_value(name, value.text) : value.text,
                                        value.is_html};

        if (value.text[0] && strcmp(name, "key") != 0) {
            hitop_hierarchy_builder_add_attr(r->builder, HITOP_ATTR_OF_EDGE, child, &attr);
        }
    }
}

static int is_of_format(const char *key, const char *value)
{
    static const char *const styles[][2] = DOT_GRAPH_STYLES;

    if (strcmp(key, "format") == 0 || strcmp(key, "version") == 0) {
        return 1;
    }
    for (size_t i = 0; i < COUNT(styles); i++) {
        if (strcmp(key, styles[i][0]) == 0 && strcmp(value, styles[i][1]) == 0) {
            return 1;
        }
    }
    return 0;
}

/* Keep the name and the attributes of the graph. */
static void keep_graph(struct reading *r, int is_down)
{
    const char *name = r->g->name;

    if (name && name[0] != '%' && strcmp(name, DOT_GRAPH_NAME) != 0) {
        hitop_hierarchy_builder_graph_name(r->builder, name);
    }
    for (int i = r->g->attrs[HITOP_ATTR_OF_GRAPH]; i != DOT_NONE; i = r->g->attr[i].next) {
        const struct dot_value value = r->g->attr[i].value;
        const char *key = r->g->keys.text[r->g->attr[i].key];
        const struct hitop_attr attr = {key, is_down ? turn_value(key, value.text) : value.text,
                                        value.is_html};

        if (value.text[0] && !is_of_format(attr.key, attr.value)) {
            hitop_hierarchy_builder_add_attr(r->builder, HITOP_ATTR_OF_GRAPH, HITOP_NO_NODE, &attr);
        }
    }
}

static int compare_edges(const void *a, const void *b)
{
    const struct dot_edge *x = *(const struct dot_edge *const *)a;
    const struct dot_edge *y = *(const struct dot_edge *const *)b;
    const int order = (x->tail > y->tail) - (x->tail < y->tail);

    return order ? order : x->head != y->head ? (x->head > y->head ? 1 : -1) : (x > y) - (x < y);
}

/*
 * The first edge from a leaf to a group if from_leaf is 1, from a group to a leaf if it is 0; NULL
 * when there is none.
 */
static const struct dot_edge *find_edge(const struct reading *r, const struct dot_edge **edge,
                                        int from_leaf)
{
    for (int i = 0; i < r->g->nedges; i++) {
        if ((r->leaf_of[edge[i]->tail] >= 0) == from_leaf &&
            (r->leaf_of[edge[i]->head] >= 0) != from_leaf) {
            return edge[i];
        }
    }
    return NULL;
}

/*
 * Add all edges, sorted by tail and head. The edges between leaves and groups show whether all
 * edges point from member to group or from group to member.
 */
static enum hitop_status add_edges(struct reading *r)
{
    const struct dot_edge *up, *down, **edge;
    enum hitop_status status = HITOP_OK;

    if (!STORAGE_ARRAY(&r->text, edge, r->g->nedges)) {
        return HITOP_ERR_NOMEM;
    }
    for (int i = 0; i < r->g->nedges; i++) {
        edge[i] = &r->g->edge[i];
    }
    qsort(edge, (size_t)r->g->nedges, sizeof(*edge), compare_edges);
    up = find_edge(r, edge, 1);
    down = find_edge(r, edge, 0);
    if (up && down) {
        status = hitop_fail(r->diag, HITOP_ERR_FORMAT,
                            "%s: edges point both ways: \"%s\" -> \"%s\" is from leaf to group, "
                            "\"%s\" -> \"%s\" from group to leaf",
                            r->file, SHOW(r, up->tail), SHOW(r, up->head), SHOW(r, down->tail),
                            SHOW(r, down->head));
    }
    for (int i = 0; i < r->g->nedges && status == HITOP_OK; i++) {
        add_edge(r, edge[i], down != NULL);
    }
    keep_graph(r, down != NULL);
    return status;
}

static enum hitop_status convert(struct reading *r, const struct hitop_dot_job *job,
                                 struct hitop_hierarchy **out)
{
    struct hitop_diag why = HITOP_DIAG_INIT;
    enum hitop_status status = list_leaves(r);

    if (status == HITOP_OK) {
        status = hitop_dot_assign_ranks(r->file, r->leaf, r->nleaves, job, &r->ranks, r->diag);
    }
    for (int n = 0; n < r->g->nnodes && status == HITOP_OK; n++) {
        status = add_node(r, n);
    }
    if (status == HITOP_OK) {
        status = add_edges(r);
    }
    if (status == HITOP_OK) {
        status = storage_status(&r->text); /* of plain_attr() */
    }
    if (status == HITOP_OK) {
        status = hitop_hierarchy_builder_finish(r->builder, out, &why);
        if (status != HITOP_OK) {
            return hitop_fail(r->diag, status, "%s: %s", r->file, why.message);
        }
    }
    return status;
}

enum hitop_status hitop_dot_parse(const char *name, const char *text, size_t length,
                                  const struct hitop_dot_job *job, struct hitop_hierarchy **out,
                                  struct hitop_diag *diag)
{
    const size_t mark = hitop_input_mark(text, length);
    struct dot_graph g;
    struct reading r = {.file = name, .g = &g, .diag = diag};
    enum hitop_status status = hitop_dot_graph_parse(&g, name, text + mark, length - mark, diag);

    *out = NULL;
    r.builder = status == HITOP_OK ? hitop_hierarchy_builder_new() : NULL;
    if (r.builder && STORAGE_ARRAY(&r.text, r.leaf, g.nnodes) &&
        STORAGE_ARRAY(&r.text, r.handle, g.nnodes) && STORAGE_ARRAY(&r.text, r.leaf_of, g.nnodes)) {
        status = convert(&r, job, out);
    } else if (status == HITOP_OK) {
        status = HITOP_ERR_NOMEM;
    }
    hitop_hierarchy_builder_free(r.builder);
    hitop_ranks_clear(&r.ranks);
    hitop_storage_clear(&r.text);
    hitop_dot_graph_clear(&g);
    return status == HITOP_ERR_NOMEM ? hitop_fail(diag, status, "%s: out of memory", name) : status;
}

enum hitop_status hitop_dot_read(const char *path, const struct hitop_dot_job *job,
                                 struct hitop_hierarchy **out, struct hitop_diag *diag)
{
    char *text = NULL;
    size_t length = 0;
    enum hitop_status status = hitop_input_read(path, &text, &length, diag);

    *out = NULL;
    if (status == HITOP_OK) {
        status = hitop_dot_parse(hitop_input_name(path), text, length, job, out, diag);
    }
    free(text);
    return status;
}
