/* SPDX-License-Identifier: BSD-3-Clause */
/* same_rank.c - match the ranks of two hierarchies by their hosts. */
#include <config.h>

#include "hierarchy/tree/same_rank.h"

#include "hitop/hierarchy.h"

#include <stdlib.h>
#include <string.h>

static int compare_entries(const void *a, const void *b)
{
    const struct host_entry *x = a, *y = b;
    const int order = x->host == y->host ? 0 : strcmp(x->host, y->host);

    return order ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

void hitop_sort_by_host(struct host_entry *entry, int n)
{
    qsort(entry, (size_t)n, sizeof(*entry), compare_entries);
}

static int is_same_host(const struct host_entry *a, int na, int i, int before)
{
    return i < na && strcmp(a[i].host, a[before].host) == 0;
}

void hitop_match_ranks(const struct host_entry *a, int na, const struct host_entry *b, int nb,
                       int *to_b, int *to_a)
{
    int i = 0, k = 0;

    while (i < na || k < nb) {
        const int order = i == na ? 1 : k == nb ? -1 : strcmp(a[i].host, b[k].host);
        const int first_a = i, first_b = k;

        while (order == 0 && is_same_host(a, na, i, first_a) && is_same_host(b, nb, k, first_b)) {
            to_b[a[i].rank] = b[k].rank;
            to_a[b[k].rank] = a[i].rank;
            i++;
            k++;
        }
        while (order <= 0 && is_same_host(a, na, i, first_a)) {
            to_b[a[i++].rank] = HITOP_NO_RANK;
        }
        while (order >= 0 && is_same_host(b, nb, k, first_b)) {
            to_a[b[k++].rank] = HITOP_NO_RANK;
        }
    }
}
