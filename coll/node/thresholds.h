/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_THRESHOLDS_H
#define HITOP_NODE_THRESHOLDS_H

/*
 * thresholds.h - from which size on a message on a node, or between nodes, goes another way: all numbers of this kind, in
 * one table.
 *
 * tune_node(1) measures those on a node and writes a file that replaces them. All processes of a node have the same row.
 *
 * To add a setting: a member here, its numbers in the table, a row in thresholds_text.c, a line in doc/thresholds.md.
 */

#include "hitop/status.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Limits of what the segment has places for; see node_inside.h. */
enum {
    HITOP_NODE_INLINE = 56,   /* bytes that travel beside the flag, in its cache line */
    HITOP_NODE_LINED = 896,   /* longest message in lines with flags of their own */
    HITOP_OUTBOX_LINED = 384, /* the same of what is brought to other operations, see lanes.h */
    HITOP_INBOX_LINED = 512,  /* and of a scatter's block, for which there is no cell */
    HITOP_NODE_SHORT = 4096,  /* longest message with a place of its own */
    /* Operations that a writer may run ahead of the slowest reader; of short messages fewer where all have a processor: their
     * lines stay in the nearest cache then. */
    HITOP_NODE_SLOTS = 128,
    HITOP_NODE_FEW_SLOTS = 16,
    /* Default bytes of the ring: more than a processor's own caches hold, so that a writer does not have to take lines out
     * of those of readers. */
    HITOP_NODE_RING = 4 * 1024 * 1024,
    HITOP_NODE_HOT = 256 * 1024, /* of it: the part that two writers in turn keep in their caches */
    HITOP_NODE_WINDOW = 64 * 1024, /* of the ring, for messages that the kernel refuses to copy */
    /* Places of lined and short messages: few stay in the nearest cache, many let a writer run ahead of readers that
     * wait for a processor. */
    HITOP_NODE_FEW_PLACES = 8,
    HITOP_NODE_MANY_PLACES = 32,
    /* Of few places not all have room for a short message: what is written and read in turns, by two processes, then fits
     * into the nearest cache of each. */
    HITOP_NODE_CELLS = 4,
};

/* Pieces of messages up to so many bytes; the last of a list is for SIZE_MAX. */
struct hitop_piece {
    size_t up_to, bytes;
};

enum { HITOP_PIECES = 4 };

/*
 * For so many processes, with a processor each or not. All sizes are bytes, and what is said of "from" them holds for them
 * as well. Where processes share processors, each wait for another one costs a turn of the scheduler, which is worth a
 * second copy; where they do not, processes that all copy for themselves beat one that copies for all.
 */
struct hitop_thresholds {
    int nranks; /* at most */
    int alone;  /* every process has a processor */

    /* Barriers of at most so many processes look at a line of each, the others at a common counter. */
    int barrier_lines_to;

    /* Broadcasts: pieces of the ring, of which small ones are read early and large ones cost less; */
    struct hitop_piece fragment[HITOP_PIECES];
    size_t cma_from; /* what the kernel copies, once, by writer and reader; */
    /* only from here on if the writer has written the long message before, too: it could be at the next one meanwhile; */
    size_t cma_row_from;
    struct hitop_piece chunk[HITOP_PIECES];
    unsigned patience; /* with absent readers, in copies, who may just wait for a processor. */

    /*
     * Gathers and scatters: what the root takes from one rank, or leaves for one reader, before it goes on to the next, in
     * pieces as of broadcasts;
     */
    size_t gather_step;
    size_t scatter_step;
    size_t gather_cma_from; /* blocks that both copy straight, because no lane holds them; */
    size_t scatter_cma_from;
    struct hitop_piece rendezvous_chunk[HITOP_PIECES];
    size_t
        leave_to; /* all blocks of a scatter, left in memory of the node rather than to wait for the lane. */

    size_t allgather_direct_from; /* Blocks that all copy out of the memory of all. */
    size_t alltoall_direct_from;

    /* Reductions: what is posted at a time, and summed behind it; */
    struct hitop_piece reduce_part[HITOP_PIECES];
    struct hitop_piece allreduce_part[HITOP_PIECES];
    size_t
        share_from; /* operands of an allreduce of which each sums its share, for one more exchange; */
    size_t reduce_direct_from; /* operands that all copy out of the memory of all. */
    size_t allreduce_direct_from;
};

enum {
    HITOP_COPIED_PER_US = 8000,      /* bytes, by one process from another's memory */
    HITOP_COPY_AT_ONCE = 256 * 1024, /* bytes between two calls of MPI */
};

/* Operations other than broadcasts over several nodes. */
enum {
    HITOP_NODES_MOST = 16,                /* that a root speaks to; more of them want a tree */
    HITOP_NODES_SUMS = 8,                 /* the same where the root has to combine them, */
    HITOP_NODES_SUM_APART = 4 * 1024,     /* if they are not longer */
    HITOP_NODES_BYTES = 8 * 1024 * 1024,  /* that one process has to do with, at most */
    HITOP_NODES_SUM_FROM = 16 * 1024,     /* an allreduce, where ranks share processors: */
    HITOP_NODES_GATHER_FROM = 256 * 1024, /* and all blocks of an allgather: turns on nodes cost */
    HITOP_NODES_EXCHANGE_TO = 256,        /* a block of an alltoall */
    HITOP_NODES_TREE_TO =
        1024, /* to a node, of a scatter with uneven blocks over more than those */
    HITOP_NODES_APART_FROM =
        32 * 1024, /* uneven blocks that travel alone, not with those of a node */
};

/* What holds where no file says anything else. */
const struct hitop_thresholds *hitop_thresholds_for(int nranks, int alone);

/*
 * Change in a row what a file says for so many processes; its form is in doc/thresholds.md. On failure the row stays as it is:
 * HITOP_ERR_IO, or HITOP_ERR_FORMAT with file and line.
 */
HITOP_MUST_CHECK enum hitop_status hitop_thresholds_read(const char *path, int nranks, int alone,
                                                         struct hitop_thresholds *row,
                                                         struct hitop_diag *diag);

/* All settings of a row as they stand in a file, with a text between any two. */
void hitop_thresholds_put(const struct hitop_thresholds *row, const char *between, FILE *to);

/*
 * One of them: its name and its value, such as "cma-from 64KiB", where the name of the n-th is not NULL. Reading changes
 * the row, or says what is wrong.
 */
const char *hitop_thresholds_name(int n);
void hitop_thresholds_put_one(const struct hitop_thresholds *row, int n, FILE *to);
HITOP_MUST_CHECK enum hitop_status hitop_thresholds_set(struct hitop_thresholds *row, int n,
                                                        char *value, struct hitop_diag *diag);

/* The piece for a message of `total` bytes, out of one of the lists above. */
static inline size_t hitop_piece_for(const struct hitop_piece *list, size_t total)
{
    while (total > list->up_to) {
        list++;
    }
    return list->bytes;
}

#endif /* HITOP_NODE_THRESHOLDS_H */
