/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BUCKETS_H
#define BUCKETS_H

/* buckets.h - list items by bucket (counting sort). */

/*
 * List the items 0 to n-1 by bucket, ascending in each bucket: those of bucket b are item[first[b]]
 * to item[first[b + 1] - 1]. Items with a negative bucket are not listed.
 *
 * first[] must have nbuckets + 1 elements, all 0.
 */
static inline void buckets_fill(const int *bucket, int n, int nbuckets, int *first, int *item)
{
    for (int i = 0; i < n; i++) {
        if (bucket[i] >= 0) {
            first[bucket[i] + 1]++;
        }
    }
    for (int b = 0; b < nbuckets; b++) {
        first[b + 1] += first[b];
    }
    for (int i = n - 1; i >= 0; i--) {
        if (bucket[i] >= 0) {
            item[--first[bucket[i] + 1]] = i;
        }
    }
    for (int b = 0; b < nbuckets; b++) { /* first[b + 1] is now the begin of bucket b */
        first[b] = first[b + 1];
    }
    first[nbuckets] = 0;
    for (int i = 0; i < n; i++) {
        first[nbuckets] += bucket[i] >= 0;
    }
}

#endif /* BUCKETS_H */
