/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_BCAST_BETWEEN_H
#define HITOP_BCAST_BETWEEN_H

/*
 * bcast_between.h - a broadcast of plain bytes over several nodes.
 *
 * Leaders are fixed, or the first process to come leads its node and announces itself. Each
 * operation says which it is of the next one, in its header and in the note of its message on each
 * node, so that all ranks know.
 */

#include "coll/twolevel/relay_mpi.h"
#include "coll/twolevel/style.h"

#include <stddef.h>

/*
 * The header: the message that begins a broadcast on a node.
 *
 * It carries the root's choices, the ranks that its receiver has to serve, and the data if they are
 * short. Only the root decides; all others do what the header says.
 */

enum {
    HEADER_ANNOUNCES = 1, /* leaders of the next operation announce themselves */
    HEADER_WHOLE = 2,     /* all data are in here */
    HEADER_UNASKED = 4,   /* it is no answer to a leader */
};

struct header {
    uint64_t seq;     /* number of the operation */
    uint64_t total;   /* bytes of the broadcast */
    uint32_t segment; /* bytes of a segment, of data that are not in here */
    uint16_t builder; /* of the tree between nodes, where leaders are fixed */
    uint16_t way;     /* enum hitop_style_way */
    uint32_t flags;
    int32_t nbranch; /* ranks in the list: a branch, or all leaders; 0 where they are fixed */
    unsigned char rest[HITOP_HEADER_BYTES - 32]; /* the list, then the data */
};

_Static_assert(offsetof(struct header, rest) == 32 && sizeof(struct header) == HITOP_HEADER_BYTES,
               "no padding goes over the wire");
_Static_assert(sizeof(struct hitop_branch) * MEET_NODES <
                   EAGER_SURE - offsetof(struct header, rest),
               "the longest list has room");

static inline const struct hitop_branch *header_list(const struct header *h)
{
    return (const struct hitop_branch *)(const void *)h->rest;
}

static inline const unsigned char *header_data(const struct header *h)
{
    return h->rest + (size_t)h->nbranch * sizeof(struct hitop_branch);
}

/* Do its data go in pieces, each another way? */
static inline int header_is_scattered(const struct header *h)
{
    return hitop_style_exchange((enum hitop_style_way)h->way) != NULL;
}

/* Bytes of a header with its list and data. */
static inline int header_bytes(const struct header *h)
{
    return (int)(header_data(h) - (const unsigned char *)h) +
           (h->flags & HEADER_WHOLE ? (int)h->total : 0);
}

/* A broadcast on this rank. */
struct bcast {
    struct hitop_comm *c;
    unsigned char *data; /* the message at the root, room for `bytes` of it elsewhere */
    size_t bytes;        /* > 0 */
    int root;
    size_t total;   /* out: bytes of the root */
    int has_header; /* out: this rank leads its node, has the header and is to forward it; */
    int from;       /* the rank that it is from */
};

/* Root: all that the header says but for its list and data. */
void hitop_header_write(const struct bcast *b, struct header *h);

/* Put the list and, where HEADER_WHOLE is set, the data into the header; its bytes. */
int hitop_header_fill(struct header *h, const struct hitop_branch *list, int nbranch,
                      const unsigned char *data);

/* Receive a header of the operation under way if one has come. *found: 1 when one has. */
int hitop_header_take(struct bcast *b, struct header *h, int *found);

/* Wait for the header of the operation under way, which is sent to this process. */
int hitop_header_await(struct bcast *b, struct header *h);

/* For the watchdog: a `struct bcast` waits for its header. */
void hitop_header_tell_missing(const void *bcast, FILE *line);

/* Send `h` with its list and data to a process that waits for it. */
int hitop_header_send(struct hitop_comm *c, const struct header *h, int bytes, int rank);

/* The header to one rank, which gets segments from `r` unless it has all. */
int hitop_header_serve(struct hitop_comm *c, const struct header *h, int bytes, int rank,
                       struct relay *r);

/* The header to the first of each branch of the list, with the rest of the branch and the data. */
int hitop_header_serve_list(struct hitop_comm *c, struct header *h, const struct hitop_branch *list,
                            int nlist, const unsigned char *data, struct relay *r);

