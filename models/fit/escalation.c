/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * escalation.c - the size from which times escalate.
 *
 * Idea:  go over the sizes in steps until a time is many times the one before; again with half the
 *        step below that size, and so on.
 */
#include <config.h>

#include "models/fit/scatter_gather.h"

/* One pass below *smallest, which it lowers when it can. */
static enum hitop_status go_over(const struct hitop_escalation *s, size_t stride, size_t *smallest,
                                 struct hitop_diag *diag)
{
    double before = 0, seconds = 0;

    for (size_t bytes = stride; bytes < *smallest; bytes += stride) {
        const enum hitop_status status = s->time(s->data, bytes, &seconds, diag);
        if (status != HITOP_OK) {
            return status;
        }
        if (bytes > stride && seconds >= s->factor * before) {
            *smallest = bytes;
        }
        before = seconds;
    }
    return HITOP_OK;
}

enum hitop_status hitop_escalation_find(const struct hitop_escalation *search, size_t *smallest,
                                        struct hitop_diag *diag)
{
    const struct hitop_escalation *s = search;
    size_t found = s->max_bytes;

    *smallest = 0;
    if (s->min_stride == 0 || s->first_stride < s->min_stride || !(s->factor > 1)) {
        return hitop_fail(
            diag, HITOP_ERR_INVALID,
            "escalation: strides from %zu down to %zu bytes must descend to 1 at least, "
            "the factor %g must be > 1",
            s->first_stride, s->min_stride, s->factor);
    }
    for (size_t stride = s->first_stride; stride >= s->min_stride; stride /= 2) {
        const enum hitop_status status = go_over(s, stride, &found, diag);
        if (status != HITOP_OK) {
            return status;
        }
        if (s->pass) {
            s->pass(s->data, stride, found);
        }
    }
    *smallest = found;
    return HITOP_OK;
}

size_t hitop_escalation_threshold(size_t smallest)
{
    return smallest < 1024 ? smallest : smallest - smallest % 1024;
}
