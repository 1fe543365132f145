/* SPDX-License-Identifier: BSD-3-Clause */
/* job_mpi.c - ask every rank where it is. */
#include <config.h>

#include "hitop/sys/source.h"
#include "job_mpi.h"
#include "same_host.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_NAME = 1024, MAX_FACT = 512, MAX_FACTS = 32 };

/*
 * What a rank says about itself. Strings follow in a message of their own: the name, then, from the first
 * rank of a host, source and text of each fact.
 */
enum { F_LENGTH, F_GROUP, F_PACKAGE, F_NUMA, F_L3, NFACTS };

/* The strings of a rank, one behind the other, each with its final zero. */
struct strings {
    char text[MAX_NAME + MAX_FACTS * (MAX_FACT + 64)];
    size_t length;
};

static void add_string(struct strings *s, const char *text)
{
    const size_t bytes = strlen(text) + 1;

    if (bytes <= sizeof(s->text) - s->length) {
        memcpy(s->text + s->length, text, bytes);
        s->length += bytes;
    }
}

static enum hitop_status check_mpi(int code, struct hitop_diag *diag)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;

    if (code == MPI_SUCCESS) {
        return HITOP_OK;
    }
    (void)MPI_Error_string(code, text, &length);
    return hitop_fail(diag, HITOP_ERR_MPI, "collecting host names: %s", text);
}

/*
 * MPI may cut a name at its first dot, which loses the domain; the operating system's name is taken
 * where it only adds to that. In a simulation all ranks run on one real host: MPI alone knows there.
 */
static int host_name(char *name, int size)
{
    char mpi_name[MPI_MAX_PROCESSOR_NAME + 1] = "";
    int length = 0;
    const int code = MPI_Get_processor_name(mpi_name, &length);

    name[0] = '\0';
    if (code != MPI_SUCCESS) {
        return code;
    }
    (void)strncat(name, mpi_name, (size_t)size - 1);
#ifndef SMPI_H
    {
        char own[MAX_NAME] = "";

        if (gethostname(own, sizeof(own) - 1) == 0 && strlen(own) > strlen(name) &&
            strncmp(own, name, strlen(name)) == 0 && own[strlen(name)] == '.' &&
            strlen(own) < (size_t)size) {
            memcpy(name, own, strlen(own) + 1);
        }
    }
#endif
    if (!name[0]) {
        memcpy(name, "unknown", sizeof("unknown"));
    }
    return MPI_SUCCESS;
}

/* The smallest rank of those that share memory with this one. */
static int shared_group(MPI_Comm comm, int rank, int *group)
{
    MPI_Comm shared = MPI_COMM_NULL, ordered = MPI_COMM_NULL;
    int code = MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &shared);

    *group = rank;
    if (code == MPI_SUCCESS) {
        /* some simulators ignore the key and share message contexts between the groups; a plain
         * split of the result has neither fault */
        code = MPI_Comm_split(shared, 0, rank, &ordered);
        (void)MPI_Comm_free(&shared);
    }
    if (code == MPI_SUCCESS) {
        code = MPI_Bcast(group, 1, MPI_INT, 0, ordered);
        (void)MPI_Comm_free(&ordered);
    }
    return code;
}

/* All ranks go on, or all stop: what one of them lacks, all lack. */
static enum hitop_status agree(MPI_Comm comm, int is_good, enum hitop_status otherwise,
                               struct hitop_diag *diag, const char *why)
{
    int all_good = 0;
    const int code = MPI_Allreduce(&is_good, &all_good, 1, MPI_INT, MPI_MIN, comm);

    if (code != MPI_SUCCESS) {
        return check_mpi(code, diag);
    }
    return all_good ? HITOP_OK : hitop_fail(diag, otherwise, "%s", why);
}

/* One line about this host, if there is anything to tell. */
static void add_fact(struct strings *s, int *nfacts, const char *source,
                     void (*tell)(char *, size_t))
{
    char text[MAX_FACT] = "";

    if (*nfacts == MAX_FACTS) {
        return;
    }
    tell(text, sizeof(text));
    text[strcspn(text, "\r\n")] = '\0';
    if (text[0]) {
        add_string(s, source);
        add_string(s, text);
        (*nfacts)++;
    }
}

