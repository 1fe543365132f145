/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fortran_mpi.c - the Fortran entry points of Open MPI that libhitop_coll.so takes over.
 *
 * Open MPI's Fortran bindings call PMPI_Bcast, so that taking over MPI_Bcast catches nothing of a Fortran
 * program: `mpif.h` and the module mpi call mpi_bcast_ in the spelling of the compiler, the module
 * mpi_f08 calls ompi_bcast_f. MPICH's bindings call MPI_Bcast and need nothing here.
 */
#include <config.h>

#include "hitop/bcast_mpi.h"

#ifdef OPEN_MPI

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

/* Fortran's MPI_BOTTOM is a variable, one for each way in which compilers spell names. */
static const void *bottom[4];

static void find_bottom(void)
{
    static const char *const names[] = {"mpi_fortran_bottom_", "mpi_fortran_bottom",
                                        "mpi_fortran_bottom__", "MPI_FORTRAN_BOTTOM"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        bottom[i] = dlsym(RTLD_DEFAULT, names[i]);
    }
}

static void *address(void *buffer)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    (void)pthread_once(&once, find_bottom);
    for (size_t i = 0; i < sizeof(bottom) / sizeof(bottom[0]); i++) {
        if (bottom[i] && buffer == bottom[i]) {
            return MPI_BOTTOM;
        }
    }
    return buffer;
}

/* Fortran passes everything by reference. */
#define ARGUMENTS                                                                                  \
    void *buffer, const MPI_Fint *count, const MPI_Fint *type, const MPI_Fint *root,               \
        const MPI_Fint *comm, MPI_Fint *error

HITOP_API void ompi_bcast_f(ARGUMENTS);

void ompi_bcast_f(ARGUMENTS)
{
    const int code = hitop_bcast(address(buffer), (int)*count, MPI_Type_f2c(*type), (int)*root,
                                 MPI_Comm_f2c(*comm));

    if (error) {
        *error = code;
    }
}

/* The same under the names that compilers make of MPI_BCAST. */
HITOP_API void mpi_bcast(ARGUMENTS) __attribute__((alias("ompi_bcast_f")));
HITOP_API void mpi_bcast_(ARGUMENTS) __attribute__((alias("ompi_bcast_f")));
HITOP_API void mpi_bcast__(ARGUMENTS) __attribute__((alias("ompi_bcast_f")));
HITOP_API void MPI_BCAST(ARGUMENTS) __attribute__((alias("ompi_bcast_f")));

#endif
