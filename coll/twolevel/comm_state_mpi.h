/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_COMM_STATE_MPI_H
#define HITOP_COMM_STATE_MPI_H

/*
 * comm_state_mpi.h - the state of one communicator for two-level collectives.
 *
 * It is an attribute of the communicator. It is made at the first call, where all ranks agree on
 * the settings of their environments, counts a few calls that go to MPI (many communicators are
 * short-lived), is then prepared by all ranks together, and is usable on all ranks or on none.
 */

#include "coll/node/node.h"
#include "coll/runtime/attribute_mpi.h"
#include "coll/runtime/call_mpi.h"
#include "coll/runtime/compare_mpi.h"
#include "coll/runtime/wire_mpi.h"
#include "coll/twolevel/arrivals.h"
#include "coll/twolevel/bcast_last.h"
#include "coll/twolevel/observer.h"
#include "coll/twolevel/route.h"
#include "coll/twolevel/settings.h"
#include "coll/twolevel/stats.h"

#include <mpi.h>
#include <stdio.h>

enum hitop_comm_mode {
    HITOP_COMM_COUNTING, /* not prepared yet */
    HITOP_COMM_READY,
    HITOP_COMM_PASS,   /* everything goes to MPI */
    HITOP_COMM_BROKEN, /* messages were lost: every call is an error */
};

/* On request: HITOP_STATS. */
struct hitop_watch {
    char name[MPI_MAX_OBJECT_NAME];
    struct hitop_arrivals arrivals;
};

/* The operation under way: a call, or a broadcast; and what is waited for between nodes. */
struct hitop_under_way {
    const struct call *call;
    int root;
    size_t bytes;
    void (*tell)(const void *what, FILE *line);
    const void *what;
};

/* See watchdog_mpi.c. */
struct hitop_watchdog {
    uint64_t patience; /* ns before a wait is too long */
    uint64_t since;    /* when the wait under way was seen first */
    uint64_t told;     /* the operation of which a wait was reported last */
    struct hitop_under_way now;

    /* Of this rank inside MPI, where the thread must not ask MPI for names. */
    struct observed observed;
    int is_observed;
    char name[MPI_MAX_OBJECT_NAME], host[MPI_MAX_PROCESSOR_NAME];
};

/* See bcast_between.h. */
enum {
    MEET_NODES = 128, /* most nodes whose leaders announce themselves to one root */
    MEET_CREDIT = 32,
    MEET_BYTES = 256 * 1024, /* of messages that are on their way to a node unasked */
};

/* A READY for an operation that is still to come here. */
struct meet_early {
    uint64_t seq;
    int rank;
    uint64_t late;
};

/* Short messages that leave without their sender waiting, and memory for more. */
struct post {
    struct letter *leaving, *spare;
};

/* What this rank knows of the leaders of a node. */
struct meet_node {
    double answer; /* seconds: the quickest answer of a root there, or of ours to there */
    int likely;    /* the rank that led last */
    int owed;      /* READYs still to come to this rank */
    uint64_t sent; /* the last operation of which a message went there unasked */
};

struct meet {
    int announces; /* the operation under way: 1 leaders announce themselves, 0 they are fixed */
    int next;      /* what is said of the next operation */
    struct arrivals arrivals; /* under this rank as root */
    double patience;          /* seconds: the longest of these */
    double waits;             /* how many times its patience a root waits before it sends unasked */
    struct meet_node *nodes;  /* [nnodes] */
    int nowed;                /* READYs still to come to this rank, of all nodes */
    struct meet_early *early;
    int nearly, early_room;
    struct post post; /* what has been sent */
};

struct hitop_comm {
    struct attribute attribute;
    enum hitop_comm_mode mode;
    int rank, size;
    MPI_Comm user; /* whose state this is */
    int is_poor;   /* this rank got no memory for it: all ranks leave it to MPI */

    /* Read at the first call; equal on all ranks once they have agreed. */
    int agreed;
    struct hitop_settings settings;
    int counted; /* eligible calls that went to MPI */

