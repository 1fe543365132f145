/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock_renew_mpi.c - lines follow their clocks.
 *
 * Idea:  the difference between a rank's common time and the clock of rank 0 is a new point of the
 *        line from this rank's clock to that of rank 0. New points replace the first line by and
 *        by: it counts as three points, at the ends and in the middle of its span, with the weight
 *        of the offsets of its fit.
 */
#include <config.h>

#include "models/clock/clock_impl_mpi.h"
#include "models/transport/agree_mpi.h"

#include <math.h>
#include <string.h>

/* The errors of so many offsets of the first line make that of one point, in which they lie. */
static const double as_many = 16;

static void keep(struct clock_sights *s, double at, double offset, double error)
{
    if (s->n == CLOCK_SIGHTS) {
        s->n--;
        memmove(s->at, s->at + 1, (size_t)s->n * sizeof(*s->at));
    }
    s->at[s->n++] = (struct hitop_clock_offset){.at = at, .offset = offset, .error = error};
}

/* Fit a new line with the difference of this rank as another point; if the fit fails, keep the old
 * line. */
static void follow(struct hitop_common_clock *c, const struct hitop_clock_offset *residual,
                   struct hitop_clock_line *line)
{
    const double at = hitop_clock_line_invert(line, residual->at);
    struct hitop_clock_line found;

    for (int i = 0; i < 3 && c->sights.n <= i; i++) {
        const double then = line->at + i * c->span / 2;
        keep(&c->sights, then, hitop_clock_line_apply(line, then) - then,
             residual->error / sqrt(as_many));
    }
    keep(&c->sights, at, residual->at + residual->offset - at, residual->error);
    if (hitop_clock_line_fit(c->sights.at, c->sights.n, &found, NULL) == HITOP_OK) {
        *line = found;
    }
}

enum hitop_status hitop_common_clock_renew(struct hitop_common_clock *c, struct hitop_diag *diag)
{
    struct hitop_clock_offset residual;
    struct hitop_clock_line line = c->reader.line;
    enum hitop_status status;

    if (c->source == HITOP_CLOCK_NONE) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "clock: clocks have not been compared");
    }
    if (!c->learns) {
        return HITOP_OK;
    }
    status = hitop_clock_find_residual(c, c->own, &residual, diag);
    if (status != HITOP_ERR_MPI) {
        status = hitop_agree_mpi(c->comm, status, diag);
    }
    if (status != HITOP_OK) {
        return status;
    }
    if (c->source == HITOP_CLOCK_LEARNT) {
        follow(c, &residual, &line);
    }
    return hitop_clock_share_line(c, &line, diag);
}
