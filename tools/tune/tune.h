/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TUNE_H
#define TUNE_H

/*
 * tune.h - which thresholds of coll/node/thresholds.h suit a machine.
 *
 * A choice is a setting with what else one could do at each of some sizes: go the other way, or
 * have pieces of another length. What is in force and what could be are measured in turns; only
 * what is shown to be faster moves a setting.
 *
 * To add a choice: a row in tune_choices.c.
 */

#include "coll/node/node.h"
#include "models/fit/verdict.h"

enum {
    TUNE_WAYS = 6,        /* at a size */
    TUNE_SIZES = 24,      /* of a choice, of all its operations */
    TUNE_QUADS = 12,      /* of blocks for a comparison, unless the user wants more */
    TUNE_LEAST_QUADS = 8, /* for an interval of 99 % */
};

/* ---- operations (tune_work.c) ---- */

/* Of one process. */
struct tune_work {
    struct hitop_node *node;
    unsigned char *from, *to; /* room for blocks of all */
    size_t bytes;             /* of a block, or of the message */
    int root;
    unsigned turn; /* what is in the blocks follows from it */
};

struct tune_operation {
    const char *name;
    int has_blocks; /* for or from each process */
    int is_meeting; /* a barrier, of which those in a row are timed; it has none of the following */
    void (*prepare)(struct tune_work *w);
    void (*run)(struct tune_work *w);
    int (*is_wrong)(const struct tune_work *w);
};

extern const struct tune_operation tune_bcast, tune_gather, tune_scatter, tune_allgather,
    tune_alltoall, tune_reduce, tune_allreduce, tune_barrier;

/* ---- choices (tune_choices.c) ---- */

enum tune_kind {
    TUNE_FROM,   /* the second way from a size on */
    TUNE_UP_TO,  /* the first way up to a size */
    TUNE_COUNT,  /* the first way up to a number of processes */
    TUNE_STEP,   /* pieces of one length for all sizes */
    TUNE_PIECES, /* pieces by size */
};

struct tune_choice {
    const char *setting; /* as in the file */
    enum tune_kind kind;
    size_t member;                               /* offset in struct hitop_thresholds */
    const struct tune_operation *operations[3];  /* the last one is NULL */
    size_t first, last;                          /* sizes, in powers of two */
    size_t least_piece, most_piece;              /* doubled from one to the other; 0: no pieces */
    int needs_cma;                               /* has no effect where the kernel does not copy */
    void (*force)(struct hitop_thresholds *row); /* so that the setting has an effect; or NULL */
};

/* The n-th, in the order in which they are made; NULL behind the last one. */
const struct tune_choice *tune_choice(int n);

/* Lengths of pieces to choose from: the k-th is least_piece << k; 0: the choice has no pieces. */
int tune_count_pieces(const struct tune_choice *choice);

/* Of the size that the setting is compared with, where blocks have `bytes`. */
size_t tune_compared_size(const struct tune_choice *choice, size_t bytes, int nprocs);

/*
 * Ways at a size: their number, at least 2, and which of them the row takes. The row made to take
 * way `k`.
 */
int tune_ways(const struct tune_choice *choice, const struct hitop_thresholds *row, size_t compared,
              int *present);
void tune_take_way(const struct tune_choice *choice, struct hitop_thresholds *row, int k,
                   size_t compared);

/* ---- decisions (tune_decide.c) ---- */

/*
 * The finding at a size, for each algorithm against the present one: the log of the ratio of times,
 * 0 if no difference was shown.
 */
struct tune_finding {
    size_t compared;
    int nways, present;
    int shown[TUNE_WAYS + 1]; /* there is a difference */
    double loss[TUNE_WAYS + 1];
};

/* Change the row as the findings want it: 1 if they do. */
int tune_decide(const struct tune_choice *choice, const struct tune_finding *findings, int n,
                struct hitop_thresholds *row);

/* ---- measuring (tune_measure.c) ---- */

struct tune_request {
    int nprocs, alone;
    int quads;
    size_t most;                 /* bytes of a message, or of all blocks of a process */
    unsigned wanted;             /* OR of 1 << number of choice */
    int verbose;                 /* report every comparison on standard error */
    struct hitop_thresholds row; /* in and out */
    unsigned changed;            /* out: like wanted */
};

/* All choices in their order, by processes of their own. HITOP_ERR_IO, HITOP_ERR_NOMEM. */
enum hitop_status tune_row(struct tune_request *request, struct hitop_diag *diag);

#endif /* TUNE_H */
