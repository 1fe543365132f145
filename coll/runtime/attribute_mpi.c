/* SPDX-License-Identifier: BSD-3-Clause */
/* attribute_mpi.c - the life cycle of communicators' states: attribute, look-up, MPI_Finalize(). */
#include <config.h>

#include "coll/runtime/attribute_mpi.h"
#include "coll/runtime/job_files.h"
#include "coll/runtime/types_mpi.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Protects the following variables. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct attribute *all_states;
static struct attribute_kind *kinds[ATTRIBUTE_KINDS]; /* kinds that have a key */
static int watches_end;                               /* MPI_Finalize() will call on_finalize() */
static int ended;

_Atomic unsigned hitop_attribute_freed;
PER_THREAD struct attribute_last hitop_attribute_last[ATTRIBUTE_KINDS];

void hitop_attribute_fill(struct attribute_reserve *reserve, size_t bytes)
{
    void *none = NULL, *spare;

    if (!atomic_load(&reserve->memory)) {
        spare = calloc(1, bytes);
        if (!atomic_compare_exchange_strong(&reserve->memory, &none, spare)) {
            free(spare);
        }
    }
}

void *hitop_attribute_memory(struct attribute_reserve *reserve, size_t bytes, int *is_poor)
{
    void *memory = calloc(1, bytes);

    *is_poor = !memory;
    if (!memory) {
        return atomic_exchange(&reserve->memory, NULL);
    }
    hitop_attribute_fill(reserve, bytes);
    return memory;
}

static void link_state(struct attribute *state)
{
    (void)pthread_mutex_lock(&lock);
    state->next = all_states;
    if (all_states) {
        all_states->previous = state;
    }
    all_states = state;
    (void)pthread_mutex_unlock(&lock);
}

static void unlink_state(struct attribute *state)
{
    (void)pthread_mutex_lock(&lock);
    if (state->previous) {
        state->previous->next = state->next;
    } else {
        all_states = state->next;
    }
    if (state->next) {
        state->next->previous = state->previous;
    }
    (void)pthread_mutex_unlock(&lock);
    atomic_fetch_add_explicit(&hitop_attribute_freed, 1, memory_order_relaxed);
}

/* MPI_Comm_free() of the user's communicator calls this. */
static int on_free(MPI_Comm comm, int key, void *value, void *extra)
{
    struct attribute *state = value;

    (void)comm;
    (void)key;
    (void)extra;
    unlink_state(state);
    state->kind->release(state);
    free(state);
    return MPI_SUCCESS;
}

/*
 * Sort the states by `order`. This needs no memory: no rank may fail here while others communicate.
 */
static void sort_states(void)
{
    struct attribute *rest = all_states, *previous = NULL, **end = &all_states;

    while (rest) {
        struct attribute **least = &rest, *state;

        for (struct attribute **at = &rest; *at; at = &(*at)->next) {
            least = (*at)->order < (*least)->order ? at : least;
        }
        state = *least;
        *least = state->next;
        state->previous = previous;
        previous = *end = state;
        end = &state->next;
    }
    *end = NULL;
}

/*
 * Release the states in the same order on all ranks, because a state may communicate for the last
 * time.
 */
static void release_all(void)
{
    (void)pthread_mutex_lock(&lock);
    sort_states();
    (void)pthread_mutex_unlock(&lock);
    for (struct attribute *state = all_states; state; state = state->next) {
        state->kind->release(state);
    }
}

/*
 * MPI_Finalize() deletes the attributes of MPI_COMM_SELF first, while MPI is still usable, and
 * those of other communicators too late or never (Open MPI 4 and 5 and MPICH 4 differ). So this
 * function releases the states of communicators that were not freed. The states themselves stay,
 * empty, for a late call of on_free().
 */
static int on_finalize(MPI_Comm self, int key, void *value, void *extra)
{
    (void)self;
    (void)key;
    (void)value;
    (void)extra;
    release_all();
    /* later states would never be released: without a key none is created */
    (void)pthread_mutex_lock(&lock);
    ended = 1;
    for (int i = 0; i < ATTRIBUTE_KINDS; i++) {
        if (kinds[i]) {
            (void)PMPI_Comm_free_keyval(&kinds[i]->keyval);
        }
    }
    (void)pthread_mutex_unlock(&lock);
    hitop_types_release();
    hitop_job_rules_release();
    atomic_fetch_add_explicit(&hitop_attribute_freed, 1, memory_order_relaxed);
    return MPI_SUCCESS;
}

