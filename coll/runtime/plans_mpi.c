/* SPDX-License-Identifier: BSD-3-Clause */
/* plans_mpi.c - the life cycle of a communicator's plans, and their preparation by all ranks. */
#include <config.h>

#include "coll/runtime/plans_mpi.h"

#include "coll/runtime/job_files.h"
#include "coll/runtime/message.h"
#include "coll/runtime/wire_mpi.h"
#include "hitop/cpm.h"

#include <stdlib.h>
#include <string.h>

_Atomic int hitop_plans_planned;

enum { VALUE = 127 };

enum hitop_status hitop_plans_read_info(struct named *named, MPI_Info info, struct hitop_diag *diag)
{
    static const char prefix[] = "hitop_";
    const size_t length = sizeof(prefix) - 1;
    enum hitop_status status = HITOP_OK;
    int nkeys = 0;

    if (info == MPI_INFO_NULL || PMPI_Info_get_nkeys(info, &nkeys) != MPI_SUCCESS) {
        return HITOP_OK;
    }
    for (int i = 0; i < nkeys && status == HITOP_OK; i++) {
        char key[MPI_MAX_INFO_KEY + 1] = "", value[VALUE + 1] = "";
        int found = 0;

        if (PMPI_Info_get_nthkey(info, i, key) == MPI_SUCCESS &&
            strncmp(key, prefix, length) == 0 &&
            PMPI_Info_get(info, key, VALUE, value, &found) == MPI_SUCCESS && found) {
            status = hitop_named_set(named, key + length, value, diag);
        }
    }
    return status;
}

/* Report only the first error. */
static void report(const char *where, const struct hitop_diag *diag)
{
    static _Atomic int reported;

    if (!atomic_exchange(&reported, 1)) {
        hitop_message("hitop: %s: %s; going on with auto\n", where, diag->message);
    }
}

static void report_cpm(void *self, const char *line)
{
    (void)self;
    hitop_message("hitop: %s\n", line);
}

/* Have one rank of the job report names of CPM, unless the program does. */
static void watch_names(void)
{
    int rank = 0;

    if (!hitop_cpm_is_watched() && PMPI_Comm_rank(MPI_COMM_WORLD, &rank) == MPI_SUCCESS &&
        rank == 0) {
        hitop_cpm_watch(report_cpm, NULL);
    }
}

void hitop_plans_ask(struct named *named, MPI_Comm comm)
{
    const char *text = getenv("HITOP_ALGORITHM");
    struct hitop_diag diag = HITOP_DIAG_INIT;
    MPI_Info info;

    watch_names();
    if (text && hitop_named_read(named, text, &diag) != HITOP_OK) {
        report("HITOP_ALGORITHM", &diag);
    }
    if (PMPI_Comm_get_info(comm, &info) == MPI_SUCCESS) {
        if (hitop_plans_read_info(named, info, &diag) != HITOP_OK) {
            report("MPI_Info of a communicator", &diag);
        }
        (void)PMPI_Info_free(&info);
    }
}

void hitop_plans_settle(struct plans *p, enum named_counts counts, unsigned planned)
{
    p->counts = counts;
    atomic_fetch_add(&hitop_plans_planned, (planned != 0) - (p->planned != 0));
    p->planned = planned;
}

/* 1: the program has set "choice" to "now" for a communicator. */
static _Atomic int is_now_set;

void hitop_plans_set_named(struct plans *p, const struct named *named)
{
    if (named->when == NAMED_NOW) {
        atomic_store(&is_now_set, 1);
    }
    p->named = *named;
    hitop_plans_settle(p, named->counts, hitop_named_operations(named));
}

static struct attribute_reserve reserve;

void hitop_plans_reserve(void)
{
    hitop_attribute_fill(&reserve, sizeof(struct plans));
}

static struct attribute *create_state(MPI_Comm comm)
{
    int is_poor;
    struct plans *p = hitop_attribute_memory(&reserve, sizeof(*p), &is_poor);

    if (!p) { /* the other ranks would wait for this one */
        hitop_failure_abort(comm, "out of memory");
        return NULL;
    }
    p->wire = MPI_COMM_NULL;
    p->last = "";
    p->is_poor = is_poor;
    if (!hitop_attribute_group(comm, &p->rank, &p->size)) {
        p->mode = PLANS_PASS;
    }
    return &p->attribute;
}

static void release(struct plans *p)
{
    hitop_compare_end(&p->compare, p->mode == PLANS_READY);
    hitop_search_clear(&p->searches);
    hitop_known_close(&p->known);
    hitop_cache_clear(&p->cache);
    hitop_model_free(p->model);
    p->model = NULL;
    p->rules = NULL;
    hitop_wire_free(&p->wire);
    hitop_plans_settle(p, p->counts, 0);
    p->mode = PLANS_PASS;
    p->last = "";
}

static void release_state(struct attribute *state)
{
    release((struct plans *)state);
}

struct plans *hitop_plans_of(MPI_Comm comm)
{
    static struct attribute_kind kind =
        ATTRIBUTE_KIND(ATTRIBUTE_PLANS, create_state, release_state);

