/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRAFF_H
#define TRAFF_H

/*
 * traff.h - trees for unlike blocks: subsets of about doubling weight.
 *
 * The ranks below a parent, the heaviest first, are cut into subsets: one ends as soon as it weighs at least as
 * much as all before it together. The first has one rank, the last may stay light. One rank of each
 * subset becomes a child of the parent, the others go below it in the same way. Children are served from
 * the last subset to the first.
 *
 * Source: J. L. Traff, Hierarchical gather/scatter algorithms with graceful degradation, IPDPS 2004; the rule
 * for ">=" instead of ">" is that of its implementation in CPM.
 */

#include "hitop/sys/tree.h"

struct traff_rule {
    /* What a rank weighs as one of those below `up`. */
    double (*weight)(const struct hitop_tree_args *args, int up, int rank);

    /*
     * Which of n ranks, heaviest first, is to be the child of `up`. NULL: the first one; then weights do not
     * depend on `up`.
     */
    int (*head)(const struct hitop_tree_args *args, int up, const int *rank, int n);
};

enum hitop_status hitop_traff_build(const struct hitop_tree_args *args,
                                    const struct traff_rule *rule, int *parent, int *order,
                                    struct hitop_diag *diag);

#endif /* TRAFF_H */
