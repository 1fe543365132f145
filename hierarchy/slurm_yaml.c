/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slurm_yaml.c - topology.yaml becomes switches or blocks.
 *
 * A list of topologies, each a tree, blocks, or flat; the first with "cluster_default: true" counts, else
 * the first.
 */
#include <config.h>

#include "slurm_topology.h"

#include "hitop/text.h"

#include <string.h>
#include <strings.h>
#include <yaml.h>

struct reading {
    struct slurm_topology *t;
    yaml_document_t document;
};

static const char *const topology_keys[] = {"topology", "cluster_default", "tree", "block", "flat",
                                            "ring",     "torus3d",         NULL};
static const char *const tree_keys[] = {"switches", NULL};
static const char *const switch_keys[] = {"switch", "children", "nodes", NULL};
static const char *const block_keys[] = {"block_sizes", "blocks", NULL};
static const char *const one_block_keys[] = {"block", "nodes", NULL};

static int line_of(const yaml_node_t *node)
{
    return (int)node->start_mark.line + 1;
}

/* The text of a node, which a list or a mapping does not have; "" after a failure. */
static const char *text_of(struct reading *r, const yaml_node_t *node, const char *what)
{
    const char *text;

    if (node->type != YAML_SCALAR_NODE) {
        network_fail(r->t->net, line_of(node), "%s: expected one value", what);
        return "";
    }
    text = (const char *)node->data.scalar.value;
    if (strlen(text) != node->data.scalar.length) {
        network_fail(r->t->net, line_of(node), "%s: not text: contains a zero byte", what);
    }
    return text;
}

static yaml_node_t *get(struct reading *r, int index)
{
    return yaml_document_get_node(&r->document, index);
}

/* The value of a key, or NULL. */
static const yaml_node_t *find(struct reading *r, const yaml_node_t *mapping, const char *key)
{
    for (const yaml_node_pair_t *p = mapping->data.mapping.pairs.start;
         p < mapping->data.mapping.pairs.top; p++) {
        const yaml_node_t *name = get(r, p->key);
        if (name->type == YAML_SCALAR_NODE && strcmp((char *)name->data.scalar.value, key) == 0) {
            return get(r, p->value);
        }
    }
    return NULL;
}

static void refuse_key(struct reading *r, const yaml_node_t *node, const char *key,
                       const char *what, const char *const *keys)
{
    char valid[128] = "";

    for (int i = 0; keys[i]; i++) {
        hitop_text_list_name(valid, sizeof(valid), keys[i]);
    }
    network_fail(r->t->net, line_of(node), "'%.64s' is no key of a %s; there are %s", key, what,
                 valid);
}

/* A mapping whose keys are known and there once; 0 after a failure. */
static int check_mapping(struct reading *r, const yaml_node_t *node, const char *what,
                         const char *const *keys)
{
    unsigned seen = 0;

    if (node->type != YAML_MAPPING_NODE) {
        network_fail(r->t->net, line_of(node), "%s: expected \"%s: ...\"", what, keys[0]);
        return 0;
    }
    for (const yaml_node_pair_t *p = node->data.mapping.pairs.start;
         p < node->data.mapping.pairs.top; p++) {
        const yaml_node_t *name = get(r, p->key);
        const char *key = text_of(r, name, "a key");
        unsigned i = 0;

        while (keys[i] && strcmp(keys[i], key) != 0) {
            i++;
        }
        if (!keys[i]) {
            refuse_key(r, name, key, what, keys);
        } else if (seen & 1u << i) {
            network_fail(r->t->net, line_of(name), "%s is given twice", key);
        }
        seen |= 1u << i;
    }
    return network_status(r->t->net) == HITOP_OK;
}

/* The list under a key that must be there; NULL after a failure. */
static const yaml_node_t *find_list(struct reading *r, const yaml_node_t *mapping, const char *key)
{
    const yaml_node_t *list = find(r, mapping, key);

    if (!list || list->type != YAML_SEQUENCE_NODE) {
        network_fail(r->t->net, line_of(list ? list : mapping), "%s: expected a list", key);
        return NULL;
    }
    return list;
}

/* The text under a key; NULL when it is not there. */
static const char *find_text(struct reading *r, const yaml_node_t *mapping, const char *key)
{
    const yaml_node_t *node = find(r, mapping, key);

    return node ? text_of(r, node, key) : NULL;
}

static int find_truth(struct reading *r, const yaml_node_t *mapping, const char *key)
{
    const yaml_node_t *node = find(r, mapping, key);
    const char *text = node ? text_of(r, node, key) : "false";

    if (strcasecmp(text, "true") == 0 || strcasecmp(text, "yes") == 0) {
        return 1;
    }
    if (node && strcasecmp(text, "false") != 0 && strcasecmp(text, "no") != 0) {
        network_fail(r->t->net, line_of(node), "%s: '%.64s' is neither true nor false", key, text);
    }
    return 0;
}

static void read_switch(struct reading *r, const yaml_node_t *node)
{
    const char *name;

    if (check_mapping(r, node, "switch", switch_keys)) {
        name = find_text(r, node, "switch");
        slurm_add_switch(r->t, line_of(node), name ? name : "", find_text(r, node, "children"),
                         find_text(r, node, "nodes"));
    }
}

