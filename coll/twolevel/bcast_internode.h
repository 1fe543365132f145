/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCAST_INTERNODE_H
#define BCAST_INTERNODE_H

/*
 * bcast_internode.h - a broadcast of plain bytes over several nodes.
 *
 * Leaders are the default ones, or dynamic: the first process to arrive leads its node and
 * announces itself. The header of each operation contains the kind of leaders of the next
 * operation; so does, for the other ranks of a node, the note that is posted with the message.
 */

#include "coll/twolevel/bcast_algorithm.h"
#include "coll/twolevel/relay_mpi.h"

#include <stddef.h>

/*
 * The header: the message that begins a broadcast on a node.
 *
 * It carries the root's choices, the ranks that its receiver serves, and the data if they are
 * short. Only the root decides; all other ranks follow the header.
 */

enum {
    HEADER_ANNOUNCES = 1, /* leaders of the next operation announce themselves */
    HEADER_WHOLE = 2,     /* the header contains all data */
    HEADER_UNASKED = 4,   /* the header does not answer a leader announcement */
};

struct header {
    uint64_t seq;     /* number of the operation */
    uint64_t total;   /* bytes of the broadcast */
    uint32_t segment; /* bytes of a segment, for data that are not in the header */
    uint16_t builder; /* tree builder for the nodes, if there is no list */
    uint16_t pattern; /* enum hitop_bcast_pattern */
    uint32_t flags;
    int32_t nbranch; /* ranks in the list: a branch, or all leaders; 0: none */
    unsigned char rest[HITOP_HEADER_BYTES - 32]; /* the list, then the data */
};

_Static_assert(offsetof(struct header, rest) == 32 && sizeof(struct header) == HITOP_HEADER_BYTES,
               "no padding goes over the wire");
