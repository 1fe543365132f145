/* SPDX-License-Identifier: BSD-3-Clause */
/* job_hall.c - from what ranks say to where they are. */
#include <config.h>

#include "hierarchy/job/host_identity.h"
#include "hierarchy/job/job_hall.h"
#include "hierarchy/job/same_host.h"

#include <stdlib.h>
#include <string.h>

/* Zeros for every rank, and never for nobody: NULL means out of memory. */
static void *allocate(int nranks, size_t size)
{
    return calloc(nranks > 0 ? (size_t)nranks : 1, size);
}

int hitop_job_hall_open(struct job_hall *hall, int nranks, size_t strings)
{
    hall->numbers = allocate(nranks, SAID_NUMBERS * sizeof(int));
    hall->length = allocate(nranks, sizeof(int));
    hall->offset = allocate(nranks, sizeof(int));
    hall->strings = calloc(strings + 1, 1);
    return hall->numbers && hall->length && hall->offset && hall->strings;
}

void hitop_job_hall_clear(struct job_hall *hall)
{
    free(hall->strings);
    free(hall->offset);
    free(hall->length);
    free(hall->numbers);
    *hall = (struct job_hall){0};
}

static const int *numbers_of(const struct job_hall *hall, int rank)
{
    return hall->numbers + (size_t)rank * SAID_NUMBERS;
}

/* The strings behind the name of each host's first rank become its facts. */
static int keep_facts(struct job *job, const struct job_hall *hall, int first,
                      struct hitop_fact **next)
{
    const char *at = hall->strings + hall->offset[first];
    const char *end = at + hall->length[first];
    struct hitop_fact *mine = *next;

    for (at += strlen(at) + 1; at < end; at += strlen(at) + 1) {
        const char *source = at;
        at += strlen(at) + 1;
        **next = (struct hitop_fact){.source = hitop_text_pool_keep(&job->text, source),
                                     .text = hitop_text_pool_keep(&job->text, at)};
        if (!(*next)->source || !(*next)->text) {
            return 0;
        }
        (*next)++;
    }
    job->place[first].fact = mine;
    job->place[first].nfacts = (int)(*next - mine);
    return 1;
}

/* Facts of all hosts together; each has two strings. */
static size_t count_facts(const struct job_hall *hall, int nranks)
{
    size_t strings = 0;

    for (int rank = 0; rank < nranks; rank++) {
        const char *text = hall->strings + hall->offset[rank];
        for (int i = 0; i < hall->length[rank]; i++) {
            strings += !text[i];
        }
    }
    return (strings - (size_t)nranks) / 2;
}

/* What the host of a rank told about its identity; "" when nothing. */
static const char *find_identity(const struct job_hall *hall, int rank)
{
    const char *at = hall->strings + hall->offset[rank];
    const char *end = at + hall->length[rank];

    for (at += strlen(at) + 1; at < end; at += strlen(at) + 1) {
        const int is_found = strcmp(at, HOST_IDENTITY) == 0;
        at += strlen(at) + 1;
        if (is_found) {
            return at;
        }
    }
    return "";
}

/* One name per host in host[]. 0 when out of memory. */
static int settle_names(struct job *job, const struct job_hall *hall, const char **host)
{
    int *group = allocate(job->nranks, sizeof(*group));
    const char **identity = allocate(job->nranks, sizeof(*identity));
    int is_good = group && identity;

    for (int rank = 0; rank < job->nranks && is_good; rank++) {
        host[rank] = hitop_text_pool_keep(&job->text, hall->strings + hall->offset[rank]);
        group[rank] = numbers_of(hall, rank)[SAID_SHARED];
        identity[rank] = find_identity(hall, rank);
        is_good = host[rank] != NULL;
    }
    is_good = is_good && hitop_same_host_settle(host, group, identity, job->nranks, &job->text,
                                                &job->warning) == HITOP_OK;
    free(identity);
    free(group);
    return is_good;
}

/* What the first rank of a host said holds for all ranks on it. */
static int share_facts(struct job *job, const struct job_hall *hall)
{
    struct hitop_fact *next = calloc(count_facts(hall, job->nranks) + 1, sizeof(*next));

    job->fact = next;
    for (int rank = 0; rank < job->nranks && next; rank++) {
        const int first = numbers_of(hall, rank)[SAID_SHARED];

        if (first == rank && !keep_facts(job, hall, rank, &next)) {
            return 0;
        }
        job->place[rank].fact = job->place[first].fact;
        job->place[rank].nfacts = job->place[first].nfacts;
    }
    return next != NULL;
}

static int count_free(struct job *job, const struct job_hall *hall)
{
    int *nranks = allocate(job->nranks, sizeof(*nranks)); /* per first rank of a host */
    int *nfree = allocate(job->nranks, sizeof(*nfree));

    for (int rank = 0; rank < job->nranks && nranks && nfree; rank++) {
        const int *said = numbers_of(hall, rank);
        nranks[said[SAID_SHARED]]++;
        nfree[said[SAID_SHARED]] += said[SAID_FREE_CORES] > 0;
    }
    for (int rank = 0; rank < job->nranks && nranks && nfree; rank++) {
        const int ncores = numbers_of(hall, rank)[SAID_FREE_CORES];
        if (nfree[rank] > 0 && nranks[rank] > 1 && nranks[rank] <= ncores) {
            job->nfree += nfree[rank];
            job->nfree_hosts++;
        }
    }
    free(nfree);
    free(nranks);
    return nranks && nfree;
}

static void place_ranks(struct job *job, const struct job_hall *hall, const char *const *host)
{
    for (int rank = 0; rank < job->nranks; rank++) {
        const int *said = numbers_of(hall, rank);
        job->place[rank] = (struct hitop_place){.host = host[rank],
                                                .package = said[SAID_PACKAGE],
                                                .die = said[SAID_DIE],
                                                .group = said[SAID_GROUP],
                                                .group2 = said[SAID_GROUP2],
                                                .group3 = said[SAID_GROUP3],
                                                .group4 = said[SAID_GROUP4],
                                                .numa = said[SAID_NUMA],
                                                .l3 = said[SAID_L3]};
    }
}

struct job *hitop_job_hall_sum_up(const struct job_hall *hall, int nranks)
{
    struct job *job = calloc(1, sizeof(*job));
    const char **host = allocate(nranks, sizeof(*host));
    int is_good = job && host;

    if (is_good) {
        job->nranks = nranks;
        job->place = allocate(nranks, sizeof(*job->place));
        is_good = job->place && settle_names(job, hall, host);
    }
    if (is_good) {
        place_ranks(job, hall, host);
        is_good = share_facts(job, hall) && count_free(job, hall);
    }
    free(host);
    if (!is_good) {
        hitop_job_free(job);
        return NULL;
    }
    return job;
}

void hitop_job_free(struct job *job)
{
    if (!job) {
        return;
    }
    hitop_text_pool_clear(&job->text);
    free(job->fact);
    free(job->place);
    free(job);
}
