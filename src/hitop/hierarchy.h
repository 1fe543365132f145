/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_HIERARCHY_H
#define HITOP_HIERARCHY_H

/**
 * @file hierarchy.h
 * @brief The machine as an immutable tree: leaves are ranks, inner nodes are groups.
 *
 * Nodes are numbered 0..nnodes-1: the leaves first, in rank order (so leaf r is rank r), then the
 * inner nodes from the lowest upwards, ordered within a height by their smallest rank; the root is
 * the last node. Children come ordered by their smallest rank. The numbering depends on the tree
 * only, never on the order in which it was built or read.
 *
 * @code
 * const int top = hitop_hierarchy_lca(h, 0, 5);   // smallest common group of ranks 0 and 5
 * printf("%s\n", hitop_hierarchy_level(h, top));  // "cluster"
 * @endcode
 */

#include "hitop/ranks.h"
#include "hitop/status.h"

HITOP_BEGIN_DECLS

/**
 * Opaque, immutable. The caller that builds or reads it owns it; release with
 * hitop_hierarchy_free().
 */
struct hitop_hierarchy;

/** "No such node" and "no such rank". */
#define HITOP_NO_NODE (-1)
#define HITOP_NO_RANK (-1)

/** Limit of ranks: larger numbers are probably mistakes, and must not use all memory. */
#define HITOP_RANKS_MAX 100000000

/** Release a hierarchy. NULL is allowed. */
HITOP_API void hitop_hierarchy_free(struct hitop_hierarchy *h);

/* Getters. They cannot fail; nodes and ranks must be in range (asserted). Strings and arrays are
 * lent until hitop_hierarchy_free(). */

HITOP_API int hitop_hierarchy_nranks(const struct hitop_hierarchy *h);
HITOP_API int hitop_hierarchy_nnodes(const struct hitop_hierarchy *h);
HITOP_API int hitop_hierarchy_root(const struct hitop_hierarchy *h);

/** Group above @p node, or HITOP_NO_NODE for the root. */
HITOP_API int hitop_hierarchy_parent(const struct hitop_hierarchy *h, int node);

/** Children of @p node by smallest rank; *count is 0 for a leaf. */
HITOP_API const int *hitop_hierarchy_children(const struct hitop_hierarchy *h, int node,
                                              int *count);

/** Edges of the longest path down to a leaf: 0 for a leaf, 1 for a group of leaves, and so on. */
HITOP_API int hitop_hierarchy_height(const struct hitop_hierarchy *h, int node);

/** Edges from @p node up to the root. */
HITOP_API int hitop_hierarchy_depth(const struct hitop_hierarchy *h, int node);

/** Smallest rank below @p node (the rank itself for a leaf): its representative. */
HITOP_API int hitop_hierarchy_first_rank(const struct hitop_hierarchy *h, int node);

/** Number of ranks below @p node; 1 for a leaf. */
HITOP_API int hitop_hierarchy_count_ranks(const struct hitop_hierarchy *h, int node);

/**
 * Number of concurrent messages that the uplink of group @p node carries at full speed, in either
 * direction; 0 if it is unknown, and for leaves. It is the attribute "capacity" of the group or of
 * its edge: a positive number such as "4" or "0.5", a fraction such as "1/3", or "unlimited", which
 * is INFINITY. Full speed is that of the links between the group and the other members of the group
 * around it.
 */
HITOP_API double hitop_hierarchy_capacity(const struct hitop_hierarchy *h, int node);

/**
 * Level name: "root", "domain", "cluster", "host", "package", "numa", ...; "" if unknown, "rank"
 * for a leaf.
 */
HITOP_API const char *hitop_hierarchy_level(const struct hitop_hierarchy *h, int node);

/** Name of a group, e.g. "site1.org", or "" when it has none. */
HITOP_API const char *hitop_hierarchy_name(const struct hitop_hierarchy *h, int node);

/** Host name of @p rank as the job reported it (CPM's model_data of a leaf). */
HITOP_API const char *hitop_hierarchy_host(const struct hitop_hierarchy *h, int rank);

/** 1 when two ranks run on one host. */
HITOP_API int hitop_hierarchy_share_host(const struct hitop_hierarchy *h, int rank_a, int rank_b);

/** Smallest rank that runs on @p host, or HITOP_NO_RANK. */
HITOP_API int hitop_hierarchy_rank_on_host(const struct hitop_hierarchy *h, const char *host);

