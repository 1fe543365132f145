/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_lininterp.c - measured times, joined by straight lines.
 *
 * Formula:  T(m) is interpolated between the measured sizes next to m. Below the smallest size it
 *           is constant; above the largest the last line continues. Sender and receiver are busy
 *           during T(m).
 * Units:    bytes in bytes, time in seconds.
 * Fit:      the measured medians, adjusted so that they ascend (hitop_table_ascend()).
 * Use:      the reference for other formulas, and for links that no formula describes.
 * Source:   CPM's LinInterp.
 */
#include <config.h>

#include "models/formulas/link_label.h"
#include "models/model/table.h"

enum { C_BYTES, C_TIME, NCOLUMNS };

static const struct hitop_param columns[NCOLUMNS] = {
    [C_BYTES] = {"bytes", "message size", 0, 0, 1e15, "B"},
    [C_TIME] = {"time", "one-way time in seconds", 1e-6, 0, 1e6, "s"},
};

static double lininterp_p2p(const struct hitop_terms *t, size_t bytes)
{
    return hitop_table_interpolate(t, NCOLUMNS, C_TIME, (double)bytes);
}

static enum hitop_status lininterp_fit(const struct hitop_evidence *e,
                                       const struct hitop_estimators *tools, struct hitop_fit *out,
                                       struct hitop_diag *diag)
{
    const struct hitop_curve *echo = &e->curve[HITOP_ECHO];

    (void)tools;
    if (echo->npoints == 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "lininterp: no size was measured");
    }
    for (size_t i = 0; i < echo->npoints; i++) {
        out->table[i * NCOLUMNS + C_BYTES] = (double)echo->points[i].bytes;
        out->table[i * NCOLUMNS + C_TIME] = echo->points[i].seconds;
    }
    out->nrows = echo->npoints;
    hitop_table_ascend(out->table, out->nrows, NCOLUMNS, C_TIME);
    return HITOP_OK;
}

static void lininterp_label(const struct hitop_terms *t, char *out, size_t length)
{
    const double *last = t->table + (t->nrows - 1) * NCOLUMNS;

    hitop_link_label(t->table[C_TIME], last[C_BYTES] > 0 ? last[C_TIME] / last[C_BYTES] : 0, out,
                     length);
}

const struct hitop_model_type hitop_model_lininterp = {
    .name = "lininterp",
    .summary = "T(m) interpolated between the measured sizes",
    .columns = columns,
    .ncolumns = NCOLUMNS,
    .p2p = lininterp_p2p,
    .needs = 1u << HITOP_ECHO,
    .fit = lininterp_fit,
    .label = lininterp_label,
};
