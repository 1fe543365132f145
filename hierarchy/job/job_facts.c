/* SPDX-License-Identifier: BSD-3-Clause */
/* job_facts.c - make a job of the gathered facts of all ranks. */
#include <config.h>

#include "hierarchy/job/host_identity.h"
#include "hierarchy/job/job_facts.h"
#include "hierarchy/job/same_host.h"

#include <stdlib.h>
#include <string.h>

/* An array of zeros with at least one element, so that NULL means out of memory. */
static void *allocate(int nranks, size_t size)
{
    return calloc(nranks > 0 ? (size_t)nranks : 1, size);
}

int hitop_job_facts_open(struct job_facts *facts, int nranks, size_t strings)
{
    facts->numbers = allocate(nranks, FACT_NUMBERS * sizeof(int));
    facts->length = allocate(nranks, sizeof(int));
    facts->offset = allocate(nranks, sizeof(int));
    facts->strings = calloc(strings + 1, 1);
    return facts->numbers && facts->length && facts->offset && facts->strings;
}

void hitop_job_facts_clear(struct job_facts *facts)
{
    free(facts->strings);
    free(facts->offset);
    free(facts->length);
    free(facts->numbers);
    *facts = (struct job_facts){0};
}

static const int *numbers_of(const struct job_facts *facts, int rank)
{
    return facts->numbers + (size_t)rank * FACT_NUMBERS;
}

/* Store the facts that the first rank of a host has sent. */
static int keep_facts(struct job *job, const struct job_facts *facts, int first,
                      struct hitop_fact **next)
{
    const char *at = facts->strings + facts->offset[first];
    const char *end = at + facts->length[first];
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

/* Number of facts of all hosts; each has two strings. */
static size_t count_facts(const struct job_facts *facts, int nranks)
{
    size_t strings = 0;

    for (int rank = 0; rank < nranks; rank++) {
        const char *text = facts->strings + facts->offset[rank];
        for (int i = 0; i < facts->length[rank]; i++) {
            strings += !text[i];
        }
    }
    return (strings - (size_t)nranks) / 2;
}

/* The identity of a rank's host, "" if it is unknown. */
static const char *find_identity(const struct job_facts *facts, int rank)
{
    const char *at = facts->strings + facts->offset[rank];
    const char *end = at + facts->length[rank];

    for (at += strlen(at) + 1; at < end; at += strlen(at) + 1) {
        const int is_found = strcmp(at, HOST_IDENTITY) == 0;
        at += strlen(at) + 1;
        if (is_found) {
            return at;
        }
    }
    return "";
}

/* Fill host[] with one name per host. 0 when out of memory. */
static int settle_names(struct job *job, const struct job_facts *facts, const char **host)
{
    int *group = allocate(job->nranks, sizeof(*group));
    const char **identity = allocate(job->nranks, sizeof(*identity));
    int is_good = group && identity;

    for (int rank = 0; rank < job->nranks && is_good; rank++) {
        host[rank] = hitop_text_pool_keep(&job->text, facts->strings + facts->offset[rank]);
        group[rank] = numbers_of(facts, rank)[FACT_SHARED];
        identity[rank] = find_identity(facts, rank);
        is_good = host[rank] != NULL;
    }
    is_good = is_good && hitop_same_host_settle(host, group, identity, job->nranks, &job->text,
                                                &job->warning) == HITOP_OK;
    free(identity);
    free(group);
    return is_good;
}

/* Give all ranks of a host the facts of its first rank. */
static int share_facts(struct job *job, const struct job_facts *facts)
{
    struct hitop_fact *next = calloc(count_facts(facts, job->nranks) + 1, sizeof(*next));

    job->fact = next;
    for (int rank = 0; rank < job->nranks && next; rank++) {
        const int first = numbers_of(facts, rank)[FACT_SHARED];

        if (first == rank && !keep_facts(job, facts, rank, &next)) {
            return 0;
        }
        job->place[rank].fact = job->place[first].fact;
        job->place[rank].nfacts = job->place[first].nfacts;
    }
    return next != NULL;
}

static int count_free(struct job *job, const struct job_facts *facts)
{
    int *nranks = allocate(job->nranks, sizeof(*nranks)); /* per first rank of a host */
    int *nfree = allocate(job->nranks, sizeof(*nfree));

    for (int rank = 0; rank < job->nranks && nranks && nfree; rank++) {
        const int *numbers = numbers_of(facts, rank);
        nranks[numbers[FACT_SHARED]]++;
        nfree[numbers[FACT_SHARED]] += numbers[FACT_FREE_CORES] > 0;
    }
    for (int rank = 0; rank < job->nranks && nranks && nfree; rank++) {
        const int ncores = numbers_of(facts, rank)[FACT_FREE_CORES];
        if (nfree[rank] > 0 && nranks[rank] > 1 && nranks[rank] <= ncores) {
            job->nfree += nfree[rank];
            job->nfree_hosts++;
        }
    }
    free(nfree);
    free(nranks);
    return nranks && nfree;
}

static void place_ranks(struct job *job, const struct job_facts *facts, const char *const *host)
{
    for (int rank = 0; rank < job->nranks; rank++) {
        const int *numbers = numbers_of(facts, rank);
        job->place[rank] = (struct hitop_place){.host = host[rank],
                                                .package = numbers[FACT_PACKAGE],
                                                .die = numbers[FACT_DIE],
                                                .group = numbers[FACT_GROUP],
                                                .group2 = numbers[FACT_GROUP2],
                                                .group3 = numbers[FACT_GROUP3],
                                                .group4 = numbers[FACT_GROUP4],
                                                .numa = numbers[FACT_NUMA],
                                                .l3 = numbers[FACT_L3]};
    }
}

struct job *hitop_job_facts_make_job(const struct job_facts *facts, int nranks)
{
    struct job *job = calloc(1, sizeof(*job));
    const char **host = allocate(nranks, sizeof(*host));
    int is_good = job && host;

    if (is_good) {
        job->nranks = nranks;
        job->place = allocate(nranks, sizeof(*job->place));
        is_good = job->place && settle_names(job, facts, host);
    }
    if (is_good) {
        place_ranks(job, facts, host);
        is_good = share_facts(job, facts) && count_free(job, facts);
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
