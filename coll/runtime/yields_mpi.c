/* SPDX-License-Identifier: BSD-3-Clause */
/* yields_mpi.c - see yields_mpi.h. */
#include <config.h>

#include "coll/runtime/yields_mpi.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

/*
 * A function of Open MPI that its libraries export to each other and that returns the previous
 * setting; NULL in other libraries. No interface of MPI changes the setting after MPI_Init(). The
 * tool information interface reads it, but MPI_T_init_thread() opens all components of Open MPI:
 * 0.2 s where eight ranks share two processors.
 */
typedef bool set_yields(bool on);
static set_yields *set;

/* Protects the following variables. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int nholders;
static bool yielded; /* the setting before the first holder */

static void find(void)
{
    void *const found = dlsym(RTLD_DEFAULT, "opal_progress_set_yield_when_idle");

    /* ISO C does not convert between pointers to objects and to functions */
    memcpy(&set, &found, sizeof(found));
}

int hitop_mpi_hold_yields(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    (void)pthread_once(&once, find);
    if (!set) {
        return 0;
    }
    (void)pthread_mutex_lock(&lock);
    if (nholders++ == 0) {
        yielded = set(false);
    }
    (void)pthread_mutex_unlock(&lock);
    return 1;
}

void hitop_mpi_release_yields(int held)
{
    if (!held) {
        return;
    }
    (void)pthread_mutex_lock(&lock);
    if (--nholders == 0 && yielded) {
        (void)set(true);
    }
    (void)pthread_mutex_unlock(&lock);
}
