/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_piecewise.c - one line for each range of sizes, as MPI protocols change with the size.
 *
 * Formula:  T(m) = alpha_k + beta_k m   where bytes_k <= m < bytes_(k+1), during which sender
 *           and receiver are busy.
 * Units:    alpha in seconds, beta in seconds per byte, bytes in bytes.
 * Fit:      the number of lines and their places follow from the points (segments.c); a line begins
 *           at the smallest measured size that belongs to it.
 * Use:      MPI libraries copy short messages (eager) and do a handshake before long ones
 *           (rendezvous), which costs one more round trip.
 * Needs:    four different sizes on each line; with fewer, one line covers all sizes.
 */
#include <config.h>

#include "models/formulas/link_label.h"
#include "models/model/table.h"

#include <math.h>

enum { C_BYTES, C_ALPHA, C_BETA, NCOLUMNS };

static const struct hitop_param columns[NCOLUMNS] = {
    [C_BYTES] = {"bytes", "smallest message of the range", 0, 0, 1e15, "B"},
    [C_ALPHA] = {"alpha", "intercept in seconds", 1e-6, 0, 1000, "s"},
    [C_BETA] = {"beta", "seconds per byte", 1e-10, 0, 1, "s/B"},
};

static double piecewise_p2p(const struct hitop_terms *t, size_t bytes)
{
    const double *row = t->table + hitop_table_row(t, NCOLUMNS, (double)bytes) * NCOLUMNS;

    return row[C_ALPHA] + row[C_BETA] * (double)bytes;
}

/*
 * The largest size below the first line that begins at least half a round trip, the latency, above
 * the line before it: that line has a handshake.
 */
static size_t piecewise_eager(const struct hitop_terms *t)
{
    const double latency = piecewise_p2p(t, 0);

    for (size_t k = 1; k < t->nrows; k++) {
        const double *row = t->table + k * NCOLUMNS, *before = row - NCOLUMNS, at = row[C_BYTES];
        const double rise = row[C_ALPHA] - before[C_ALPHA] + (row[C_BETA] - before[C_BETA]) * at;
        if (rise >= latency) {
            return (size_t)at - 1;
        }
    }
    return HITOP_ALL_SIZES;
}

static enum hitop_status piecewise_fit(const struct hitop_evidence *e,
                                       const struct hitop_estimators *tools, struct hitop_fit *out,
                                       struct hitop_diag *diag)
{
    const struct hitop_curve *echo = &e->curve[HITOP_ECHO];
    struct hitop_segment segment[HITOP_MAX_SEGMENTS];
    enum hitop_status status =
        tools->segments(echo->points, echo->npoints, e->confidence, segment, &out->nrows, diag);

    if (status != HITOP_OK) {
        return status;
    }
    for (size_t k = 0; k < out->nrows; k++) {
        double *row = out->table + k * NCOLUMNS;
        row[C_BYTES] = k == 0 ? 0 : (double)echo->points[segment[k].first].bytes;
        row[C_ALPHA] = segment[k].line.a;
        row[C_BETA] = segment[k].line.b;
    }
    return HITOP_OK;
}

static void piecewise_label(const struct hitop_terms *t, char *out, size_t length)
{
    hitop_link_label(t->table[C_ALPHA], t->table[(t->nrows - 1) * NCOLUMNS + C_BETA], out, length);
}

const struct hitop_model_type hitop_model_piecewise = {
    .name = "piecewise",
    .summary = "T(m) = alpha_k + beta_k m, one line per range of sizes",
    .columns = columns,
    .ncolumns = NCOLUMNS,
    .p2p = piecewise_p2p,
    .eager = piecewise_eager,
    .needs = 1u << HITOP_ECHO,
    .fit = piecewise_fit,
    .label = piecewise_label,
};
