/* SPDX-License-Identifier: BSD-3-Clause */
/* wire_mpi.c - private communicators; ranks record failures and agree on them. */
#include <config.h>

#include "coll/runtime/wire_mpi.h"

#include "coll/runtime/message.h"
#include "coll/runtime/named.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

void hitop_failure_note(struct hitop_failure *t, const char *what)
{
    if (!t->failed) {
        t->failed = 1;
        (void)hitop_fail(&t->diag, HITOP_ERR_MPI, "%s", what);
    }
}

void hitop_failure_note_mpi(struct hitop_failure *t, int code, const char *what)
{
    if (code != MPI_SUCCESS) {
        hitop_failure_note(t, what);
    }
}

int hitop_failure_agree(const struct hitop_failure *t, MPI_Comm comm)
{
    int rank = 0, size = 0, first;

    (void)PMPI_Comm_rank(comm, &rank);
    (void)PMPI_Comm_size(comm, &size);
    first = t->failed ? rank : size;
    if (PMPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, comm) != MPI_SUCCESS) {
        return rank;
    }
    return first < size ? first : HITOP_NO_FAILURE;
}

void hitop_failure_abort(MPI_Comm comm, const char *what)
{
    hitop_message("hitop: %s, and the other ranks would wait for this one: the job ends\n", what);
    (void)PMPI_Abort(comm, 1);
    _Exit(EXIT_FAILURE);
}

/*
 * Most private communicators that exist at the same time. MPI libraries have a limited number of
 * communicators (2048 in MPICH), and the program must not lack those that Hitop takes.
 */
enum { MAX_WIRES = 512 };

static _Atomic int nwires;

/* 1 if one of these libraries, known by file name, is loaded in this process. */
static int is_loaded(const char *const *libraries)
{
    for (; *libraries; libraries++) {
        void *library = dlopen(*libraries, RTLD_LAZY | RTLD_NOLOAD);

        if (library) {
            (void)dlclose(library);
            return 1;
        }
    }
    return 0;
}

/* Does this machine have a device for Level Zero, under a name of Linux or of WSL? */
static int has_render_node(void)
{
    static const char *const nodes[] = {"/dev/dri/renderD*", "/dev/accel/*", "/dev/dxg"};

    for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++) {
        glob_t found;
        const int status = glob(nodes[i], GLOB_NOSORT, NULL, &found);

        if (status == 0) {
            globfree(&found);
        }
        if (status != GLOB_NOMATCH) {
            return 1;
        }
    }
    return 0;
}

/*
 * Is a GPU runtime loaded in this process? Buffers can then lie in device memory, which memcpy()
 * cannot reach. Programs and MPI libraries load it with dlopen(), so its functions may be
 * invisible. The loader of Level Zero proves nothing, because a plugin of hwloc 2.12 loads it into
 * every MPI process. It loads a driver where one is installed. So Level Zero counts only where
 * there is a device.
 */
static int has_gpu(void)
{
    static const char *const functions[] = {"cuInit", "hipInit"};
    static const char *const runtimes[] = {"libcuda.so.1", "libamdhip64.so.5", "libamdhip64.so.6",
                                           "libamdhip64.so.7", NULL};
    static const char *const drivers[] = {"libze_intel_gpu.so.1", "libze_intel_gpu_legacy1.so.1",
                                          "libze_intel_vpu.so.1", NULL};

    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
        if (dlsym(RTLD_DEFAULT, functions[i])) {
            return 1;
        }
    }
    return is_loaded(runtimes) ||
           ((dlsym(RTLD_DEFAULT, "zeInit") || is_loaded(drivers)) && has_render_node());
}

