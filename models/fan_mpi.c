/* SPDX-License-Identifier: BSD-3-Clause */
/* fan_mpi.c - one rank with all others. */
#include <config.h>

#include "agree_mpi.h"
#include "fan_impl_mpi.h"
#include "transport_mpi.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Beside those of clock_tree_mpi.c. */
enum { TAG_THERE = 11, TAG_BACK };

struct fan {
    MPI_Comm comm;
    int rank, size, root, bytes;
    char *buffer; /* sent, or received into again and again */
};

/* To or from all others in the order of ranks. */
static int all_others(const struct fan *f, int sends, int bytes, int tag)
{
    int code = MPI_SUCCESS;

    for (int i = 0; i < f->size && code == MPI_SUCCESS; i++) {
        if (i == f->root) {
            continue;
        }
        code = sends ? MPI_Send(f->buffer, bytes, MPI_BYTE, i, tag, f->comm)
                     : MPI_Recv(f->buffer, bytes, MPI_BYTE, i, tag, f->comm, MPI_STATUS_IGNORE);
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
    code = MPI_Recv(f->buffer, f->bytes, MPI_BYTE, f->root, TAG_THERE, f->comm, MPI_STATUS_IGNORE);
    return code == MPI_SUCCESS ? MPI_Send(f->buffer, 0, MPI_BYTE, f->root, TAG_BACK, f->comm)
                               : code;
}

static int fan_in(void *data)
{
    const struct fan *f = data;

    return f->rank == f->root
               ? all_others(f, 0, f->bytes, TAG_THERE)
               : MPI_Send(f->buffer, f->bytes, MPI_BYTE, f->root, TAG_THERE, f->comm);
}

static enum hitop_status prepare_buffer(struct fan *f, struct hitop_diag *diag)
{
    const size_t room = f->bytes > 0 ? (size_t)f->bytes : 1;
    enum hitop_status status = HITOP_OK;

    f->buffer = malloc(room);
    if (f->buffer) {
        memset(f->buffer, 0x5a, room); /* pages of its own */
    } else {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "fan: out of memory for %d bytes", f->bytes);
    }
    return agree_mpi(f->comm, status, diag);
}

enum hitop_status hitop_fan_time(const struct hitop_common_clock *clock, int root,
                                 enum hitop_fan_direction direction, size_t bytes,
                                 const struct hitop_timing_options *options,
                                 struct hitop_point *out, struct hitop_diag *diag)
{
    struct fan f = {.comm = hitop_common_clock_comm(clock), .root = root};
    const struct hitop_operation operation = {direction == HITOP_FAN_OUT ? fan_out : fan_in, &f,
                                              root, 1};
    struct hitop_collective_time time = {0};
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
    status = prepare_buffer(&f, diag);
    if (status == HITOP_OK) {
        status = hitop_collective_time(clock, &operation, options, &time, diag);
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
    free(f.buffer);
    return status;
}

enum hitop_status fan_is_over(const struct hitop_common_clock *clock, double deadline, int *over,
                              struct hitop_diag *diag)
{
    const struct hitop_clock *local = hitop_common_clock_local(clock);

    *over = deadline > 0 && local->now(local->self) > deadline;
    return transport_check(MPI_Bcast(over, 1, MPI_INT, 0, hitop_common_clock_comm(clock)),
                           "agreeing on time", diag);
}

double fan_deadline(const struct hitop_common_clock *clock, const struct hitop_fan_request *request)
{
    const struct hitop_clock *local = hitop_common_clock_local(clock);

    return request->budget > 0 ? local->now(local->self) + request->budget : 0;
}

enum hitop_status hitop_fan_curves(const struct hitop_common_clock *clock,
                                   const struct hitop_fan_request *request,
                                   struct hitop_point *scatter, struct hitop_point *gather,
                                   int *nmeasured, struct hitop_diag *diag)
{
    const double deadline = fan_deadline(clock, request);
    enum hitop_status status = HITOP_OK;
    int over = 0;

    *nmeasured = 0;
    for (int i = 0; i < request->nsizes && !over && status == HITOP_OK; i++) {
        status = hitop_fan_time(clock, request->root, HITOP_FAN_OUT, request->sizes[i],
                                &request->timing, &scatter[i], diag);
        if (status == HITOP_OK) {
            status = hitop_fan_time(clock, request->root, HITOP_FAN_IN, request->sizes[i],
                                    &request->timing, &gather[i], diag);
        }
        if (status == HITOP_OK) {
            *nmeasured = i + 1;
            status = fan_is_over(clock, deadline, &over, diag);
        }
    }
    return status;
}
