/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef POST_MPI_H
#define POST_MPI_H

/*
 * post_mpi.h - short messages that leave without anybody waiting for them: copies, which MPI reads as long as it takes.
 */

#include <mpi.h>

/* A copy of at most this many bytes. */
enum { POST_BYTES = 5152 };

struct letter;

/* Messages of one communicator; zeroed at first. */
struct post {
    struct letter *leaving, *spare;
};

/* MPI_SUCCESS or an MPI code; out of memory is the end of the job. */
int hitop_post_send(struct post *p, const void *bytes, int n, int rank, int tag, MPI_Comm comm);

/* 1: some have not left yet. */
int hitop_post_is_busy(struct post *p);

/* MPI may still read those that have not left: they stay. */
void hitop_post_free(struct post *p);

#endif /* POST_MPI_H */
