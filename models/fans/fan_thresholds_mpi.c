/* SPDX-License-Identifier: BSD-3-Clause */
/* fan_thresholds_mpi.c - the sizes at which one rank and all others change their ways, measured. */
#include <config.h>

#include "models/fans/fan_impl_mpi.h"
#include "models/transport/agree_mpi.h"

#include <stdlib.h>

/* Gathers of the search. */
struct search {
    const struct fan_source *from;
    double last; /* seconds of the size before */
};

static enum hitop_status time_gather(void *data, size_t bytes, double *seconds,
                                     struct hitop_diag *diag)
{
    struct search *s = data;
    struct hitop_point point;
    int over;
    enum hitop_status status = s->from->is_over(s->from->data, &over, diag);

    if (status == HITOP_OK && !over) {
        status = s->from->point(s->from->data, HITOP_FOUND_ESCALATION, bytes, &point, diag);
        if (status == HITOP_OK) {
            s->last = point.seconds;
        }
    }
    *seconds = s->last; /* without time nothing escalates any more */
    return status;
}

/* The smallest size that escalates, below the largest; 0 when none does. All ranks see the same
 * times, so that they search alike. */
static enum hitop_status find_escalation(const struct fan_source *from,
                                         const struct hitop_fan_request *request, size_t stride,
                                         size_t *escalated, struct hitop_diag *diag)
{
    const size_t largest = request->sizes[request->nsizes - 1];
    struct search search = {.from = from};
    const struct hitop_escalation escalation = {.max_bytes = largest,
                                                .first_stride = largest / 8,
                                                .min_stride = stride,
                                                .factor = HITOP_ESCALATION,
                                                .time = time_gather,
                                                .data = &search};
    const enum hitop_status status = hitop_escalation_find(&escalation, escalated, diag);

    *escalated = *escalated < largest ? *escalated : 0;
    return status;
}

/* Points are room for both curves. */
static enum hitop_status find(const struct fan_source *from,
                              const struct hitop_fan_request *request, size_t stride,
                              struct hitop_point *points, double *out, struct hitop_diag *diag)
{
    struct hitop_point *gathers = points + request->nsizes;
    struct hitop_curve scatter, gather;
    size_t escalated = 0;
    int n = 0;
    enum hitop_status status = hitop_fan_curves_from(from, request, points, gathers, &n, diag);

    if (status == HITOP_OK) {
        status = find_escalation(from, request, stride, &escalated, diag);
    }
    if (status == HITOP_OK) {
        scatter = (struct hitop_curve){points, (size_t)n};
        gather = (struct hitop_curve){gathers, (size_t)n};
        status = hitop_thresholds_fit(&scatter, &gather, escalated, out, diag);
    }
    return status;
}

/* Room for both curves; NULL after saying why. */
static struct hitop_point *make_room(const struct hitop_fan_request *request,
                                     struct hitop_diag *diag, enum hitop_status *status)
{
    struct hitop_point *points = NULL;

    *status = HITOP_OK;
    if (request->nsizes < 1) {
        *status = hitop_fail(diag, HITOP_ERR_INVALID, "fan: no sizes");
        return NULL;
    }
    points = calloc((size_t)request->nsizes, 2 * sizeof(*points));
    if (!points) {
        *status =
            hitop_fail(diag, HITOP_ERR_NOMEM, "fan: out of memory for %d sizes", request->nsizes);
    }
    return points;
}

enum hitop_status hitop_fan_thresholds(const struct hitop_common_clock *clock,
                                       const struct hitop_fan_request *request, size_t stride,
                                       double *out, struct hitop_diag *diag)
{
    struct fan_state state;
    struct fan_source from;
    enum hitop_status status;
    struct hitop_point *points = make_room(request, diag, &status);

    status = hitop_agree_mpi(hitop_common_clock_comm(clock), status, diag);
    if (status != HITOP_OK) {
        free(points);
        return status;
    }
    status = hitop_fan_measured(&state, clock, request, &from, diag);
    if (status == HITOP_OK) {
        status = find(&from, request, stride, points, out, diag);
    }
    free(state.used);
    free(points);
    return status;
}

static enum hitop_status is_never_over(void *data, int *over, struct hitop_diag *diag)
{
    (void)data;
    (void)diag;
    *over = 0;
    return HITOP_OK;
}

struct memory {
    const struct hitop_fan_request *request;
    char *used; /* [nknown] */
};

static enum hitop_status recall(void *data, enum hitop_finding_kind kind, size_t bytes,
                                struct hitop_point *out, struct hitop_diag *diag)
{
    const struct memory *m = data;

    return hitop_fan_recall_point(m->request, m->used, kind, bytes, out)
               ? HITOP_OK
               : hitop_fail(diag, HITOP_ERR_NOTFOUND, "fan: %s of %zu bytes is not known",
                            hitop_finding_name(kind), bytes);
}

enum hitop_status hitop_fan_recall(const struct hitop_fan_request *request, size_t stride,
                                   double *out, struct hitop_diag *diag)
{
    struct memory memory = {request, calloc((size_t)request->nknown + 1, 1)};
    const struct fan_source from = {is_never_over, recall, &memory};
    enum hitop_status status;
    struct hitop_point *points = make_room(request, diag, &status);

    if (status == HITOP_OK && !memory.used) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "fan: out of memory");
    }
    if (status == HITOP_OK) {
        status = find(&from, request, stride, points, out, diag);
    }
    free(points);
    free(memory.used);
    return status;
}
