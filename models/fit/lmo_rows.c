/* SPDX-License-Identifier: BSD-3-Clause */
/* lmo_rows.c - times of triples as times of single links. */
#include <config.h>

#include "models/fit/lmo_rows.h"

#include "hitop/status.h"

#include <math.h>
#include <stdlib.h>

static int compare_pairs(const struct lmo_row *x, const struct lmo_row *y)
{
    for (int k = 0; k < 2; k++) {
        if (x->pair[k] != y->pair[k]) {
            return x->pair[k] < y->pair[k] ? -1 : 1;
        }
    }
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static int compare_rows(const void *a, const void *b)
{
    const struct lmo_row *x = a, *y = b;
    const int order = compare_pairs(x, y);

    if (order != 0) {
        return order;
    }
    if (x->leader != y->leader) {
        return x->leader < y->leader ? -1 : 1;
    }
    return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

static int is_time(const struct hitop_lmo_time *t)
{
    return t->se > 0 && isfinite(t->se) && isfinite(t->seconds);
}

static void add(struct lmo_rows *rows, const struct hitop_lmo_times *t, int other, int leader,
                const struct hitop_lmo_time *time)
{
    const int to = t->to[other];

    rows->row[rows->n++] =
        (struct lmo_row){.pair = {t->from < to ? t->from : to, t->from < to ? to : t->from},
                         .link = t->link[other],
                         .bytes = t->bytes,
                         .leader = leader,
                         .seconds = time->seconds,
                         .se = time->se,
                         .trust = 1};
    rows->unit = fmax(rows->unit, (double)t->bytes);
    rows->longest = fmax(rows->longest, time->seconds);
}

enum hitop_status hitop_lmo_rows_fill(const struct hitop_lmo_times *times, size_t ntimes,
                                      struct lmo_rows *out, struct hitop_diag *diag)
{
    *out = (struct lmo_rows){
        .row = calloc(3 * ntimes + 1, sizeof(*out->row)), .unit = 1, .longest = 1e-12};
    if (!out->row) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "lmo: out of memory for %zu times", 3 * ntimes);
    }
    for (size_t i = 0; i < ntimes; i++) {
        const struct hitop_lmo_times *t = &times[i];
        const struct hitop_lmo_time *all[] = {&t->fan, &t->reply[0], &t->reply[1]};
        for (size_t k = 0; k < 3; k++) {
            if (!is_time(all[k])) {
                return hitop_fail(diag, HITOP_ERR_INVALID,
                                  "lmo: a time of %g s with standard error %g", all[k]->seconds,
                                  all[k]->se);
            }
        }
        add(out, t, 0, -1, &t->reply[0]);
        add(out, t, 1, -1, &t->reply[1]);
        add(out, t, t->reply[1].seconds > t->reply[0].seconds, t->from, &t->fan);
    }
    qsort(out->row, out->n, sizeof(*out->row), compare_rows);
    for (size_t i = 0; i < out->n; i = hitop_lmo_rows_end_of_link(out, i)) {
        out->nlinks++;
    }
    return HITOP_OK;
}

void hitop_lmo_rows_clear(struct lmo_rows *rows)
{
    free(rows->row);
    *rows = (struct lmo_rows){0};
}

size_t hitop_lmo_rows_end_of_link(const struct lmo_rows *rows, size_t first)
{
    size_t end = first + 1;

    while (end < rows->n && compare_pairs(&rows->row[first], &rows->row[end]) == 0) {
        end++;
    }
    return end;
}
