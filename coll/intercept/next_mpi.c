/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * next_mpi.c - other tools that are preloaded behind the library see the calls that it leaves to MPI.
 *
 * They are looked up when the library is loaded: all that is preloaded is there by then, and no thread but this one.
 */
#include <config.h>

#include "coll/intercept/next_mpi.h"

#include "coll/runtime/leave_mpi.h"

#include <dlfcn.h>
#include <string.h>

struct intercept_next intercept_next = {.init = PMPI_Init, .init_thread = PMPI_Init_thread};

void intercept_find_next(const char *name, void *target)
{
    void *const found = dlsym(RTLD_NEXT, name);

    if (found) { /* ISO C has no conversion between pointers to objects and to functions */
        memcpy(target, &found, sizeof(found));
    }
}

#define FIND_NEXT(Name, name, ...) intercept_find_next("MPI_" #Name, &leave.name);

static __attribute__((constructor)) void find_all(void)
{
    COLLECTIVES(FIND_NEXT)
#if MPI_VERSION >= 4
    intercept_find_next("MPI_Bcast_c", &leave.bcast_c);
#endif
    intercept_find_next("MPI_Init", &intercept_next.init);
    intercept_find_next("MPI_Init_thread", &intercept_next.init_thread);
}
