/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fan_mpi.c - measure linear scatter and gather at several sizes, and find the sizes at which their
 * times change.
 */
#include <config.h>

#include "models/fans/fan_mpi.h"

#include "models/transport/agree_mpi.h"
#include "models/transport/transport_impl_mpi.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* Tags that clock_learn_mpi.c does not use. */
enum { TAG_THERE = 11, TAG_BACK };

struct traffic {
    MPI_Comm comm;
    int rank, size, root, bytes;
    struct hitop_payload *payload;
};

static int send(const struct traffic *f, int to, int bytes, int tag)
{
    return MPI_Send(hitop_payload_next(f->payload, (size_t)bytes), bytes, MPI_BYTE, to, tag,
                    f->comm);
}

static int receive(const struct traffic *f, int from, int bytes, int tag)
{
    return MPI_Recv(hitop_payload_next(f->payload, (size_t)bytes), bytes, MPI_BYTE, from, tag,
                    f->comm, MPI_STATUS_IGNORE);
}

/* Send to all others, or receive from them, in the order of ranks. */
static int all_others(const struct traffic *f, int sends, int bytes, int tag)
{
    int code = MPI_SUCCESS;

    for (int i = 0; i < f->size && code == MPI_SUCCESS; i++) {
        if (i != f->root) {
            code = sends ? send(f, i, bytes, tag) : receive(f, i, bytes, tag);
        }
    }
    return code;
}

static int fan_out(void *data)
{
    const struct traffic *f = data;
    int code;

    if (f->rank == f->root) {
        code = all_others(f, 1, f->bytes, TAG_THERE);
        return code == MPI_SUCCESS ? all_others(f, 0, 0, TAG_BACK) : code;
    }
    code = receive(f, f->root, f->bytes, TAG_THERE);
    return code == MPI_SUCCESS ? send(f, f->root, 0, TAG_BACK) : code;
}

static int fan_in(void *data)
{
    const struct traffic *f = data;

    return f->rank == f->root ? all_others(f, 0, f->bytes, TAG_THERE)
                              : send(f, f->root, f->bytes, TAG_THERE);
}

static void flush(void *data)
{
    const struct traffic *f = data;

    hitop_payload_flush(f->payload);
}

/* Use the payload of the request; if there is none, create a hot one, which *own receives. */
static enum hitop_status prepare_payload(struct traffic *f, struct hitop_payload **own,
                                         struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    if (!f->payload) {
        status = hitop_payload_new(HITOP_CACHE_HOT, 0, own, diag);
        f->payload = *own;
    }
    if (status == HITOP_OK) {
        status = hitop_payload_reserve(f->payload, (size_t)f->bytes, diag);
    }
    return hitop_agree_mpi(f->comm, status, diag);
}

/* Time scatter or gather at one size. Collective. */
static enum hitop_status time_point(const struct hitop_common_clock *clock,
                                    const struct hitop_fan_request *request,
                                    enum hitop_finding_kind kind, size_t bytes,
                                    struct hitop_point *out, struct hitop_diag *diag)
{
    struct traffic f = {
        .comm = hitop_common_clock_comm(clock), .root = request->root, .payload = request->payload};
    const struct hitop_timed operation = {.operate = kind == HITOP_FOUND_SCATTER ? fan_out : fan_in,
                                          .data = &f,
                                          .ends_at = request->root,
                                          .root = request->root};
    struct hitop_timing_options options = request->timing;
    struct hitop_collective_time time = {0};
    struct hitop_payload *own = NULL;
    enum hitop_status status;

