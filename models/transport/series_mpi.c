/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * series_mpi.c - run and answer a series of experiments with point-to-point messages of MPI.
 *
 * The first rank of a series sends an order to the other ranks. They prepare their buffers and
 * answer that they are ready; then the clock starts. This handshake of two ranks replaces a
 * barrier, whose end ranks see at different times. If caches must be cold, a handshake precedes
 * each sample. Orders, answers and payload have different tags.
 */
#include <config.h>

#include "models/transport/transport_impl_mpi.h"

#include <math.h>
#include <sched.h>

/* Send a message and receive one back. */
static int there_and_back(const struct mpi_state *s, int peer, int bytes, int bytes_back)
{
    const int code = send_payload(s, peer, bytes);

    return code == MPI_SUCCESS ? receive_payload(s, peer, bytes_back) : code;
}

/* Prepare for an order, send it, and wait until the peer is ready for it. */
static enum hitop_status order(struct mpi_state *s, int peer, const struct order *o,
                               struct hitop_diag *diag)
{
    struct hitop_diag reason = HITOP_DIAG_INIT;
    int ready = 1, code;

    if (hitop_payload_reserve(s->payload, (size_t)o->bytes, &reason) != HITOP_OK) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "rank %d: %.200s", s->rank, reason.message);
    }
    code = MPI_Send(o, ORDER_LENGTH, MPI_UNSIGNED_LONG_LONG, peer, TAG_ORDER, s->comm);

    if (code == MPI_SUCCESS && o->count > 0) {
        code = MPI_Recv(&ready, 1, MPI_INT, peer, TAG_READY, s->comm, MPI_STATUS_IGNORE);
    }
    if (code == MPI_SUCCESS && !ready) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "rank %d has no memory for messages of %llu bytes",
                          peer, o->bytes);
    }
    return hitop_transport_check(code, "ordering a measurement", diag);
}

/*
 * Before a sample with cold caches: flush the caches of this rank, and wait until each partner has
 * flushed its own.
 */
static int await_flush(const struct mpi_state *s, const struct hitop_series *x)
{
    const int npartners = x->what == HITOP_FAN ? 2 : 1;
    int code = MPI_SUCCESS;

    if (hitop_payload_cache(s->payload) != HITOP_CACHE_COLD) {
        return MPI_SUCCESS;
    }
    hitop_payload_flush(s->payload);
    for (int i = 0; i < npartners && code == MPI_SUCCESS; i++) {
        code = MPI_Recv(NULL, 0, MPI_BYTE, i == 0 ? x->to : x->third, TAG_READY, s->comm,
                        MPI_STATUS_IGNORE);
    }
    return code;
}

/* Time a batch of round trips with an answer of bytes_back; *seconds is the mean of one. */
static int time_round_trips(const struct mpi_state *s, const struct hitop_series *x, int bytes_back,
                            double *seconds)
{
    const double start = MPI_Wtime();
    int code = MPI_SUCCESS;

    for (int k = 0; k < x->batch && code == MPI_SUCCESS; k++) {
        code = there_and_back(s, x->to, (int)x->bytes, bytes_back);
    }
    *seconds = (MPI_Wtime() - start) / x->batch;
    return code;
}

/*
 * Time one message and a train of `batch` messages, each with one empty answer. *seconds is the
 * difference for one further message of the train.
 */
static int time_gap(const struct mpi_state *s, const struct hitop_series *x, double *seconds)
{
    double start = MPI_Wtime(), middle;
    int code = there_and_back(s, x->to, (int)x->bytes, 0);

    middle = MPI_Wtime();
    for (int k = 0; k < x->batch && code == MPI_SUCCESS; k++) {
        code = send_payload(s, x->to, (int)x->bytes);
    }
    if (code == MPI_SUCCESS) {
        code = receive_payload(s, x->to, 0);
    }
    *seconds = (MPI_Wtime() - middle - (middle - start)) / (x->batch - 1);
    return code;
}

