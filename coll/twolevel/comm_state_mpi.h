/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_COMM_STATE_MPI_H
#define HITOP_COMM_STATE_MPI_H

/*
 * comm_state_mpi.h - the state of one communicator for two-level collectives.
 *
 * The state is an attribute of the communicator. The first call creates it, and all ranks agree on
 * the settings of their environments. MPI serves the first few eligible calls, which the state
 * counts, because many communicators are short-lived. Then all ranks together prepare the state,
 * and it is usable on all ranks or on none.
 */

#include "coll/node/node.h"
#include "coll/runtime/attribute_mpi.h"
#include "coll/runtime/call_mpi.h"
#include "coll/runtime/compare_mpi.h"
#include "coll/runtime/wire_mpi.h"
#include "coll/twolevel/arrivals.h"
#include "coll/twolevel/bcast_choice.h"
#include "coll/twolevel/bcast_last.h"
#include "coll/twolevel/observer.h"
#include "coll/twolevel/settings.h"
#include "coll/twolevel/stats.h"

#include <mpi.h>
#include <stdio.h>

enum hitop_comm_mode {
    HITOP_COMM_COUNTING, /* not prepared yet */
    HITOP_COMM_READY,
    HITOP_COMM_PASS,   /* MPI serves all calls */
    HITOP_COMM_BROKEN, /* messages were lost: every call returns an error */
};

/* Recorded where HITOP_STATS is set. */
struct hitop_watch {
    char name[MPI_MAX_OBJECT_NAME];
    struct hitop_arrival_times arrivals;
};

/*
 * The current operation: `call`, or a broadcast with `root` and `bytes`. `print` writes what this
 * rank awaits from other nodes.
 */
struct hitop_current_call {
    const struct call *call;
    int root;
    size_t bytes;
    void (*print)(const void *what, FILE *line);
    const void *what;
};

/* See watchdog_mpi.c. */
struct hitop_watchdog {
    uint64_t patience; /* ns after which a wait is reported */
    uint64_t since;    /* time at which the current wait was first seen */
    uint64_t reported; /* the operation whose wait was reported last */
    struct hitop_current_call now;

    /* For waits inside MPI, where the observer's thread must not ask MPI for names. */
    struct observed observed;
    int is_observed;
    char name[MPI_MAX_OBJECT_NAME], host[MPI_MAX_PROCESSOR_NAME];
};

/* See bcast_internode.h. */
enum {
    DYNAMIC_NODES = 128, /* most nodes whose leaders announce themselves to one root */
    PENDING_MOST = 32,
    PENDING_BYTES = 256 * 1024, /* of messages to one node with pending announcements */
};

/* Announces a leader: from the leader to the root, or from the root to another leader. */
struct announcement {
    uint64_t seq;    /* number of the operation */
    uint64_t late;   /* ns for which recent messages waited for the first rank of its node */
    uint64_t answer; /* ns of the fastest answer from the receiver's node */
    int32_t rank;    /* the leader */
    int32_t unused;
};

/* Short messages that are being sent, and memory for more of them. */
struct buffered_sends {
    struct buffered_send *pending, *spare;
};

/* What this rank knows about the leaders of a node. */
struct node_leader {
    double answer; /* seconds: the fastest answer from a root on that node, or to it */
    int likely;    /* the rank that led last */
    int pending;   /* pending announcements to this rank */
    uint64_t sent; /* the last operation whose message went there without an announcement */
};

struct dynamic_leaders {
    int announces; /* the current operation: 1 leaders announce themselves, 0 default leaders */
    int next;      /* the same for the next operation */
    struct arrivals arrivals; /* at broadcasts of which this rank is the root */
    double patience;          /* seconds: the longest `answer` of another node */
    /* a root waits for this multiple of its patience before it sends to a likely leader */
    double waits;
    struct node_leader *nodes;  /* [nnodes] */
    int npending;               /* pending announcements to this rank, of all nodes */
    struct announcement *early; /* of operations that have not begun on this rank */
    int nearly, early_capacity;
    struct buffered_sends sends; /* messages from this rank */
};

struct hitop_comm {
    struct attribute attribute;
    enum hitop_comm_mode mode;
    int rank, size;
    MPI_Comm user; /* the communicator of this state */
    int is_poor;   /* out of memory on this rank: MPI serves all calls */

