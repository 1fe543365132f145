/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PLANS_MPI_H
#define PLANS_MPI_H

/*
 * plans_mpi.h - what planned collectives know about one communicator.
 *
 * Made at the first call, by all ranks together: afterwards it is usable on all of them or on none.
 */

#include "coll/runtime/attribute_mpi.h"
#include "coll/runtime/cache.h"
#include "coll/runtime/compare_mpi.h"
#include "coll/runtime/named.h"
#include "coll/runtime/wire_mpi.h"

#include "hitop/irregular.h"
#include "hitop/rules.h"

#include <stdatomic.h>
#include <stdint.h>

enum plans_mode {
    PLANS_NEW, /* to be prepared by the first call */
    PLANS_READY,
    PLANS_PASS,   /* everything goes to MPI */
    PLANS_BROKEN, /* messages were lost: every call is an error */
};

struct plans {
    struct attribute attribute;
    enum plans_mode mode;
    int rank, size;
    int is_poor;   /* this rank got no memory for it: all leave it to MPI */
    MPI_Comm wire; /* private: no message of ours meets one of the user's */
    uint64_t seq;  /* number of the operation under way */
    int tags;      /* operations whose tags differ */
    enum named_counts counts;
    unsigned planned; /* bits of the operations that are planned here, not made in two levels */
    int has_rules;    /* choices are made for the very size of a call, which rules may ask for */
    struct cache cache;
    struct compare compare; /* with MPI, of operations that are not named */
    const char *last;       /* algorithm of the last call; "" */

    /* On rank 0 only: it chooses. */
    struct hitop_model *model;
    struct hitop_cost cost;
    int hosts, ranks_per_host; /* how many, and the most ranks on one */
    struct hitop_irregular irregular;
    int is_irregular; /* 1: some of that is known */
    struct named named;
    const struct hitop_rules *rules; /* borrowed; or NULL */
};

/* In MPI_Init(): memory for a state when there is no other. */
void hitop_plans_reserve(void);

/* State of `comm`, made on the first call, without communication; NULL where it cannot be. */
struct plans *hitop_plans_of(MPI_Comm comm);

/*
 * The same when `comm` is prepared, for which the first call is collective; NULL where everything
 * goes to MPI.
 */
struct plans *hitop_plans_ready(MPI_Comm comm);

/*
 * Choose: rank 0 does, from its args, the others are told. Collective over p->wire; for a key that
 *         the cache does not have.
 */
const struct choice *hitop_plans_choose(struct plans *p, const struct choice_key *key,
                                        const struct hitop_coll_args *args);

/*
 * This rank's plan of a choice. NULL: it does not serve these arguments, which is alike on all
 * ranks.
 */
const struct hitop_sched *hitop_plans_plan(struct plans *p, const struct choice *choice,
                                           const struct hitop_coll_args *args);

/*
 * Who names algorithms for `comm`: the environment, then its MPI_Info. A wrong name is told, and
 * nobody stops.
 */
void hitop_plans_ask(struct named *named, MPI_Comm comm);

/* All that an info names, e.g. "hitop_bcast" is "ecef". */
enum hitop_status hitop_plans_read_info(struct named *named, MPI_Info info,
                                        struct hitop_diag *diag);

/* Set p->counts and p->planned, alike on all ranks. */
void hitop_plans_settle(struct plans *p, enum named_counts counts, unsigned planned);

/*
 * Communicators with operations that are planned: mostly none, and then no call has to look for its
 * own.
 */
extern _Atomic int hitop_plans_planned;

/* 1: somebody wants `operation` on `comm` planned; alike on all ranks. */
RARELY int hitop_plans_are_wanted(MPI_Comm comm, enum hitop_operation_id operation);

static inline int plans_serve(MPI_Comm comm, enum hitop_operation_id operation)
{
    return atomic_load_explicit(&hitop_plans_planned, memory_order_relaxed) > 0 &&
           hitop_plans_are_wanted(comm, operation);
}

/* Tag of the operation under way. */
static inline int plans_tag(const struct plans *p)
{
    return (int)(p->seq % (uint64_t)p->tags);
}

#endif /* PLANS_MPI_H */
