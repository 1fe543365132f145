/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collapse.c - choose what is collapsed in a drawing that would be too long.
 *
 * Inner levels are collapsed before outer ones, because outer groups matter more to readers; deep
 * levels are left out last. Collapsed levels are expanded again if they fit: of 125 alike racks one
 * is drawn, with each of its 16 hosts.
 */
#include <config.h>

#include "hierarchy/draw/collapse.h"

/* Deeper levels are not expanded again. */
enum { MOST_EXPANDED = 64 };

int hitop_collapse_is_open(const struct collapse *collapse, const struct element *x)
{
    return x->nchildren > 0 && x->depth < collapse->depth;
}

int hitop_collapse_joins(const struct collapse *collapse, const struct element *x)
{
    return collapse->is_collapsed[x->depth] || (collapse->collapses_hosts && x->is_host);
}

int hitop_collapse_is_drawn(const struct collapse *collapse, const struct elements *e, int index)
{
    return !hitop_collapse_joins(collapse, &e->at[index]) || e->at[index].first_alike == index;
}

/* Number of lines of the drawing. */
static int count_rows(const struct collapse *collapse, struct elements *e)
{
    for (int i = e->n - 1; i >= 0; i--) {
        struct element *x = &e->at[i];

        x->rows = hitop_collapse_is_open(collapse, x) ? 0 : 1;
        for (int k = 0; k < x->nchildren && hitop_collapse_is_open(collapse, x); k++) {
            if (hitop_collapse_is_drawn(collapse, e, x->first_child + k)) {
                x->rows += e->at[x->first_child + k].rows;
            }
        }
    }
    return e->at[0].rows;
}

/* Collapse what is deeper than depth; returns the number of lines. */
static int rows_collapsed_below(struct collapse *collapse, struct elements *e, int depth)
{
    for (int d = 0; d <= e->depth; d++) {
        collapse->is_collapsed[d] = (char)(d > depth);
    }
    return count_rows(collapse, e);
}

/* Collapse below the largest depth that keeps the limit; below 0 if none does. */
static void choose_collapsed(struct collapse *collapse, struct elements *e, int max_leaves)
{
    int low = 0, high = e->depth;

    while (low < high) {
        const int middle = low + (high - low + 1) / 2;
        if (rows_collapsed_below(collapse, e, middle) <= max_leaves) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    (void)rows_collapsed_below(collapse, e, low);
}

static void choose_depth(struct collapse *collapse, struct elements *e, int max_leaves)
{
    int low = 1, high = collapse->depth;

    if (count_rows(collapse, e) <= max_leaves) {
        return;
    }
    while (low < high) {
        const int middle = low + (high - low + 1) / 2;
        collapse->depth = middle;
        if (count_rows(collapse, e) <= max_leaves) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    collapse->depth = low;
}

static void expand(struct collapse *collapse, struct elements *e, int max_leaves)
{
    for (int d = 1; d <= e->depth && d <= MOST_EXPANDED; d++) {
        if (collapse->is_collapsed[d]) {
            collapse->is_collapsed[d] = 0;
            collapse->is_collapsed[d] = count_rows(collapse, e) > max_leaves;
        }
    }
}

void hitop_collapse_choose(struct collapse *collapse, struct elements *e,
                           const struct hitop_drawing_limits *limits, struct storage *storage)
{
    const int depth = limits->depth, max_leaves = limits->max_leaves;

    collapse->depth = depth > 0 && depth < e->depth ? depth : e->depth;
    if (!STORAGE_ARRAY(storage, collapse->is_collapsed, e->depth)) {
        return;
    }
    if (max_leaves > 0 && limits->hosts_only) {
        collapse->collapses_hosts = count_rows(collapse, e) > max_leaves;
    } else if (max_leaves > 0 && count_rows(collapse, e) > max_leaves) {
        choose_collapsed(collapse, e, max_leaves);
        choose_depth(collapse, e, max_leaves);
        expand(collapse, e, max_leaves);
    }
    (void)count_rows(collapse, e);
}
