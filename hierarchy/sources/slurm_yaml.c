/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slurm_yaml.c - read topology.yaml: switches, blocks, rings or tori.
 *
 * The file has a list of topologies. The first one with "cluster_default: true" is used, or else
 * the first one of the list. Each has a name and one of
 *
 *     tree:     switches: a list of switch, children, nodes
 *     block:    block_sizes: a list of numbers; blocks: a list of block, nodes
 *     ring:     rings: a list of ring, nodes
 *     torus3d:  toruses: a list of name and either nodes or regions, a list of nodes; the sizes
 *               (dims, anchor, placements) make no groups
 *     flat:     true, or options of the order of nodes, which make no groups either
 *
 * A list may be replaced by its only member, as in SLURM's data_parser.
 *
 * Sources: topology.yaml(5) of Slurm 26.05; src/plugins/data_parser, parsing.c; testsuite
 * test_150_*.py.
 */
#include <config.h>

#include "hierarchy/sources/slurm_topology.h"

#include "hitop/text.h"

#include <string.h>
#include <strings.h>
#include <yaml.h>

/* What a kind of topologies consists of. Lists of keys end with NULL. */
struct kind {
    const char *name;
    const char *const *keys;      /* the last one names the list of items */
    const char *what;             /* an item, in messages */
    const char *const *item_keys; /* the first one names an item */
};

static const char *const topology_keys[] = {"topology", "cluster_default", "tree", "block", "flat",
                                            "ring",     "torus3d",         NULL};
static const char *const tree_keys[] = {"switches", NULL};
static const char *const switch_keys[] = {"switch", "children", "nodes", NULL};
static const char *const block_keys[] = {"block_sizes", "blocks", NULL};
static const char *const one_block_keys[] = {"block", "nodes", NULL};
static const char *const ring_keys[] = {"rings", NULL};
static const char *const one_ring_keys[] = {"ring", "nodes", NULL};
static const char *const torus_keys[] = {"toruses", NULL};
static const char *const one_torus_keys[] = {"name",    "dims",       "nodes",
                                             "regions", "placements", NULL};
static const char *const region_keys[] = {"anchor", "dims", "nodes", NULL};

static const struct kind kinds[] = {{"tree", tree_keys, "switch", switch_keys},
                                    {"block", block_keys, "block", one_block_keys},
                                    {"ring", ring_keys, "ring", one_ring_keys},
                                    {"torus3d", torus_keys, "torus", one_torus_keys}};

struct reading {
    struct slurm_topology *t;
    yaml_document_t document;
    const struct kind *kind;   /* of the topology that is read */
    int torus;                 /* switch of the torus whose regions are read */
    const yaml_node_t *chosen; /* the topology that is used, or NULL */
    int is_default;            /* 1: it has "cluster_default: true" */
};

static int line_of(const yaml_node_t *node)
{
    return (int)node->start_mark.line + 1;
}

/* The text of a scalar node; "" after a failure. */
static const char *text_of(struct reading *r, const yaml_node_t *node, const char *what)
{
    const char *text;

    if (node->type != YAML_SCALAR_NODE) {
        hitop_network_fail(&r->t->net, line_of(node), "%s: expected one value", what);
        return "";
    }
    text = (const char *)node->data.scalar.value;
    if (strlen(text) != node->data.scalar.length) {
        hitop_network_fail(&r->t->net, line_of(node), "%s: not text: contains a zero byte", what);
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
    hitop_network_fail(&r->t->net, line_of(node), "'%.64s' is no key of a %s; there are %s", key,
                       what, valid);
}

/* Check that a node is a mapping whose keys are known and occur once; 0 after a failure. */
static int check_mapping(struct reading *r, const yaml_node_t *node, const char *what,
                         const char *const *keys)
{
    unsigned seen = 0;

    if (node->type != YAML_MAPPING_NODE) {
        hitop_network_fail(&r->t->net, line_of(node), "%s: expected \"%s: ...\"", what, keys[0]);
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
            hitop_network_fail(&r->t->net, line_of(name), "%s is given twice", key);
        }
        seen |= 1u << i;
    }
    return r->t->net.status == HITOP_OK;
}

