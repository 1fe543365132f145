/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpich_shim.c - preloaded into MPICH programs, keeps MPICH over UCX usable on few processors.
 *
 * MPI_Finalize of MPICH 4.0 disconnects from every peer, then enters the launcher's barrier, in
 * which it makes no progress; a rank whose disconnection still needs an answer waits for ever.
 * Here all ranks come together and answer what is under way before the library's MPI_Finalize, in
 * which disconnecting then does nothing: the connections end with the processes. Further, a poll
 * of UCX that finds nothing yields the processor, as Open MPI's mpi_yield_when_idle does.
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

/* UCX's; a null request is one that is already complete. */
void *ucp_disconnect_nb(void *endpoint);

void *ucp_disconnect_nb(void *endpoint)
{
    (void)endpoint;
    return NULL;
}

/* Keeps the progress engine going for a moment, in which late control messages are answered. */
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

    PMPI_Barrier(MPI_COMM_WORLD);
    settle();
    PMPI_Barrier(MPI_COMM_WORLD);
    *(void **)&next = dlsym(RTLD_NEXT, "MPI_Finalize"); /* another preloaded library may have one */
    return next();
}
