/* SPDX-License-Identifier: BSD-3-Clause */
/* host_counter.c - count the hosts of groups, each host once. */
#include <config.h>

#include "hierarchy/hostlist/host_counter.h"

void hitop_host_counter_begin(struct host_counter *c, const struct hitop_hierarchy *h,
                              struct storage *storage)
{
    int n;
    const int first = hitop_hierarchy_leaf_sets(h, hitop_hierarchy_root(h), &n);

    *c = (struct host_counter){.h = h};
    if (!STORAGE_ARRAY(storage, c->host_of, n) || !STORAGE_ARRAY(storage, c->seen, n)) {
        return;
    }
    for (int set = first; set < first + n; set++) {
        int count;
        const int rank = hitop_hierarchy_leaf_set(h, set, &count)[0].first;
        const int lowest = hitop_hierarchy_rank_on_host(h, hitop_hierarchy_host(h, rank));

        c->host_of[set] = hitop_hierarchy_leaf_sets(h, lowest, &count);
    }
}

int hitop_host_counter_add(struct host_counter *c, int node, const char **host)
{
    int n, count, nhosts = 0;
    const int first = hitop_hierarchy_leaf_sets(c->h, node, &n);

    for (int set = first; set < first + n; set++) {
        int *seen = &c->seen[c->host_of[set]];

        if (*seen != c->turn) {
            *seen = c->turn;
            if (host) {
                host[nhosts] = hitop_hierarchy_host(
                    c->h, hitop_hierarchy_leaf_set(c->h, set, &count)[0].first);
            }
            nhosts++;
        }
    }
    return nhosts;
}