    const char *served_by;       /* the last call: "twolevel"; "": MPI; NULL: a plan, if any */
    struct compare compare;      /* two levels with MPI; nothing on one node */
    struct compare_log compared; /* what came out, also of plans */

    struct hitop_comm_stats stats;
    struct hitop_watch *watch; /* NULL: nobody wants to hear of arrivals */
    int told_stats;
    struct hitop_watchdog watchdog;

    MPI_Comm wire; /* private duplicate: no message of ours meets one of the user's */
    uint64_t seq;  /* number of the operation under way */
    int tags;      /* operations whose tags differ */
    int no_tag;    /* no message has it */

    int nnodes;
    int node;          /* the node of this rank */
    int *node_of;      /* [size] */
    int *first_of;     /* [nnodes] smallest rank of each node: its leader */
    int nlocal, local; /* ranks on this node, and which of them this one is */

    struct hitop_wait wait;    /* between looks at shared memory or at a request */
    struct hitop_arena *arena; /* NULL where this rank is alone on its node */
    uint64_t place;            /* of the memory that the node's ranks share, in the arena */
    uint64_t *said;            /* [size] while the communicator is prepared */
    struct hitop_node shared;  /* valid where nlocal > 1 */
    struct hitop_thresholds thresholds; /* its own; as its first rank has found them */
    struct hitop_route *route;          /* NULL where there is one node */
    struct meet meet;                   /* where there are more */
    double lead;                        /* segments that may be ahead of one, see relay_mpi.h */
    struct bcast_last last;             /* broadcast over fixed leaders */
    int eager; /* bytes: a message to another node that is no longer leaves without its receiver */

    /* For operations other than broadcasts, see serve_mpi.h. */
    int nodes_have_lanes; /* on every node with several ranks they can leave things for others */
    int nodes_are_alone;  /* on every node each rank has a processor */
    int nodes_are_runs;   /* each node has consecutive ranks, */
    int nodes_are_even;   /* of which all nodes have as many */
    int nodes_most;       /* ranks of the largest node, if nodes are runs */
    MPI_Comm leaders;     /* the first ranks of all nodes; where there are more */
    uint64_t settled;     /* in this operation no rank was far behind */
};

/* In MPI_Init(): memory for a state when there is no other. */
void hitop_comm_reserve(void);

/* The state of `comm`, made on the first call; NULL, like HITOP_COMM_PASS, without attributes. */
RARELY struct hitop_comm *hitop_comm_find(MPI_Comm comm);

static inline struct hitop_comm *hitop_comm_state(MPI_Comm comm)
{
    struct attribute *last = attribute_recall(ATTRIBUTE_TWOLEVEL, comm);

    return last ? (struct hitop_comm *)last : hitop_comm_find(comm);
}

/* Count the call, and prepare the communicator if it is due: collective over `comm`. */
RARELY void hitop_comm_count(struct hitop_comm *c, MPI_Comm comm);

/* A call that all ranks make alike: 1 when it is served here, 0 when it goes to MPI. */
static inline int hitop_comm_enter(struct hitop_comm *c, MPI_Comm comm)
{
    if (c->mode == HITOP_COMM_COUNTING) {
        hitop_comm_count(c, comm);
    }
    return c->mode == HITOP_COMM_READY || c->mode == HITOP_COMM_BROKEN;
}

/* First call: agree on the settings, or on HITOP_COMM_PASS. Collective over `comm`. */
void hitop_comm_agree(struct hitop_comm *c, MPI_Comm comm);

/* The user's name of the communicator, or its number. `name` has MPI_MAX_OBJECT_NAME bytes. */
void hitop_comm_name(const struct hitop_comm *c, char *name);

/* With HITOP_VERBOSE: the communicator is served, or why not. */
void hitop_comm_report(const struct hitop_comm *c, const char *what, const char *why);

/* Shared memory of the node, and its test of CMA: sets c->shared. Collective over `node`. */
void hitop_comm_share_memory(struct hitop_comm *c, MPI_Comm node, struct hitop_failure *t);
void hitop_comm_drop_memory(struct hitop_comm *c);

