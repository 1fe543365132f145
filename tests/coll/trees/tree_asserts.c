/* SPDX-License-Identifier: BSD-3-Clause */
/* tree_asserts.c - compare trees, or fail the test. */
#include <config.h>

#include "tests/coll/trees/tree_asserts.h"

#include "tests/support/test_main.h"
#include "tests/support/worked_trees.h"

void assert_parents(const struct hitop_tree *tree, const int *parent)
{
    for (int r = 0; r < hitop_tree_size(tree); r++) {
        ck_assert_msg(hitop_tree_parent(tree, r) == parent[r], "rank %d: parent %d, expected %d", r,
                      hitop_tree_parent(tree, r), parent[r]);
    }
}

void assert_children(const struct hitop_tree *tree, int rank, int n, const int *child)
{
    int count;
    const int *actual = hitop_tree_children(tree, rank, &count);

    ck_assert_int_eq(count, n);
    for (int i = 0; i < n; i++) {
        ck_assert_int_eq(actual[i], child[i]);
    }
}

struct hitop_tree *build_tree(const char *name, int size, int root, const double *params,
                              const struct hitop_cost *cost)
{
    const struct hitop_tree_args args = {
        .size = size, .root = root, .bytes = WORKED_BYTES, .cost = cost};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_tree *tree = NULL;

    ck_assert_msg(hitop_tree_build(name, &args, params, &tree, &diag) == HITOP_OK, "%s: %s", name,
                  diag.message);
    return tree;
}

void assert_same_tree(const struct hitop_tree *a, const struct hitop_tree *b)
{
    for (int rank = 0; rank < hitop_tree_size(a); rank++) {
        int n;
        const int *child = hitop_tree_children(b, rank, &n);
        assert_children(a, rank, n, child);
    }
}
