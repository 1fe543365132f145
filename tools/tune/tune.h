/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TUNE_H
#define TUNE_H

/*
 * tune.h - find the thresholds of coll/node/thresholds.h that suit a machine.
 *
 * A choice is a setting and its candidates at some sizes: two algorithms, or several lengths of
 * pieces. The present candidate and each other one are measured in turns; a setting changes only if
 * another one is shown to be faster.
 *
 * To add a choice, add a row to tune_choices.c.
 */

#include "coll/node/node.h"
#include "models/fit/verdict.h"

enum {
    TUNE_CANDIDATES =
        6,           /* most of a choice, besides a present length that is none of its lengths */
    TUNE_SIZES = 24, /* most sizes of a choice, over all its operations */
    TUNE_QUADS = 12, /* default number of quads of blocks in a comparison */
    TUNE_LEAST_QUADS = 8, /* fewest quads for an interval of 99 % */
};

/* ---- operations (tune_work.c) ---- */

/* The memory of one process for an operation. */
struct tune_work {
    struct hitop_node *node;
    unsigned char *from, *to; /* blocks of all processes */
    size_t bytes;             /* of a block, or of the message */
    int root;
    unsigned turn; /* it determines the contents of the blocks */
};

struct tune_operation {
    const char *name;
    int has_blocks;                       /* 1: a block for or from each process */
    int is_barrier;                       /* 1: timed in a row */
    void (*prepare)(struct tune_work *w); /* or NULL */
    void (*run)(struct tune_work *w);
    int (*is_wrong)(const struct tune_work *w); /* or NULL */
};

extern const struct tune_operation tune_bcast, tune_gather, tune_scatter, tune_allgather,
    tune_alltoall, tune_reduce, tune_allreduce, tune_barrier;

/* ---- choices (tune_choices.c) ---- */

enum tune_kind {
    TUNE_FROM,   /* the second algorithm from a size on */
    TUNE_UP_TO,  /* the first algorithm up to a size */
    TUNE_COUNT,  /* the first algorithm up to a number of processes */
    TUNE_STEP,   /* pieces of one length for all sizes */
    TUNE_PIECES, /* lengths of pieces by size */
};

struct tune_choice {
    const char *setting; /* as in the file */
    enum tune_kind kind;
    size_t member;                              /* offset in struct hitop_thresholds */
    const struct tune_operation *operations[3]; /* the last one is NULL */
    size_t first, last;                         /* sizes, in powers of two */
    size_t least_piece, most_piece; /* lengths, doubled from one to the other; 0: no pieces */
    int needs_cma;                  /* 1: has no effect without CMA */
    void (*force)(
        struct hitop_thresholds *row); /* other settings, so that this one counts; or NULL */
};

/* Choice number n in the order of measurement; NULL: n is past the last one. */
const struct tune_choice *tune_choice(int n);

/* The number of lengths of pieces; length k is least_piece << k. 0: the choice has no pieces. */
int tune_count_pieces(const struct tune_choice *choice);

/* The number that the setting is compared with, if blocks have `bytes` bytes. */
size_t tune_compared_size(const struct tune_choice *choice, size_t bytes, int nprocs);

/*
 * tune_candidates() returns the number of candidates at a size, at least 2; *present: the
 * one that the row takes. tune_apply_candidate() changes the row so that it takes candidate `k`.
 */
int tune_candidates(const struct tune_choice *choice, const struct hitop_thresholds *row,
                    size_t compared, int *present);
void tune_apply_candidate(const struct tune_choice *choice, struct hitop_thresholds *row, int k,
                          size_t compared);

/* ---- decisions (tune_decide.c) ---- */

/*
 * The finding at a size. loss: the log of the ratio of the time of each candidate to the time of
 * the present one, or 0 if no difference was shown.
 */
struct tune_finding {
    size_t compared;
    int ncandidates, present;
    int shown[TUNE_CANDIDATES + 1]; /* 1: a difference was shown */
    double loss[TUNE_CANDIDATES + 1];
};

/* Change the row as the findings require. Returns 1 if the row has changed. */
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
    unsigned changed;            /* out: the choices that changed the row, as in wanted */
};

/* Measure the wanted choices in order, in child processes. HITOP_ERR_IO, HITOP_ERR_NOMEM. */
enum hitop_status tune_row(struct tune_request *request, struct hitop_diag *diag);

#endif /* TUNE_H */
