/* SPDX-License-Identifier: BSD-3-Clause */
/* answer_mpi.c - a series of experiments at the ranks without the clock. */
#include <config.h>

#include "models/transport/transport_impl_mpi.h"

/* A message from there, and one back. */
static int take_and_give(const struct mpi_state *s, int peer, int bytes, int bytes_back)
{
    const int code = receive_payload(s, peer, bytes);

    return code == MPI_SUCCESS ? send_payload(s, peer, bytes_back) : code;
}

/* Before a sample with cold caches: flush the caches of this rank, and notify the waiting partner.
 */
static int tell_cool(const struct mpi_state *s, int peer)
{
    if (hitop_payload_cache(s->payload) != HITOP_CACHE_COLD) {
        return MPI_SUCCESS;
    }
    hitop_payload_flush(s->payload);
    return MPI_Send(NULL, 0, MPI_BYTE, peer, TAG_READY, s->comm);
}

/* The other side of one sample. */
static int serve_sample(const struct mpi_state *s, int peer, const struct order *o)
{
    const int bytes = (int)o->bytes;
    int code;

    if (o->what == ORDER_WAIT) {
        return hitop_eager_serve(s, peer, bytes);
    }
    code = tell_cool(s, peer);
    if (code != MPI_SUCCESS) {
        return code;
    }
    switch ((enum hitop_experiment)o->what) {
    case HITOP_GAP:
        code = take_and_give(s, peer, bytes, 0);
        for (unsigned long long k = 1; k < o->batch && code == MPI_SUCCESS; k++) {
            code = receive_payload(s, peer, bytes);
        }
        return code == MPI_SUCCESS ? take_and_give(s, peer, bytes, 0) : code;
    case HITOP_SEND_CALL:
        return take_and_give(s, peer, bytes, 0);
    case HITOP_RECEIVE_CALL:
        return take_and_give(s, peer, 0, bytes);
    case HITOP_ECHO:
    case HITOP_REPLY:
    case HITOP_REPLY_THIRD:
    case HITOP_FAN:
    case HITOP_NEXPERIMENTS:
        break;
    }
    for (unsigned long long k = 0; k < o->batch && code == MPI_SUCCESS; k++) {
        code = take_and_give(s, peer, bytes, o->what == HITOP_ECHO ? bytes : 0);
    }
    return code;
}

enum hitop_status hitop_series_answer(void *self, int from, int to, struct hitop_diag *diag)
{
    struct mpi_state *s = self;
    int code = MPI_SUCCESS;

    (void)to;
    while (code == MPI_SUCCESS) {
        struct order o;
        int ready;
        code = MPI_Recv(&o, ORDER_LENGTH, MPI_UNSIGNED_LONG_LONG, from, TAG_ORDER, s->comm,
                        MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS || o.count == 0) {
            break;
        }
        ready = hitop_payload_reserve(s->payload, (size_t)o.bytes, NULL) == HITOP_OK;
        code = MPI_Send(&ready, 1, MPI_INT, from, TAG_READY, s->comm);
        for (unsigned long long i = 0; ready && code == MPI_SUCCESS && i < o.count; i++) {
            code = serve_sample(s, from, &o);
        }
    }
    return hitop_transport_check(code, "answering a measurement", diag);
}