    /* Settings are read at the first call; all ranks have the same ones once they have agreed. */
    int agreed;
    struct hitop_settings settings;
    int counted; /* eligible calls that MPI served */

    /* the last call was served by "twolevel"; "": MPI; NULL: a plan, if any */
    const char *served_by;
    struct compare compare;      /* compares two levels with MPI; not used on one node */
    struct compare_log compared; /* results of comparisons, those of plans included */

    struct hitop_comm_stats stats;
    struct hitop_watch *watch; /* NULL: arrivals are not recorded */
    int stats_reported;
    struct hitop_watchdog watchdog;

    MPI_Comm wire; /* private duplicate: messages of Hitop match none of the user's */
    uint64_t seq;  /* number of the current operation */
    int tags;      /* operations after which a tag is used again */
    int no_tag;    /* tag for probes that must find nothing */

    int nnodes;
    int node;          /* the node of this rank */
    int *node_of;      /* [size] */
    int *first_of;     /* [nnodes] smallest rank of each node: its default leader */
    int nlocal, local; /* ranks on this node; this rank's number among them */

    struct hitop_wait wait;              /* for polls of shared memory or of a request */
    struct hitop_arena *arena;           /* NULL where this rank is alone on its node */
    uint64_t place;                      /* of the communicator's memory in the arena; 0: none */
    uint64_t *said;                      /* [size] host facts, while the communicator is prepared */
    struct hitop_node shared;            /* valid where nlocal > 1 */
    struct hitop_thresholds thresholds;  /* of this node, as its first rank found them */
    struct hitop_bcast_choices *choices; /* NULL where there is one node */
    size_t bcast_messages;          /* that the root of a broadcast predicts in one call, at most */
    struct dynamic_leaders dynamic; /* with several nodes */
    /* a segment is sent only if at most this many are ahead of it on the link, see relay_mpi.h */
    double lead;
    struct bcast_last last; /* of the last broadcast with default leaders */
    /* bytes of the longest internode message that is sent without waiting for its receiver */
    int eager;

    /* For operations other than broadcasts, see serve_mpi.h. */
    int nodes_have_outboxes; /* every node with several ranks has outboxes */
    int nodes_are_alone;     /* on every node each rank has a processor */
    int nodes_are_runs;      /* each node has consecutive ranks */
    int nodes_are_even;      /* nodes are runs of equal length */
    int nodes_most;          /* ranks of the largest node, if nodes are runs */
    MPI_Comm leaders;        /* the first ranks of all nodes, if there are several nodes */
    uint64_t synchronized;   /* the last operation that synchronized all ranks */
};

/* Called in MPI_Init(): reserve memory for a state in case malloc() fails later. */
void hitop_comm_reserve(void);

/*
 * The state of `comm`, created on the first call. Without attributes it is NULL, which is like
 * HITOP_COMM_PASS.
 */
RARELY struct hitop_comm *hitop_comm_find(MPI_Comm comm);

static inline struct hitop_comm *hitop_comm_state(MPI_Comm comm)
{
    struct attribute *last = attribute_recall(ATTRIBUTE_TWOLEVEL, comm);

    return last ? (struct hitop_comm *)last : hitop_comm_find(comm);
}

/* Count the call, and prepare the communicator after enough calls: collective over `comm`. */
RARELY void hitop_comm_count(struct hitop_comm *c, MPI_Comm comm);

/*
 * For a call that all ranks make alike: 1 if two levels serve it or the communicator is broken, 0
 * if the call goes to MPI.
 */
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

/* With HITOP_VERBOSE: report that the communicator is served, or why not. */
void hitop_comm_report(const struct hitop_comm *c, const char *what, const char *why);

/* Set c->shared to the shared memory of the node, and test CMA. Collective over `node`. */
void hitop_comm_share_memory(struct hitop_comm *c, MPI_Comm node, struct hitop_failure *t);
void hitop_comm_drop_memory(struct hitop_comm *c);

/* Set c->choices from the model that rank 0 has. Collective over c->wire. */
void hitop_comm_share_model(struct hitop_comm *c, struct hitop_failure *t);

/*
 * Set c->eager, the longest internode message that is sent without waiting for its receiver: at
 * least EAGER_SURE, because no MPI has a lower limit, and at most HITOP_BCAST_SEGMENT. Collective
 * over c->wire.
 */
