/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fortran_mpi.c - the Fortran entry points that libhitop_coll.so intercepts.
 *
 * Open MPI's Fortran bindings call PMPI_*, so intercepting MPI_* of C has no effect on a Fortran
 * program. A program with `mpif.h` or the module mpi calls mpi_bcast_, in the spelling of its
 * compiler; the module mpi_f08 calls ompi_bcast_f. Here all of these are one function, which calls
 * MPI_Bcast of C.
 *
 * MPICH's bindings call MPI_Bcast of C. Only procedures of its module mpi_f08 that have no buffer
 * to convert do not, and need entry points here.
 */
#include <config.h>

#include "coll/runtime/facts_mpi.h"

#include <mpi.h>

/* Where Fortran's integers are longer than C's, MPI serves its calls. */
#if HITOP_MPI_FORTRAN && SIZEOF_MPI_FINT == SIZEOF_INT

#include "hitop/status.h"

#include <stddef.h>

/* Fortran passes all arguments by reference. */
#define BUFFER void *
#define INTEGERS const MPI_Fint *

static MPI_Comm comm_of(INTEGERS handle)
{
    return PMPI_Comm_f2c(*handle);
}

/* A Fortran procedure that calls MPI_<Name> of C. */
#define ENTRY(symbol, Name, parameters, arguments)                                                 \
    HITOP_API void symbol parameters;                                                              \
                                                                                                   \
    void symbol parameters                                                                         \
    {                                                                                              \
        const int code = MPI_##Name arguments;                                                     \
                                                                                                   \
        if (error) {                                                                               \
            *error = code;                                                                         \
        }                                                                                          \
    }

#ifdef MPICH

ENTRY(mpi_barrier_f08_, Barrier, (INTEGERS comm, MPI_Fint *error), (comm_of(comm)))

ENTRY(mpi_init_f08_, Init, (MPI_Fint * error), (NULL, NULL))

ENTRY(mpi_init_thread_f08_, Init_thread, (INTEGERS required, MPI_Fint *provided, MPI_Fint *error),
      (NULL, NULL, *required, provided))

#else

#include <dlfcn.h>
#include <pthread.h>

/* Fortran's MPI_BOTTOM and MPI_IN_PLACE are variables, one for each spelling that compilers use. */
enum { SPELLINGS = 4 };
static const void *bottom[SPELLINGS], *in_place[SPELLINGS];

static void find_sentinels(void)
{
    static const char *const names[2][SPELLINGS] = {
        {"mpi_fortran_bottom_", "mpi_fortran_bottom", "mpi_fortran_bottom__", "MPI_FORTRAN_BOTTOM"},
        {"mpi_fortran_in_place_", "mpi_fortran_in_place", "mpi_fortran_in_place__",
         "MPI_FORTRAN_IN_PLACE"}};

    for (int i = 0; i < SPELLINGS; i++) {
        bottom[i] = dlsym(RTLD_DEFAULT, names[0][i]);
        in_place[i] = dlsym(RTLD_DEFAULT, names[1][i]);
    }
}

static void *address(void *buffer)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    (void)pthread_once(&once, find_sentinels);
    for (int i = 0; i < SPELLINGS && buffer; i++) {
        if (buffer == bottom[i]) {
            return MPI_BOTTOM;
        }
        if (buffer == in_place[i]) {
            return MPI_IN_PLACE;
        }
    }
    return buffer;
}

static MPI_Datatype type_of(INTEGERS handle)
{
    return PMPI_Type_f2c(*handle);
}

static MPI_Op op_of(INTEGERS handle)
{
    return PMPI_Op_f2c(*handle);
}

