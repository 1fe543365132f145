/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOB_H
#define JOB_H

/* job.h - a running job: the place of every rank. */

#include "hitop/source.h"

#include "hierarchy/text/storage.h"

struct job {
    int nranks;
    struct hitop_place *place; /* [nranks] */
    struct storage text;       /* memory of the places, their names and facts */
    struct hitop_diag warning; /* one line for the user about contradictory host names, or "" */

    /*
     * The number of unbound ranks on hosts with several parts, and the number of these hosts. Not
     * counted: hosts with one rank, and hosts with more ranks than cores, because launchers do not
     * bind those ranks.
     */
    int nfree, nfree_hosts;
};

/*
 * List hosts with numbers of ranks, in the order of ranks: "a:4,b:4". The caller frees the list.
 * NULL: out of memory.
 */
char *hitop_job_list_hosts(const struct job *job);

/* Release a job. NULL is allowed. */
void hitop_job_free(struct job *job);

#endif /* JOB_H */
