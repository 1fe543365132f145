/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fold.c - what to leave out of a drawing that would be too long.
 *
 * Inner levels are folded before outer ones, because outer groups differ more to those who know the
 * machine; depth is given up last. What was folded on the way is unfolded where it fits: of 125 alike
 * racks one is drawn, but with each of its 16 hosts.
 */
#include <config.h>

#include "hierarchy/draw/fold.h"

#include <stdlib.h>
#include <string.h>

/* Levels beyond this are not tried one by one. */
enum { MOST_UNFOLDED = 64 };

int hitop_fold_is_open(const struct fold *fold, const struct element *x)
{
    return x->nchildren > 0 && x->depth < fold->depth;
}

int hitop_fold_joins(const struct fold *fold, const struct element *x)
{
    return fold->is_folded[x->depth] || (fold->folds_hosts && x->is_host);
}

int hitop_fold_is_drawn(const struct fold *fold, const struct elements *e, int index)
{
    return !hitop_fold_joins(fold, &e->at[index]) || e->at[index].first_alike == index;
}

/* Lines of the whole drawing. */
static int count_rows(const struct fold *fold, struct elements *e)
{
    for (int i = e->n - 1; i >= 0; i--) {
        struct element *x = &e->at[i];

        x->rows = hitop_fold_is_open(fold, x) ? 0 : 1;
        for (int k = 0; k < x->nchildren && hitop_fold_is_open(fold, x); k++) {
            if (hitop_fold_is_drawn(fold, e, x->first_child + k)) {
                x->rows += e->at[x->first_child + k].rows;
            }
        }
    }
    return e->at[0].rows;
}

/* Fold what is deeper than depth. */
static int rows_folded_below(struct fold *fold, struct elements *e, int depth)
{
    for (int d = 0; d <= e->depth; d++) {
        fold->is_folded[d] = (char)(d > depth);
    }
    return count_rows(fold, e);
}

/* The largest depth to which elements need not be folded; 0 when folding all may not be enough. */
static void choose_folds(struct fold *fold, struct elements *e, int max_leaves)
{
    int low = 0, high = e->depth;

    while (low < high) {
        const int middle = low + (high - low + 1) / 2;
        if (rows_folded_below(fold, e, middle) <= max_leaves) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    (void)rows_folded_below(fold, e, low);
}

static void choose_depth(struct fold *fold, struct elements *e, int max_leaves)
{
    int low = 1, high = fold->depth;

    if (count_rows(fold, e) <= max_leaves) {
        return;
    }
    while (low < high) {
        const int middle = low + (high - low + 1) / 2;
        fold->depth = middle;
        if (count_rows(fold, e) <= max_leaves) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    fold->depth = low;
}

static void unfold(struct fold *fold, struct elements *e, int max_leaves)
{
    for (int d = 1; d <= e->depth && d <= MOST_UNFOLDED; d++) {
        if (fold->is_folded[d]) {
            fold->is_folded[d] = 0;
            fold->is_folded[d] = count_rows(fold, e) > max_leaves;
        }
    }
}

enum hitop_status hitop_fold_choose(struct fold *fold, struct elements *e,
                                    const struct hitop_drawing_limits *limits)
{
    const int depth = limits->depth, max_leaves = limits->max_leaves;

    fold->is_folded = calloc((size_t)e->depth + 1, sizeof(*fold->is_folded));
    fold->depth = depth > 0 && depth < e->depth ? depth : e->depth;
    if (!fold->is_folded) {
        return HITOP_ERR_NOMEM;
    }
    if (max_leaves > 0 && limits->hosts_only) {
        fold->folds_hosts = count_rows(fold, e) > max_leaves;
    } else if (max_leaves > 0 && count_rows(fold, e) > max_leaves) {
        choose_folds(fold, e, max_leaves);
        choose_depth(fold, e, max_leaves);
        unfold(fold, e, max_leaves);
    }
    (void)count_rows(fold, e);
    return HITOP_OK;
}

void hitop_fold_clear(struct fold *fold)
{
    free(fold->is_folded);
    *fold = (struct fold){0};
}