static int time_send(const struct mpi_state *s, const struct hitop_series *x, double *seconds)
{
    const double start = MPI_Wtime();
    const int code = send_payload(s, x->to, (int)x->bytes);

    *seconds = MPI_Wtime() - start - s->clock_cost;
    return code == MPI_SUCCESS ? receive_payload(s, x->to, 0) : code;
}

/*
 * Wait at least so many seconds, and until a message has arrived. The MPI library makes progress
 * only when it is called; between calls other ranks can use the processor.
 */
static int await_arrival(const struct mpi_state *s, int peer, double seconds)
{
    const double deadline = MPI_Wtime() + seconds;
    int is_there = 0;
    int code = MPI_SUCCESS;

    while (code == MPI_SUCCESS) {
        const double left = deadline - MPI_Wtime();
        if (left > 50e-6) {
            sleep_seconds(left / 2);
        } else {
            (void)sched_yield();
        }
        code = MPI_Iprobe(peer, TAG_PAYLOAD, s->comm, &is_there, MPI_STATUS_IGNORE);
        if (is_there && left <= 0) {
            break;
        }
    }
    return code;
}

/* Request a message, wait until it has arrived, and time the call that receives it. */
static int time_receive(const struct mpi_state *s, const struct hitop_series *x, double *seconds)
{
    int code = send_payload(s, x->to, 0);
    double start;

    if (code == MPI_SUCCESS) {
        code = await_arrival(s, x->to, x->delay);
    }
    start = MPI_Wtime();
    if (code == MPI_SUCCESS) {
        code = receive_payload(s, x->to, (int)x->bytes);
    }
    *seconds = MPI_Wtime() - start - s->clock_cost;
    return code;
}

/*
 * Time a fan: send to two ranks and receive both answers. The answer of the rank that gets its
 * message last is received first, so that the processor does all other work before this message
 * leaves or after this answer has arrived.
 */
static int time_fan(const struct mpi_state *s, const struct hitop_series *x, double *seconds)
{
    const double start = MPI_Wtime();
    int code = MPI_SUCCESS;

    for (int k = 0; k < x->batch && code == MPI_SUCCESS; k++) {
        code = send_payload(s, x->to, (int)x->bytes);
        if (code == MPI_SUCCESS) {
            code = send_payload(s, x->third, (int)x->bytes);
        }
        if (code == MPI_SUCCESS) {
            code = receive_payload(s, x->third, 0);
        }
        if (code == MPI_SUCCESS) {
            code = receive_payload(s, x->to, 0);
        }
    }
    *seconds = (MPI_Wtime() - start) / x->batch;
    return code;
}

/* Samples of a fan that are not timed; they find which rank answers later. */
enum { TRIALS = 2 };

/*
 * Exchange the partners of a fan if the second rank answers later than the third one; otherwise the
 * work for the third rank would overlap with the answer of the second one.
 */
static int order_fan(const struct mpi_state *s, struct hitop_series *x)
{
    double fastest[2] = {HUGE_VAL, HUGE_VAL};
    int code = MPI_SUCCESS;

    for (int k = 0; k < TRIALS && code == MPI_SUCCESS; k++) {
        code = await_flush(s, x);
        for (int other = 0; other < 2 && code == MPI_SUCCESS; other++) {
            const struct hitop_series reply = {
                .to = other ? x->third : x->to, .bytes = x->bytes, .batch = x->batch};
            double seconds;
            code = time_round_trips(s, &reply, 0, &seconds);
            fastest[other] = fmin(fastest[other], seconds);
        }
    }
    if (fastest[0] > fastest[1]) {
        const int to = x->to;
        x->to = x->third;
        x->third = to;
    }
    return code;
}

