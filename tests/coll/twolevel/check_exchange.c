/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_exchange.c - pieces that are scattered and exchanged reach all nodes, and none of them
 * twice.
 */
#include <config.h>

#include "coll/twolevel/bcast_algorithm.h"

#include "tests/support/test_main.h"

#include <limits.h>

enum { MOST = 130 };

static unsigned char has[MOST][MOST]; /* [node][piece] */

/* The receiver does not have the pieces, and the sender has them. */
static void transfer(int from, int to, struct hitop_block pieces)
{
    for (int p = pieces.first; p < pieces.first + pieces.count; p++) {
        ck_assert_msg(has[from][p] && !has[to][p], "piece %d from %d to %d", p, from, to);
        has[to][p] = 1;
    }
}

static void scatter(int n, int node)
{
    int children[32];
    const int nchildren = hitop_scatter_children(n, node, children);

    for (int i = 0; i < nchildren; i++) {
        ck_assert_int_eq(hitop_scatter_parent(children[i]), node);
        transfer(node, children[i], hitop_scatter_block(n, children[i]));
        scatter(n, children[i]);
    }
}

static void exchange(const struct hitop_exchange *e, int n)
{
    for (int i = 0; i < e->nsteps(n); i++) {
        for (int node = 0; node < n; node++) {
            struct hitop_exchange_step mine, theirs;

            e->step(n, node, i, &mine);
            e->step(n, mine.to, i, &theirs);
            ck_assert_int_eq(theirs.from, node);
            ck_assert_int_eq(theirs.get.first, mine.put.first);
            ck_assert_int_eq(theirs.get.count, mine.put.count);
            for (int p = mine.put.first; p < mine.put.first + mine.put.count; p++) {
                ck_assert_msg(has[node][p] == 1, "step %d puts piece %d of this step", i, p);
            }
        }
        for (int node = 0; node < n;
             node++) { /* a node may send from the next step on what it receives in this one */
            struct hitop_exchange_step mine;

            e->step(n, node, i, &mine);
            transfer(mine.from, node, mine.get);
        }
    }
}

START_TEST(all_pieces_reach_all_nodes_once)
{
    const struct hitop_exchange *e = hitop_bcast_exchange((enum hitop_bcast_pattern)_i);

    for (int n = 2; n <= MOST; n++) {
        if (e->nsteps(n) == 0) {
            continue;
        }
        memset(has, 0, sizeof(has));
        memset(has[0], 1, (size_t)n);
        scatter(n, 0);
        exchange(e, n);
        for (int node = 0; node < n; node++) {
            for (int p = 0; p < n; p++) {
                ck_assert_msg(has[node][p], "%s, %d nodes: %d lacks piece %d", e->name, n, node, p);
            }
        }
    }
}
END_TEST

START_TEST(doubling_wants_a_power_of_two)
{
    ck_assert_int_eq(hitop_exchange_doubling.nsteps(64), 6);
    ck_assert_int_eq(hitop_exchange_doubling.nsteps(12), 0);
    ck_assert_int_eq(hitop_exchange_ring.nsteps(12), 11);
}
END_TEST

START_TEST(algorithms_take_another_pattern_where_theirs_does_not_apply)
{
    ck_assert_int_eq(hitop_bcast_pattern(HITOP_BCAST_CP_RDAAS, 16, 12000), HITOP_BY_DOUBLING);
    ck_assert_int_eq(hitop_bcast_pattern(HITOP_BCAST_P_RDAAS, 10, 12000), HITOP_BY_RING);
    ck_assert_int_eq(hitop_bcast_pattern(HITOP_BCAST_P_RDAAS, 16, 11999), HITOP_BY_BINOMIAL);
    ck_assert_int_eq(hitop_bcast_pattern(HITOP_BCAST_CP_RINGAAS, 16, 12000), HITOP_BY_RING);
    ck_assert_int_eq(hitop_bcast_pattern(HITOP_BCAST_CP_RINGAAS, 16, (size_t)INT_MAX + 1),
                     HITOP_BY_BINOMIAL);
    ck_assert_int_eq(hitop_bcast_pattern(HITOP_BCAST_P_BT, 16, 1000000), HITOP_BY_BINOMIAL);
    ck_assert_int_eq(hitop_bcast_pattern(HITOP_BCAST_DYN, 16, 1000000), HITOP_BY_MODEL);
    ck_assert_int_eq(hitop_bcast_leaders(HITOP_BCAST_AUTO), HITOP_LEADERS_CHANGE);
    ck_assert_int_eq(hitop_bcast_leaders(HITOP_BCAST_P_RINGAAS), HITOP_LEADERS_FIXED);
    ck_assert_int_eq(hitop_bcast_leaders(HITOP_BCAST_CP_BT), HITOP_LEADERS_LISTED);
}
END_TEST

START_TEST(branches_of_packed_blocks_are_all_places_once)
{
    for (int n = 2; n < MOST; n++) {
        for (int place = 0; place < n; place++) {
            int children[PACKED_CHILDREN], behind = hitop_packed_tree_end(n, place);
            const int nchildren = hitop_packed_tree_children(n, place, children);

            ck_assert_int_le(nchildren, PACKED_CHILDREN);
            for (int i = 0; i < nchildren; i++) { /* the longest branch has the last places */
                const int child = children[n <= 16 ? nchildren - 1 - i : i];
                ck_assert_int_eq(hitop_packed_tree_parent(n, child), place);
                ck_assert_int_eq(hitop_packed_tree_end(n, child), behind);
                behind = child;
            }
            ck_assert_int_eq(behind, place + 1);
        }
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, branches_of_packed_blocks_are_all_places_once);
    tcase_add_loop_test(tc, all_pieces_reach_all_nodes_once, HITOP_BY_DOUBLING, HITOP_BY_RING + 1);
    tcase_add_test(tc, doubling_wants_a_power_of_two);
    tcase_add_test(tc, algorithms_take_another_pattern_where_theirs_does_not_apply);
}

TEST_MAIN("exchange", add_tests)
