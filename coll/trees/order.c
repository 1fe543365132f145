/* SPDX-License-Identifier: BSD-3-Clause */
/* order.c - largest subtree first: who has most to pass on is served before the others. */
#include <config.h>

#include "coll/trees/order.h"

#include <stdlib.h>

/* v + by modulo size, where the sum may not fit an int. */
static int turn(int v, int by, int size)
{
    return v < size - by ? v + by : v - (size - by);
}

struct vertex {
    int parent; /* virtual ranks: the root is 0 */
    int v;
    int weight; /* ranks in the subtree */
};

/* Lists of one parent together, the largest subtree first; equal ones by virtual rank. */
static int compare(const void *a, const void *b)
{
    const struct vertex *x = a, *y = b;

    if (x->parent != y->parent) {
        return x->parent < y->parent ? -1 : 1;
    }
    if (x->weight != y->weight) {
        return x->weight > y->weight ? -1 : 1;
    }
    return (x->v > y->v) - (x->v < y->v);
}

/* Add up the subtrees from the leaves; 0 when a cycle keeps some vertex from being reached. */
static int weigh(int size, struct vertex *at, int *pending, int *queue)
{
    int head = 0, tail = 0;

    for (int v = 1; v < size; v++) {
        pending[at[v].parent]++;
    }
    for (int v = 0; v < size; v++) {
        if (pending[v] == 0) {
            queue[tail++] = v;
        }
    }
    while (head < tail) {
        const int v = queue[head++];
        if (v > 0) {
            const int up = at[v].parent;
            at[up].weight += at[v].weight;
            if (--pending[up] == 0) {
                queue[tail++] = up;
            }
        }
    }
    return tail == size;
}

enum hitop_status hitop_order_by_size(int size, int root, const int *parent, int *order,
                                      struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    struct vertex *at = calloc((size_t)size, sizeof(*at));
    int *first = calloc((size_t)size + 1, sizeof(*first)); /* start of each list, once sorted */
    int tail = 0;

    if (!at || !first) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "tree order: out of memory");
        goto out;
    }
    for (int v = 0; v < size; v++) {
        const int up = parent[turn(v, root, size)];
        if (v > 0 && (up < 0 || up >= size)) {
            status =
                hitop_fail(diag, HITOP_ERR_INVALID, "rank %d has no parent", turn(v, root, size));
            goto out;
        }
        at[v] = (struct vertex){
            .parent = v > 0 ? turn(up, size - root, size) : -1, .v = v, .weight = 1};
    }
    if (!weigh(size, at, first, order)) { /* both arrays are scratch here */
        status = hitop_fail(diag, HITOP_ERR_INVALID, "the parents of the ranks form a cycle");
        goto out;
    }
    qsort(at, (size_t)size, sizeof(*at), compare); /* at[0] is the root: its parent is -1 */
    for (int i = 0, v = 0; v < size; v++) {
        while (i < size && at[i].parent < v) {
            i++;
        }
        first[v] = i;
    }
    first[size] = size;
    order[tail++] = 0;
    for (int head = 0; head < tail; head++) {
        const int v = order[head];
        for (int i = first[v]; i < first[v + 1]; i++) {
            order[tail++] = at[i].v;
        }
    }
    for (int i = 0; i < size; i++) {
        order[i] = turn(order[i], root, size);
    }

out:
    free(first);
    free(at);
    return status;
}
