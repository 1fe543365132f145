/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ATTRIBUTE_MPI_H
#define ATTRIBUTE_MPI_H

/*
 * attribute_mpi.h - the library's state of a communicator, for as long as both exist.
 *
 * A state is an attribute of its communicator. The first look-up creates it; it ends with the
 * communicator, or in MPI_Finalize() if the communicator is never freed.
 */

#include "coll/runtime/call_mpi.h"

#include <mpi.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* The first member of every state. */
struct attribute {
    struct attribute *previous, *next; /* all states, for MPI_Finalize */
    const struct attribute_kind *kind;
    /* MPI_Finalize() releases the smallest first; the same on all ranks of the communicator */
    uint64_t order;
};

enum { ATTRIBUTE_TWOLEVEL, ATTRIBUTE_PLANS, ATTRIBUTE_KINDS };

/* One kind of states; static, initialized by ATTRIBUTE_KIND(). */
struct attribute_kind {
    int slot; /* ATTRIBUTE_*, the index in hitop_attribute_last */

    /*
     * Create a state for `comm`, from hitop_attribute_memory(); NULL after a failure. No
     * communication.
     */
    struct attribute *(*create)(MPI_Comm comm);

    /*
     * Release all that the state holds, but not the state itself, which serves no call afterwards.
     * A second call does nothing.
     */
    void (*release)(struct attribute *state);

    int keyval, made; /* private */
};

#define ATTRIBUTE_KIND(slot, create, release)                                                      \
    {                                                                                              \
        slot, create, release, MPI_KEYVAL_INVALID, 0                                               \
    }

/*
 * A reserve of memory for one state. A rank that is out of memory needs a state, too: in it the
 * rank agrees with the others to leave all calls to MPI.
 */
struct attribute_reserve {
    _Atomic(void *) memory;
};

/* Allocate the reserve, unless it is there. */
void hitop_attribute_fill(struct attribute_reserve *reserve, size_t bytes);

/*
 * Zeroed memory of one state, which the caller frees. *is_poor: it was the reserve, and the
 * communicator must be left to MPI. NULL when the reserve is used up, too.
 */
void *hitop_attribute_memory(struct attribute_reserve *reserve, size_t bytes, int *is_poor);

/*
 * The last look-up of this thread; a look-up in MPI takes a fifth of the time of a small broadcast.
 * A look-up from before the last release of any state is ignored, because its handle may belong to
 * another communicator now; hitop_attribute_freed counts the releases.
 */
struct attribute_last {
    MPI_Comm comm;
    struct attribute *state;
    unsigned freed;
};

extern PER_THREAD struct attribute_last hitop_attribute_last[ATTRIBUTE_KINDS];
extern _Atomic unsigned hitop_attribute_freed;

/* The state of `comm` in that slot if it was the last one, or NULL. */
static inline struct attribute *attribute_recall(int slot, MPI_Comm comm)
{
    const struct attribute_last *last = &hitop_attribute_last[slot];

    return last->comm == comm &&
                   last->freed == atomic_load_explicit(&hitop_attribute_freed, memory_order_relaxed)
               ? last->state
               : NULL;
}

/*
 * Watch for MPI_Finalize() from now on; MPI has been initialized. Without this call the first
 * look-up does so. If all ranks call this before the program attaches anything to MPI_COMM_SELF,
 * the release comes after all of the program's own callbacks there, on all ranks alike.
 */
void hitop_attribute_begin(void);

/*
 * The state of `comm`, created on the first call. NULL when it cannot be created, without
 * MPI_Init(), or when MPI_Finalize() has begun.
 */
struct attribute *hitop_attribute_of(struct attribute_kind *kind, MPI_Comm comm);

/*
 * 1: `comm` is an intracommunicator of two or more ranks of one MPI_COMM_WORLD; *rank and *size are
 * set. 0: Hitop's collectives do not serve it.
 */
int hitop_attribute_group(MPI_Comm comm, int *rank, int *size);

#endif /* ATTRIBUTE_MPI_H */