static void add_facts(struct strings *s, const struct job_questions *q)
{
    int nfacts = 0;

    for (const struct hitop_source *const *source = hitop_sources(); *source; source++) {
        if ((*source)->tell) {
            add_fact(s, &nfacts, (*source)->name, (*source)->tell);
        }
    }
    for (int i = 0; i < q->ntellers; i++) {
        add_fact(s, &nfacts, q->tellers[i].source, q->tellers[i].tell);
    }
}

/* Buffers at rank 0 for what everybody says. */
struct hall {
    int *facts;  /* [nranks][NFACTS] */
    int *length; /* [nranks], of all strings */
    int *offset; /* [nranks] */
    char *strings;
};

static void hall_free(struct hall *hall)
{
    free(hall->strings);
    free(hall->offset);
    free(hall->length);
    free(hall->facts);
}

static enum hitop_status gather(MPI_Comm comm, int rank, int nranks, const char *strings,
                                const int *facts, struct hall *hall, struct hitop_diag *diag)
{
    const long mine = facts[F_LENGTH];
    long total = 0;
    int code = MPI_Allreduce(&mine, &total, 1, MPI_LONG, MPI_SUM, comm);
    enum hitop_status status = check_mpi(code, diag);

    if (status != HITOP_OK) {
        return status;
    }
    if (total > INT_MAX) {
        return hitop_fail(diag, HITOP_ERR_UNSUPPORTED, "host names of %ld bytes are too much",
                          total);
    }
    if (rank == 0) {
        hall->facts = calloc((size_t)nranks, NFACTS * sizeof(int));
        hall->length = calloc((size_t)nranks, sizeof(int));
        hall->offset = calloc((size_t)nranks, sizeof(int));
        hall->strings = calloc((size_t)total, 1);
    }
    status =
        agree(comm, rank != 0 || (hall->facts && hall->length && hall->offset && hall->strings),
              HITOP_ERR_NOMEM, diag, "collecting host names: out of memory");
    if (status == HITOP_OK) {
        code = MPI_Gather(facts, NFACTS, MPI_INT, hall->facts, NFACTS, MPI_INT, 0, comm);
        status = check_mpi(code, diag);
    }
    for (int r = 0, at = 0; r < nranks && rank == 0 && status == HITOP_OK; r++) {
        hall->length[r] = hall->facts[r * NFACTS + F_LENGTH];
        hall->offset[r] = at;
        at += hall->length[r];
    }
    if (status == HITOP_OK) {
        code = MPI_Gatherv(strings, facts[F_LENGTH], MPI_CHAR, hall->strings, hall->length,
                           hall->offset, MPI_CHAR, 0, comm);
        status = check_mpi(code, diag);
    }
    return status;
}

