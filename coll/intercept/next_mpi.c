/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * next_mpi.c - find the next definition of MPI functions, so that other preloaded tools see the
 * calls that the library passes on.
 *
 * The search runs when the library is loaded: by then all preloaded libraries are loaded, too, and
 * there is only one thread.
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

    if (found) { /* ISO C does not convert between pointers to objects and to functions */
        memcpy(target, &found, sizeof(found));
    }
}

#define FIND_NEXT(Name, name, ...) hitop_intercept_find_next("MPI_" #Name, &hitop_fallback.name);

static __attribute__((constructor)) void find_all(void)
{
    COLLECTIVES(FIND_NEXT)
#if HITOP_MPI_LARGE_COUNTS
    hitop_intercept_find_next("MPI_Bcast_c", &hitop_fallback.bcast_c);
#endif
    hitop_intercept_find_next("MPI_Init", &hitop_intercept_next.init);
    hitop_intercept_find_next("MPI_Init_thread", &hitop_intercept_next.init_thread);
}
