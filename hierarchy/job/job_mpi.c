/* SPDX-License-Identifier: BSD-3-Clause */
/* job_mpi.c - gather host names, bindings and facts of all ranks. */
#include <config.h>

#include "hierarchy/job/host_identity.h"
#include "hierarchy/job/job_facts.h"
#include "hierarchy/job/job_mpi.h"
#include "hitop/sys/source.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_NAME = 1024, MAX_FACT = 512, MAX_FACTS = 32 };

/* The strings of a rank, each with its final zero. */
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
 * Find the host name. MPI may cut it at its first dot: the name of the operating system is used if
 * it only adds a domain. In a simulation (SMPI) all ranks run on one real host, so that only MPI
 * knows the simulated one.
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

/* Find the smallest rank that shares memory with this one. */
static int shared_group(MPI_Comm comm, int rank, int *group)
{
    MPI_Comm shared = MPI_COMM_NULL, ordered = MPI_COMM_NULL;
    int code = MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &shared);

    *group = rank;
    if (code == MPI_SUCCESS) {
        /*
         * Some simulators ignore the key, and use one message context for all groups. A split of
         * the result has neither error.
         */
        code = MPI_Comm_split(shared, 0, rank, &ordered);
        (void)MPI_Comm_free(&shared);
    }
    if (code == MPI_SUCCESS) {
        code = MPI_Bcast(group, 1, MPI_INT, 0, ordered);
        (void)MPI_Comm_free(&ordered);
    }
    return code;
}

/* Return the same status on all ranks: an error if any of them has one. */
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

/* Add a fact of one line, unless it is empty. */
static void add_fact(struct strings *s, int *nfacts, const char *source, char *text)
{
    text[strcspn(text, "\r\n")] = '\0';
    if (text[0] && *nfacts < MAX_FACTS) {
        add_string(s, source);
        add_string(s, text);
        (*nfacts)++;
    }
}

static void add_facts(struct strings *s, const struct job_request *request, char *levels)
{
    char text[MAX_FACT];
    int nfacts = 0;

    hitop_host_identity_collect(text,
                                sizeof(text)); /* host names depend on it, even with no_facts */
    add_fact(s, &nfacts, HOST_IDENTITY, text);
    if (request->no_facts) {
        return;
    }
    add_fact(s, &nfacts, "binding", levels);
    for (const struct hitop_source *const *source = hitop_sources(); *source; source++) {
        if ((*source)->collect) {
            text[0] = '\0';
            (*source)->collect(text, sizeof(text));
            add_fact(s, &nfacts, (*source)->name, text);
        }
    }
    for (int i = 0; i < request->ncollectors; i++) {
        text[0] = '\0';
        request->collectors[i].collect(text, sizeof(text));
        add_fact(s, &nfacts, request->collectors[i].source, text);
    }
}

static enum hitop_status gather(MPI_Comm comm, int rank, int nranks, const char *strings,
                                const int *numbers, struct job_facts *facts,
                                struct hitop_diag *diag)
{
    const long mine = numbers[FACT_LENGTH];
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
    status = agree(comm, rank != 0 || hitop_job_facts_open(facts, nranks, (size_t)total),
                   HITOP_ERR_NOMEM, diag, "collecting host names: out of memory");
    if (status == HITOP_OK) {
        code = MPI_Gather(numbers, FACT_NUMBERS, MPI_INT, facts->numbers, FACT_NUMBERS, MPI_INT, 0,
                          comm);
        status = check_mpi(code, diag);
    }
    for (int r = 0, at = 0; r < nranks && rank == 0 && status == HITOP_OK; r++) {
        facts->length[r] = facts->numbers[r * FACT_NUMBERS + FACT_LENGTH];
        facts->offset[r] = at;
        at += facts->length[r];
    }
    if (status == HITOP_OK) {
        code = MPI_Gatherv(strings, numbers[FACT_LENGTH], MPI_CHAR, facts->strings, facts->length,
                           facts->offset, MPI_CHAR, 0, comm);
        status = check_mpi(code, diag);
    }
    return status;
}

/* Collect binding and facts of this rank. */
static void collect(const struct job_request *request, int is_first, int *numbers,
                    struct strings *strings)
{
    struct binding here = {.place = HITOP_PLACE_INIT(NULL)};

#ifndef SMPI_H /* SMPI: no rank is bound, and facts of the real host do not apply */
    if (request->bind) {
        request->bind(&here);
    }
    if (is_first) {
        add_facts(strings, request, here.levels);
    }
#else
    (void)request;
    (void)is_first;
    (void)strings;
    (void)add_facts;
#endif
    memcpy(numbers + FACT_PART, here.place.part, sizeof(here.place.part));
    numbers[FACT_FREE_CORES] = here.free_cores;
}

static enum hitop_status gather_over(MPI_Comm comm, const struct job_request *request,
                                     struct job **out, struct hitop_diag *diag)
{
    struct job_facts facts = {0};
    struct strings strings = {.length = 0};
    char name[MAX_NAME];
    int numbers[FACT_NUMBERS] = {0};
    int rank = 0, nranks = 0;
    enum hitop_status status;

    (void)MPI_Comm_rank(comm, &rank);
    (void)MPI_Comm_size(comm, &nranks);
    status = check_mpi(host_name(name, (int)sizeof(name)), diag);
    if (status == HITOP_OK) {
        status = check_mpi(shared_group(comm, rank, &numbers[FACT_SHARED]), diag);
    }
    if (status != HITOP_OK) {
        return status;
    }
    add_string(&strings, name);
    collect(request, numbers[FACT_SHARED] == rank, numbers, &strings);
    numbers[FACT_LENGTH] = (int)strings.length;
    status = gather(comm, rank, nranks, strings.text, numbers, &facts, diag);
    if (status == HITOP_OK && rank == 0) {
        *out = hitop_job_facts_make_job(&facts, nranks);
    }
    if (status == HITOP_OK) {
        status = agree(comm, rank != 0 || *out, HITOP_ERR_NOMEM, diag,
                       "collecting host names: out of memory");
    }
    hitop_storage_clear(&facts.storage);
    return status;
}

enum hitop_status hitop_job_gather(MPI_Comm comm, const struct job_request *request,
                                   struct job **out, struct hitop_diag *diag)
{
    MPI_Comm own = MPI_COMM_NULL;
    enum hitop_status status = check_mpi(MPI_Comm_dup(comm, &own), diag);

    *out = NULL;
    if (status != HITOP_OK) {
        return status;
    }
    (void)MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
    status = gather_over(own, request, out, diag);
    (void)MPI_Comm_free(&own);
    return status;
}
