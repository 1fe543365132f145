/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * together_mpi.c - collective functions of the MPI transport. Waiting ranks sleep, because other
 * ranks may measure on the same processor.
 */
#include <config.h>

#include "models/transport/transport_impl_mpi.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Values of one call of hitop_together_agree(), at most. */
enum { MAX_AGREED = 16 };

int hitop_poll_quietly(MPI_Request *requests, int n, double seconds, int *are_done)
{
    const double deadline = MPI_Wtime() + seconds;
    struct timespec pause = {.tv_nsec = 1000};
    MPI_Status statuses[2];
    int is_late = 0;
    int code = MPI_Testall(n, requests, are_done, statuses);

    while (code == MPI_SUCCESS && !*are_done && !is_late) {
        (void)nanosleep(&pause, NULL);
        pause.tv_nsec = pause.tv_nsec < 500000 ? 2 * pause.tv_nsec : 1000000;
        is_late = MPI_Wtime() >= deadline; /* poll once more */
        code = MPI_Testall(n, requests, are_done, statuses);
    }
    return code;
}

/* In SMPI a blocking wait costs nothing, while every poll costs a simulation event. */
int hitop_wait_quietly(MPI_Request *requests, int n)
{
#ifdef SMPI_H
    MPI_Status statuses[2];

    return MPI_Waitall(n, requests, statuses);
#else
    int are_done;

    return hitop_poll_quietly(requests, n, INFINITY, &are_done);
#endif
}

/* Dissemination algorithm: after k rounds each rank has the maxima of 2^k ranks, itself included.
 */
enum hitop_status hitop_together_agree(void *self, double *values, int n, struct hitop_diag *diag)
{
    const struct mpi_state *s = self;
    double known[MAX_AGREED], other[MAX_AGREED];
    int code = MPI_SUCCESS;

    assert(n <= MAX_AGREED);
    for (int distance = 1; code == MPI_SUCCESS && distance < s->size; distance *= 2) {
        const int to = (s->rank + distance) % s->size;
        const int from = (s->rank - distance + s->size) % s->size;
        MPI_Request requests[2];
        memcpy(known, values, (size_t)n * sizeof(*known));
        memcpy(other, values, (size_t)n * sizeof(*other));
        code = MPI_Irecv(other, n, MPI_DOUBLE, from, TAG_AGREE, s->comm, &requests[0]);
        if (code == MPI_SUCCESS) {
            code = MPI_Isend(known, n, MPI_DOUBLE, to, TAG_AGREE, s->comm, &requests[1]);
        }
        if (code == MPI_SUCCESS) {
            code = hitop_wait_quietly(requests, 2);
        }
        for (int i = 0; i < n; i++) {
            values[i] = other[i] > known[i] ? other[i] : known[i];
        }
    }
    return hitop_transport_check(code, "agreeing with all ranks", diag);
}

/* Wait for the request of a nonblocking MPI call that returned this code. */
static enum hitop_status finish(int code, MPI_Request *request, const char *what,
                                struct hitop_diag *diag)
{
    if (code == MPI_SUCCESS) {
        code = hitop_wait_quietly(request, 1);
    }
    return hitop_transport_check(code, what, diag);
}

/* HITOP_ERR_NOMEM on all ranks if one of them has failed. */
static enum hitop_status agree_on_memory(struct mpi_state *s, int has_failed,
                                         struct hitop_diag *diag)
{
    double failed = has_failed;
    const enum hitop_status status = hitop_together_agree(s, &failed, 1, diag);

    return status == HITOP_OK && failed > 0
               ? hitop_fail(diag, HITOP_ERR_NOMEM, "gathering results: out of memory")
               : status;
}

/* Rank 0 gathers the lengths, then the data, and calls take() for each rank in order. */
enum hitop_status hitop_together_gather(void *self, const void *data, size_t length,
                                        enum hitop_status (*take)(void *, const void *, size_t,
                                                                  struct hitop_diag *),
                                        void *user, struct hitop_diag *diag)
{
    struct mpi_state *s = self;
    const int n = s->rank == 0 ? s->size : 0;
    unsigned long long mine = length, total = 0;
    unsigned long long *lengths = calloc((size_t)n + 1, sizeof(*lengths));
    int *counts = calloc((size_t)n + 1, 2 * sizeof(*counts)), *places = counts + n;
    char *all = NULL;
    MPI_Request request;
    enum hitop_status status = agree_on_memory(s, !lengths || !counts || length > INT_MAX, diag);

    if (status == HITOP_OK) {
        status = finish(MPI_Igather(&mine, 1, MPI_UNSIGNED_LONG_LONG, lengths, 1,
                                    MPI_UNSIGNED_LONG_LONG, 0, s->comm, &request),
                        &request, "gathering results", diag);
    }
    for (int rank = 0; status == HITOP_OK && rank < n; rank++) {
        counts[rank] = (int)lengths[rank];
        places[rank] = (int)total;
        total += lengths[rank];
    }
    if (status == HITOP_OK) {
        all = total <= INT_MAX ? malloc((size_t)total + 1) : NULL;
        status = agree_on_memory(s, !all, diag);
    }
    if (status == HITOP_OK) {
        status = finish(MPI_Igatherv(data, (int)length, MPI_BYTE, all, counts, places, MPI_BYTE, 0,
                                     s->comm, &request),
                        &request, "gathering results", diag);
    }
    for (int rank = 0; status == HITOP_OK && rank < n; rank++) {
        status = take(user, all + places[rank], (size_t)counts[rank], diag);
    }
    free(all);
    free(counts);
    free(lengths);
    return status;
}

enum hitop_status hitop_together_collect(void *self, int from, void *data, size_t length,
                                         struct hitop_diag *diag)
{
    const struct mpi_state *s = self;
    MPI_Request request;

    if (length > INT_MAX) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "%zu bytes of results are too many", length);
    }
    if (s->rank == from) {
        return hitop_transport_check(MPI_Send(data, (int)length, MPI_BYTE, 0, TAG_COLLECT, s->comm),
                                     "sending results", diag);
    }
    if (s->rank != 0) {
        return HITOP_OK;
    }
    return finish(MPI_Irecv(data, (int)length, MPI_BYTE, from, TAG_COLLECT, s->comm, &request),
                  &request, "collecting results", diag);
}

/* Broadcast from rank 0 along a binomial tree. */
enum hitop_status hitop_together_share(void *self, void *data, size_t length,
                                       struct hitop_diag *diag)
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
            code = hitop_wait_quietly(&request, 1);
        }
    }
    for (distance /= 2; code == MPI_SUCCESS && distance > 0; distance /= 2) {
        if (s->rank + distance < s->size) {
            code = MPI_Send(data, (int)length, MPI_BYTE, s->rank + distance, TAG_SHARE, s->comm);
        }
    }
    return hitop_transport_check(code, "sharing with all ranks", diag);
}
