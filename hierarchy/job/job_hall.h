/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOB_HALL_H
#define JOB_HALL_H

/*
 * job_hall.h - what the ranks of a job say about themselves, heard at one place.
 *
 * Each rank gives some numbers and some strings: its host's name, then, if it is the first of those
 * that share memory, source and text of each fact about the host.
 */

#include "hierarchy/job/job.h"

enum {
    SAID_LENGTH, /* of all strings with their final zeros */
    SAID_SHARED, /* the smallest rank of those that share memory with this one */
    SAID_PACKAGE,
    SAID_DIE,
    SAID_GROUP,
    SAID_GROUP2,
    SAID_GROUP3,
    SAID_GROUP4,
    SAID_NUMA,
    SAID_L3,
    SAID_FREE_CORES, /* see binding.h */
    SAID_NUMBERS
};

/* All NULL at first. */
struct job_hall {
    int *numbers; /* [nranks][SAID_NUMBERS] */
    int *length;  /* [nranks], of all strings */
    int *offset;  /* [nranks], where they begin */
    char *strings;
};

/* 0 when out of memory; clear in any case. */
int hitop_job_hall_open(struct job_hall *hall, int nranks, size_t strings);

void hitop_job_hall_clear(struct job_hall *hall);

/* Places with one name per host. NULL when out of memory. */
struct job *hitop_job_hall_sum_up(const struct job_hall *hall, int nranks);

#endif /* JOB_HALL_H */
