/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOB_MPI_H
#define JOB_MPI_H

/* job_mpi.h - gather the place of every rank of a running job. */

#include "hierarchy/job/binding.h"
#include "hierarchy/job/job.h"

#include <mpi.h>

/* A function that collects a fact about the host for a source without a function of its own. */
struct job_collector {
    const char *source; /* name of the source that uses it */
    void (*collect)(char *out, size_t length);
};

/* The data to gather besides host names and identities. All members may be 0. */
struct job_request {
    void (*bind)(struct binding *); /* finds the binding of the calling process */
    const struct job_collector *collectors;
    int ncollectors;
    int no_facts; /* 1: gather no facts except the identity */
};

/*
 * Gather the place of every rank at rank 0. Collective over comm, which is duplicated.
 *
 * out    at rank 0 receives the job, to be released with hitop_job_free(); NULL elsewhere and on
 *        failure
 *
 * Returns the same status on all ranks; HITOP_ERR_MPI when a call of MPI failed.
 */
HITOP_MUST_CHECK enum hitop_status hitop_job_gather(MPI_Comm comm,
                                                    const struct job_request *request,
                                                    struct job **out, struct hitop_diag *diag);

#endif /* JOB_MPI_H */
