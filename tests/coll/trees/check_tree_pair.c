/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_tree_pair.c - below the root, a rank that forwards in one tree of a pair only receives in
 * the other.
 */
#include <config.h>

#include "coll/trees/tree_pair.h"
#include "hitop/sys/tree.h"

#include "tests/support/test_main.h"

enum { MAX_RANKS = 130 };

static struct hitop_tree *pair[2];

/* Make both trees of the places of all ranks. */
static void make(int size, int root)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int parent[MAX_RANKS], order[MAX_RANKS];

    for (int t = 0; t < 2; t++) {
        int norder = 0;
        for (int depth = 0; norder < size && depth < size; depth++) {
            for (int rank = 0; rank < size; rank++) {
                const struct tree_pair_place place = hitop_tree_pair_place(size, root, t, rank);
                parent[rank] = place.parent;
                if (place.depth == depth) {
                    order[norder++] = rank;
                }
            }
        }
        ck_assert_msg(hitop_tree_make("pair", size, root, parent, order, &pair[t], &diag) ==
                          HITOP_OK,
                      "%s", diag.message);
    }
}

static void drop(void)
{
    hitop_tree_free(pair[0]);
    hitop_tree_free(pair[1]);
}

static int children(int tree, int rank)
{
    int count;

    (void)hitop_tree_children(pair[tree], rank, &count);
    return count;
}

static int depth(const struct hitop_tree *tree, int rank)
{
    int hops = 0;

    for (int r = rank; r != hitop_tree_root(tree); r = hitop_tree_parent(tree, r)) {
        hops++;
    }
    return hops;
}

START_TEST(inner_ranks_of_one_tree_are_leaves_of_the_other)
{
    for (int size = 1; size <= MAX_RANKS; size++) {
        const int step = size <= 33 ? 1 : 1 + size / 3;
        int deepest = 1; /* 1 + ceil(log2 size) */
        while (1 << (deepest - 1) < size) {
            deepest++;
        }
        for (int root = 0; root < size; root += step) {
            make(size, root);
            for (int rank = 0; rank < size; rank++) {
                if (rank != root) {
                    ck_assert(children(0, rank) == 0 || children(1, rank) == 0);
                }
                for (int t = 0; t < 2; t++) {
                    ck_assert_int_le(children(t, rank), rank == root ? 1 : 2);
                    ck_assert_int_le(depth(pair[t], rank), deepest);
                }
            }
            drop();
        }
    }
}
END_TEST

START_TEST(one_rank_finds_its_place_without_the_trees)
{
    for (int size = 1; size <= MAX_RANKS; size++) {
        for (int root = 0; root < size; root += 1 + size / 3) {
            make(size, root);
            for (int i = 0; i < 2 * size; i++) {
                const int t = i % 2, rank = i / 2;
                const struct tree_pair_place place = hitop_tree_pair_place(size, root, t, rank);
                int n;
                const int *child = hitop_tree_children(pair[t], rank, &n);
                ck_assert_int_eq(place.parent, hitop_tree_parent(pair[t], rank));
                ck_assert_int_eq(place.depth, depth(pair[t], rank));
                ck_assert_int_eq(place.nchildren, n);
                for (int c = 0; c < n; c++) {
                    ck_assert(place.child[c] == child[0] || place.child[c] == child[n - 1]);
                    ck_assert_int_ge(hitop_tree_weight(pair[t], place.child[0]),
                                     hitop_tree_weight(pair[t], place.child[c]));
                }
                ck_assert(n < 2 || place.child[0] != place.child[1]);
            }
            drop();
        }
    }
}
END_TEST

START_TEST(the_first_tree_keeps_the_order_of_the_ranks)
{
    for (int size = 1; size <= MAX_RANKS; size++) {
        make(size, 0);
        ck_assert_int_eq(hitop_tree_in_order(pair[0]), 1);
        if (size % 2) {
            ck_assert_int_eq(hitop_tree_in_order(pair[1]), 1);
        }
        drop();
    }
}
END_TEST

START_TEST(eight_ranks_as_drawn)
{
    static const int first[] = {HITOP_NO_RANK, 2, 4, 2, 0, 6, 4, 6};
    static const int second[] = {HITOP_NO_RANK, 7, 3, 5, 3, 0, 7, 5};

    make(8, 0);
    for (int rank = 0; rank < 8; rank++) {
        ck_assert_int_eq(hitop_tree_parent(pair[0], rank), first[rank]);
        ck_assert_int_eq(hitop_tree_parent(pair[1], rank), second[rank]);
    }
    drop();
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, inner_ranks_of_one_tree_are_leaves_of_the_other);
    tcase_add_test(tc, one_rank_finds_its_place_without_the_trees);
    tcase_add_test(tc, the_first_tree_keeps_the_order_of_the_ranks);
    tcase_add_test(tc, eight_ranks_as_drawn);
}

TEST_MAIN("pair of trees", add_tests)