/** Lowest common ancestor of two ranks in O(depth); the leaf itself when they are equal. */
HITOP_API int hitop_hierarchy_lca(const struct hitop_hierarchy *h, int rank_a, int rank_b);

/**
 * Smallest node whose parents differ; HITOP_NO_NODE if both are the same tree. Names of hosts and
 * groups do not count.
 */
HITOP_API int hitop_hierarchy_first_difference(const struct hitop_hierarchy *a,
                                               const struct hitop_hierarchy *b);

/* Visiting many nodes. */

/**
 * Walk through the nodes at and below @p top: groups before their members, members by smallest
 * rank. A step takes O(depth log children) at worst and needs no stack.
 *
 * @code
 * for (int node = top; node != HITOP_NO_NODE; node = hitop_hierarchy_next(h, top, node)) {
 * @endcode
 */
HITOP_API int hitop_hierarchy_next(const struct hitop_hierarchy *h, int top, int node);

/**
 * First of the *count nodes of height @p height, which have consecutive numbers by smallest rank
 * and no common rank; HITOP_NO_NODE and 0 if there are none. Height 0 is that of leaves, the
 * largest that of the root.
 */
HITOP_API int hitop_hierarchy_at_height(const struct hitop_hierarchy *h, int height, int *count);

/**
 * Append the ranks below @p node to @p ranks, in ascending order, in linear time and with temporary
 * memory for as many integers.
 *
 * @param ranks  released by the caller, also on failure
 * @retval HITOP_ERR_NOMEM  an allocation failed
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_hierarchy_ranks(const struct hitop_hierarchy *h,
                                                                   int node,
                                                                   struct hitop_ranks *ranks,
                                                                   struct hitop_diag *diag);

/*
 * Leaf sets. Leaves of one group, on one host, with equal attributes differ in their ranks only and
 * form a set; the ranks of a host usually are one set. Sets are numbered from 0; those below a
 * group have consecutive numbers.
 */

/** First of the *count leaf sets below @p node, with consecutive numbers; for a leaf, its own. */
HITOP_API int hitop_hierarchy_leaf_sets(const struct hitop_hierarchy *h, int node, int *count);

/**
 * The ranks of leaf set @p set in ascending order. All other properties are equal for these ranks.
 */
HITOP_API const struct hitop_rank_range *hitop_hierarchy_leaf_set(const struct hitop_hierarchy *h,
                                                                  int set, int *nranges);

/*
 * Attributes from a file or a builder. Nodes have attributes, and so have the edge from a node to
 * its group (owned by the node) and the graph.
 */

/** The owner of an attribute. */
enum hitop_attr_of {
    HITOP_ATTR_OF_NODE,
    HITOP_ATTR_OF_EDGE,  /**< from a node to its group; the root has no such edge */
    HITOP_ATTR_OF_GRAPH, /**< nodes do not count */
};

/** One attribute. */
struct hitop_attr {
    const char *key, *value;
    int is_html; /**< 1: Graphviz's HTML-like text, which files write as <...> instead of "..." */
};

/** Attributes of @p node, of its edge or of the graph in name order; *count may be 0. */
HITOP_API const struct hitop_attr *
hitop_hierarchy_attrs(const struct hitop_hierarchy *h, enum hitop_attr_of of, int node, int *count);

/** Value of attribute @p key of @p node as read from a file or set by a builder, or NULL. */
HITOP_API const char *hitop_hierarchy_attr(const struct hitop_hierarchy *h, int node,
                                           const char *key);

/** The id of @p node in its file, e.g. "rack1"; "" if that is a number or missing. */
HITOP_API const char *hitop_hierarchy_id(const struct hitop_hierarchy *h, int node);

/** The name of the graph in its file, or "". */
HITOP_API const char *hitop_hierarchy_graph_name(const struct hitop_hierarchy *h);

/* Building. A builder collects nodes in any order and checks the whole on finish. */

/** Opaque. Release with hitop_hierarchy_builder_free(). */
struct hitop_hierarchy_builder;

/** NULL when out of memory. */
HITOP_API struct hitop_hierarchy_builder *hitop_hierarchy_builder_new(void);

/** Release a builder. NULL is allowed. */
HITOP_API void hitop_hierarchy_builder_free(struct hitop_hierarchy_builder *b);

