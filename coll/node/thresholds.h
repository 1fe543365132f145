/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_THRESHOLDS_H
#define HITOP_NODE_THRESHOLDS_H

/*
 * thresholds.h - all sizes at which another algorithm becomes faster, on a node or between nodes,
 * in one table.
 *
 * tune_node(1) measures those on a node and writes a file that replaces them. All ranks of a node
 * have the same row.
 *
 * To add a setting: a member here, its numbers in the table and a row of the settings in
 * thresholds.c, a line in doc/thresholds.md.
 */

#include "hitop/status.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Limits of the segment's layout; see layout.h. */
enum {
    HITOP_NODE_INLINE = 56,   /* bytes beside the flag, in its cache line */
    HITOP_NODE_LINED = 896,   /* longest message in lines with flags of their own */
    HITOP_OUTBOX_LINED = 384, /* longest such block in an outbox, see outbox.h */
    HITOP_INBOX_LINED = 512,  /* the same in an inbox, which has no cells */
    HITOP_NODE_SHORT = 4096,  /* longest message in a cell */
    /*
     * Operations that a writer may run ahead of the slowest reader. Short messages use fewer slots
     * where each rank has a processor: their lines then stay in the nearest cache.
     */
    HITOP_NODE_SLOTS = 128,
    HITOP_NODE_FEW_SLOTS = 16,
    /*
     * Default bytes of the ring: more than the private caches of a processor hold, so that a writer
     * need not take lines out of those of readers.
     */
    HITOP_NODE_RING = 4 * 1024 * 1024,
    HITOP_NODE_HOT = 256 * 1024, /* hot prefix: stays in caches when two writers alternate */
    /*
     * Places of lined and short messages: few stay in the nearest cache, many let a writer run
     * ahead of readers that wait for a processor.
     */
    HITOP_NODE_FEW_PLACES = 8,
    HITOP_NODE_MANY_PLACES = 32,
    /*
     * With few places, only some have a cell in use: the cells that two ranks write and read in
     * turn then fit into the nearest cache of each.
     */
    HITOP_NODE_CELLS = 4,
};

/* Lengths of pieces for messages of up to `up_to` bytes; the last `up_to` of a list is SIZE_MAX. */
struct hitop_piece {
    size_t up_to, bytes;
};

enum { HITOP_PIECES = 4 };

/*
 * The thresholds of a number of ranks, with a processor each or not. All sizes are in bytes; a
 * "from" is the smallest size that uses the algorithm. Where ranks share processors, each wait for
 * another rank costs a turn of the scheduler, and a second copy is cheaper than a wait. Otherwise
 * ranks that all copy for themselves are faster than one that copies for all.
 */
struct hitop_thresholds {
    int nranks; /* the most ranks */
    int alone;  /* every rank has its own processor */

    /* Barriers of at most this many ranks use a line of each rank, the others a common counter. */
    int barrier_lines_to;

    /* Broadcasts: fragments of the ring; small ones are read early, large ones need fewer flags. */
    struct hitop_piece fragment[HITOP_PIECES];
    size_t cma_from; /* copied by CMA, by writer and readers */
    /*
     * The same where the writer has also written the previous long message and could write the next
     * one meanwhile.
     */
    size_t cma_row_from;
    struct hitop_piece chunk[HITOP_PIECES];
    /*
     * how long a writer waits for late readers, in multiples of the time of a copy; more where
     * readers may only be waiting for a processor
     */
    unsigned patience;

    /*
     * Gathers and scatters: what the root reads from one rank, or writes for one reader, before it
     * goes on to the next, in pieces as in broadcasts.
     */
    size_t gather_step;
    size_t scatter_step;
    size_t gather_cma_from; /* blocks for a CMA rendezvous */
    size_t scatter_cma_from;
    struct hitop_piece rendezvous_chunk[HITOP_PIECES];
    /*
     * the most bytes of all blocks of a scatter that go to the arena instead of waiting for room in
     * the outbox
     */
    size_t spill_to;

    size_t allgather_direct_from; /* Blocks of a CMA exchange. */
    size_t alltoall_direct_from;

    /* Reductions: bytes that are posted, and combined, at a time. */
    struct hitop_piece reduce_part[HITOP_PIECES];
    struct hitop_piece allreduce_part[HITOP_PIECES];
    /* operands of an allreduce of which each rank combines a share, for one more exchange */
    size_t share_from;
    size_t reduce_direct_from; /* operands for a CMA reduce */
    size_t allreduce_direct_from;
};

enum {
    HITOP_COPIED_PER_US = 8000,      /* bytes, by one rank from another's memory */
    HITOP_COPY_AT_ONCE = 256 * 1024, /* bytes between two calls of MPI */
};

/* Limits of operations other than broadcasts over several nodes. */
enum {
    HITOP_NODES_MOST = 16, /* nodes that a root exchanges messages with; more need a tree */
    HITOP_NODES_SUMS = 8,  /* the same where it combines operands */
    /* longer operands use a tree on more than two nodes */
    HITOP_NODES_SUM_APART = 4 * 1024,
    HITOP_NODES_BYTES = 8 * 1024 * 1024,  /* most bytes that one rank exchanges */
    HITOP_NODES_SUM_FROM = 16 * 1024,     /* an allreduce, where ranks share processors */
    HITOP_NODES_GATHER_FROM = 256 * 1024, /* all blocks of an allgather, likewise */
    HITOP_NODES_EXCHANGE_TO = 256,        /* a block of an alltoall */
    /* to a node, of a scatter with uneven blocks over more nodes than the above */
    HITOP_NODES_TREE_TO = 1024,
    /* uneven blocks that are sent alone, not packed with those of their node */
    HITOP_NODES_APART_FROM = 32 * 1024,
};

/* The default thresholds. */
const struct hitop_thresholds *hitop_thresholds_for(int nranks, int alone);

/*
 * Change a row to the settings of a file for `nranks` ranks; doc/thresholds.md describes the
 * format. On failure the row stays as it is: HITOP_ERR_IO, or HITOP_ERR_FORMAT with file and line.
 */
HITOP_MUST_CHECK enum hitop_status hitop_thresholds_read(const char *path, int nranks, int alone,
                                                         struct hitop_thresholds *row,
                                                         struct hitop_diag *diag);

/* Print all settings of a row in the format of a file, separated by `between`. */
void hitop_thresholds_print(const struct hitop_thresholds *row, const char *between, FILE *to);

/*
 * Setting number `n`, from 0 on; NULL is the name after the last one. hitop_thresholds_print_one()
 * prints name and value, such as "cma-from 64KiB". hitop_thresholds_set() parses a value into the
 * row, or reports what is wrong.
 */
const char *hitop_thresholds_name(int n);
void hitop_thresholds_print_one(const struct hitop_thresholds *row, int n, FILE *to);
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
