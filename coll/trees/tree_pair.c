/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_pair.c - an in-order binary tree below the root, and a second one with even and odd
 * exchanged.
 *
 * In the first tree, virtual rank v > 0 whose lowest set bit is b is the middle of an interval; its
 * parent is the middle of the interval of twice the length around it. Where that middle is not a
 * rank, the parent is v - b; for a power of two this is 0, the root. Only even ranks have children.
 * The second tree exchanges even and odd: it reverses 1 .. n-1 when n is odd, and rotates them by
 * one when n is even.
 *
 *         n = 8     0               0
 *                   |               |
 *                   4               5
 *                 /   \           /   \
 *                2     6         3     7
 *               / \   / \       / \   / \
 *              1   3 5   7     2   4 6   1
 */
#include <config.h>

#include "coll/trees/tree_pair.h"

/* The parent of v in 1 .. n-1 in the first tree. */
static int up_in_order(int n, int v)
{
    const int digit = v & -v;
    const long middle = ((long)v ^ digit) | 2L * digit;

    return middle < n ? (int)middle : v ^ digit;
}

/*
 * Map a virtual rank of the second tree to the first one: even and odd are exchanged among 1 ..
 * n-1, and 0 stays. to_second() is the inverse; the two differ when n is even.
 */
static int to_first(int n, int v)
{
    if (v == 0) {
        return 0;
    }
    return n % 2 ? n - v : v == 1 ? n - 1 : v - 1;
}

static int to_second(int n, int v)
{
    if (v == 0) {
        return 0;
    }
    return n % 2 ? n - v : v == n - 1 ? 1 : v + 1;
}

/* The parent of v > 0 in either tree. */
static int up(int n, int second, int v)
{
    return second ? to_second(n, up_in_order(n, to_first(n, v))) : up_in_order(n, v);
}

struct tree_pair_place hitop_tree_pair_place(int size, int root, int second, int rank)
{
    const int v = (int)(((long)rank - root + size) % size), w = second ? to_first(size, v) : v;
    const long digit = w > 0 ? w & -w : 2L * size; /* children are nearer than this */
    struct tree_pair_place place = {.parent = HITOP_NO_RANK};

    if (v > 0) {
        place.parent = (int)(((long)up(size, second, v) + root) % size);
    }
    for (int i = v; i > 0; i = up(size, second, i)) {
        place.depth++;
    }
    if (w > 0 && digit > 1) {
        place.child[place.nchildren++] = (int)(w - digit / 2);
    }
    for (long power = 1 << 30; power > 0; power /= 2) { /* the largest step to an existing rank */
        if (power < digit && w + power < size) {
            place.child[place.nchildren++] = (int)(w + power);
            break;
        }
    }
    for (int i = 0; i < place.nchildren; i++) {
        const int child = second ? to_second(size, place.child[i]) : place.child[i];
        place.child[i] = (int)(((long)child + root) % size);
    }
    return place;
}
