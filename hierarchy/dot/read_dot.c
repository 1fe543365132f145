/* SPDX-License-Identifier: BSD-3-Clause */
/* read_dot.c - nodes and edges of a DOT graph become a hierarchy. */
#include <config.h>

#include "hierarchy/dot/dot_impl.h"
#include "hierarchy/dot/dot_text.h"
#include "hierarchy/dot/keep_dot.h"
#include "hierarchy/text/text_pool.h"

#include "hitop/input.h"

#include <errno.h>
#include <graphviz/cgraph.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    const char *file;
    Agraph_t *graph;
    struct dot_leaf *leaf; /* in the order of the file */
    int *handle;           /* by AGSEQ(node), which counts from 1; of the builder */
    int *leaf_of;          /* by AGSEQ(node): index in leaf[], or -1 for a group */
    int nleaves;
    struct hitop_ranks ranks; /* of all leaves */
    struct hitop_hierarchy_builder *builder;
    struct text_pool text;
    struct hitop_diag *diag;
};

static enum hitop_status refuse(const struct reading *r, Agnode_t *node, const char *why)
{
    return hitop_fail(r->diag, HITOP_ERR_FORMAT, "%s: node \"%s\": %s", r->file,
                      hitop_dot_show(agnameof(node)).text, why);
}

static enum hitop_status out_of_memory(const struct reading *r)
{
    return hitop_fail(r->diag, HITOP_ERR_NOMEM, "%s: out of memory", r->file);
}

/* Value of an attribute as cgraph keeps it, "" when the node has none; lent. */
static const char *raw_attr(const struct reading *r, Agnode_t *node, const char *key)
{
    Agsym_t *symbol = agattr(r->graph, AGNODE, (char *)(uintptr_t)key, NULL);

    return symbol ? agxget(node, symbol) : "";
}

/* The same as plain text; lent by r. */
static const char *plain_attr(struct reading *r, Agnode_t *node, const char *key)
{
    const char *text = hitop_dot_plain(&r->text, raw_attr(r, node, key));

    return text ? text : "";
}

static enum hitop_status list_leaves(struct reading *r)
{
    for (Agnode_t *n = agfstnode(r->graph); n; n = agnxtnode(r->graph, n)) {
        const char *type = raw_attr(r, n, "type");
        const int is_leaf = strcmp(type, "0") == 0;
        const char *host = is_leaf ? plain_attr(r, n, "model_data") : "";

        if (!type[0]) {
            return refuse(r, n, "no type; a leaf has type=0, a group type=1");
        }
        if (!is_leaf && strcmp(type, "1") != 0) {
            return hitop_fail(r->diag, HITOP_ERR_FORMAT,
                              "%s: node \"%s\": type \"%s\" is neither 0 (leaf) nor 1 (group)",
                              r->file, hitop_dot_show(agnameof(n)).text, hitop_dot_show(type).text);
        }
        if (is_leaf && !host[0]) {
            return refuse(r, n, "a leaf without its host name in model_data");
        }
        r->leaf_of[AGSEQ(n)] = -1;
        if (is_leaf) {
            r->leaf_of[AGSEQ(n)] = r->nleaves;
            r->leaf[r->nleaves++] = (struct dot_leaf){
                .id = agnameof(n), .host = host, .rank_text = raw_attr(r, n, "rank")};
        }
    }
    return HITOP_OK;
}

