/* SPDX-License-Identifier: BSD-3-Clause */
/* fan_thresholds_mpi.c - the sizes at which one rank and all others change their ways, measured. */
#include <config.h>

#include "agree_mpi.h"
#include "fan_impl_mpi.h"

#include <stdlib.h>

/* One size of the search. */
struct search {
    const struct hitop_common_clock *clock;
    struct hitop_fan_request request;
    double deadline;
    double last; /* seconds of the size before */
};

static enum hitop_status time_gather(void *data, size_t bytes, double *seconds,
                                     struct hitop_diag *diag)
{
    struct search *s = data;
    struct hitop_point point;
    int over;
    enum hitop_status status = fan_is_over(s->clock, s->deadline, &over, diag);

    if (status == HITOP_OK && !over) {
        status = hitop_fan_time(s->clock, &s->request, HITOP_FAN_IN, bytes, &point, diag);
        s->last = point.seconds;
    }
    *seconds = s->last; /* without time nothing escalates any more */
    return status;
}

/* The smallest size that escalates, below the largest; 0 when none does. All ranks see the same times, so that
 * they search alike. */
static enum hitop_status find_escalation(const struct hitop_common_clock *clock,
                                         const struct hitop_fan_request *request, size_t stride,
                                         double deadline, size_t *escalated,
                                         struct hitop_diag *diag)
{
    const size_t largest = request->sizes[request->nsizes - 1];
    struct search search = {.clock = clock, .request = *request, .deadline = deadline};
    const struct hitop_escalation escalation = {.max_bytes = largest,
                                                .first_stride = largest / 8,
                                                .min_stride = stride,
                                                .factor = 10,
                                                .time = time_gather,
                                                .data = &search};
    enum hitop_status status;

    search.request.timing.by_mean = 1;
    status = hitop_escalation_find(&escalation, escalated, diag);
    *escalated = *escalated < largest ? *escalated : 0;
    return status;
}

enum hitop_status hitop_fan_thresholds(const struct hitop_common_clock *clock,
                                       const struct hitop_fan_request *request, size_t stride,
                                       double *out, struct hitop_diag *diag)
{
    const size_t n = request->nsizes > 0 ? (size_t)request->nsizes : 0;
    struct hitop_point *points;
    const double deadline = fan_deadline(clock, request);
    struct hitop_curve scatter, gather;
    size_t escalated = 0;
    int nmeasured = 0;
    enum hitop_status status = HITOP_OK;

    if (n == 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "fan: no sizes");
    }
    points = calloc(n, 2 * sizeof(*points));
    if (!points) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "fan: out of memory for %zu sizes", n);
    }
    status = agree_mpi(hitop_common_clock_comm(clock), status, diag);
    if (status == HITOP_OK) {
        status = hitop_fan_curves(clock, request, points, points + n, &nmeasured, diag);
    }
    if (status == HITOP_OK) {
        status = find_escalation(clock, request, stride, deadline, &escalated, diag);
    }
    if (status == HITOP_OK) {
        scatter = (struct hitop_curve){points, (size_t)nmeasured};
        gather = (struct hitop_curve){points + n, (size_t)nmeasured};
        status = hitop_thresholds_fit(&scatter, &gather, escalated, out, diag);
    }
    free(points);
    return status;
}
