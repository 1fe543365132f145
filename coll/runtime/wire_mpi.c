/* SPDX-License-Identifier: BSD-3-Clause */
/* wire_mpi.c - private communicators, within what MPI has of them. */
#include <config.h>

#include "disabled.h"
#include "wire_mpi.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/*
 * Wires that exist at the same time. MPI libraries have a limited number of communicators (2048 in MPICH),
 * of which the program shall not miss ours.
 */
enum { MAX_WIRES = 512 };

static _Atomic int nwires;

/* Reasons of this process alone to stay away. */
static void check_process(struct hitop_trouble *t)
{
    const char *asked = getenv("HITOP_COLL");
    struct hitop_diag diag = HITOP_DIAG_INIT;
    unsigned disabled;

    if (disabled_read(&disabled, &diag) != HITOP_OK) {
        hitop_trouble_note(t, diag.message);
    } else if (disabled == DISABLED_ALL) {
        hitop_trouble_note(t, "HITOP_DISABLE");
    }
    if ((!asked || strcmp(asked, "on") != 0) &&
        (dlsym(RTLD_DEFAULT, "cuInit") || dlsym(RTLD_DEFAULT, "hipInit"))) {
        /* buffers may lie in device memory, which memcpy() cannot reach */
        hitop_trouble_note(t, "a GPU runtime is loaded; HITOP_COLL=on overrides");
    }
    if (atomic_load(&nwires) >= MAX_WIRES) {
        hitop_trouble_note(t, "too many communicators are in use");
    }
}

/* A wire has come to be. */
static void begin(MPI_Comm wire)
{
    atomic_fetch_add(&nwires, 1);
    (void)PMPI_Comm_set_errhandler(wire, MPI_ERRORS_RETURN);
}

void wire_create(MPI_Comm comm, MPI_Comm *wire, struct hitop_trouble *t)
{
    MPI_Errhandler users;
    int rank = 0;

    *wire = MPI_COMM_NULL;
    check_process(t);
    if (hitop_trouble_agree(t, comm) != HITOP_NO_TROUBLE) {
        return;
    }
    if (PMPI_Comm_rank(comm, &rank) != MPI_SUCCESS ||
        PMPI_Comm_get_errhandler(comm, &users) != MPI_SUCCESS) {
        hitop_trouble_note(t, "MPI_Comm_get_errhandler failed");
        return;
    }
    if (users != MPI_ERRHANDLER_NULL) { /* which SimGrid has for the world */
        /* where MPI runs out of communicators the program must not end: it did not ask for this one */
        (void)PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    }
    /* not MPI_Comm_dup(): that copies the user's attributes, and promises about messages (MPI_Info) that
     * ours do not keep */
    if (PMPI_Comm_split(comm, 0, rank, wire) != MPI_SUCCESS) {
        *wire = MPI_COMM_NULL;
        hitop_trouble_note(t, "MPI has no communicator left");
    }
    if (users != MPI_ERRHANDLER_NULL) {
        (void)PMPI_Comm_set_errhandler(comm, users);
        (void)PMPI_Errhandler_free(&users);
    }
    if (*wire != MPI_COMM_NULL) {
        begin(*wire);
    }
}

void wire_split(MPI_Comm wire, int is_in, MPI_Comm *part, struct hitop_trouble *t)
{
    int rank = 0;

    (void)PMPI_Comm_rank(wire, &rank);
    if (PMPI_Comm_split(wire, is_in ? 0 : MPI_UNDEFINED, rank, part) != MPI_SUCCESS) {
        *part = MPI_COMM_NULL;
        hitop_trouble_note(t, "MPI has no communicator left");
    }
    if (*part != MPI_COMM_NULL) {
        begin(*part);
    }
}

void wire_free(MPI_Comm *wire)
{
    int ended = 0;

    if (*wire == MPI_COMM_NULL) {
        return;
    }
    atomic_fetch_sub(&nwires, 1);
    (void)PMPI_Finalized(&ended); /* SimGrid deletes attributes behind MPI_Finalize() */
    if (!ended) {
        (void)PMPI_Comm_free(wire);
    }
    *wire = MPI_COMM_NULL;
}

int wire_tags(void)
{
    int *bound = NULL, found = 0;

    if (PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &found) != MPI_SUCCESS || !found) {
        return 32767; /* what MPI guarantees */
    }
    return *bound;
}