/* The list, or its only member, of a key that must exist; NULL after a failure. */
static const yaml_node_t *find_list(struct reading *r, const yaml_node_t *mapping, const char *key)
{
    const yaml_node_t *list = find(r, mapping, key);

    if (!list || (list->type == YAML_SCALAR_NODE && list->data.scalar.length == 0)) {
        hitop_network_fail(&r->t->net, line_of(list ? list : mapping), "%s: expected a list", key);
        return NULL;
    }
    return list;
}

/* The text of a key; NULL if it is missing. */
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
        hitop_network_fail(&r->t->net, line_of(node), "%s: '%.64s' is neither true nor false", key,
                           text);
    }
    return 0;
}

static void read_size(struct reading *r, const yaml_node_t *node)
{
    hitop_slurm_add_size(r->t, line_of(node), text_of(r, node, "block_sizes"));
}

static void for_each(struct reading *r, const yaml_node_t *list,
                     void (*read)(struct reading *, const yaml_node_t *))
{
    if (list && list->type != YAML_SEQUENCE_NODE) {
        read(r, list);
        return;
    }
    for (const yaml_node_item_t *i = list ? list->data.sequence.items.start : NULL;
         i && i < list->data.sequence.items.top && r->t->net.status == HITOP_OK; i++) {
        read(r, get(r, *i));
    }
}

/* Add the hosts of a region to its torus. */
static void read_region(struct reading *r, const yaml_node_t *node)
{
    if (check_mapping(r, node, "region", region_keys)) {
        hitop_slurm_add_nodes(r->t, line_of(node), r->torus, find_text(r, node, "nodes"));
    }
}

/* Add a switch, a block, a ring or a torus. */
static void read_item(struct reading *r, const yaml_node_t *node)
{
    const int line = line_of(node);
    const char *name, *nodes;

    if (!check_mapping(r, node, r->kind->what, r->kind->item_keys)) {
        return;
    }
    name = find_text(r, node, r->kind->item_keys[0]);
    name = name ? name : "";
    nodes = find_text(r, node, "nodes");
    if (r->kind->item_keys == switch_keys) {
        hitop_slurm_add_switch(r->t, line, name, find_text(r, node, "children"), nodes);
    } else if (r->kind->item_keys == one_block_keys) {
        hitop_slurm_add_block(r->t, line, name, nodes);
    } else {
        r->torus = hitop_slurm_add_group(r->t, line, r->kind->what, name, nodes);
    }
    if (find(r, node, "regions")) {
        if (nodes) {
            hitop_network_fail(&r->t->net, line, "a torus has nodes or regions, not both");
        }
        for_each(r, find_list(r, node, "regions"), read_region);
    }
}

/* 1 for "flat: true" and for options of flat. */
static int is_flat(struct reading *r, const yaml_node_t *topology)
{
    const yaml_node_t *node = find(r, topology, "flat");

    return node && (node->type == YAML_MAPPING_NODE || find_truth(r, topology, "flat"));
}

/* The key of a topology that is its kind; NULL after a failure. */
static const char *find_kind(struct reading *r, const yaml_node_t *topology)
{
    const char *kind = NULL;

    for (int i = 2; topology_keys[i]; i++) {
        const yaml_node_t *node = find(r, topology, topology_keys[i]);
        if (!node || (strcmp(topology_keys[i], "flat") == 0 && !is_flat(r, topology))) {
            continue;
        }
        if (kind) {
            hitop_network_fail(&r->t->net, line_of(node), "a topology is %s or %s, not both", kind,
                               topology_keys[i]);
        }
        kind = topology_keys[i];
    }
    if (!kind) {
        hitop_network_fail(&r->t->net, line_of(topology),
                           "a topology has one of tree, block, flat, ring, torus3d");
    }
    return r->t->net.status == HITOP_OK ? kind : NULL;
}