enum { EAGER_SURE = 4000 }; /* bytes */

void hitop_comm_find_eager(struct hitop_comm *c, struct hitop_failure *t);

/*
 * Allocate memory while other ranks wait for this one. Without memory the job ends, so the result
 * is not NULL.
 */
void *hitop_comm_memory(const struct hitop_comm *c, size_t bytes);

/* Kinds of messages on the wire. */
enum hitop_tag { HITOP_TAG_ANNOUNCEMENT, HITOP_TAG_HEADER, HITOP_TAG_SEGMENT, HITOP_TAGS };

/* The longest header of a broadcast: 4 KiB of data, and the longest list of ranks. */
enum { HITOP_HEADER_BYTES = 32 + 4096 + 8 * DYNAMIC_NODES };

/* Tag of the current operation; an announcement contains the number of its operation instead. */
static inline int hitop_comm_tag(const struct hitop_comm *c, enum hitop_tag kind)
{
    return kind == HITOP_TAG_ANNOUNCEMENT
               ? 0
               : 1 + (int)(c->seq % (uint64_t)c->tags) * (HITOP_TAGS - 1) + (int)kind - 1;
}

/* The rank that handles internode messages for `node` in an operation with `root`. */
static inline int hitop_comm_leader(const struct hitop_comm *c, int node, int root)
{
    return node == c->node_of[root] ? root : c->first_of[node];
}

/*
 * *found: 1 when there is an internode message with that tag; *status has its source and length.
 * MPI_Iprobe() of Open MPI searches once; if it finds no message, it progresses messages but does
 * not search again. A rank that yields its processor would see the message only after a time slice
 * of other ranks, so it probes once more if they share the processor.
 */
static inline int hitop_comm_probe(const struct hitop_comm *c, int tag, int *found,
                                   MPI_Status *status)
{
    int code = PMPI_Iprobe(MPI_ANY_SOURCE, tag, c->wire, found, status);

    if (code == MPI_SUCCESS && !*found && !c->wait.alone) {
        code = PMPI_Iprobe(MPI_ANY_SOURCE, tag, c->wire, found, status);
    }
    return code;
}

/*
 * Begin to record statistics, after all ranks have agreed to. hitop_stats_arrive() records this
 * rank's arrival at an operation.
 */
void hitop_stats_begin(struct hitop_comm *c);
RARELY void hitop_stats_arrive(struct hitop_comm *c);

/* Print the statistics once, before the communicator is freed. Collective where it was served. */
void hitop_stats_end(struct hitop_comm *c);

/*
 * Watch the waits of this communicator in the node's memory from now on, if the settings ask for
 * it.
 */
void hitop_watchdog_begin(struct hitop_comm *c);

/* Watch its waits inside MPI, too, once it is ready. Without effect where ranks are simulated. */
void hitop_watchdog_observe(struct hitop_comm *c);
void hitop_watchdog_end(struct hitop_comm *c);

/*
 * A call begins that may wait inside MPI; a thread reports it if it does not end, see observer.h.
 * `left` is 0 for a call in two levels; for another call it is the number of calls of this
 * operation so far that were left to MPI.
 */
static inline void watchdog_enter(struct hitop_comm *c, enum hitop_operation_id operation, int root,
                                  uint64_t left)
{
    observed_enter(&c->watchdog.observed,
                   (uint64_t)(left != 0) << 63 | (uint64_t)operation << 32 | (uint32_t)root,
                   left ? left : c->seq);
}

static inline void watchdog_exit(struct hitop_comm *c)
{
    observed_exit(&c->watchdog.observed);
}

/*
 * Call before a wait for other nodes with c->wait: `print` appends to a line what this rank waits
 * for.
 */
static inline void watchdog_awaits(struct hitop_comm *c,
                                   void (*print)(const void *what, FILE *line), const void *what)
{
    c->watchdog.now.print = print;
    c->watchdog.now.what = what;
}

/*
 * Call step() until it clears *busy or returns an MPI code other than MPI_SUCCESS; wait while it
 * does not set *moved. Returns its last code; `print` is for the watchdog.
 */
int hitop_comm_progress(struct hitop_comm *c, int (*step)(void *what, int *moved, int *busy),
                        void (*print)(const void *what, FILE *line), void *what);

#endif /* HITOP_COMM_STATE_MPI_H */