static int time_sample(const struct mpi_state *s, const struct hitop_series *x, double *seconds)
{
    int code = MPI_SUCCESS;

    switch (x->what) {
    case HITOP_ECHO:
        code = time_round_trips(s, x, (int)x->bytes, seconds);
        *seconds /= 2;
        return code;
    case HITOP_REPLY:
    case HITOP_REPLY_THIRD:
        return time_round_trips(s, x, 0, seconds);
    case HITOP_GAP:
        return time_gap(s, x, seconds);
    case HITOP_SEND_CALL:
        return time_send(s, x, seconds);
    case HITOP_RECEIVE_CALL:
        return time_receive(s, x, seconds);
    case HITOP_FAN:
        return time_fan(s, x, seconds);
    case HITOP_NEXPERIMENTS:
        break;
    }
    return code;
}

enum hitop_status hitop_series_exchange(void *self, const struct hitop_series *x, double *seconds,
                                        struct hitop_diag *diag)
{
    struct mpi_state *s = self;
    struct hitop_series ordered = *x;
    const int trials = x->what == HITOP_FAN ? TRIALS : 0;
    const struct order o = {x->bytes, (unsigned long long)x->what, (unsigned long long)x->batch,
                            (unsigned long long)x->count + (unsigned long long)trials};
    enum hitop_status status;
    int code = MPI_SUCCESS;

    status = order(s, x->to, &o, diag);
    if (status == HITOP_OK && x->what == HITOP_FAN) {
        status = order(s, x->third, &o, diag);
    }
    if (status == HITOP_OK && trials > 0) {
        code = order_fan(s, &ordered);
    }
    for (int i = 0; status == HITOP_OK && code == MPI_SUCCESS && i < x->count; i++) {
        code = await_flush(s, &ordered);
        if (code == MPI_SUCCESS) {
            code = time_sample(s, &ordered, &seconds[i]);
        }
    }
    return status == HITOP_OK ? hitop_transport_check(code, "measuring", diag) : status;
}

enum hitop_status hitop_series_release(void *self, int from, int to, struct hitop_diag *diag)
{
    const struct order end = {0};

    (void)from;
    return order(self, to, &end, diag);
}

/*
 * Whether a nonblocking send completes before its receive is posted:
 *
 *     first rank                        second rank
 *     order, ready                      ready
 *     MPI_Isend of the payload          waits for the message to continue, which has another tag
 *     MPI_Test until done or too late
 *     message to continue ----------->  posts the receive of the payload
 *     MPI_Wait
 *
 * Both make progress all the time and leave the processor to others between polls.
 */
enum hitop_status hitop_eager_completes(void *self, int from, int to, size_t bytes, double seconds,
                                        int *yes, struct hitop_diag *diag)
{
    struct mpi_state *s = self;
    const struct order o = {.bytes = bytes, .what = ORDER_WAIT, .count = 1};
    MPI_Request request = MPI_REQUEST_NULL;
    enum hitop_status status;
    int code;

    (void)from;
    status = order(s, to, &o, diag);
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

/* What the second rank does for hitop_eager_completes(). */
static int serve_eager(const struct mpi_state *s, int from, int bytes)
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

/* Receive a message and send one back. */
static int take_and_give(const struct mpi_state *s, int peer, int bytes, int bytes_back)
{
    const int code = receive_payload(s, peer, bytes);

    return code == MPI_SUCCESS ? send_payload(s, peer, bytes_back) : code;
}

/* Before a sample with cold caches: flush the caches of this rank, and notify the first rank. */
static int report_flush(const struct mpi_state *s, int peer)
{
    if (hitop_payload_cache(s->payload) != HITOP_CACHE_COLD) {
        return MPI_SUCCESS;
    }
    hitop_payload_flush(s->payload);
    return MPI_Send(NULL, 0, MPI_BYTE, peer, TAG_READY, s->comm);
}

/* What a partner does for one sample. */
static int serve_sample(const struct mpi_state *s, int peer, const struct order *o)
{
    const int bytes = (int)o->bytes;
    int code;

    if (o->what == ORDER_WAIT) {
        return serve_eager(s, peer, bytes);
    }
    code = report_flush(s, peer);
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