static int watch_end(void)
{
    int key = MPI_KEYVAL_INVALID;

    return PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_finalize, &key, NULL) == MPI_SUCCESS &&
           PMPI_Comm_set_attr(MPI_COMM_SELF, key, NULL) == MPI_SUCCESS &&
           PMPI_Comm_free_keyval(&key) == MPI_SUCCESS; /* the key lives on in its attribute */
}

void hitop_attribute_begin(void)
{
    (void)pthread_mutex_lock(&lock);
    if (!watches_end) {
        watches_end = watch_end();
    }
    (void)pthread_mutex_unlock(&lock);
}

static int key_of(struct attribute_kind *kind)
{
    int key;

    hitop_attribute_begin();
    (void)pthread_mutex_lock(&lock);
    if (watches_end && !ended && !kind->made) {
        kind->made = 1;
        if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_free, &kind->keyval, NULL) ==
            MPI_SUCCESS) {
            kinds[kind->slot] = kind;
        } else {
            kind->keyval = MPI_KEYVAL_INVALID;
        }
    }
    key = ended ? MPI_KEYVAL_INVALID : kind->keyval;
    (void)pthread_mutex_unlock(&lock);
    return key;
}

static struct attribute *create_state(struct attribute_kind *kind, int key, MPI_Comm comm)
{
    struct attribute *state = kind->create(comm);

    if (!state) {
        return NULL;
    }
    state->kind = kind;
    link_state(state);
    if (PMPI_Comm_set_attr(comm, key, state) != MPI_SUCCESS) {
        unlink_state(state);
        state->kind->release(state);
        free(state);
        return NULL;
    }
    return state;
}

struct attribute *hitop_attribute_of(struct attribute_kind *kind, MPI_Comm comm)
{
    const unsigned freed = atomic_load_explicit(&hitop_attribute_freed, memory_order_relaxed);
    struct attribute *state = attribute_recall(kind->slot, comm);
    void *value = NULL;
    int found = 0, is_world = 0, key;

    if (state) {
        return state;
    }
    (void)PMPI_Initialized(&is_world); /* sessions have no MPI_COMM_SELF */
    key = is_world ? key_of(kind) : MPI_KEYVAL_INVALID;
    if (key == MPI_KEYVAL_INVALID || PMPI_Comm_get_attr(comm, key, &value, &found) != MPI_SUCCESS) {
        return NULL;
    }
    state = found ? value : create_state(kind, key, comm);
    hitop_attribute_last[kind->slot] = (struct attribute_last){comm, state, freed};
    return state;
}

/*
 * 1: all ranks belong to the MPI_COMM_WORLD of this process. Others, which were spawned or have
 * connected, may run without the library or disable other operations: they would not take part in
 * an agreement.
 */
static int is_of_one_world(MPI_Comm comm, int size)
{
    enum { BATCH = 256 };
    int ranks[BATCH], found[BATCH], alike = 1;
    MPI_Group world, group;

    if (comm == MPI_COMM_WORLD) {
        return 1;
    }
    if (PMPI_Comm_group(MPI_COMM_WORLD, &world) != MPI_SUCCESS) {
        return 0;
    }
    if (PMPI_Comm_group(comm, &group) != MPI_SUCCESS) {
        (void)PMPI_Group_free(&world);
        return 0;
    }
    for (int first = 0; alike && first < size; first += BATCH) {
        const int n = size - first < BATCH ? size - first : BATCH;

        for (int i = 0; i < n; i++) {
            ranks[i] = first + i;
        }
        alike = PMPI_Group_translate_ranks(group, n, ranks, world, found) == MPI_SUCCESS;
        for (int i = 0; i < n; i++) {
            alike = alike && found[i] != MPI_UNDEFINED;
        }
    }
    (void)PMPI_Group_free(&group);
    (void)PMPI_Group_free(&world);
    return alike;
}

int hitop_attribute_group(MPI_Comm comm, int *rank, int *size)
{
    int is_inter = 1;

    return PMPI_Comm_test_inter(comm, &is_inter) == MPI_SUCCESS && !is_inter &&
           PMPI_Comm_rank(comm, rank) == MPI_SUCCESS && PMPI_Comm_size(comm, size) == MPI_SUCCESS &&
           *size >= 2 && is_of_one_world(comm, *size);
}
