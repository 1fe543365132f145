/* SPDX-License-Identifier: BSD-3-Clause */
/* job_facts.c - make a job of the gathered facts of all ranks. */
#include <config.h>

#include "hierarchy/job/job_facts.h"

#include "hierarchy/job/host_identity.h"
#include "hierarchy/job/job.h"
#include "hierarchy/job/same_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int hitop_job_facts_open(struct job_facts *facts, int nranks, size_t strings)
{
    return STORAGE_ARRAY(&facts->storage, facts->numbers, (size_t)nranks * FACT_NUMBERS) &&
           STORAGE_ARRAY(&facts->storage, facts->length, nranks) &&
           STORAGE_ARRAY(&facts->storage, facts->offset, nranks) &&
           STORAGE_ARRAY(&facts->storage, facts->strings, strings);
}

static const int *numbers_of(const struct job_facts *facts, int rank)
{
    return facts->numbers + (size_t)rank * FACT_NUMBERS;
}

/* Store the facts from the first rank of a host at fact[]; returns the next free element. */
static struct hitop_fact *keep_facts(struct job *job, const struct job_facts *facts, int first,
                                     struct hitop_fact *fact)
{
    const char *at = facts->strings + facts->offset[first];
    const char *end = at + facts->length[first];
    struct hitop_place *place = &job->place[first];

    place->fact = fact;
    for (at += strlen(at) + 1; at < end; at += strlen(at) + 1) {
        fact->source = hitop_storage_text(&job->text, at);
        at += strlen(at) + 1;
        fact->text = hitop_storage_text(&job->text, at);
        fact++;
        place->nfacts++;
    }
    return fact;
}

/* Number of facts of all hosts. Each rank has one string for its host, each fact two. */
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

/* Fill host[] with one name per host. */
static enum hitop_status settle_names(struct job *job, const struct job_facts *facts,
                                      const char **host)
{
    int *group;
    const char **identity;

    if (!STORAGE_ARRAY(&job->text, group, job->nranks) ||
        !STORAGE_ARRAY(&job->text, identity, job->nranks)) {
        return HITOP_ERR_NOMEM;
    }
    for (int rank = 0; rank < job->nranks; rank++) {
        host[rank] = hitop_storage_text(&job->text, facts->strings + facts->offset[rank]);
        group[rank] = numbers_of(facts, rank)[FACT_SHARED];
        identity[rank] = find_identity(facts, rank);
    }
    return hitop_same_host_settle(host, group, identity, job->nranks, &job->text, &job->warning);
}

/* Give all ranks of a host the facts of its first rank. */
static void share_facts(struct job *job, const struct job_facts *facts)
{
    struct hitop_fact *next;

    if (!STORAGE_ARRAY(&job->text, next, count_facts(facts, job->nranks))) {
        return;
    }
    for (int rank = 0; rank < job->nranks; rank++) {
        const int first = numbers_of(facts, rank)[FACT_SHARED];

        if (first == rank) {
            next = keep_facts(job, facts, rank, next);
        }
        job->place[rank].fact = job->place[first].fact;
        job->place[rank].nfacts = job->place[first].nfacts;
    }
}

static void count_free(struct job *job, const struct job_facts *facts)
{
    int *nranks, *nfree; /* by first rank of a host */

    if (!STORAGE_ARRAY(&job->text, nranks, job->nranks) ||
        !STORAGE_ARRAY(&job->text, nfree, job->nranks)) {
        return;
    }
    for (int rank = 0; rank < job->nranks; rank++) {
        const int *numbers = numbers_of(facts, rank);
        nranks[numbers[FACT_SHARED]]++;
        nfree[numbers[FACT_SHARED]] += numbers[FACT_FREE_CORES] > 0;
    }
    for (int rank = 0; rank < job->nranks; rank++) {
        const int ncores = numbers_of(facts, rank)[FACT_FREE_CORES];
        if (nfree[rank] > 0 && nranks[rank] > 1 && nranks[rank] <= ncores) {
            job->nfree += nfree[rank];
            job->nfree_hosts++;
        }
    }
}

static void place_ranks(struct job *job, const struct job_facts *facts, const char *const *host)
{
    for (int rank = 0; rank < job->nranks; rank++) {
        job->place[rank] = (struct hitop_place){.host = host[rank]};
        memcpy(job->place[rank].part, numbers_of(facts, rank) + FACT_PART,
               sizeof(job->place[rank].part));
    }
}

struct job *hitop_job_facts_make_job(const struct job_facts *facts, int nranks)
{
    struct job *job = calloc(1, sizeof(*job));
    const char **host;

    if (!job) {
        return NULL;
    }
    job->nranks = nranks;
    if (STORAGE_ARRAY(&job->text, job->place, nranks) && STORAGE_ARRAY(&job->text, host, nranks) &&
        settle_names(job, facts, host) == HITOP_OK) {
        place_ranks(job, facts, host);
        share_facts(job, facts);
        count_free(job, facts);
    }
    if (job->text.out_of_memory) {
        hitop_job_free(job);
        return NULL;
    }
    return job;
}

void hitop_job_free(struct job *job)
{
    if (job) {
        hitop_storage_clear(&job->text);
        free(job);
    }
}

char *hitop_job_list_hosts(const struct job *job)
{
    size_t length = 1;
    char *text;

    for (int r = 0; r < job->nranks; r++) {
        length += strlen(job->place[r].host) + 16;
    }
    text = calloc(1, length);
    for (int r = 0; r < job->nranks && text;) {
        int end = r;
        while (end < job->nranks && strcmp(job->place[end].host, job->place[r].host) == 0) {
            end++;
        }
        (void)snprintf(text + strlen(text), length - strlen(text), "%s%s:%d", r ? "," : "",
                       job->place[r].host, end - r);
        r = end;
    }
    return text;
}
