/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_merge_match.c - whether results are launches of one set-up.
 *
 * All must have measured the same operations among the same ranks in the same way: what differs is told and refused,
 * because the interval of a mixture would be one of nothing.
 */
#include <config.h>

#include "tools/report/report_merge.h"

#include <string.h>

const struct report_curve *merge_find_curve(const struct report *r, const struct report_curve *like)
{
    for (int i = 0; i < r->ncurves; i++) {
        if (r->curves[i].again == like->again && report_is_same_curve(&r->curves[i], like)) {
            return &r->curves[i];
        }
    }
    return NULL;
}

const struct report_point *merge_find_point(const struct report_curve *c, size_t bytes)
{
    for (int i = 0; i < c->npoints; i++) {
        if (c->points[i].bytes == bytes) {
            return &c->points[i];
        }
    }
    return NULL;
}

/* Everything that `all` has `r` has, too. */
static enum hitop_status check_curves(const struct report *r, const char *name,
                                      const struct report *all, const char *all_name,
                                      struct hitop_diag *diag)
{
    for (int i = 0; i < all->ncurves; i++) {
        const struct report_curve *c = &all->curves[i];
        if (!merge_find_curve(r, c)) {
            return hitop_fail(diag, HITOP_ERR_FORMAT,
                              "%s: no %.60s by %.60s among %d ranks with the settings of %s: not "
                              "launches of one set-up",
                              name, c->operation, c->implementation, c->ranks, all_name);
        }
    }
    return HITOP_OK;
}

/* One launch given twice would tell that launches do not differ. A simulation has no date, and no noise. */
static int is_same_launch(const struct report *a, const struct report *b)
{
    const char *date = facts_find(a, "date");

    if (!date || !*date || !report_is_same_text(date, facts_find(b, "date"))) {
        return 0;
    }
    for (int i = 0; i < a->ncurves; i++) {
        const struct report_curve *x = &a->curves[i], *y = merge_find_curve(b, x);
        for (int k = 0; k < x->npoints; k++) {
            const struct report_point *p = merge_find_point(y, x->points[k].bytes);
            if (!p || p->time.median < x->points[k].time.median ||
                p->time.median > x->points[k].time.median) {
                return 0;
            }
        }
    }
    return 1;
}

enum hitop_status merge_check_set_ups(struct report *const *launch, const struct report_input *in,
                                      int n, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (int i = 1; i < n && status == HITOP_OK; i++) {
        status = facts_compare(launch[i], in[i].name, launch[0], in[0].name, diag);
        if (status == HITOP_OK) {
            status = check_curves(launch[i], in[i].name, launch[0], in[0].name, diag);
        }
        if (status == HITOP_OK) {
            status = check_curves(launch[0], in[0].name, launch[i], in[i].name, diag);
        }
        for (int k = 0; k < i && status == HITOP_OK; k++) {
            if (is_same_launch(launch[k], launch[i])) {
                status = hitop_fail(diag, HITOP_ERR_FORMAT, "%s: the same launch as %s", in[i].name,
                                    in[k].name);
            }
        }
    }
    return status;
}
