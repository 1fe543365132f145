/* SPDX-License-Identifier: BSD-3-Clause */
/* transport_mpi.c - a private communicator, its clock, and what all ranks do together. */
#include <config.h>

#include "transport_mpi.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum hitop_status transport_check(int code, const char *what, struct hitop_diag *diag)
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
    return transport_check(code, "agreeing with all ranks", diag);
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
        return transport_check(MPI_Send(data, (int)length, MPI_BYTE, 0, TAG_COLLECT, s->comm),
                               "sending results", diag);
    }
    if (s->rank != 0) {
        return HITOP_OK;
    }
    code = MPI_Irecv(data, (int)length, MPI_BYTE, from, TAG_COLLECT, s->comm, &request);
    if (code == MPI_SUCCESS) {
        code = wait_quietly(&request, 1);
    }
    return transport_check(code, "collecting results", diag);
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
    return transport_check(code, "telling all ranks", diag);
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

/* What the time between two readings of the clock contains of the clock itself. */
static double measure_clock_cost(void)
{
    enum { READINGS = 1000 };
    const double start = MPI_Wtime();
    double last = start;

    for (int i = 0; i < READINGS; i++) {
        last = MPI_Wtime();
    }
    return (last - start) / READINGS;
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
    status = transport_check(MPI_Comm_dup(comm, &s->comm), "duplicating the communicator", diag);
    if (status != HITOP_OK) {
        free(s);
        return status;
    }
    (void)MPI_Comm_set_errhandler(s->comm, MPI_ERRORS_RETURN);
    (void)MPI_Comm_rank(s->comm, &s->rank);
    (void)MPI_Comm_size(s->comm, &s->size);
    s->clock_cost = measure_clock_cost();
    *out = (struct hitop_transport){.self = s,
                                    .name = "mpi",
                                    .rank = s->rank,
                                    .nranks = s->size,
                                    .clock_step = measure_step(),
                                    .max_bytes = INT_MAX,
                                    .now = now,
                                    .exchange = series_exchange,
                                    .release = series_release,
                                    .answer = series_answer,
                                    .agree = agree,
                                    .collect = collect,
                                    .share = share,
                                    .close = close_mpi};
    return HITOP_OK;
}
