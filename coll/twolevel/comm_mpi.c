/* SPDX-License-Identifier: BSD-3-Clause */
/* comm_mpi.c - the life of a communicator's state: attribute, look-up, MPI_Finalize. */
#include <config.h>

#include "comm_mpi.h"
#include "types_mpi.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t registry_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t keyval_once = PTHREAD_ONCE_INIT;
static int keyval = MPI_KEYVAL_INVALID;
static struct hitop_comm *all_states;

/* Counts freed states, so that a remembered look-up is dropped when a handle may have been reused. */
static _Atomic unsigned generation;

static void forget(struct hitop_comm *c)
{
    (void)pthread_mutex_lock(&registry_lock);
    if (c->previous) {
        c->previous->next = c->next;
    } else {
        all_states = c->next;
    }
    if (c->next) {
        c->next->previous = c->previous;
    }
    (void)pthread_mutex_unlock(&registry_lock);
    atomic_fetch_add_explicit(&generation, 1, memory_order_relaxed);
}

/* MPI_Comm_free() of the user's communicator. */
static int on_free(MPI_Comm comm, int key, void *value, void *extra)
{
    struct hitop_comm *c = value;

    (void)comm;
    (void)key;
    (void)extra;
    forget(c);
    hitop_comm_release(c);
    free(c);
    return MPI_SUCCESS;
}

/*
 * MPI_Finalize() deletes the attributes of MPI_COMM_SELF first, while MPI is still alive, and those of
 * other communicators too late or never (Open MPI 4 and 5, MPICH 4 each in a different way). So this is
 * where states are released whose communicators were not freed; the states themselves stay, empty, for a
 * late call of on_free().
 */
static int on_finalize(MPI_Comm self, int key, void *value, void *extra)
{
    (void)self;
    (void)key;
    (void)value;
    (void)extra;
    for (struct hitop_comm *c = all_states; c; c = c->next) {
        hitop_comm_release(c);
        c->mode = HITOP_COMM_PASS;
    }
    /* nothing would release a state that is made from now on: without a key there is none */
    (void)PMPI_Comm_free_keyval(&keyval);
    hitop_types_release();
    atomic_fetch_add_explicit(&generation, 1, memory_order_relaxed);
    return MPI_SUCCESS;
}

static void create_keyvals(void)
{
    int self_key = MPI_KEYVAL_INVALID;

    if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_free, &keyval, NULL) != MPI_SUCCESS ||
        PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_finalize, &self_key, NULL) !=
            MPI_SUCCESS ||
        PMPI_Comm_set_attr(MPI_COMM_SELF, self_key, NULL) != MPI_SUCCESS ||
        PMPI_Comm_free_keyval(&self_key) != MPI_SUCCESS) { /* it lives on in its attribute */
        keyval = MPI_KEYVAL_INVALID;
    }
}

static struct hitop_comm *create_state(MPI_Comm comm)
{
    struct hitop_comm *c = calloc(1, sizeof(*c));
    int is_inter = 1;

    if (!c) { /* the others will want to agree with us */
        hitop_trouble_abort(comm, "out of memory");
        return NULL;
    }
    c->wire = MPI_COMM_NULL;
    if (PMPI_Comm_test_inter(comm, &is_inter) != MPI_SUCCESS || is_inter ||
        PMPI_Comm_rank(comm, &c->rank) != MPI_SUCCESS ||
        PMPI_Comm_size(comm, &c->size) != MPI_SUCCESS || c->size < 2) {
        c->mode = HITOP_COMM_PASS;
    }
    (void)pthread_mutex_lock(&registry_lock);
    c->next = all_states;
    if (all_states) {
        all_states->previous = c;
    }
    all_states = c;
    (void)pthread_mutex_unlock(&registry_lock);
    if (PMPI_Comm_set_attr(comm, keyval, c) != MPI_SUCCESS) {
        forget(c);
        free(c);
        return NULL;
    }
    return c;
}

struct hitop_comm *hitop_comm_state(MPI_Comm comm)
{
    static _Thread_local struct {
        MPI_Comm comm;
        struct hitop_comm *state;
        unsigned generation;
    } last; /* an attribute look-up costs a fifth of a small broadcast */
    const unsigned now = atomic_load_explicit(&generation, memory_order_relaxed);
    void *value = NULL;
    int found = 0;

    if (last.state && last.comm == comm && last.generation == now) {
        return last.state;
    }
    (void)pthread_once(&keyval_once, create_keyvals);
    if (keyval == MPI_KEYVAL_INVALID ||
        PMPI_Comm_get_attr(comm, keyval, &value, &found) != MPI_SUCCESS) {
        return NULL;
    }
    last.state = found ? value : create_state(comm);
    last.comm = comm;
    last.generation = now;
    return last.state;
}