    (void)MPI_Comm_rank(f.comm, &f.rank);
    (void)MPI_Comm_size(f.comm, &f.size);
    if (bytes > INT_MAX || f.size < 2) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "fan: %zu bytes among %d ranks; at most %d, among two or more", bytes,
                          f.size, INT_MAX);
    }
    f.bytes = (int)bytes;
    status = prepare_payload(&f, &own, diag);
    if (status == HITOP_OK && hitop_payload_cache(f.payload) == HITOP_CACHE_COLD) {
        options.before = flush;
        options.before_data = &f;
    }
    options.by_mean = options.by_mean || kind == HITOP_FOUND_ESCALATION;
    if (status == HITOP_OK) {
        status = hitop_collective_time(clock, &operation, &options, &time, diag);
    }
    if (status == HITOP_OK) {
        *out = (struct hitop_point){.bytes = bytes,
                                    .seconds = time.seconds,
                                    .se = fmax(time.se, 1e-3 * time.seconds),
                                    .lo = time.lo,
                                    .hi = time.hi,
                                    .nsamples = time.nsamples,
                                    .converged = time.converged};
    }
    hitop_payload_free(own);
    return status;
}

/* State of a request: points are measured unless the request contains them. */
struct fan {
    const struct hitop_common_clock *clock;
    const struct hitop_fan_request *request;
    double deadline; /* by the clock of rank 0; 0: none */
    char *used;      /* [nknown] 1: used before; a search measures some sizes more than once */
};

/* Find a known point that was not used before; 0: there is none. */
static int recall(const struct fan *f, enum hitop_finding_kind kind, size_t bytes,
                  struct hitop_point *out)
{
    for (int i = 0; i < f->request->nknown; i++) {
        const struct hitop_finding *known = &f->request->known[i];
        if (!f->used[i] && known->kind == kind && known->point.bytes == bytes) {
            *out = known->point;
            f->used[i] = 1;
            return 1;
        }
    }
    return 0;
}

/* Let rank 0 keep a point for a later run. Collective. */
static enum hitop_status keep(const struct fan *f, enum hitop_finding_kind kind,
                              const struct hitop_point *p, struct hitop_diag *diag)
{
    const struct hitop_finding finding = {.kind = kind, .point = *p};
    const MPI_Comm comm = hitop_common_clock_comm(f->clock);
    enum hitop_status status = HITOP_OK;
    int rank;

    if (!f->request->keep) {
        return HITOP_OK;
    }
    (void)MPI_Comm_rank(comm, &rank);
    if (rank == 0) {
        status = f->request->keep(f->request->keep_data, &finding, diag);
    }
    return hitop_agree_mpi(comm, status, diag);
}

static enum hitop_status find_point(const struct fan *f, enum hitop_finding_kind kind, size_t bytes,
                                    struct hitop_point *out, struct hitop_diag *diag)
{
    enum hitop_status status;

    if (recall(f, kind, bytes, out)) {
        return HITOP_OK;
    }
    status = time_point(f->clock, f->request, kind, bytes, out, diag);
    return status == HITOP_OK ? keep(f, kind, out, diag) : status;
}

/* Whether rank 0 begins no further point: the deadline, or an interruption; on all ranks alike. */
static enum hitop_status is_over(const struct fan *f, int *over, struct hitop_diag *diag)
{
    const struct hitop_fan_request *r = f->request;
    const struct hitop_clock *local = hitop_common_clock_local(f->clock);
    const MPI_Comm comm = hitop_common_clock_comm(f->clock);
    int rank;

    (void)MPI_Comm_rank(comm, &rank);
    *over = (f->deadline > 0 && local->now(local->self) > f->deadline) ||
            (rank == 0 && r->interrupted && r->interrupted(r->interrupted_data));
    return hitop_transport_check(MPI_Bcast(over, 1, MPI_INT, 0, comm), "agreeing on time", diag);
}

/* Collective; used is for free(), also on failure. */
static enum hitop_status begin(struct fan *f, const struct hitop_common_clock *clock,
                               const struct hitop_fan_request *request, struct hitop_diag *diag)
{
    const struct hitop_clock *local = hitop_common_clock_local(clock);

    *f = (struct fan){.clock = clock,
                      .request = request,
                      .deadline =
                          request->budget > 0 ? local->now(local->self) + request->budget : 0,
                      .used = calloc((size_t)request->nknown + 1, 1)};
    return hitop_agree_mpi(
        hitop_common_clock_comm(clock),
        f->used ? HITOP_OK : hitop_fail(diag, HITOP_ERR_NOMEM, "fan: out of memory"), diag);
}

