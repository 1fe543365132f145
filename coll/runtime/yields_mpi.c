/* SPDX-License-Identifier: BSD-3-Clause */
/* yields_mpi.c - see yields_mpi.h; by the tool information interface, MPI 3.1 section 14.3. */
#include <config.h>

#include "yields_mpi.h"

#ifdef HITOP_SMPI /* has no such interface */
int hitop_mpi_yields(void)
{
    return 0;
}
#else

#include <mpi.h>
#include <pthread.h>
#include <string.h>

static int yields;

static void ask(void)
{
    MPI_T_cvar_handle handle;
    static const unsigned char none[sizeof(long double)];
    unsigned char value[sizeof(none)] = {0}; /* Open MPI calls it an int, and writes a byte */
    int provided, index, count;

    if (PMPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided) != MPI_SUCCESS) {
        return;
    }
    if (PMPI_T_cvar_get_index("mpi_yield_when_idle", &index) == MPI_SUCCESS &&
        PMPI_T_cvar_handle_alloc(index, NULL, &handle, &count) == MPI_SUCCESS) {
        yields = count == 1 && PMPI_T_cvar_read(handle, value) == MPI_SUCCESS &&
                 memcmp(value, none, sizeof(none)) != 0;
        (void)PMPI_T_cvar_handle_free(&handle);
    }
    (void)PMPI_T_finalize();
}

int hitop_mpi_yields(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    (void)pthread_once(&once, ask);
    return yields;
}
#endif
