/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * eager_mpi.c - whether a nonblocking send completes before its receive is posted.
 *
 *     first rank                        second rank
 *     order, ready                      ready
 *     MPI_Isend of the payload          waits for the word to go on, which has another tag
 *     MPI_Test until done or too late
 *     word to go on      ------------>  posts the receive of the payload
 *     MPI_Wait
 *
 * Both make progress all the time and leave the processor to others between their looks.
 */
#include <config.h>

#include "models/transport/transport_impl_mpi.h"

enum hitop_status hitop_eager_completes(void *self, int from, int to, size_t bytes, double seconds,
                                        int *yes, struct hitop_diag *diag)
{
    struct mpi_state *s = self;
    const struct order o = {.bytes = bytes, .what = ORDER_WAIT, .count = 1};
    MPI_Request request = MPI_REQUEST_NULL;
    enum hitop_status status;
    int code;

    (void)from;
    status = hitop_series_order(s, to, &o, diag);
    if (status != HITOP_OK) {
        return status;
    }
    code = MPI_Isend(hitop_payload_next(s->payload, bytes), (int)bytes, MPI_BYTE, to, TAG_ALONE,
                     s->comm, &request);
    if (code == MPI_SUCCESS) {
        code = hitop_poll_quietly(&request, 1, seconds, yes);
    }
    if (code == MPI_SUCCESS) {
        code = MPI_Send(NULL, 0, MPI_BYTE, to, TAG_GO, s->comm);
    }
    if (code == MPI_SUCCESS) {
        code = MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    return hitop_transport_check(code, "testing a send", diag);
}

int hitop_eager_serve(const struct mpi_state *s, int from, int bytes)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int code = MPI_Irecv(NULL, 0, MPI_BYTE, from, TAG_GO, s->comm, &request);

    if (code == MPI_SUCCESS) {
        code = hitop_wait_quietly(&request, 1);
    }
    if (code == MPI_SUCCESS) {
        code = MPI_Recv(hitop_payload_next(s->payload, (size_t)bytes), bytes, MPI_BYTE, from,
                        TAG_ALONE, s->comm, MPI_STATUS_IGNORE);
    }
    return code;
}
