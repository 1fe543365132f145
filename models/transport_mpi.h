/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRANSPORT_MPI_H
#define TRANSPORT_MPI_H

/* transport_mpi.h - what the files of the MPI transport share. */

#include "hitop/measure_mpi.h"

enum { TAG_ORDER = 1, TAG_READY, TAG_PAYLOAD, TAG_AGREE, TAG_COLLECT, TAG_SHARE };

struct mpi_state {
    MPI_Comm comm;
    int rank, size;
    char *buffer; /* payload, sent and received; grows to the largest message ordered */
    size_t room;
    double clock_cost; /* seconds of one reading of the clock */
};

/* A failure of MPI in the words of its library. */
enum hitop_status transport_check(int code, const char *what, struct hitop_diag *diag);

/* The functions of struct hitop_transport that measure. */
enum hitop_status series_exchange(void *self, const struct hitop_series *x, double *seconds,
                                  struct hitop_diag *diag);
enum hitop_status series_release(void *self, int from, int to, struct hitop_diag *diag);
enum hitop_status series_answer(void *self, int from, int to, struct hitop_diag *diag);

/* Wait for at most two requests without taking the processor from those who measure. */
int wait_quietly(MPI_Request *requests, int n);

/* Those that all ranks call. */
enum hitop_status together_agree(void *self, double *values, int n, struct hitop_diag *diag);
enum hitop_status together_gather(void *self, const void *data, size_t length,
                                  enum hitop_status (*take)(void *user, const void *data,
                                                            size_t length, struct hitop_diag *diag),
                                  void *user, struct hitop_diag *diag);
enum hitop_status together_collect(void *self, int from, void *data, size_t length,
                                   struct hitop_diag *diag);
enum hitop_status together_share(void *self, void *data, size_t length, struct hitop_diag *diag);

#endif /* TRANSPORT_MPI_H */