/* ompi_<name>_f, with an alias for each symbol that compilers make of MPI_<NAME>. */
#define ENTRIES(Name, name, NAME, parameters, arguments)                                           \
    ENTRY(ompi_##name##_f, Name, parameters, arguments)                                            \
    HITOP_API void mpi_##name parameters __attribute__((alias("ompi_" #name "_f")));               \
    HITOP_API void mpi_##name##_ parameters __attribute__((alias("ompi_" #name "_f")));            \
    HITOP_API void mpi_##name##__ parameters __attribute__((alias("ompi_" #name "_f")));           \
    HITOP_API void MPI_##NAME parameters __attribute__((alias("ompi_" #name "_f")));

/* Parts of parameter lists, and the corresponding arguments in C. */
#define SEND BUFFER sendbuf, INTEGERS sendcount, INTEGERS sendtype
#define SENT address(sendbuf), *sendcount, type_of(sendtype)
#define SEND_UNEVEN BUFFER sendbuf, INTEGERS sendcounts, INTEGERS sdispls, INTEGERS sendtype
#define SENT_UNEVEN address(sendbuf), sendcounts, sdispls, type_of(sendtype)
#define RECV BUFFER recvbuf, INTEGERS recvcount, INTEGERS recvtype
#define RECEIVED address(recvbuf), *recvcount, type_of(recvtype)
#define RECV_UNEVEN BUFFER recvbuf, INTEGERS recvcounts, INTEGERS rdispls, INTEGERS recvtype
#define RECEIVED_UNEVEN address(recvbuf), recvcounts, rdispls, type_of(recvtype)
#define COMBINE BUFFER sendbuf, BUFFER recvbuf, INTEGERS count, INTEGERS type, INTEGERS op
#define COMBINED address(sendbuf), address(recvbuf), *count, type_of(type), op_of(op)
#define COMBINED_UNEVEN address(sendbuf), address(recvbuf), count, type_of(type), op_of(op)
#define ROOT INTEGERS root
#define END INTEGERS comm, MPI_Fint *error

/* clang-format off */

ENTRIES(Init, init, INIT, (MPI_Fint *error), (NULL, NULL))

ENTRIES(Init_thread, init_thread, INIT_THREAD,
        (INTEGERS required, MPI_Fint *provided, MPI_Fint *error),
        (NULL, NULL, *required, provided))

ENTRIES(Allgather, allgather, ALLGATHER,
        (SEND, RECV, END), (SENT, RECEIVED, comm_of(comm)))

ENTRIES(Allgatherv, allgatherv, ALLGATHERV,
        (SEND, RECV_UNEVEN, END), (SENT, RECEIVED_UNEVEN, comm_of(comm)))

ENTRIES(Allreduce, allreduce, ALLREDUCE, (COMBINE, END), (COMBINED, comm_of(comm)))

ENTRIES(Alltoall, alltoall, ALLTOALL,
        (SEND, RECV, END), (SENT, RECEIVED, comm_of(comm)))

ENTRIES(Alltoallv, alltoallv, ALLTOALLV,
        (SEND_UNEVEN, RECV_UNEVEN, END), (SENT_UNEVEN, RECEIVED_UNEVEN, comm_of(comm)))

ENTRIES(Barrier, barrier, BARRIER, (END), (comm_of(comm)))

ENTRIES(Bcast, bcast, BCAST,
        (RECV, ROOT, END), (RECEIVED, *root, comm_of(comm)))

ENTRIES(Exscan, exscan, EXSCAN, (COMBINE, END), (COMBINED, comm_of(comm)))

ENTRIES(Gather, gather, GATHER,
        (SEND, RECV, ROOT, END), (SENT, RECEIVED, *root, comm_of(comm)))

ENTRIES(Gatherv, gatherv, GATHERV,
        (SEND, RECV_UNEVEN, ROOT, END), (SENT, RECEIVED_UNEVEN, *root, comm_of(comm)))

ENTRIES(Reduce, reduce, REDUCE,
        (COMBINE, ROOT, END), (COMBINED, *root, comm_of(comm)))

ENTRIES(Reduce_scatter, reduce_scatter, REDUCE_SCATTER,
        (COMBINE, END), (COMBINED_UNEVEN, comm_of(comm)))

ENTRIES(Reduce_scatter_block, reduce_scatter_block, REDUCE_SCATTER_BLOCK,
        (COMBINE, END), (COMBINED, comm_of(comm)))

ENTRIES(Scan, scan, SCAN, (COMBINE, END), (COMBINED, comm_of(comm)))

ENTRIES(Scatter, scatter, SCATTER,
        (SEND, RECV, ROOT, END), (SENT, RECEIVED, *root, comm_of(comm)))

ENTRIES(Scatterv, scatterv, SCATTERV,
        (SEND_UNEVEN, RECV, ROOT, END), (SENT_UNEVEN, RECEIVED, *root, comm_of(comm)))

#endif /* Open MPI */
#endif
