/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRANSPORT_IMPL_MPI_H
#define TRANSPORT_IMPL_MPI_H

/* transport_impl_mpi.h - functions and types that the files of the MPI transport share. */

#include "models/transport/agree_mpi.h"
#include "models/transport/measure_mpi.h"

#include <math.h>
#include <time.h>

enum {
    TAG_ORDER = 1,
    TAG_READY,
    TAG_PAYLOAD,
    TAG_AGREE,
    TAG_COLLECT,
    TAG_SHARE,
    TAG_ALONE,
    TAG_GO
};

struct mpi_state {
    MPI_Comm comm;
    int rank, size;
    struct hitop_payload *payload; /* buffers of the messages that are timed */
    struct hitop_payload *own;     /* the same if the caller passed none, else NULL */
    double clock_cost;             /* seconds of one reading of the clock */
};

/*
 * The message with which the first rank of a series starts an experiment on the other ranks, or the
 * test of an eager send.
 */
struct order {
    unsigned long long bytes, what, batch, count; /* count 0: the series has ended */
};

enum { ORDER_WAIT = 255 }; /* value of what: hitop_eager_completes() */
enum { ORDER_LENGTH = sizeof(struct order) / sizeof(unsigned long long) };

static inline void sleep_seconds(double seconds)
{
    const struct timespec pause = {.tv_sec = (time_t)seconds,
                                   .tv_nsec = (long)(1e9 * fmod(seconds, 1))};

    (void)nanosleep(&pause, NULL);
}

/* Send, or receive, one message of an experiment. */
static inline int send_payload(const struct mpi_state *s, int peer, int bytes)
{
    return MPI_Send(hitop_payload_next(s->payload, (size_t)bytes), bytes, MPI_BYTE, peer,
                    TAG_PAYLOAD, s->comm);
}

static inline int receive_payload(const struct mpi_state *s, int peer, int bytes)
{
    return MPI_Recv(hitop_payload_next(s->payload, (size_t)bytes), bytes, MPI_BYTE, peer,
                    TAG_PAYLOAD, s->comm, MPI_STATUS_IGNORE);
}

/*
 * Functions of struct hitop_transport that measure: the first rank calls exchange() and release(),
 * the others answer().
 */
enum hitop_status hitop_series_exchange(void *self, const struct hitop_series *x, double *seconds,
                                        struct hitop_diag *diag);
enum hitop_status hitop_series_release(void *self, int from, int to, struct hitop_diag *diag);
enum hitop_status hitop_series_answer(void *self, int from, int to, struct hitop_diag *diag);

/* Wait for at most two requests; sleep between polls to leave the processor to other ranks. */
int hitop_wait_quietly(MPI_Request *requests, int n);

/* The same for at most so many seconds; *are_done is 1 if the requests are complete. */
int hitop_poll_quietly(MPI_Request *requests, int n, double seconds, int *are_done);

/* Functions of struct hitop_transport that all ranks call. */
enum hitop_status hitop_together_agree(void *self, double *values, int n, struct hitop_diag *diag);
enum hitop_status hitop_together_gather(void *self, const void *data, size_t length,
                                        enum hitop_status (*take)(void *user, const void *data,
                                                                  size_t length,
                                                                  struct hitop_diag *diag),
                                        void *user, struct hitop_diag *diag);
enum hitop_status hitop_together_collect(void *self, int from, void *data, size_t length,
                                         struct hitop_diag *diag);
enum hitop_status hitop_together_share(void *self, void *data, size_t length,
                                       struct hitop_diag *diag);

/* *yes is 1 if a send completes within so many seconds, before its receive is posted. */
enum hitop_status hitop_eager_completes(void *self, int from, int to, size_t bytes, double seconds,
                                        int *yes, struct hitop_diag *diag);

#endif /* TRANSPORT_IMPL_MPI_H */
