/* SPDX-License-Identifier: BSD-3-Clause */
/* yields_mpi.c - see yields_mpi.h; uses the tool information interface, MPI 3.1 section 14.3. */
#include <config.h>

#include "coll/runtime/yields_mpi.h"

#ifdef HITOP_SMPI /* SMPI has no such interface */
int hitop_mpi_yields(void)
{
    return 0;
}

int hitop_mpi_hold_yields(void)
{
    return 0;
}

void hitop_mpi_release_yields(int held)
{
    (void)held;
}
#else

#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static int yields;

/*
 * A function of Open MPI that its libraries export to each other and that returns the previous
 * setting; no MPI interface changes the setting after MPI_Init(). NULL: not found, or MPI does not
 * yield.
 */
typedef bool set_yields(bool on);
static set_yields *_Atomic current_set_yields;

/* Is the variable bound to no object and at most `room` bytes long? */
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

/*
 * Read the setting. Open MPI takes the thread level requested here as that of the process, so
 * request the current level.
 */
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

static void find_out(void)
{
    set_yields *function = NULL;
    void *found;

    ask();
    found = yields ? dlsym(RTLD_DEFAULT, "opal_progress_set_yield_when_idle") : NULL;
    /* ISO C does not convert between pointers to objects and to functions */
    memcpy(&function, &found, sizeof(found));
    atomic_store_explicit(&current_set_yields, function, memory_order_relaxed);
}

int hitop_mpi_yields(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    (void)pthread_once(&once, find_out);
    return yields && !atomic_load_explicit(&current_set_yields, memory_order_relaxed);
}

int hitop_mpi_hold_yields(void)
{
    set_yields *const set = atomic_load_explicit(&current_set_yields, memory_order_relaxed);

    return set && set(false);
}

void hitop_mpi_release_yields(int held)
{
    if (held) {
        (void)atomic_load_explicit(&current_set_yields, memory_order_relaxed)(true);
    }
}
#endif
