/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOB_FACTS_H
#define JOB_FACTS_H

/*
 * job_facts.h - facts about the hosts and ranks of a job, gathered at rank 0.
 *
 * Each rank sends an array of numbers, and strings: the name of its host, then, if it is the first
 * rank on its host, the source and the text of each fact about the host.
 */

#include "hierarchy/job/job.h"

enum {
    FACT_LENGTH,     /* bytes of all strings with their final zeros */
    FACT_SHARED,     /* the smallest rank that shares memory with this one */
    FACT_FREE_CORES, /* see binding.h */
    FACT_PART,       /* the first of HITOP_NPARTS numbers of parts */
    FACT_NUMBERS = FACT_PART + HITOP_NPARTS
};

/* All zero is empty. */
struct job_facts {
    int *numbers; /* [nranks][FACT_NUMBERS] */
    int *length;  /* [nranks], of all strings */
    int *offset;  /* [nranks], of its strings in strings[] */
    char *strings;
    struct storage storage;
};

/*
 * Allocate the arrays, with room for `strings` bytes of text. Returns 0 when out of memory; the
 * caller clears the storage in any case.
 */
int hitop_job_facts_open(struct job_facts *facts, int nranks, size_t strings);

/* Make a job: the places of all ranks, with one name per host. NULL when out of memory. */
struct job *hitop_job_facts_make_job(const struct job_facts *facts, int nranks);

#endif /* JOB_FACTS_H */
