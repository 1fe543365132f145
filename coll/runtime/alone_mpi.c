/* SPDX-License-Identifier: BSD-3-Clause */
/* alone_mpi.c - calls of nothing on this rank alone, which MPI checks as any other. */
#include <config.h>

#include "coll/runtime/alone_mpi.h"
#include "coll/runtime/quick.h"
#include "coll/runtime/wire_mpi.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static MPI_Comm alone = MPI_COMM_NULL; /* returns errors */
static int is_tried;

static int has_comm(void)
{
    if (!is_tried) {
        is_tried = 1;
        if (hitop_wire_try(MPI_COMM_SELF, 0, &alone) == MPI_SUCCESS) {
            (void)PMPI_Comm_set_errhandler(alone, MPI_ERRORS_RETURN);
        }
    }
    return alone != MPI_COMM_NULL;
}

/*
 * What was taken last is not asked for again. Handles of derived types and of a program's own operations are used again
 * for others, but the latter take any type, and predefined operations no derived one.
 */
int hitop_alone_takes(MPI_Op op, MPI_Datatype type)
{
    static PER_THREAD struct {
        MPI_Op op;
        MPI_Datatype type;
        int is_known;
    } last;
    char in = 0, out = 0;
    int takes = 1;

    if (last.is_known && op == last.op && type == last.type) {
        return 1;
    }
    (void)pthread_mutex_lock(&lock);
    if (has_comm()) {
        takes = PMPI_Allreduce(&in, &out, 0, type, op, alone) == MPI_SUCCESS;
    }
    (void)pthread_mutex_unlock(&lock);
    if (takes) {
        last.op = op;
        last.type = type;
        last.is_known = 1;
    }
    return takes;
}

int hitop_alone_takes_type(MPI_Datatype type)
{
    char in = 0, out = 0;
    int takes = 1, position = 0;

    (void)pthread_mutex_lock(&lock);
    if (has_comm()) {
        takes = PMPI_Pack(&in, 0, type, &out, 1, &position, alone) == MPI_SUCCESS;
    }
    (void)pthread_mutex_unlock(&lock);
    return takes;
}

void hitop_alone_release(void)
{
    int ended = 0;

    (void)PMPI_Finalized(&ended);
    if (alone != MPI_COMM_NULL && !ended) {
        (void)PMPI_Comm_free(&alone);
    }
}