/* Find reasons of this process alone to serve no calls. */
static void check_process(struct hitop_failure *t)
{
    const char *asked = getenv("HITOP_COLL");
    struct hitop_diag diag = HITOP_DIAG_INIT;
    unsigned disabled;

    if (hitop_disabled_read(&disabled, &diag) != HITOP_OK) {
        hitop_failure_note(t, diag.message);
    } else if (disabled == DISABLED_ALL) {
        hitop_failure_note(t, "HITOP_DISABLE");
    }
    if ((!asked || strcmp(asked, "on") != 0) && has_gpu()) {
        hitop_failure_note(t, "a GPU runtime is loaded; HITOP_COLL=on overrides");
    }
    if (atomic_load(&nwires) >= MAX_WIRES) {
        hitop_failure_note(t, "too many communicators are in use");
    }
}

/* Begin to use a new private communicator. */
static void begin(MPI_Comm wire)
{
    atomic_fetch_add(&nwires, 1);
    (void)PMPI_Comm_set_errhandler(wire, MPI_ERRORS_RETURN);
}

/* Restore the program's error handler, unless another thread has set one meanwhile. */
static void restore(MPI_Comm comm, MPI_Errhandler users)
{
    MPI_Errhandler now = MPI_ERRHANDLER_NULL;

    if (PMPI_Comm_get_errhandler(comm, &now) == MPI_SUCCESS && now == MPI_ERRORS_RETURN) {
        (void)PMPI_Comm_set_errhandler(comm, users);
    }
    if (now != MPI_ERRHANDLER_NULL) {
        (void)PMPI_Errhandler_free(&now);
    }
    (void)PMPI_Errhandler_free(&users);
}

int hitop_wire_try(MPI_Comm comm, int rank, MPI_Comm *out)
{
    MPI_Errhandler users = MPI_ERRHANDLER_NULL;
    int code = PMPI_Comm_get_errhandler(comm, &users);

    *out = MPI_COMM_NULL;
    if (code != MPI_SUCCESS) {
        return code;
    }
    if (users != MPI_ERRHANDLER_NULL) { /* SimGrid has a null handler for MPI_COMM_WORLD */
        (void)PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    }
    /*
     * not MPI_Comm_dup(): that copies the user's attributes, and assertions about messages
     * (MPI_Info) that Hitop's do not meet
     */
    code = PMPI_Comm_split(comm, 0, rank, out);
    if (code != MPI_SUCCESS) {
        *out = MPI_COMM_NULL;
    }
    if (users != MPI_ERRHANDLER_NULL) {
        restore(comm, users);
    }
    return code;
}

void hitop_wire_create(MPI_Comm comm, MPI_Comm *wire, struct hitop_failure *t)
{
    int rank = 0;

    *wire = MPI_COMM_NULL;
    check_process(t);
    if (hitop_failure_agree(t, comm) != HITOP_NO_FAILURE) {
        return;
    }
    if (PMPI_Comm_rank(comm, &rank) != MPI_SUCCESS ||
        hitop_wire_try(comm, rank, wire) != MPI_SUCCESS) {
        hitop_failure_note(t, "MPI has no communicator left");
        return;
    }
    begin(*wire);
}

void hitop_wire_split(MPI_Comm wire, int is_in, MPI_Comm *part, struct hitop_failure *t)
{
    int rank = 0;

    (void)PMPI_Comm_rank(wire, &rank);
    if (PMPI_Comm_split(wire, is_in ? 0 : MPI_UNDEFINED, rank, part) != MPI_SUCCESS) {
        *part = MPI_COMM_NULL;
        hitop_failure_note(t, "MPI has no communicator left");
    }
    if (*part != MPI_COMM_NULL) {
        begin(*part);
    }
}

void hitop_wire_free(MPI_Comm *wire)
{
    int ended = 0;

    if (*wire == MPI_COMM_NULL) {
        return;
    }
    atomic_fetch_sub(&nwires, 1);
    (void)PMPI_Finalized(&ended); /* SimGrid deletes attributes after MPI_Finalize() */
    if (!ended) {
        (void)PMPI_Comm_free(wire);
    }
    *wire = MPI_COMM_NULL;
}

int hitop_wire_tags(void)
{
    int *bound = NULL, found = 0;

    if (PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &found) != MPI_SUCCESS || !found) {
        return 32767; /* the minimum that MPI guarantees */
    }
    return *bound;
}
