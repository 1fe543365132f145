/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOB_H
#define JOB_H

/* job.h - a running job: the place of every rank. */

#include "hitop/source.h"

#include "hierarchy/text/storage.h"

struct job {
    int nranks;
    struct hitop_place *place; /* [nranks] */
    struct storage text;       /* has the places, their names and facts */
    struct hitop_diag warning; /* one line for the user about contradictory host names, or "" */

    /*
     * Unbound ranks on hosts with several parts, and the number of these hosts. Hosts with one rank
     * are not counted, nor hosts with more ranks than cores, whose ranks launchers do not bind.
     */
    int nfree, nfree_hosts;
};

/* "a:4,b:4", in the order of ranks; the caller frees it. NULL: out of memory. */
char *hitop_job_list_hosts(const struct job *job);

/* Release a job. NULL is allowed. */
void hitop_job_free(struct job *job);

#endif /* JOB_H */