_Static_assert(sizeof(struct hitop_branch) * DYNAMIC_NODES <
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

/* Does the root scatter the data in pieces, which the nodes then exchange? */
static inline int header_is_scattered(const struct header *h)
{
    return hitop_bcast_exchange((enum hitop_bcast_pattern)h->pattern) != NULL;
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
    size_t total;   /* out: bytes that the root sends */
    int has_header; /* out: this rank leads its node, has the header and forwards it */
    int from;       /* the rank that sent the header */
};

/* Root: fill in the header except for its list and data. */
void hitop_header_write(const struct bcast *b, struct header *h);

/* Put the list into the header, and the data where HEADER_WHOLE is set. Returns its bytes. */
int hitop_header_fill(struct header *h, const struct hitop_branch *list, int nbranch,
                      const unsigned char *data);

/* Receive a header of the current operation if one has arrived. *found: 1 if so. */
int hitop_header_receive(struct bcast *b, struct header *h, int *found);

/* Wait for the header of the current operation, which another rank sends to this one. */
int hitop_header_await(struct bcast *b, struct header *h);

/* For the watchdog: a `struct bcast` waits for its header. */
void hitop_header_print_missing(const void *bcast, FILE *line);

/* Send `h` with its list and data to a process that waits for it. */
int hitop_header_send(struct hitop_comm *c, const struct header *h, int bytes, int rank);

/* Send the header to one rank; that rank gets segments from `r` unless the header has all data. */
int hitop_header_serve(struct hitop_comm *c, const struct header *h, int bytes, int rank,
                       struct relay *r);

/*
 * Send the header to the first rank of each branch of the list, with the rest of the branch and the
 * data.
 */
int hitop_header_serve_list(struct hitop_comm *c, struct header *h, const struct hitop_branch *list,
                            int nlist, const unsigned char *data, struct relay *r);

/*
 * Leader announcements to the root.
 *
 * Idea:   On each node the first process of an operation leads it and announces itself to the root.
 *         The root serves the leaders that have done so. After some time it sends a short message
 *         to the likely leaders of the other nodes (hitop_push()); until the announcement of such a
 *         node arrives, it is pending.
 *
 * Invariants: each node sends one announcement in an operation, from the process that claimed to
 * lead. The root receives it during the operation, or it is pending and the root receives it later,
 * at the latest when the communicator is freed, so that no message is lost. At most PENDING_MOST
 * announcements of a node to one root are pending, fewer for long messages: that bounds the
 * unexpected messages in MPI.
 */

/* Allocate memory for c->nnodes nodes: MPI_SUCCESS or MPI_ERR_NO_MEM. */
int hitop_announcements_create(struct hitop_comm *c);

/*
 * Receive pending announcements and wait for messages that are being sent: collective in effect.
 * NULL-safe.
 */
void hitop_announcements_free(struct hitop_comm *c);

/* Assume that an answer takes `seconds`, until a faster one is seen. */
void hitop_announcements_expect(struct hitop_comm *c, double seconds);

/*
 * Root: `rank` leads its node. Record whether it was the likely leader: the more often it was, the
 * sooner the root sends without an announcement.
 */
void hitop_announcements_note_leader(struct hitop_comm *c, int rank);

/* An announcement to `node`, or one from there, was answered after `seconds`. */
void hitop_announcements_note_answer(struct hitop_comm *c, int node, double seconds);

/*
 * Announce to rank `to`, the root or another leader, that `leader` leads its node. `late`: ns for
 * which recent messages waited for the first rank of that node. MPI_SUCCESS or an MPI code.
 */
int hitop_announce(struct hitop_comm *c, int to, int leader, uint64_t late);

/* The next known leader of the current operation. *found: 1 when there is one. */
int hitop_announcement_receive(struct hitop_comm *c, struct announcement *ready, int *found);

/*
 * Root: may it send a message of `total` bytes to `node` without an announcement, or are too many
 * announcements of the node pending?
 */
int hitop_push_is_allowed(const struct hitop_comm *c, int node, size_t total);

/* Root: send a header of `bytes` to the likely leader of `node`. */
int hitop_push(struct hitop_comm *c, int node, const void *header, int bytes);

/*
 * A message in pieces, which are scattered over the nodes, then exchanged.
 *
 * Idea:   A leader that receives a piece in one step shares it with its node at once, and may send
 *         it from the next step on.
 * Needs:  All leaders are known: the header lists them, or they are the default leaders.
 */

/* Messages of one direction, in the order in which they begin. */
struct scattered_flow {
    MPI_Request *requests;
    int all, posted, complete;
};

struct scattered {
    struct hitop_comm *c;
    const struct header *h;
    unsigned char *data; /* room for the whole message */
    size_t piece;        /* bytes of a piece */
    int root, root_node;
    int me; /* this node's number, counted from the root's node */
    const struct hitop_exchange *exchange;
    int nchildren, children[32];
    struct scattered_flow get, put;
    struct hitop_node_writer share; /* to the other ranks of this node */
    int shared;                     /* received messages that are shared completely */
    size_t begun;                   /* bytes of the next message that are shared */
};

/* `h` must stay in place. */
void hitop_scattered_open(struct scattered *s, const struct bcast *b, const struct header *h,
                          unsigned char *data);

/*
 * Share with the ranks of this node as much as fits; the root may do so before leaders are known.
 * *moved: 1 if anything was shared.
 */
void hitop_scattered_share(struct scattered *s, int *moved);

/* Run to the end. Only this function reads the header's list and forwards the header. */
int hitop_scattered_run(struct scattered *s);

void hitop_scattered_close(struct scattered *s);

static inline enum hitop_bcast_leaders bcast_leaders(const struct hitop_comm *c)
{
    return hitop_bcast_leaders((enum hitop_bcast_algorithm)c->settings.algorithm);
}

/* The communicator is ready: choose the leaders of its first broadcast. */
void hitop_bcast_begin(struct hitop_comm *c);

/* One broadcast. MPI_SUCCESS or an MPI code; after an error messages may be lost. */
int hitop_bcast_internode(struct bcast *b);

/*
 * A broadcast with dynamic leaders, and one with the leaders of the paper, see bcast_algorithm.h.
 * Each returns when this rank is done, or when it has the header that it forwards.
 */
int hitop_bcast_dynamic(struct bcast *b, struct header *h);
int hitop_bcast_listed(struct bcast *b, struct header *h);

/*
 * Forward the message along the tree: for the leader of a node in hitop_bcast_listed(), which has
 * the header. `data` has room for the whole message.
 */
int hitop_bcast_listed_tree(const struct bcast *b, struct header *h, unsigned char *data);

#endif /* BCAST_INTERNODE_H */