/* The strings behind the name of each host's first rank become its facts. */
static int keep_facts(struct job *job, const struct hall *hall, int first, struct hitop_fact **next)
{
    const char *at = hall->strings + hall->offset[first];
    const char *end = at + hall->length[first];
    struct hitop_fact *mine = *next;

    for (at += strlen(at) + 1; at < end; at += strlen(at) + 1) {
        const char *source = at;
        at += strlen(at) + 1;
        **next = (struct hitop_fact){.source = text_pool_keep(&job->text, source),
                                     .text = text_pool_keep(&job->text, at)};
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
static size_t count_facts(const struct hall *hall, int nranks)
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

/* What the first rank of a host said holds for all ranks on it. */
static int share_facts(struct job *job, const struct hall *hall)
{
    struct hitop_fact *next = calloc(count_facts(hall, job->nranks) + 1, sizeof(*next));

    job->fact = next;
    for (int rank = 0; rank < job->nranks && next; rank++) {
        const int first = hall->facts[rank * NFACTS + F_GROUP];

        if (first == rank && !keep_facts(job, hall, rank, &next)) {
            return 0;
        }
        job->place[rank].fact = job->place[first].fact;
        job->place[rank].nfacts = job->place[first].nfacts;
    }
    return next != NULL;
}

/* At rank 0: what was gathered becomes places, with one name per host. */
static struct job *make_job(const struct hall *hall, int nranks)
{
    struct job *job = calloc(1, sizeof(*job));
    const char **host = calloc((size_t)nranks, sizeof(*host));
    int *group = calloc((size_t)nranks, sizeof(*group));
    int is_good = job && host && group;

    if (is_good) {
        job->nranks = nranks;
        job->place = calloc((size_t)nranks, sizeof(*job->place));
        is_good = job->place != NULL;
    }
    for (int rank = 0; rank < nranks && is_good; rank++) {
        host[rank] = text_pool_keep(&job->text, hall->strings + hall->offset[rank]);
        group[rank] = hall->facts[rank * NFACTS + F_GROUP];
        is_good = host[rank] != NULL;
    }
    is_good =
        is_good && same_host_settle(host, group, nranks, &job->text, &job->warning) == HITOP_OK;
    for (int rank = 0; rank < nranks && is_good; rank++) {
        const int *facts = hall->facts + rank * NFACTS;
        job->place[rank] = (struct hitop_place){.host = host[rank],
                                                .package = facts[F_PACKAGE],
                                                .numa = facts[F_NUMA],
                                                .l3 = facts[F_L3]};
    }
    is_good = is_good && share_facts(job, hall);
    free(group);
    free(host);
    if (!is_good) {
        job_free(job);
        return NULL;
    }
    return job;
}

static enum hitop_status gather_over(MPI_Comm comm, const struct job_questions *questions,
                                     struct job **out, struct hitop_diag *diag)
{
    struct hitop_place here = HITOP_PLACE_INIT("");
    struct hall hall = {0};
    struct strings strings = {.length = 0};
    char name[MAX_NAME];
    int facts[NFACTS] = {0};
    int rank = 0, nranks = 0;
    enum hitop_status status;

    (void)MPI_Comm_rank(comm, &rank);
    (void)MPI_Comm_size(comm, &nranks);
    status = check_mpi(host_name(name, (int)sizeof(name)), diag);
    if (status == HITOP_OK) {
        status = check_mpi(shared_group(comm, rank, &facts[F_GROUP]), diag);
    }
    if (status != HITOP_OK) {
        return status;
    }
    add_string(&strings, name);
#ifndef SMPI_H /* a simulated rank is bound nowhere, and the real host is not the simulated one */
    if (questions->bind) {
        questions->bind(&here);
    }
    if (facts[F_GROUP] == rank && !questions->no_facts) {
        add_facts(&strings, questions);
    }
#else
    (void)questions;
    (void)add_facts;
#endif
    facts[F_LENGTH] = (int)strings.length;
    facts[F_PACKAGE] = here.package;
    facts[F_NUMA] = here.numa;
    facts[F_L3] = here.l3;
    status = gather(comm, rank, nranks, strings.text, facts, &hall, diag);
    if (status == HITOP_OK && rank == 0) {
        *out = make_job(&hall, nranks);
    }
    if (status == HITOP_OK) {
        status = agree(comm, rank != 0 || *out, HITOP_ERR_NOMEM, diag,
                       "collecting host names: out of memory");
    }
    hall_free(&hall);
    return status;
}

enum hitop_status job_gather(MPI_Comm comm, const struct job_questions *questions, struct job **out,
                             struct hitop_diag *diag)
{
    MPI_Comm own = MPI_COMM_NULL;
    enum hitop_status status = check_mpi(MPI_Comm_dup(comm, &own), diag);

    *out = NULL;
    if (status != HITOP_OK) {
        return status;
    }
    (void)MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
    status = gather_over(own, questions, out, diag);
    (void)MPI_Comm_free(&own);
    return status;
}

void job_free(struct job *job)
{
    if (!job) {
        return;
    }
    text_pool_clear(&job->text);
    free(job->fact);
    free(job->place);
    free(job);
}
