/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ATTRIBUTE_MPI_H
#define ATTRIBUTE_MPI_H

/*
 * attribute_mpi.h - what the library knows of a communicator, for as long as both live.
 *
 * A state hangs on its communicator as an attribute, is made at the first look-up and disappears
 * with the communicator, or in MPI_Finalize() where that was never freed.
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
    uint64_t order; /* MPI_Finalize() releases the smallest first; alike on all its ranks */
};

enum { ATTRIBUTE_TWOLEVEL, ATTRIBUTE_PLANS, ATTRIBUTE_KINDS };

/* One kind of states, static: ATTRIBUTE_KIND(). */
struct attribute_kind {
    int slot; /* ATTRIBUTE_*: remembers the last look-up */

    /* A state for `comm`, from hitop_attribute_memory(); NULL after a failure. No communication. */
    struct attribute *(*create)(MPI_Comm comm);

    /*
     * Give back all that the state holds, but not itself; it serves no call any more. Called again
     * later, it does nothing.
     */
    void (*release)(struct attribute *state);

    int keyval, made; /* private */
};

#define ATTRIBUTE_KIND(slot, create, release)                                                      \
    {                                                                                              \
        slot, create, release, MPI_KEYVAL_INVALID, 0                                               \
    }

/*
 * Memory for one state, for a rank that gets none: it must still agree with the others, to leave
 * all to MPI.
 */
struct attribute_reserve {
    _Atomic(void *) memory;
};

/* Make the reserve, unless it is there. */
void hitop_attribute_fill(struct attribute_reserve *reserve, size_t bytes);

/*
 * Zeroed memory of one state, to be freed; *is_poor: it was the reserve, and the communicator must
 * be left to MPI. NULL when the reserve is used, too.
 */
void *hitop_attribute_memory(struct attribute_reserve *reserve, size_t bytes, int *is_poor);

/*
 * What this thread has looked up last: to ask MPI costs a fifth of a small broadcast. Freed states
 * are counted, so that what is remembered is dropped when its handle may stand for another
 * communicator.
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
 * MPI has begun: see its end from now on. Otherwise the first look-up does it. Where all ranks have
 * done it before the program attached anything to MPI_COMM_SELF, it comes after all of the
 * program's own farewells there, on all ranks alike.
 */
void hitop_attribute_begin(void);

/*
 * The state of `comm`, made on the first call; NULL when it cannot be, without MPI_Init(), or when
 * MPI_Finalize() has begun.
 */
struct attribute *hitop_attribute_of(struct attribute_kind *kind, MPI_Comm comm);

/*
 * 1: one group of two or more ranks of one MPI_COMM_WORLD, of which the caller learns its own; 0:
 * nothing for our collectives.
 */
int hitop_attribute_group(MPI_Comm comm, int *rank, int *size);

#endif /* ATTRIBUTE_MPI_H */
