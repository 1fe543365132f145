/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_tree_json.c - rebuild the hierarchy from a model file.
 *
 * Nodes are numbered as in hitop/hierarchy.h, where a parent always has a larger number than its
 * children; so the numbers in the file are those of the finished hierarchy, or the file is refused.
 */
#include <config.h>

#include "models/model/model_json.h"

#include <limits.h>

static const char *const tree_members[] = {"hosts", "parents", "groups", NULL};
static const char *const group_members[] = {"node", "level", "name", "parent", "attributes", NULL};

static void read_leaves(struct reader *r, const json_t *tree, int nranks, int nnodes, int *parent,
                        struct hitop_hierarchy_builder *b)
{
    const json_t *hosts = hitop_reader_array(r, "$.tree", tree, "hosts", nranks);
    const json_t *parents = hitop_reader_array(r, "$.tree", tree, "parents", nranks);
    char path[READER_PATH_MAX];

    for (int rank = 0; r->status == HITOP_OK && rank < nranks; rank++) {
        const json_t *host = json_array_get(hosts, (size_t)rank);
        parent[rank] =
            hitop_reader_int_value(r, hitop_reader_item("$.tree.parents", (size_t)rank, path),
                                   json_array_get(parents, (size_t)rank), nranks, nnodes - 1);
        if (!json_is_string(host)) {
            hitop_reader_fail(r, hitop_reader_item("$.tree.hosts", (size_t)rank, path),
                              "must be a string");
        }
        (void)hitop_hierarchy_builder_leaf(b, rank, json_string_value(host));
    }
}

static void read_attributes(struct reader *r, const char *path, const json_t *group, int node,
                            struct hitop_hierarchy_builder *b)
{
    json_t *attributes = hitop_reader_optional(r, path, group, "attributes", JSON_OBJECT);

    for (void *at = json_object_iter(attributes); at; at = json_object_iter_next(attributes, at)) {
        const json_t *value = json_object_iter_value(at);
        if (!json_is_string(value)) {
            hitop_reader_fail(r, path, "attribute '%.60s' must be a string",
                              json_object_iter_key(at));
        }
        hitop_hierarchy_builder_attr(b, node, json_object_iter_key(at), json_string_value(value));
    }
}

static void read_group(struct reader *r, const char *path, json_t *group, int node, int nnodes,
                       int *parent, struct hitop_hierarchy_builder *b)
{
    if (!json_is_object(group)) {
        hitop_reader_fail(r, path, "must be an object");
        return;
    }
    hitop_reader_known(r, path, group, group_members);
    if (json_object_get(group, "node")) {
        (void)hitop_reader_int(r, path, group, "node", node, node);
    }
    (void)hitop_hierarchy_builder_group(b, hitop_reader_text(r, path, group, "level"),
                                        hitop_reader_text(r, path, group, "name"));
    if (node == nnodes - 1) {
        (void)hitop_reader_optional(r, path, group, "parent", JSON_NULL);
        *parent = HITOP_NO_NODE;
    } else {
        *parent = hitop_reader_int(r, path, group, "parent", node + 1, nnodes - 1);
    }
    read_attributes(r, path, group, node, b);
}

static struct hitop_hierarchy *finish(struct reader *r, struct hitop_hierarchy_builder *b,
                                      const int *parent, int nnodes)
{
    struct hitop_hierarchy *h = NULL;
    struct hitop_diag reason = HITOP_DIAG_INIT;
    enum hitop_status status;

    for (int node = 0; node < nnodes - 1; node++) {
        hitop_hierarchy_builder_edge(b, node, parent[node]);
    }
    status = hitop_hierarchy_builder_finish(b, &h, &reason);
    if (status == HITOP_ERR_NOMEM) {
        r->status = hitop_fail(r->diag, status, "%s: out of memory", r->file);
    } else if (status != HITOP_OK) {
        hitop_reader_fail(r, "$.tree", "%.200s", reason.message);
    }
    for (int node = 0; h && node < nnodes; node++) {
        if (hitop_hierarchy_parent(h, node) != parent[node]) {
            hitop_reader_fail(
                r, "$.tree.groups",
                "node %d is out of place; groups are numbered from the lowest upwards, by "
                "their smallest rank",
                node);
            hitop_hierarchy_free(h);
            h = NULL;
        }
    }
    return h;
}

struct hitop_hierarchy *hitop_model_read_tree(struct reader *r, const json_t *document)
{
    json_t *tree = hitop_reader_member(r, "$", document, "tree", JSON_OBJECT);
    const json_t *groups = hitop_reader_array(r, "$.tree", tree, "groups", -1);
    const int nranks = hitop_reader_int(r, "$", document, "ranks", 1, INT_MAX / 2);
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    struct hitop_hierarchy *h = NULL;
    char path[READER_PATH_MAX];
    int *parent = NULL;
    int nnodes;

    if (r->status != HITOP_OK) {
        goto out;
    }
    hitop_reader_known(r, "$.tree", tree, tree_members);
    if (json_array_size(groups) > (size_t)nranks * 64) {
        hitop_reader_fail(r, "$.tree.groups", "%zu groups are too many for %d ranks",
                          json_array_size(groups), nranks);
        goto out;
    }
    (void)hitop_reader_array(r, "$.tree", tree, "hosts",
                             nranks); /* check the length before memory is allocated */
    nnodes = nranks + (int)json_array_size(groups);
    parent = r->status == HITOP_OK ? calloc((size_t)nnodes + 1, sizeof(*parent)) : NULL;
    if (!b || !parent) {
        if (r->status == HITOP_OK) {
            r->status = hitop_fail(r->diag, HITOP_ERR_NOMEM, "%s: out of memory", r->file);
        }
        goto out;
    }
    read_leaves(r, tree, nranks, nnodes, parent, b);
    for (int node = nranks; r->status == HITOP_OK && node < nnodes; node++) {
        const size_t index = (size_t)(node - nranks);
        read_group(r, hitop_reader_item("$.tree.groups", index, path),
                   json_array_get(groups, index), node, nnodes, &parent[node], b);
    }
    if (r->status == HITOP_OK) {
        h = finish(r, b, parent, nnodes);
    }

out:
    free(parent);
    hitop_hierarchy_builder_free(b);
    return h;
}