/* All ranks learn the model between the nodes: sets c->route. Collective over c->wire. */
void hitop_comm_share_model(struct hitop_comm *c, struct hitop_failure *t);

/*
 * Sets c->eager, how long a message to another node may be that leaves without its receiver: at
 * least EAGER_SURE, as no MPI has a lower limit, and HITOP_ROUTE_SEGMENT at most. Collective over
 * c->wire.
 */
enum { EAGER_SURE = 4000 }; /* bytes */

void hitop_comm_find_eager(struct hitop_comm *c, struct hitop_failure *t);

/* Memory while other ranks wait for this one: without it the job ends, and NULL comes back. */
void *hitop_comm_memory(const struct hitop_comm *c, size_t bytes);

/* What a message on the wire is. */
enum hitop_tag { HITOP_TAG_READY, HITOP_TAG_HEADER, HITOP_TAG_SEGMENT, HITOP_TAGS };

/* The longest header of a broadcast: with 4 KiB of data, and the longest list of ranks. */
enum { HITOP_HEADER_BYTES = 32 + 4096 + 8 * MEET_NODES };

/* Tag of the operation under way; an announcement contains the number of its operation. */
static inline int hitop_comm_tag(const struct hitop_comm *c, enum hitop_tag kind)
{
    return kind == HITOP_TAG_READY
               ? 0
               : 1 + (int)(c->seq % (uint64_t)c->tags) * (HITOP_TAGS - 1) + (int)kind - 1;
}

/* The rank that handles messages between nodes for `node` in an operation with `root`. */
static inline int hitop_comm_leader(const struct hitop_comm *c, int node, int root)
{
    return node == c->node_of[root] ? root : c->first_of[node];
}

/*
 * *found: 1 when there is a message between nodes with that tag, whose source and length *status
 * has. MPI_Iprobe() of Open MPI looks, moves messages when there is none, and says that there was
 * none. A rank that yields the processor then learns of the message only after a turn of the
 * others; so ask once more where they want the processor.
 */
static inline int hitop_comm_look(const struct hitop_comm *c, int tag, int *found,
                                  MPI_Status *status)
{
    int code = PMPI_Iprobe(MPI_ANY_SOURCE, tag, c->wire, found, status);

    if (code == MPI_SUCCESS && !*found && !c->wait.alone) {
        code = PMPI_Iprobe(MPI_ANY_SOURCE, tag, c->wire, found, status);
    }
    return code;
}

/* All ranks have agreed to record statistics: of arrivals, when this rank comes to an operation. */
void hitop_stats_begin(struct hitop_comm *c);
RARELY void hitop_stats_arrive(struct hitop_comm *c);

/* The communicator is about to go: print them, once. Collective where it was served. */
void hitop_stats_end(struct hitop_comm *c);

/*
 * The waits of this communicator in memory of the node are watched from now on, if settings say so.
 */
void hitop_watchdog_begin(struct hitop_comm *c);

/* The same of what it does inside MPI, once it is ready. Nothing where ranks are simulated. */
void hitop_watchdog_observe(struct hitop_comm *c);
void hitop_watchdog_end(struct hitop_comm *c);

/*
 * A call is made, which may wait inside MPI: in two levels, or by MPI alone, the `left`-th of its
 * kind that is left to it, else 0. A thread sees it if it does not end; see observer.h.
 */
static inline void watchdog_enter(struct hitop_comm *c, enum hitop_operation_id operation, int root,
                                  uint64_t left)
{
    observed_enter(&c->watchdog.observed,
                   (uint64_t)(left != 0) << 63 | (uint64_t)operation << 32 | (uint32_t)root,
                   left ? left : c->seq);
}

static inline void watchdog_leave(struct hitop_comm *c)
{
    observed_leave(&c->watchdog.observed);
}

/* Before waiting between nodes, with c->wait: `tell` appends to a line what is waited for. */
static inline void watchdog_awaits(struct hitop_comm *c, void (*tell)(const void *what, FILE *line),
                                   const void *what)
{
    c->watchdog.now.tell = tell;
    c->watchdog.now.what = what;
}

#endif /* HITOP_COMM_STATE_MPI_H */
