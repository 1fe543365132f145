/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transport_mpi.c - measurement with plain MPI messages on a private communicator.
 *
 * The first rank of a link orders: so many round trips of so many bytes. The second one prepares its
 * buffer and says that it is ready; then the clock starts. That hand-shake of two replaces a
 * barrier, whose end ranks see at different times. Order, answer and payload have tags of their own.
 */
#include <config.h>

#include "hitop/measure_mpi.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TAG_ORDER = 1, TAG_READY, TAG_PAYLOAD, TAG_AGREE, TAG_COLLECT, TAG_SHARE };

struct mpi_state {
    MPI_Comm comm;
    int rank, size;
    char *buffer; /* payload, sent and received; grows to the largest message ordered */
    size_t room;
};

static enum hitop_status check(int code, const char *what, struct hitop_diag *diag)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;

    if (code == MPI_SUCCESS) {
        return HITOP_OK;
    }
    (void)MPI_Error_string(code, text, &length);
    return hitop_fail(diag, HITOP_ERR_MPI, "%s: %.300s", what, text);
}

static double now(void *self)
{
    (void)self;
    return MPI_Wtime();
}

/* Touch the memory with bytes that do not repeat, so that no page is shared and none compresses. */
static int prepare_buffer(struct mpi_state *s, size_t bytes)
{
    unsigned int state = 2463534242u + (unsigned int)s->rank;
    char *buffer;

    if (bytes <= s->room) {
        return 1;
    }
    buffer = malloc(bytes);
    if (!buffer) {
        return 0;
    }
    for (size_t i = 0; i < bytes; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        buffer[i] = (char)state;
    }
    free(s->buffer);
    s->buffer = buffer;
    s->room = bytes;
    return 1;
}

static int send_payload(const struct mpi_state *s, int peer, int bytes)
{
    return MPI_Send(s->buffer, bytes, MPI_BYTE, peer, TAG_PAYLOAD, s->comm);
}

static int receive_payload(const struct mpi_state *s, int peer, int bytes)
{
    return MPI_Recv(s->buffer, bytes, MPI_BYTE, peer, TAG_PAYLOAD, s->comm, MPI_STATUS_IGNORE);
}

/* Order round trips, and wait until the peer is ready for them. */
static enum hitop_status order(struct mpi_state *s, int peer, size_t bytes, int round_trips,
                               struct hitop_diag *diag)
{
    unsigned long long message[2] = {bytes, (unsigned long long)round_trips};
    int ready = 1;
    int code = MPI_Send(message, 2, MPI_UNSIGNED_LONG_LONG, peer, TAG_ORDER, s->comm);

    if (code == MPI_SUCCESS && round_trips > 0) {
        code = MPI_Recv(&ready, 1, MPI_INT, peer, TAG_READY, s->comm, MPI_STATUS_IGNORE);
    }
    if (code == MPI_SUCCESS && !ready) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "rank %d has no memory for messages of %zu bytes",
                          peer, bytes);
    }
    return check(code, "ordering a measurement", diag);
}

static enum hitop_status exchange(void *self, int from, int to, size_t bytes, int batch, int count,
                                  double *seconds, struct hitop_diag *diag)
{
    struct mpi_state *s = self;
    const int size = (int)bytes;
    enum hitop_status status;
    int code = MPI_SUCCESS;

    (void)from;
    if (!prepare_buffer(s, bytes)) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "rank %d has no memory for messages of %zu bytes",
                          s->rank, bytes);
    }
    status = order(s, to, bytes, batch * count, diag);
    for (int i = 0; status == HITOP_OK && code == MPI_SUCCESS && i < count; i++) {
        const double start = MPI_Wtime();
        for (int k = 0; k < batch && code == MPI_SUCCESS; k++) {
            code = send_payload(s, to, size);
            if (code == MPI_SUCCESS) {
                code = receive_payload(s, to, size);
            }
        }
        seconds[i] = (MPI_Wtime() - start) / (2.0 * batch);
    }
    return status == HITOP_OK ? check(code, "round trip", diag) : status;
}

static enum hitop_status release(void *self, int from, int to, struct hitop_diag *diag)
{
    (void)from;
    return order(self, to, 0, 0, diag);
}

static enum hitop_status answer(void *self, int from, int to, struct hitop_diag *diag)
{
    struct mpi_state *s = self;
    int code = MPI_SUCCESS;

    (void)to;
    while (code == MPI_SUCCESS) {
        unsigned long long message[2];
        int ready;
        code = MPI_Recv(message, 2, MPI_UNSIGNED_LONG_LONG, from, TAG_ORDER, s->comm,
                        MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS || message[1] == 0) {
            break;
        }
        ready = prepare_buffer(s, (size_t)message[0]);
        code = MPI_Send(&ready, 1, MPI_INT, from, TAG_READY, s->comm);
        for (unsigned long long k = 0; ready && code == MPI_SUCCESS && k < message[1]; k++) {
            code = receive_payload(s, from, (int)message[0]);
            if (code == MPI_SUCCESS) {
                code = send_payload(s, from, (int)message[0]);
            }
        }
    }
    return check(code, "answering a measurement", diag);
}

/*
 * Wait for at most two requests without taking the processor from those who measure. In a simulation
 * a wait costs nothing, while polling would cost an event each time.
 */
