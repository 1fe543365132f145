/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOB_FACTS_H
#define JOB_FACTS_H

/*
 * job_facts.h - what the ranks of a job say about themselves, heard at one place.
 *
 * Each rank gives some numbers and some strings: its host's name, then, if it is the first of those
 * that share memory, source and text of each fact about the host.
 */

#include "hierarchy/job/job.h"

enum {
    FACT_LENGTH, /* of all strings with their final zeros */
    FACT_SHARED, /* the smallest rank of those that share memory with this one */
    FACT_PACKAGE,
    FACT_DIE,
    FACT_GROUP,
    FACT_GROUP2,
    FACT_GROUP3,
    FACT_GROUP4,
    FACT_NUMA,
    FACT_L3,
    FACT_FREE_CORES, /* see binding.h */
    FACT_NUMBERS
};

/* All NULL at first. */
struct job_facts {
    int *numbers; /* [nranks][FACT_NUMBERS] */
    int *length;  /* [nranks], of all strings */
    int *offset;  /* [nranks], where they begin */
    char *strings;
};

/* 0 when out of memory; clear in any case. */
int hitop_job_facts_open(struct job_facts *facts, int nranks, size_t strings);

void hitop_job_facts_clear(struct job_facts *facts);

/* Places with one name per host. NULL when out of memory. */
struct job *hitop_job_facts_make_job(const struct job_facts *facts, int nranks);

#endif /* JOB_FACTS_H */
