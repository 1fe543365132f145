/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SAME_RANK_H
#define SAME_RANK_H

/* same_rank.h - match the ranks of two hierarchies: the k-th ones of one host are the same rank. */

/* One rank. */
struct host_entry {
    const char *host;
    int rank;
};

/* Sort by host, then rank. */
void hitop_sort_by_host(struct host_entry *entry, int n);

/*
 * Of two sorted lists, set to_b[rank of a] and to_a[rank of b] to the rank of the other list, or to
 * HITOP_NO_RANK where it has none.
 */
void hitop_match_ranks(const struct host_entry *a, int na, const struct host_entry *b, int nb,
                       int *to_b, int *to_a);

#endif /* SAME_RANK_H */
