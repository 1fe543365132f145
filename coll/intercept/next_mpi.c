/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * next_mpi.c - other tools that are preloaded behind the library see the calls that it leaves to
 * MPI.
 *
 * They are looked up when the library is loaded: all that is preloaded is there by then, and no
 * thread but this one.
 */
#include <config.h>

#include "coll/intercept/next_mpi.h"

#include "coll/runtime/signatures_mpi.h"

#include <dlfcn.h>
#include <string.h>

struct intercept_next hitop_intercept_next = {.init = PMPI_Init, .init_thread = PMPI_Init_thread};

void hitop_intercept_find_next(const char *name, void *target)
{
    void *const found = dlsym(RTLD_NEXT, name);

    if (found) { /* ISO C has no conversion between pointers to objects and to functions */
        memcpy(target, &found, sizeof(found));
    }
}

#define FIND_NEXT(Name, name, ...) hitop_intercept_find_next("MPI_" #Name, &hitop_fallback.name);

static __attribute__((constructor)) void find_all(void)
{
    COLLECTIVES(FIND_NEXT)
#if MPI_VERSION >= 4
    hitop_intercept_find_next("MPI_Bcast_c", &hitop_fallback.bcast_c);
#endif
    hitop_intercept_find_next("MPI_Init", &hitop_intercept_next.init);
    hitop_intercept_find_next("MPI_Init_thread", &hitop_intercept_next.init_thread);
}
