/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOB_MPI_H
#define JOB_MPI_H

/* job_mpi.h - where every rank of a running job is. */

#include "hitop/source.h"

#include "text_pool.h"

#include <mpi.h>

struct job {
    int nranks;
    struct hitop_place *place; /* [nranks]; names belong to text */
    struct hitop_fact *fact;   /* of all hosts */
    struct text_pool text;
    struct hitop_diag warning; /* one line for the user about odd host names, or "" */
};

/* What a host can say about itself beyond what the sources find out on their own. */
struct job_teller {
    const char *source; /* name of the source that listens */
    void (*tell)(char *out, size_t length);
};

/* What processes are asked besides their names; all may be left out. */
struct job_questions {
    void (*bind)(struct hitop_place *); /* finds out the binding of the calling process */
    const struct job_teller *tellers;
    int ntellers;
    int no_facts; /* 1: only names and bindings */
};

/*
 * Collect the place of every rank at rank 0. Collective over comm, which is not used itself but
 * duplicated.
 *
 * out    at rank 0 receives the job, to be released with job_free(); NULL elsewhere and on failure
 *
 * Returns the same status on all ranks; HITOP_ERR_MPI when a call of MPI failed.
 */
HITOP_MUST_CHECK enum hitop_status job_gather(MPI_Comm comm, const struct job_questions *questions,
                                              struct job **out, struct hitop_diag *diag);

/* Release a job. NULL is allowed. */
void job_free(struct job *job);

#endif /* JOB_MPI_H */