/* Add a leaf or a group; its label, as it would be written, is to be freed by the caller. */
static int begin_node(struct reading *r, Agnode_t *n, char **label)
{
    const struct dot_leaf *leaf = r->leaf_of[AGSEQ(n)] < 0 ? NULL : &r->leaf[r->leaf_of[AGSEQ(n)]];
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

static enum hitop_status add_node(struct reading *r, Agnode_t *n)
{
    char *label = NULL;
    const int handle = begin_node(r, n, &label);

    if (!label || handle == HITOP_NO_NODE) {
        free(label);
        return out_of_memory(r);
    }
    r->handle[AGSEQ(n)] = handle;
    hitop_hierarchy_builder_label(r->builder, handle, agnameof(n));
    hitop_dot_keep_node(r->builder, handle, n, r->leaf_of[AGSEQ(n)] >= 0, label);
    free(label);
    return HITOP_OK;
}

/*
 * Edges between a leaf and a group tell the direction; all others follow. Edges may also point all
 * from parent to child.
 */
static enum hitop_status add_edges(struct reading *r)
{
    Agedge_t *up = NULL, *down = NULL;

    for (Agnode_t *n = agfstnode(r->graph); n; n = agnxtnode(r->graph, n)) {
        for (Agedge_t *e = agfstout(r->graph, n); e; e = agnxtout(r->graph, e)) {
            const int from_leaf = r->leaf_of[AGSEQ(n)] >= 0;
            const int to_leaf = r->leaf_of[AGSEQ(aghead(e))] >= 0;
            up = !up && from_leaf && !to_leaf ? e : up;
            down = !down && to_leaf && !from_leaf ? e : down;
        }
    }
    if (up && down) {
        return hitop_fail(r->diag, HITOP_ERR_FORMAT,
                          "%s: edges point both ways: \"%s\" -> \"%s\" is from leaf to group, "
                          "\"%s\" -> \"%s\" from group to leaf",
                          r->file, hitop_dot_show(agnameof(agtail(up))).text,
                          hitop_dot_show(agnameof(aghead(up))).text,
                          hitop_dot_show(agnameof(agtail(down))).text,
                          hitop_dot_show(agnameof(aghead(down))).text);
    }
    for (Agnode_t *n = agfstnode(r->graph); n; n = agnxtnode(r->graph, n)) {
        for (Agedge_t *e = agfstout(r->graph, n); e; e = agnxtout(r->graph, e)) {
            const int tail = r->handle[AGSEQ(n)];
            const int head = r->handle[AGSEQ(aghead(e))];
            hitop_hierarchy_builder_edge(r->builder, down ? head : tail, down ? tail : head);
            hitop_dot_keep_edge(r->builder, down ? head : tail, e, down != NULL);
        }
    }
    hitop_dot_keep_graph(r->builder, r->graph, down != NULL);
    return HITOP_OK;
}

static enum hitop_status convert(struct reading *r, const struct hitop_dot_job *job,
                                 struct hitop_hierarchy **out)
{
    struct hitop_diag why = HITOP_DIAG_INIT;
    enum hitop_status status = list_leaves(r);

    if (status == HITOP_OK) {
        status = hitop_dot_assign_ranks(r->file, r->leaf, r->nleaves, job, &r->ranks, r->diag);
    }
    for (Agnode_t *n = agfstnode(r->graph); n && status == HITOP_OK; n = agnxtnode(r->graph, n)) {
        status = add_node(r, n);
    }
    if (status == HITOP_OK) {
        status = add_edges(r);
    }
    if (status == HITOP_OK) {
        status = hitop_hierarchy_builder_finish(r->builder, out, &why);
        if (status != HITOP_OK) {
            return hitop_fail(r->diag, status, "%s: %s", r->file, why.message);
        }
    }
    return status;
}

static enum hitop_status read_graph(const char *name, Agraph_t *g, const struct hitop_dot_job *job,
                                    struct hitop_hierarchy **out, struct hitop_diag *diag)
{
    const size_t n = (size_t)agnnodes(g) + 1;
    struct reading r = {.file = name, .graph = g, .diag = diag};
    enum hitop_status status = HITOP_ERR_NOMEM;

    r.leaf = calloc(n, sizeof(*r.leaf));
    r.handle = calloc(n, sizeof(*r.handle));
    r.leaf_of = calloc(n, sizeof(*r.leaf_of));
    r.builder = hitop_hierarchy_builder_new();
    if (r.leaf && r.handle && r.leaf_of && r.builder) {
        status = convert(&r, job, out);
    } else {
        (void)out_of_memory(&r);
    }
    hitop_text_pool_clear(&r.text);
    hitop_ranks_clear(&r.ranks);
    hitop_hierarchy_builder_free(r.builder);
    free(r.leaf_of);
    free(r.handle);
    free(r.leaf);
    return status;
}

enum hitop_status hitop_dot_parse(const char *name, const char *text, size_t length,
                                  const struct hitop_dot_job *job, struct hitop_hierarchy **out,
                                  struct hitop_diag *diag)
{
    const size_t mark = hitop_input_mark(text, length);
    Agraph_t *g = NULL;
    enum hitop_status status;

    *out = NULL;
    text += mark;
    length -= mark;
    hitop_dot_lock();
    status = hitop_dot_load(name, text, length, &g, diag);
    if (status == HITOP_OK) {
        status = hitop_dot_keep_comments(g, text, length)
                     ? read_graph(name, g, job, out, diag)
                     : hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", name);
        (void)agclose(g);
    }
    hitop_dot_unlock();
    return status;
}
