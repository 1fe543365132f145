/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PLANS_MPI_H
#define PLANS_MPI_H

/*
 * plans_mpi.h - the state of one communicator for planned collectives.
 *
 * All ranks create it together at the first call; then it is usable on all ranks or on none.
 */

#include "coll/runtime/attribute_mpi.h"
#include "coll/runtime/cache.h"
#include "coll/runtime/compare_mpi.h"
#include "coll/runtime/known.h"
#include "coll/runtime/named.h"
#include "coll/runtime/search.h"
#include "coll/runtime/wire_mpi.h"

#include "hitop/irregular.h"
#include "hitop/rules.h"

#include <stdatomic.h>
#include <stdint.h>

enum plans_mode {
    PLANS_NEW, /* the first call prepares it */
    PLANS_READY,
    PLANS_PASS,   /* MPI serves all calls */
    PLANS_BROKEN, /* messages were lost: every call returns an error */
};

struct plans {
    struct attribute attribute;
    enum plans_mode mode;
    int rank, size;
    int is_poor;   /* out of memory on this rank: all ranks leave the communicator to MPI */
    MPI_Comm wire; /* private: messages of Hitop match none of the user's */
    uint64_t seq;  /* number of the current operation */
    int tags;      /* number of operations with different tags */
    enum named_counts counts;
    unsigned planned; /* bits of the operations that plans serve, instead of two levels */
    /* choices are made for the exact size of a call, because rules may depend on it */
    int has_rules;
    struct cache cache;
    struct compare compare; /* with MPI, for operations without a named algorithm */
    const char *last;       /* algorithm of the last call, or "" */

    /* Only on rank 0, which chooses. */
    struct hitop_model *model;
    struct hitop_cost cost;
    int hosts, ranks_per_host; /* number of hosts, and most ranks on one */
    struct hitop_irregular irregular;
    int is_irregular; /* 1: some of `irregular` is known */
    struct named named;
    const struct hitop_rules *rules; /* borrowed; or NULL */
    struct search *searches;         /* for choices that are not made yet */
    struct known known;              /* choices of earlier runs, and of this one */
};

/* Called in MPI_Init(): reserve memory for a state in case malloc() fails later. */
void hitop_plans_reserve(void);

/* The state of `comm`, created on the first call without communication; NULL when that fails. */
struct plans *hitop_plans_of(MPI_Comm comm);

/*
 * The same once `comm` is prepared; the first call is collective. NULL where MPI serves all calls.
 */
struct plans *hitop_plans_ready(MPI_Comm comm);

/*
 * Make a choice for a key that the cache does not have: rank 0 chooses by its args and broadcasts
 * the choice. If rank 0 needs longer, choice->waits is 1. Collective over p->wire.
 */
struct choice *hitop_plans_choose(struct plans *p, const struct choice_key *key,
                                  const struct hitop_coll_args *args);

/*
 * The next call with a choice that is not made yet: give rank 0 time to search and, in some calls,
 * broadcast the result. Collective over p->wire.
 */
void hitop_plans_go_on(struct plans *p, struct choice *choice, const struct hitop_coll_args *args);

/*
 * This rank's plan of a choice. NULL: the choice does not serve these arguments, on all ranks
 * alike.
 */
const struct hitop_sched *hitop_plans_plan(struct plans *p, const struct choice *choice,
                                           const struct hitop_coll_args *args);

/*
 * Read the algorithms named for `comm`: by the environment, then by its MPI_Info. A wrong name is
 * reported and ignored.
 */
void hitop_plans_ask(struct named *named, MPI_Comm comm);

/* Read all names in an info, e.g. "hitop_bcast" is "ecef". */
enum hitop_status hitop_plans_read_info(struct named *named, MPI_Info info,
                                        struct hitop_diag *diag);

/* 1: hitop_coll_set() made rank 0 choose in the first call, however long it takes. */
int hitop_plans_choose_now(MPI_Comm comm);

/* Set all that the program names for the communicator; the same on all ranks. */
void hitop_plans_set_named(struct plans *p, const struct named *named);

/* Set p->counts and p->planned, the same on all ranks. */
void hitop_plans_settle(struct plans *p, enum named_counts counts, unsigned planned);

/*
 * Number of communicators with planned operations. It is usually 0, and then calls do not look up
 * the state of their communicator.
 */
extern _Atomic int hitop_plans_planned;

/* 1: plans serve `operation` on `comm`; the same on all ranks. */
RARELY int hitop_plans_are_wanted(MPI_Comm comm, enum hitop_operation_id operation);

static inline int plans_serve(MPI_Comm comm, enum hitop_operation_id operation)
{
    return atomic_load_explicit(&hitop_plans_planned, memory_order_relaxed) > 0 &&
           hitop_plans_are_wanted(comm, operation);
}

/* Tag of the current operation. */
static inline int plans_tag(const struct plans *p)
{
    return (int)(p->seq % (uint64_t)p->tags);
}

#endif /* PLANS_MPI_H */