/*
 * Announcements of leaders to the root (READY).
 *
 * Idea:   on each node the first process of an operation leads it and announces itself to the root.
 *         The root serves those that have; after some patience it sends a short message to the
 *         others' likely leaders (PUSH), and the READY of such a node, which is still to come, is
 *         owed to it.
 *
 * Invariants: per node and operation one READY is sent, by the process that has claimed it; it is
 * taken by the root during the operation or owed and taken later, at the latest when the
 * communicator is freed, so that no message is left. At most MEET_CREDIT of a node are owed to one
 * root, fewer of long messages: that bounds what waits unexpected in MPI.
 */

/* A leader that has announced itself. */
struct meet_ready {
    int rank;
    uint64_t late; /* ns that a message has waited for the first rank of its node, of late */
};

/* Memory for c->nnodes nodes: MPI_SUCCESS or MPI_ERR_NO_MEM. */
int hitop_meet_create(struct hitop_comm *c);

/* Take what is owed and wait for what is on its way: collective in effect. NULL-safe. */
void hitop_meet_free(struct hitop_comm *c);

/* Answers take `seconds`, until quicker ones are seen. */
void hitop_meet_expect(struct hitop_comm *c, double seconds);

/* Root: `rank` leads its node. Was it likely to? The surer, the sooner a root sends unasked. */
void hitop_meet_compare(struct hitop_comm *c, int rank);

/* Leader: the header of an operation that it announced itself to came `ns` later. */
void hitop_meet_heard(struct hitop_comm *c, int root, uint64_t ns);

/*
 * Announce to rank `to`, the root or a rank that serves it, that `leader` leads its node, for whose
 * first rank a message has waited for `late` ns, of late. MPI_SUCCESS or an MPI code.
 */
int hitop_meet_tell(struct hitop_comm *c, int to, int leader, uint64_t late);

/* The next leader that is there for the operation under way. *found: 1 when there was one. */
int hitop_meet_take(struct hitop_comm *c, struct meet_ready *ready, int *found);

/* Root: may a message of `total` bytes go to `node` unasked, or does it owe too much already? */
int hitop_meet_may_push(const struct hitop_comm *c, int node, size_t total);

/* Root: send its header of `bytes` to the likely leader there. */
int hitop_meet_push(struct hitop_comm *c, int node, const void *header, int bytes);

/*
 * A message on its way through a node in pieces that are scattered, then exchanged.
 *
 * Idea:   what a leader gets in a step it may send on from the next one on, and shares with its
 *         node at once.
 * Needs:  all leaders are known: from the list of the header, or because they are fixed.
 */

/* Messages of one direction, in the order in which they begin. */
struct scattered_flow {
    MPI_Request *requests;
    int all, posted, complete;
};

struct scattered {
    struct hitop_comm *c;
    const struct header *h;
    unsigned char *data; /* room for all of it */
    size_t piece;        /* bytes */
    int root, root_node;
    int me; /* this node, counted from the root's */
    const struct hitop_exchange *exchange;
    int nchildren, children[32];
    struct scattered_flow get, put;
    struct hitop_node_writer share; /* into this node */
    int shared;                     /* of the messages got, those that are shared */
    size_t begun;                   /* bytes of the next one that are */
};

/* The header stays where it is. MPI_SUCCESS or MPI_ERR_NO_MEM; close it in any case. */
int hitop_scattered_open(struct scattered *s, const struct bcast *b, const struct header *h,
                         unsigned char *data);

/*
 * The root, before leaders are known: share with its node what there is room for. *moved: 1 if any.
 */
void hitop_scattered_share(struct scattered *s, int *moved);

/* All of it. Only now the header's list is looked at, and the header sent on. */
int hitop_scattered_run(struct scattered *s);

void hitop_scattered_close(struct scattered *s);

static inline enum hitop_style_leaders bcast_leaders(const struct hitop_comm *c)
{
    return hitop_style_leaders((enum hitop_style)c->settings.style);
}

/* The communicator is ready: how its first broadcast goes. */
void hitop_bcast_begin(struct hitop_comm *c);

/* One broadcast. MPI_SUCCESS or an MPI code, after which messages may be lost. */
int hitop_bcast_between(struct bcast *b);

/*
 * With dynamic leaders, and with those of the paper, see style.h: all of it, or until this rank has
 * the header that it is to forward.
 */
int hitop_bcast_announced(struct bcast *b, struct header *h);
int hitop_bcast_directory(struct bcast *b, struct header *h);

/* A process that leads by the directory, and has the header: `data` has room for all of it. */
int hitop_bcast_directory_tree(const struct bcast *b, struct header *h, unsigned char *data);

#endif /* HITOP_BCAST_BETWEEN_H */