static void read_kind(struct reading *r, const struct kind *kind, const yaml_node_t *inside)
{
    const char *list = kind->keys[0];

    for (int i = 0; kind->keys[i]; i++) {
        list = kind->keys[i];
    }
    if (!check_mapping(r, inside, kind->name, kind->keys)) {
        return;
    }
    r->kind = kind;
    for_each(r, find_list(r, inside, list), read_item);
    if (find(r, inside, "block_sizes")) {
        for_each(r, find_list(r, inside, "block_sizes"), read_size);
    }
}

static void read_topology(struct reading *r, const yaml_node_t *topology)
{
    const char *name = find_text(r, topology, "topology");
    const char *kind = find_kind(r, topology);
    const yaml_node_t *inside = kind ? find(r, topology, kind) : NULL;

    for (size_t i = 0; inside && name && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strcmp(kind, kinds[i].name) == 0) {
            read_kind(r, &kinds[i], inside);
            return;
        }
    }
    if (inside && name) {
        r->t->is_flat = 1;
        hitop_source_warn(r->t->net.in->how,
                          "%s:%d: topology '%.64s', the default, is flat: it has no groups",
                          r->t->rules.file, line_of(topology), name);
    }
}

/* Check a topology, and choose it if it is the first one or the first default. */
static void check_topology(struct reading *r, const yaml_node_t *topology)
{
    if (!check_mapping(r, topology, "topology", topology_keys)) {
        return;
    }
    if (!find(r, topology, "topology")) {
        hitop_network_fail(&r->t->net, line_of(topology), "a topology without its name");
    }
    if (!r->chosen || (!r->is_default && find_truth(r, topology, "cluster_default"))) {
        r->is_default = find_truth(r, topology, "cluster_default");
        r->chosen = topology;
    }
}

/* Check all topologies of the list and read the one that is chosen. */
static void choose(struct reading *r, const yaml_node_t *root)
{
    if (!root || root->type == YAML_SCALAR_NODE) {
        hitop_network_fail(&r->t->net, root ? line_of(root) : 0, "expected a list of topologies");
        return;
    }
    if (root->type == YAML_MAPPING_NODE && find(r, root, "meta") && find(r, root, "errors")) {
        hitop_network_fail(
            &r->t->net, line_of(root),
            "JSON of scontrol; \"scontrol show topology\" without --json prints what is "
            "read here");
        return;
    }
    for_each(r, root, check_topology);
    if (!r->chosen) {
        hitop_network_fail(&r->t->net, 0, "names no topology");
    } else if (r->t->net.status == HITOP_OK) {
        read_topology(r, r->chosen);
    }
}

/* Load the next document; its root is NULL after the last one. Returns 0 after a failure. */
static int load(struct reading *r, yaml_parser_t *parser, yaml_document_t *document)
{
    if (!yaml_parser_load(parser, document)) {
        hitop_network_fail(&r->t->net, (int)parser->problem_mark.line + 1, "%s",
                           parser->problem ? parser->problem : "not YAML");
        return 0;
    }
    return 1;
}

void hitop_slurm_read_yaml(struct slurm_topology *t, const char *text, size_t length)
{
    struct reading r = {.t = t};
    yaml_document_t second;
    yaml_parser_t parser;

    if (!yaml_parser_initialize(&parser)) {
        hitop_network_fail(&t->net, 0, "out of memory");
        return;
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    if (load(&r, &parser, &r.document)) {
        if (load(&r, &parser, &second)) {
            const yaml_node_t *more = yaml_document_get_root_node(&second);
            if (more) {
                hitop_network_fail(&t->net, line_of(more), "a second document; there is one list");
            } else {
                choose(&r, yaml_document_get_root_node(&r.document));
            }
            yaml_document_delete(&second);
        }
        yaml_document_delete(&r.document);
    }
    yaml_parser_delete(&parser);
}
