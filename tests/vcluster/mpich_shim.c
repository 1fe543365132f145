/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpich_shim.c - preloaded into MPICH programs, keeps MPICH over UCX usable on few processors.
 *
 * Two additions. MPI_Finalize first talks to every peer: MPICH 4.0 may otherwise open a connection
 * there whose peer already waits in the launcher's barrier and makes no progress, which hangs. And
 * a poll of UCX that finds nothing yields the processor, as Open MPI's mpi_yield_when_idle does.
 */
#include <config.h>

#include <dlfcn.h>
#include <mpi.h>
#include <sched.h>
#include <stddef.h>
#include <sys/epoll.h>

enum { TAG = 9 };
static const double settle_s = 0.05;

int epoll_wait(int epfd, struct epoll_event *events, int maxevents, int timeout)
{
    static int (*real)(int, struct epoll_event *, int, int);
    int count;

    if (real == NULL) {
        *(void **)&real = dlsym(RTLD_NEXT, "epoll_wait");
    }
    count = real(epfd, events, maxevents, timeout);
    if (count == 0 && timeout == 0) {
        sched_yield();
    }
    return count;
}

/* Keeps the progress engine going for a moment: late control messages are answered. */
static void settle(void)
{
    const double start = PMPI_Wtime();
    int found;

    while (PMPI_Wtime() - start < settle_s) {
        PMPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    }
}

int MPI_Finalize(void)
{
    int (*next)(void);
    char out = 0;
    char in;
    int size;
    int rank;

    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 1; i < size; i++) {
        PMPI_Sendrecv(&out, 1, MPI_CHAR, (rank + i) % size, TAG, &in, 1, MPI_CHAR,
                      (rank - i + size) % size, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    PMPI_Barrier(MPI_COMM_WORLD);
    settle();
    PMPI_Barrier(MPI_COMM_WORLD);
    *(void **)&next = dlsym(RTLD_NEXT, "MPI_Finalize"); /* another preloaded library may have one */
    return next();
}
