/* SPDX-License-Identifier: BSD-3-Clause */
/* fan_mpi.c - one rank with all others. */
#include <config.h>

#include "models/fans/fan_mpi.h"

#include "models/transport/agree_mpi.h"
#include "models/transport/transport_impl_mpi.h"

#include <limits.h>
#include <math.h>

/* Beside those of clock_tree_mpi.c. */
enum { TAG_THERE = 11, TAG_BACK };

struct fan {
    MPI_Comm comm;
    int rank, size, root, bytes;
    struct hitop_payload *payload;
};

static int send(const struct fan *f, int to, int bytes, int tag)
{
    return MPI_Send(hitop_payload_next(f->payload, (size_t)bytes), bytes, MPI_BYTE, to, tag,
                    f->comm);
}

static int receive(const struct fan *f, int from, int bytes, int tag)
{
    return MPI_Recv(hitop_payload_next(f->payload, (size_t)bytes), bytes, MPI_BYTE, from, tag,
                    f->comm, MPI_STATUS_IGNORE);
}

/* To or from all others in the order of ranks. */
static int all_others(const struct fan *f, int sends, int bytes, int tag)
{
    int code = MPI_SUCCESS;

    for (int i = 0; i < f->size && code == MPI_SUCCESS; i++) {
        if (i == f->root) {
            continue;
        }
        code = sends ? send(f, i, bytes, tag) : receive(f, i, bytes, tag);
    }
    return code;
}

static int fan_out(void *data)
{
    const struct fan *f = data;
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
    const struct fan *f = data;

    return f->rank == f->root ? all_others(f, 0, f->bytes, TAG_THERE)
                              : send(f, f->root, f->bytes, TAG_THERE);
}

static void cool(void *data)
{
    const struct fan *f = data;

    hitop_payload_cool(f->payload);
}

/* What the request brings, or hot memory for this time, as *own. */
static enum hitop_status prepare_payload(struct fan *f, struct hitop_payload **own,
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

enum hitop_status hitop_fan_time(const struct hitop_common_clock *clock,
                                 const struct hitop_fan_request *request,
                                 enum hitop_fan_direction direction, size_t bytes,
                                 struct hitop_point *out, struct hitop_diag *diag)
{
    struct fan f = {
        .comm = hitop_common_clock_comm(clock), .root = request->root, .payload = request->payload};
    const struct hitop_timed operation = {direction == HITOP_FAN_OUT ? fan_out : fan_in, &f,
                                          request->root, 1};
    struct hitop_timing_options options = request->timing;
    struct hitop_collective_time time = {0};
    struct hitop_payload *own = NULL;
    enum hitop_status status;

    *out = (struct hitop_point){0};
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
        options.before = cool;
        options.before_data = &f;
    }
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
    hitop_collective_time_fini(&time);
    hitop_payload_free(own);
    return status;
}
