/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_guidelines.c - operations that are slower than others that could replace them;
 * comparisons.
 *
 * Idea:    an operation should not be slower than other operations of the same library that do the
 *          same, nor than itself with longer messages. It counts as slower if the intervals of both
 *          times do not overlap.
 * Source:  J. L. Traff, W. Gropp and R. Thakur, Self-consistent MPI performance guidelines, IEEE
 *          Transactions on Parallel and Distributed Systems 21 (2010).
 */
#include <config.h>

#include "tools/report/report_parts.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/*
 * `first` and then `second`, or `first` alone, can replace `operation` of m bytes. Their messages
 * have m bytes, or P m bytes (all blocks together) if `whole` is 1.
 */
static const struct guideline {
    const char *operation, *first, *second;
    int first_whole, second_whole;
} guidelines[] = {
    {"scatter", "broadcast", NULL, 1, 0},       {"gather", "allgather", NULL, 0, 0},
    {"scatter", "alltoall", NULL, 0, 0},        {"gather", "alltoall", NULL, 0, 0},
    {"allgather", "alltoall", NULL, 0, 0},      {"reduce", "allreduce", NULL, 0, 0},
    {"broadcast", "allreduce", NULL, 0, 0},     {"allreduce", "reduce", "broadcast", 0, 0},
    {"allgather", "gather", "broadcast", 0, 1},
};

/* 1: two curves were measured on as many ranks and hosts, with the same settings. */
static int are_comparable(const struct results_curve *a, const struct results_curve *b)
{
    return a->ranks == b->ranks && a->hosts == b->hosts &&
           hitop_results_is_same_text(a->implementation, b->implementation) &&
           hitop_results_is_same_text(a->cache, b->cache) &&
           hitop_results_is_same_text(a->arrival, b->arrival) &&
           !(a->interval < b->interval || a->interval > b->interval);
}

/* The point of an operation with the settings of the curve `like`; NULL: it was not measured. */
static const struct results_point *find(const struct results *r, const struct results_curve *like,
                                        const char *operation, size_t bytes)
{
    for (int i = 0; i < r->ncurves; i++) {
        const struct results_curve *c = &r->curves[i];
        const struct results_point *p =
            strcmp(c->operation, operation) == 0 && are_comparable(c, like)
                ? hitop_results_find_point(c, bytes)
                : NULL;
        if (p) {
            return p;
        }
    }
    return NULL;
}

/* A time without an interval breaks no guideline, because it may have any value. */
static double upper_end(const struct results_point *p)
{
    return isfinite(p->time.hi) ? p->time.hi : HUGE_VAL;
}

static double lower_end(const struct results_point *p)
{
    return isfinite(p->time.lo) ? p->time.lo : 0;
}

/* Rows of the table; its head is written before the first row. */
struct findings {
    struct guide *guide;
    int n;
};

static void add_row(struct findings *f, const struct results_curve *c,
                    const struct results_point *p, const char *by, double other)
{
    struct page *page = &f->guide->page;

    if (f->n++ == 0) {
        page_table(page, "", "lrrrlrr",
                   "operation|ranks|size|time|could be done by|in|times slower");
    }
    page_cells(page, "%s|%d|%B|%T|%s|%T|%2", report_operation_of(c->operation).title, c->ranks,
               p->bytes, p->time.median, by, other, p->time.median / other);
}

/* The size of the replacing message; SIZE_MAX, which no point has, if it is too large. */
static size_t size_for(const struct results_curve *c, size_t bytes, int whole)
{
    const size_t ranks = whole ? (size_t)c->ranks : 1;

    return bytes <= SIZE_MAX / ranks ? bytes * ranks : SIZE_MAX;
}

static void try_guideline(struct findings *f, const struct results_curve *c,
                          const struct results_point *p, const struct guideline *g)
{
    const struct results *r = f->guide->report;
    const struct results_point *first = find(r, c, g->first, size_for(c, p->bytes, g->first_whole));
    const struct results_point *second =
        g->second ? find(r, c, g->second, size_for(c, p->bytes, g->second_whole)) : NULL;
    char by[64];

    if (!first || (g->second && !second) ||
        lower_end(p) <= upper_end(first) + (second ? upper_end(second) : 0)) {
        return;
    }
    (void)snprintf(by, sizeof(by), "%s%s%s%s", report_operation_of(g->first).title,
                   g->first_whole ? " of all blocks" : "", second ? ", then " : "",
                   second ? report_operation_of(g->second).title : "");
    add_row(f, c, p, by, first->time.median + (second ? second->time.median : 0));
}

static void try_curve(struct findings *f, const struct results_curve *c)
{
    for (int i = 0; i < c->npoints; i++) {
        const struct results_point *p = &c->points[i];
        for (size_t g = 0; g < sizeof(guidelines) / sizeof(guidelines[0]); g++) {
            if (strcmp(guidelines[g].operation, c->operation) == 0) {
                try_guideline(f, c, p, &guidelines[g]);
            }
        }
        if (i + 1 < c->npoints && lower_end(p) > upper_end(p + 1)) {
            char by[64], size[32];
            (void)snprintf(by, sizeof(by), "the same of %s", page_size(p[1].bytes, size));
            add_row(f, c, p, by, p[1].time.median);
        }
    }
}

void write_guidelines(struct guide *guide)
{
    struct findings f = {guide, 0};
    struct page *page = &guide->page;

    for (int i = 0; i < guide->report->ncurves; i++) {
        try_curve(&f, &guide->report->curves[i]);
    }
    if (f.n > 0) {
        page_table_end(page);
    } else {
        page_words(page, "Nothing of the kind was found among what was measured.");
    }
}

/* Two implementations side by side, with a verdict. */

void write_comparisons(struct guide *guide)
{
    const struct results *r = guide->report;
    struct page *page = &guide->page;

    page_table(page, "", "lrrllrrl", "operation|ranks|size|a|b|time b / a|interval|b is");
    for (int i = 0; i < r->ncomparisons; i++) {
        const struct results_comparison *c = &r->comparisons[i];
        page_cells(page, c->hi > c->lo ? "%s|%d|%B|%s|%s|%3|%3 to %3" : "%s|%d|%B|%s|%s|%3|%3",
                   report_operation_of(c->operation).title, c->ranks, c->bytes, c->a, c->b,
                   c->ratio, isfinite(c->hi) ? c->lo : NAN, c->hi);
        page_cells(page, "%s", c->verdict);
    }
    page_table_end(page);
}
