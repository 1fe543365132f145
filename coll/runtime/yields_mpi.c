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
#include <stdint.h>

static int yields;

/* Of a variable that belongs to nothing and is no longer than `room`. */
static int is_plain(int index, size_t room)
{
    int none = 0, verbosity, bind, scope, size = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_T_enum words;

    return PMPI_T_cvar_get_info(index, NULL, &none, &verbosity, &type, &words, NULL, &none, &bind,
                                &scope) == MPI_SUCCESS &&
           bind == MPI_T_BIND_NO_OBJECT && type != MPI_DATATYPE_NULL &&
           PMPI_Type_size(type, &size) == MPI_SUCCESS && (size_t)size <= room;
}

/* Open MPI takes the level of threads that is asked for here as that of the process: it shall stay as it is. */
static void ask(void)
{
    MPI_T_cvar_handle handle;
    uint64_t value = 0;
    int level, provided, index, count;

    if (PMPI_Query_thread(&level) != MPI_SUCCESS ||
        PMPI_T_init_thread(level, &provided) != MPI_SUCCESS) {
        return;
    }
    if (PMPI_T_cvar_get_index("mpi_yield_when_idle", &index) == MPI_SUCCESS &&
        is_plain(index, sizeof(value)) &&
        PMPI_T_cvar_handle_alloc(index, NULL, &handle, &count) == MPI_SUCCESS) {
        yields = count == 1 && PMPI_T_cvar_read(handle, &value) == MPI_SUCCESS && value != 0;
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