static void read_block(struct reading *r, const yaml_node_t *node)
{
    const char *name;

    if (check_mapping(r, node, "block", one_block_keys)) {
        name = find_text(r, node, "block");
        slurm_add_block(r->t, line_of(node), name ? name : "", find_text(r, node, "nodes"));
    }
}

static void read_size(struct reading *r, const yaml_node_t *node)
{
    slurm_add_size(r->t, line_of(node), text_of(r, node, "block_sizes"));
}

static void for_each(struct reading *r, const yaml_node_t *list,
                     void (*read)(struct reading *, const yaml_node_t *))
{
    if (!list) {
        return;
    }
    for (const yaml_node_item_t *i = list->data.sequence.items.start;
         i < list->data.sequence.items.top && network_status(r->t->net) == HITOP_OK; i++) {
        read(r, get(r, *i));
    }
}

/* The one key of a topology that says of what kind it is; NULL after a failure. */
static const char *find_kind(struct reading *r, const yaml_node_t *topology)
{
    const char *kind = NULL;

    for (int i = 2; topology_keys[i]; i++) {
        const yaml_node_t *node = find(r, topology, topology_keys[i]);
        if (!node || (strcmp(topology_keys[i], "flat") == 0 && !find_truth(r, topology, "flat"))) {
            continue;
        }
        if (kind) {
            network_fail(r->t->net, line_of(node), "a topology is %s or %s, not both", kind,
                         topology_keys[i]);
        }
        kind = topology_keys[i];
    }
    if (!kind) {
        network_fail(r->t->net, line_of(topology), "a topology has one of tree, block, flat");
    }
    return network_status(r->t->net) == HITOP_OK ? kind : NULL;
}

static void read_topology(struct reading *r, const yaml_node_t *topology)
{
    const char *name = find_text(r, topology, "topology");
    const char *kind = find_kind(r, topology);
    const yaml_node_t *inside = kind ? find(r, topology, kind) : NULL;

    if (!inside || !name) {
        return;
    }
    if (strcmp(kind, "tree") == 0) {
        if (check_mapping(r, inside, "tree", tree_keys)) {
            for_each(r, find_list(r, inside, "switches"), read_switch);
        }
    } else if (strcmp(kind, "block") == 0) {
        if (check_mapping(r, inside, "block", block_keys)) {
            for_each(r, find_list(r, inside, "blocks"), read_block);
            if (find(r, inside, "block_sizes")) {
                for_each(r, find_list(r, inside, "block_sizes"), read_size);
            }
        }
    } else if (strcmp(kind, "flat") != 0) {
        hitop_source_warn(r->t->rules.how, "%s:%d: topology '%.64s': %s is not understood",
                          r->t->rules.file, line_of(topology), name, kind);
    }
}

/* Check all topologies of the list and read the one that counts. */
static void choose(struct reading *r, const yaml_node_t *root)
{
    const yaml_node_t *chosen = NULL;
    int is_default = 0;

    if (!root || root->type != YAML_SEQUENCE_NODE) {
        network_fail(r->t->net, root ? line_of(root) : 0, "expected a list of topologies");
        return;
    }
    for (const yaml_node_item_t *i = root->data.sequence.items.start;
         i < root->data.sequence.items.top; i++) {
        const yaml_node_t *topology = get(r, *i);
        if (!check_mapping(r, topology, "topology", topology_keys)) {
            return;
        }
        if (!find(r, topology, "topology")) {
            network_fail(r->t->net, line_of(topology), "a topology without its name");
        }
        if (!chosen || (!is_default && find_truth(r, topology, "cluster_default"))) {
            is_default = find_truth(r, topology, "cluster_default");
            chosen = topology;
        }
    }
    if (!chosen) {
        network_fail(r->t->net, 0, "names no topology");
    } else {
        read_topology(r, chosen);
    }
}

/* Load the next document; its root is NULL behind the last one. Returns 0 after a failure. */
static int load(struct reading *r, yaml_parser_t *parser, yaml_document_t *document)
{
    if (!yaml_parser_load(parser, document)) {
        network_fail(r->t->net, (int)parser->problem_mark.line + 1, "%s",
                     parser->problem ? parser->problem : "not YAML");
        return 0;
    }
    return 1;
}

void slurm_read_yaml(struct slurm_topology *t, const char *text, size_t length)
{
    struct reading r = {.t = t};
    yaml_document_t second;
    yaml_parser_t parser;

    if (!yaml_parser_initialize(&parser)) {
        network_fail(t->net, 0, "out of memory");
        return;
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    if (load(&r, &parser, &r.document)) {
        if (load(&r, &parser, &second)) {
            const yaml_node_t *more = yaml_document_get_root_node(&second);
            if (more) {
                network_fail(t->net, line_of(more), "a second document; there is one list");
            } else {
                choose(&r, yaml_document_get_root_node(&r.document));
            }
            yaml_document_delete(&second);
        }
        yaml_document_delete(&r.document);
    }
    yaml_parser_delete(&parser);
}