static int wait_quietly(MPI_Request *requests, int n)
{
    MPI_Status statuses[2];
#ifdef SMPI_H
    return MPI_Waitall(n, requests, statuses);
#else
    struct timespec pause = {.tv_nsec = 1000};
    int done = 0;
    int code = MPI_Testall(n, requests, &done, statuses);

    while (code == MPI_SUCCESS && !done) {
        (void)nanosleep(&pause, NULL);
        pause.tv_nsec = pause.tv_nsec < 500000 ? 2 * pause.tv_nsec : 1000000;
        code = MPI_Testall(n, requests, &done, statuses);
    }
    return code;
#endif
}

/* Dissemination: after round k everybody knows the largest value of 2^k predecessors. */
static enum hitop_status agree(void *self, double *value, struct hitop_diag *diag)
{
    const struct mpi_state *s = self;
    int code = MPI_SUCCESS;

    for (int distance = 1; code == MPI_SUCCESS && distance < s->size; distance *= 2) {
        const int to = (s->rank + distance) % s->size;
        const int from = (s->rank - distance + s->size) % s->size;
        const double known = *value;
        double other = known;
        MPI_Request requests[2];
        code = MPI_Irecv(&other, 1, MPI_DOUBLE, from, TAG_AGREE, s->comm, &requests[0]);
        if (code == MPI_SUCCESS) {
            code = MPI_Isend(&known, 1, MPI_DOUBLE, to, TAG_AGREE, s->comm, &requests[1]);
        }
        if (code == MPI_SUCCESS) {
            code = wait_quietly(requests, 2);
        }
        *value = other > known ? other : known;
    }
    return check(code, "agreeing with all ranks", diag);
}

static enum hitop_status collect(void *self, int from, void *data, size_t length,
                                 struct hitop_diag *diag)
{
    const struct mpi_state *s = self;
    MPI_Request request;
    int code;

    if (length > INT_MAX) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "%zu bytes of results are too many", length);
    }
    if (s->rank == from) {
        return check(MPI_Send(data, (int)length, MPI_BYTE, 0, TAG_COLLECT, s->comm),
                     "sending results", diag);
    }
    if (s->rank != 0) {
        return HITOP_OK;
    }
    code = MPI_Irecv(data, (int)length, MPI_BYTE, from, TAG_COLLECT, s->comm, &request);
    if (code == MPI_SUCCESS) {
        code = wait_quietly(&request, 1);
    }
    return check(code, "collecting results", diag);
}

/* A binomial tree below rank 0. */
static enum hitop_status share(void *self, void *data, size_t length, struct hitop_diag *diag)
{
    const struct mpi_state *s = self;
    int code = MPI_SUCCESS, distance = 1;

    if (length > INT_MAX) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "%zu bytes to share are too many", length);
    }
    while (distance < s->size && !(s->rank & distance)) {
        distance *= 2;
    }
    if (s->rank > 0) {
        MPI_Request request;
        code = MPI_Irecv(data, (int)length, MPI_BYTE, s->rank - distance, TAG_SHARE, s->comm,
                         &request);
        if (code == MPI_SUCCESS) {
            code = wait_quietly(&request, 1);
        }
    }
    for (distance /= 2; code == MPI_SUCCESS && distance > 0; distance /= 2) {
        if (s->rank + distance < s->size) {
            code = MPI_Send(data, (int)length, MPI_BYTE, s->rank + distance, TAG_SHARE, s->comm);
        }
    }
    return check(code, "telling all ranks", diag);
}

static void close_mpi(void *self)
{
    struct mpi_state *s = self;

    (void)MPI_Comm_free(&s->comm);
    free(s->buffer);
    free(s);
}

/*
 * Smallest change of the clock seen; for a clock that is slower than all these readings, what MPI
 * says it is. A simulated clock is exact and stands still meanwhile.
 */
static double measure_step(void)
{
#ifdef SMPI_H
    return 0;
#else
    double step = 0;
    double before = MPI_Wtime();

    for (int i = 0; i < 20000; i++) {
        const double after = MPI_Wtime();
        if (after > before && (step == 0 || after - before < step)) {
            step = after - before;
        }
        before = after;
    }
    return step > 0 ? step : MPI_Wtick();
#endif
}

enum hitop_status hitop_transport_mpi(MPI_Comm comm, struct hitop_transport *out,
                                      struct hitop_diag *diag)
{
    struct mpi_state *s = calloc(1, sizeof(*s));
    enum hitop_status status;

    *out = (struct hitop_transport){0};
    if (!s) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "MPI transport: out of memory");
    }
    status = check(MPI_Comm_dup(comm, &s->comm), "duplicating the communicator", diag);
    if (status != HITOP_OK) {
        free(s);
        return status;
    }
    (void)MPI_Comm_set_errhandler(s->comm, MPI_ERRORS_RETURN);
    (void)MPI_Comm_rank(s->comm, &s->rank);
    (void)MPI_Comm_size(s->comm, &s->size);
    *out = (struct hitop_transport){.self = s,
                                    .name = "mpi",
                                    .rank = s->rank,
                                    .nranks = s->size,
                                    .clock_step = measure_step(),
                                    .max_bytes = INT_MAX,
                                    .now = now,
                                    .exchange = exchange,
                                    .release = release,
                                    .answer = answer,
                                    .agree = agree,
                                    .collect = collect,
                                    .share = share,
                                    .close = close_mpi};
    return HITOP_OK;
}