/*
 * After the first failure further calls do nothing, and finish reports it. A
 * handle is an index valid with this builder only. Strings are copied; NULL counts as "".
 */

/** Add a group; returns its handle. */
HITOP_API int hitop_hierarchy_builder_group(struct hitop_hierarchy_builder *b, const char *level,
                                            const char *name);

/** Add the leaf of @p rank (0..) on @p host; returns its handle. */
HITOP_API int hitop_hierarchy_builder_leaf(struct hitop_hierarchy_builder *b, int rank,
                                           const char *host);

/**
 * Add a leaf for each rank of @p nranges ranges (1 or more), all on @p host. The handle stands for
 * all of them: edges, attributes and label hold for each.
 */
HITOP_API int hitop_hierarchy_builder_leaves(struct hitop_hierarchy_builder *b,
                                             const struct hitop_rank_range *range, int nranges,
                                             const char *host);

/** Put node @p child below group @p parent. */
HITOP_API void hitop_hierarchy_builder_edge(struct hitop_hierarchy_builder *b, int child,
                                            int parent);

/** Attach an attribute; a later value of the same key replaces the earlier one. */
HITOP_API void hitop_hierarchy_builder_attr(struct hitop_hierarchy_builder *b, int node,
                                            const char *key, const char *value);

/** Attach an attribute to @p node, its edge or the graph; a later one of its key replaces it. */
HITOP_API void hitop_hierarchy_builder_add_attr(struct hitop_hierarchy_builder *b,
                                                enum hitop_attr_of of, int node,
                                                const struct hitop_attr *attr);

/** Copy to @p node the attributes of @p from_node of @p from, those of its edge and its id. */
HITOP_API void hitop_hierarchy_builder_copy_attrs(struct hitop_hierarchy_builder *b, int node,
                                                  const struct hitop_hierarchy *from,
                                                  int from_node);

/** Copy to the graph the attributes and the name of the graph @p from. */
HITOP_API void hitop_hierarchy_builder_copy_graph(struct hitop_hierarchy_builder *b,
                                                  const struct hitop_hierarchy *from);

/** Set the id of @p node in files: not a number, and not the id of another node. "" for none. */
HITOP_API void hitop_hierarchy_builder_id(struct hitop_hierarchy_builder *b, int node,
                                          const char *id);

/** Set the name of the graph in files. */
HITOP_API void hitop_hierarchy_builder_graph_name(struct hitop_hierarchy_builder *b,
                                                  const char *name);

/** Name used for @p node in error messages, e.g. the node id of a DOT file. */
HITOP_API void hitop_hierarchy_builder_label(struct hitop_hierarchy_builder *b, int node,
                                             const char *label);

/**
 * Check the nodes and make the hierarchy. The builder is empty afterwards and may be freed.
 *
 * @param out  receives the hierarchy; set to NULL on failure
 * @retval HITOP_ERR_FORMAT  empty, two roots, a cycle, an orphan, two parents, a leaf with members,
 *                           a group without members, a rank twice or missing, more ranks than
 *                           HITOP_RANKS_MAX, a wrong capacity; the message names the node
 * @retval HITOP_ERR_NOMEM   an allocation failed, here or while adding
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_hierarchy_builder_finish(struct hitop_hierarchy_builder *b, struct hitop_hierarchy **out,
                               struct hitop_diag *diag);

/**
 * A hierarchy without groups: @p nranks ranks (1 or more) directly below the root.
 *
 * @param host  of each rank
 * @param out   receives the hierarchy; set to NULL on failure
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_hierarchy_flat(const char *const *host,
                                                                  int nranks,
                                                                  struct hitop_hierarchy **out,
                                                                  struct hitop_diag *diag);

/**
 * Copy a hierarchy, and set one attribute of some groups.
 *
 * @param key    of that attribute; NULL if @p value is NULL
 * @param value  for each group, from node nranks on: its value, or NULL to keep the present one;
 * NULL for a plain copy
 * @param out    receives the hierarchy; set to NULL on failure
 * @retval HITOP_ERR_FORMAT  a value is wrong for that attribute, such as a capacity below 0
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_hierarchy_copy(const struct hitop_hierarchy *h, const char *key, const char *const *value,
                     struct hitop_hierarchy **out, struct hitop_diag *diag);

HITOP_END_DECLS

#endif /* HITOP_HIERARCHY_H */
