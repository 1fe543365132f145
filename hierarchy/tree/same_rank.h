/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SAME_RANK_H
#define SAME_RANK_H

/*
 * same_rank.h - match the ranks of two hierarchies.
 *
 * The k-th rank of a host in one hierarchy matches the k-th rank of that host in the other one.
 */

/* One rank. */
struct host_entry {
    const char *host;
    int rank;
};

/* Sort by host, then rank. */
void hitop_sort_by_host(struct host_entry *entry, int n);

/*
 * Match the ranks of two sorted lists: to_b[rank in a] receives the rank in b, to_a[rank in b] the
 * rank in a, or HITOP_NO_RANK if the other list has no such rank.
 */
void hitop_match_ranks(const struct host_entry *a, int na, const struct host_entry *b, int nb,
                       int *to_b, int *to_a);

#endif /* SAME_RANK_H */
