/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_BCAST_BETWEEN_H
#define HITOP_BCAST_BETWEEN_H

/*
 * bcast_between.h - a broadcast over several nodes, of plain bytes.
 *
 * Two ways: leaders are fixed, or whoever comes first leads and announces himself. Each operation
 * says which it is of the next one, in its header and in the note of its message on each node, so
 * that all ranks know.
 */

#include "coll/twolevel/header_mpi.h"
#include "coll/twolevel/relay_mpi.h"

/* A broadcast on this rank. */
struct bcast {
    struct hitop_comm *c;
    unsigned char *data; /* the message at the root, room for `bytes` of it elsewhere */
    size_t bytes;        /* > 0 */
    int root;
    size_t total; /* out: bytes of the root */
};

static inline enum hitop_style_leaders bcast_leaders(const struct hitop_comm *c)
{
    return hitop_style_leaders((enum hitop_style)c->settings.style);
}

/* The communicator is ready: how its first broadcast goes. */
void hitop_bcast_begin(struct hitop_comm *c);

/* One broadcast. MPI_SUCCESS or an MPI code, after which messages may be lost. */
int hitop_bcast_between(struct bcast *b);

/* By whose leaders go: see style.h. */
int hitop_bcast_announced(struct bcast *b);
int hitop_bcast_directory(struct bcast *b);

/* A process that leads by the directory, and has the header: `data` has room for all of it. */
int hitop_bcast_directory_tree(const struct bcast *b, struct header *h, unsigned char *data,
                               int from);

/* Root: what the header says but for its list and data. */
void hitop_bcast_write_header(const struct bcast *b, struct header *h);

/* The header to one rank, which gets segments from us unless it has all. */
static inline int bcast_serve_rank(struct hitop_comm *c, const struct header *h, int bytes,
                                   int rank, struct relay *r)
{
    const int code = hitop_header_send(c, h, bytes, rank);

    return code == MPI_SUCCESS && !(h->flags & HEADER_WHOLE) ? hitop_relay_add(r, rank) : code;
}

/*
 * Send `h` to the first of each branch of the list, with the rest of the branch and the data; `r`
 * is to serve them.
 */
int hitop_bcast_serve_list(struct hitop_comm *c, struct header *h, const struct hitop_branch *list,
                           int nlist, const unsigned char *data, struct relay *r);

/* This node's part of a header that has come: the data, now or in segments, and whom to serve. */
int hitop_bcast_obey(struct bcast *b, struct header *h, int from);

/* For the watchdog: a `struct bcast` waits for its header. */
void hitop_bcast_tell_no_header(const void *bcast, FILE *line);

/* The same: so many leaders of nodes, an int, are not known. */
void hitop_bcast_tell_unknown(const void *unknown, FILE *line);

#endif /* HITOP_BCAST_BETWEEN_H */