    return comm == MPI_COMM_NULL ? NULL : (struct plans *)hitop_attribute_of(&kind, comm);
}

int hitop_plans_are_wanted(MPI_Comm comm, enum hitop_operation_id operation)
{
    const struct plans *p = hitop_plans_of(comm);

    return p && (p->planned >> operation & 1);
}

int hitop_plans_choose_now(MPI_Comm comm)
{
    /* most programs never set it, and most communicators need no state of plans */
    const struct plans *p = atomic_load(&is_now_set) ? hitop_plans_of(comm) : NULL;

    return p && p->named.when == NAMED_NOW;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The number of hosts, and the most ranks on one; sorts the names. */
static void count_hosts(struct plans *p, const char **host)
{
    int ranks = 0;

    qsort(host, (size_t)p->size, sizeof(*host), compare_names);
    p->hosts = p->ranks_per_host = 0;
    for (int r = 0; r < p->size; r++) {
        const int is_next = r == 0 || strcmp(host[r - 1], host[r]) != 0;
        p->hosts += is_next;
        ranks = is_next ? 1 : ranks + 1;
        p->ranks_per_host = ranks > p->ranks_per_host ? ranks : p->ranks_per_host;
    }
}

/* The hosts of all ranks, for rank 0 to count them and to price the links between them. */
static void learn_hosts(struct plans *p, struct hitop_failure *t)
{
    char mine[MPI_MAX_PROCESSOR_NAME] = "";
    const size_t n = p->rank == 0 ? (size_t)p->size : 0;
    char *all = calloc(n + 1, MPI_MAX_PROCESSOR_NAME);
    const char **host = calloc(n + 1, sizeof(*host));
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int length = 0, measured;

    if (!all || !host) {
        hitop_failure_note(t, "out of memory");
    }
    if (hitop_failure_agree(t, p->wire) == HITOP_NO_FAILURE) {
        hitop_failure_note_mpi(t, PMPI_Get_processor_name(mine, &length),
                               "MPI_Get_processor_name failed");
        hitop_failure_note_mpi(t,
                               PMPI_Gather(mine, MPI_MAX_PROCESSOR_NAME, MPI_CHAR, all,
                                           MPI_MAX_PROCESSOR_NAME, MPI_CHAR, 0, p->wire),
                               "MPI_Gather failed");
        for (size_t r = 0; r < n; r++) {
            host[r] = all + r * MPI_MAX_PROCESSOR_NAME;
        }
        if (p->rank == 0) {
            if (hitop_job_model(host, p->size, 0, &p->model, &measured, &diag) == HITOP_OK) {
                p->cost = hitop_model_cost(p->model);
                if (!p->rules) { /* their answer depends on the file of rules, too */
                    hitop_known_open(&p->known, host, p->size);
                }
                count_hosts(p, host);
                p->is_irregular = hitop_irregular_of(p->model, &p->irregular);
            } else {
                hitop_failure_note(t, diag.message);
            }
        }
    }
    free(host);
    free(all);
}

/* Send the settings of rank 0 to all ranks. */
static void share_settings(struct plans *p, struct hitop_failure *t)
{
    int settings[4] = {(int)p->named.counts, (int)hitop_named_operations(&p->named),
                       atomic_load(&hitop_job_model_is_reported), p->rules != NULL};

    hitop_failure_note_mpi(t, PMPI_Bcast(settings, 4, MPI_INT, 0, p->wire), "MPI_Bcast failed");
    hitop_plans_settle(p, (enum named_counts)settings[0], (unsigned)settings[1]);
    p->named.counts = p->counts;
    for (unsigned o = 0; o < HITOP_NOPERATIONS; o++) {
        p->named.is_said[o] = (unsigned char)(p->planned >> o & 1);
    }
    p->has_rules = settings[3];
    if (settings[2]) {
        atomic_store(&hitop_job_model_is_reported, 1);
    }
}

/* READY or PASS, the same on all ranks. */
static void prepare(struct plans *p, MPI_Comm comm)
{
    struct hitop_failure t = {0};

    if (p->is_poor) {
        hitop_failure_note(&t, "out of memory");
    }
    hitop_cache_init(&p->cache, p->size);
    hitop_wire_create(comm, &p->wire, &t);
    if (hitop_failure_agree(&t, comm) != HITOP_NO_FAILURE) {
        release(p);
        return;
    }
    p->tags = hitop_wire_tags();
    if (p->rank == 0) {
        hitop_plans_ask(&p->named, comm);
        p->rules = hitop_job_rules();
    }
    learn_hosts(p, &t);
    share_settings(p, &t);
    if (hitop_failure_agree(&t, p->wire) != HITOP_NO_FAILURE) {
        release(p);
        return;
    }
    p->mode = PLANS_READY;
}

struct plans *hitop_plans_ready(MPI_Comm comm)
{
    struct plans *p = hitop_plans_of(comm);

    if (p && p->mode == PLANS_NEW) {
        prepare(p, comm);
    }
    return p && p->mode != PLANS_PASS ? p : NULL;
}
