/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fan_curves_mpi.c - times of one rank with all others at several sizes, measured unless they are
 * known.
 */
#include <config.h>

#include "models/fans/fan_impl_mpi.h"
#include "models/transport/agree_mpi.h"

#include <stdlib.h>

int hitop_fan_recall_point(const struct hitop_fan_request *request, char *used,
                           enum hitop_finding_kind kind, size_t bytes, struct hitop_point *out)
{
    for (int i = 0; i < request->nknown; i++) {
        const struct hitop_finding *f = &request->known[i];
        if (!used[i] && f->kind == kind && f->point.bytes == bytes) {
            *out = f->point;
            used[i] = 1;
            return 1;
        }
    }
    return 0;
}

/* Rank 0 keeps a point that a later run can take as it is. */
static enum hitop_status keep(const struct fan_state *c, enum hitop_finding_kind kind,
                              const struct hitop_point *p, struct hitop_diag *diag)
{
    const struct hitop_finding finding = {.kind = kind, .point = *p};
    const MPI_Comm comm = hitop_common_clock_comm(c->clock);
    enum hitop_status status = HITOP_OK;
    int rank;

    (void)MPI_Comm_rank(comm, &rank);
    if (!c->request->keep) {
        return HITOP_OK;
    }
    if (rank == 0) {
        status = c->request->keep(c->request->keep_data, &finding, diag);
    }
    return hitop_agree_mpi(comm, status, diag);
}

static enum hitop_status is_over(void *data, int *over, struct hitop_diag *diag)
{
    const struct fan_state *c = data;
    const struct hitop_clock *local = hitop_common_clock_local(c->clock);

    *over = c->deadline > 0 && local->now(local->self) > c->deadline;
    return hitop_transport_check(MPI_Bcast(over, 1, MPI_INT, 0, hitop_common_clock_comm(c->clock)),
                                 "agreeing on time", diag);
}

static enum hitop_status point(void *data, enum hitop_finding_kind kind, size_t bytes,
                               struct hitop_point *out, struct hitop_diag *diag)
{
    const struct fan_state *c = data;
    struct hitop_fan_request request = *c->request;
    enum hitop_status status;

    if (hitop_fan_recall_point(c->request, c->used, kind, bytes, out)) {
        return HITOP_OK;
    }
    request.timing.by_mean = request.timing.by_mean || kind == HITOP_FOUND_ESCALATION;
    status = hitop_fan_time(c->clock, &request,
                            kind == HITOP_FOUND_SCATTER ? HITOP_FAN_OUT : HITOP_FAN_IN, bytes, out,
                            diag);
    return status == HITOP_OK ? keep(c, kind, out, diag) : status;
}

enum hitop_status hitop_fan_measured(struct fan_state *state,
                                     const struct hitop_common_clock *clock,
                                     const struct hitop_fan_request *request,
                                     struct fan_source *out, struct hitop_diag *diag)
{
    const struct hitop_clock *local = hitop_common_clock_local(clock);
    enum hitop_status status = HITOP_OK;

    *state = (struct fan_state){.clock = clock, .request = request};
    state->used = calloc((size_t)request->nknown + 1, 1);
    if (!state->used) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "fan: out of memory");
    }
    state->deadline = request->budget > 0 ? local->now(local->self) + request->budget : 0;
    *out = (struct fan_source){is_over, point, state};
    return hitop_agree_mpi(hitop_common_clock_comm(clock), status, diag);
}

enum hitop_status hitop_fan_curves_from(const struct fan_source *from,
                                        const struct hitop_fan_request *request,
                                        struct hitop_point *scatter, struct hitop_point *gather,
                                        int *nmeasured, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    int over = 0;

    *nmeasured = 0;
    for (int i = 0; i < request->nsizes && !over && status == HITOP_OK; i++) {
        status = from->point(from->data, HITOP_FOUND_SCATTER, request->sizes[i], &scatter[i], diag);
        if (status == HITOP_OK) {
            status =
                from->point(from->data, HITOP_FOUND_GATHER, request->sizes[i], &gather[i], diag);
        }
        if (status == HITOP_OK) {
            *nmeasured = i + 1;
            status = from->is_over(from->data, &over, diag);
        }
    }
    return status;
}

enum hitop_status hitop_fan_curves(const struct hitop_common_clock *clock,
                                   const struct hitop_fan_request *request,
                                   struct hitop_point *scatter, struct hitop_point *gather,
                                   int *nmeasured, struct hitop_diag *diag)
{
    struct fan_state state;
    struct fan_source from;
    enum hitop_status status = hitop_fan_measured(&state, clock, request, &from, diag);

    *nmeasured = 0;
    if (status == HITOP_OK) {
        status = hitop_fan_curves_from(&from, request, scatter, gather, nmeasured, diag);
    }
    free(state.used);
    return status;
}
