/* SPDX-License-Identifier: BSD-3-Clause */
/* promise.c - compare each pair of ranks with the first pair that should be alike. */
#include <config.h>

#include "tests/support/promise.h"
#include "tests/support/test_main.h"

/* The smallest set that holds two ranks. */
static int meet(const struct hitop_cost *cost, int a, int b)
{
    if (!cost->enclosing) {
        return 0;
    }
    while (a != b) { /* the lower number is not around the other */
        if (a < b) {
            a = cost->enclosing(cost->self, a);
        } else {
            b = cost->enclosing(cost->self, b);
        }
    }
    return a;
}

static int kind(const struct hitop_cost *cost, int rank)
{
    return cost->kind ? cost->kind(cost->self, rank) : cost->enclosing ? 0 : rank;
}

static int are_alike(const struct hitop_cost *cost, int a, int b, int c, int d)
{
    return kind(cost, a) == kind(cost, c) && kind(cost, b) == kind(cost, d) &&
           meet(cost, a, b) == meet(cost, c, d);
}

static void compare(const struct hitop_cost *cost, size_t bytes, int a, int b)
{
    if (cost->grows) {
        ck_assert_double_le(cost->p2p(cost->self, a, b, bytes),
                            cost->p2p(cost->self, a, b, bytes + 1));
    }
    for (int c = 0; c <= a; c++) {
        for (int d = 0; d < cost->nranks; d++) {
            if (c != d && are_alike(cost, a, b, c, d)) {
                ck_assert_double_eq(cost->p2p(cost->self, a, b, bytes),
                                    cost->p2p(cost->self, c, d, bytes));
                ck_assert_double_eq(cost->occupancy(cost->self, a, b, bytes),
                                    cost->occupancy(cost->self, c, d, bytes));
                return;
            }
        }
    }
}

void expect_promise(const struct hitop_cost *cost, size_t bytes)
{
    if (cost->enclosing) {
        ck_assert_int_gt(cost->nsets, cost->nranks);
        ck_assert_int_eq(cost->enclosing(cost->self, cost->nsets - 1), -1);
    }
    for (int a = 0; a < cost->nranks; a++) {
        for (int b = 0; b < cost->nranks; b++) {
            if (a != b) {
                compare(cost, bytes, a, b);
            }
        }
    }
}