static enum hitop_status find_curves(const struct fan *f, struct hitop_point *scatter,
                                     struct hitop_point *gather, int *n, struct hitop_diag *diag)
{
    const size_t *sizes = f->request->sizes;
    enum hitop_status status = HITOP_OK;
    int over = 0;

    for (*n = 0; *n < f->request->nsizes && !over && status == HITOP_OK; ++*n) {
        status = find_point(f, HITOP_FOUND_SCATTER, sizes[*n], &scatter[*n], diag);
        if (status == HITOP_OK) {
            status = find_point(f, HITOP_FOUND_GATHER, sizes[*n], &gather[*n], diag);
        }
        if (status == HITOP_OK) {
            status = is_over(f, &over, diag);
        }
    }
    return status;
}

enum hitop_status hitop_fan_curves(const struct hitop_common_clock *clock,
                                   const struct hitop_fan_request *request,
                                   struct hitop_point *scatter, struct hitop_point *gather,
                                   int *nmeasured, struct hitop_diag *diag)
{
    struct fan f;
    enum hitop_status status = begin(&f, clock, request, diag);

    *nmeasured = 0;
    if (status == HITOP_OK) {
        status = find_curves(&f, scatter, gather, nmeasured, diag);
    }
    free(f.used);
    return status;
}

/* State of the search for an escalation. */
struct search {
    const struct fan *f;
    double last; /* seconds of the previous size */
    int is_over; /* sizes were left out */
};

static enum hitop_status time_gather(void *data, size_t bytes, double *seconds,
                                     struct hitop_diag *diag)
{
    struct search *s = data;
    struct hitop_point point;
    int over;
    enum hitop_status status = is_over(s->f, &over, diag);

    s->is_over = s->is_over || over;

    if (status == HITOP_OK && !over) {
        status = find_point(s->f, HITOP_FOUND_ESCALATION, bytes, &point, diag);
        s->last = status == HITOP_OK ? point.seconds : s->last;
    }
    *seconds = s->last; /* after the deadline no size escalates */
    return status;
}

/*
 * Find the smallest size that escalates, below the largest one; 0 when none does. All ranks have
 * the same times, so their searches take the same steps.
 */
static enum hitop_status find_escalation(const struct fan *f, size_t stride, size_t *escalated,
                                         int *is_over, struct hitop_diag *diag)
{
    const size_t largest = f->request->sizes[f->request->nsizes - 1];
    struct search search = {.f = f};
    const struct hitop_escalation escalation = {.max_bytes = largest,
                                                .first_stride = largest / 8,
                                                .min_stride = stride,
                                                .factor = HITOP_ESCALATION,
                                                .time = time_gather,
                                                .data = &search};
    const enum hitop_status status = hitop_escalation_find(&escalation, escalated, diag);

    *escalated = *escalated < largest ? *escalated : 0;
    *is_over = search.is_over;
    return status;
}

enum hitop_status hitop_fan_thresholds(const struct hitop_common_clock *clock,
                                       const struct hitop_fan_request *request, size_t stride,
                                       double *out, int *is_whole, struct hitop_diag *diag)
{
    struct hitop_point *points = calloc((size_t)request->nsizes, 2 * sizeof(*points));
    size_t escalated = 0;
    struct fan f;
    int n = 0, is_over = 0;
    enum hitop_status status = begin(&f, clock, request, diag);

    if (status == HITOP_OK && !points) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "fan: out of memory");
    }
    status = hitop_agree_mpi(hitop_common_clock_comm(clock), status, diag);
    if (status == HITOP_OK) {
        status = find_curves(&f, points, points + request->nsizes, &n, diag);
    }
    if (status == HITOP_OK) {
        status = find_escalation(&f, stride, &escalated, &is_over, diag);
    }
    if (status == HITOP_OK) {
        const struct hitop_curve scatter = {points, (size_t)n};
        const struct hitop_curve gather = {points + request->nsizes, (size_t)n};
        status = hitop_thresholds_fit(&scatter, &gather, escalated, out, diag);
    }
    if (is_whole) {
        *is_whole = n == request->nsizes && !is_over;
    }
    free(f.used);
    free(points);
    return status;
}
