/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COLL_CASE_H
#define COLL_CASE_H

/*
 * coll_case.h - the reference definition of each collective: input and expected output of all
 * ranks.
 *
 * Reductions combine elements. An element of CASE_UNIT bytes is two numbers (a, b), read as the
 * map x -> a x + b modulo 2^32. Operations that do not commute compose the maps, so that the
 * result depends on the order of ranks; operations that commute add the numbers. The caller can
 * provide other elements.
 */

#include "hitop/plan.h"

enum { CASE_UNIT = 8 };

/* Elements and operation of a reduction. */
struct case_elements {
    size_t unit;                                         /* bytes */
    void (*make)(int rank, size_t index, void *element); /* an operand of a rank */
    void (*combine)(const void *left, void *right);      /* right = left op right */
};

struct coll_case {
    const struct hitop_operation *operation;
    int size, root;
    size_t bytes; /* the longest block, where lengths differ */
    int uneven;   /* lengths of blocks differ, where the operation allows it */
    int ordered;  /* reductions do not commute */
    int in_place;
    int salt;    /* changes the contents: 0 .. 60000 */
    int only;    /* r + 1: memory of rank r alone; 0: of all ranks; -1: of none */
    size_t unit; /* element size of data that is only moved; 0: 1 byte */
    const struct case_elements *elements; /* of reductions; NULL: pairs (a, b) */
    size_t **starts;                      /* [size][size + 1], or NULL: all blocks are alike */
    size_t **recv_starts;                 /* of alltoallv, or NULL */
    unsigned char **memory;   /* [size] memory of each rank, which holds its input and output */
    unsigned char **input;    /* [size], points into memory[] */
    unsigned char **output;   /* [size], points into memory[] */
    size_t *nmemory;          /* [size] bytes of memory[] */
    unsigned char **brought;  /* [size] copy of the input of each rank */
    size_t *nbrings, *ntakes; /* [size] */
    unsigned char *expected;  /* scratch: expected output of one rank */
    size_t ncut;              /* number of reductions that cut an element */
};

/*
 * Allocate memory as the fields from `operation` to `elements` state. HITOP_ERR_NOMEM: nothing is
 * left to free.
 */
HITOP_MUST_CHECK enum hitop_status hitop_coll_case_init(struct coll_case *c,
                                                        struct hitop_diag *diag);
void hitop_coll_case_fini(struct coll_case *c);

/* Arguments of a rank; the caller sets the tree. */
struct hitop_coll_args hitop_coll_case_args(const struct coll_case *c, int rank);

/* Set input and output to their contents before the call. */
void hitop_coll_case_fill(struct coll_case *c);

/*
 * Write the expected output of a rank: ntakes[rank] bytes. Writes nothing for rank 0 of an exscan,
 * which MPI leaves undefined.
 */
void hitop_coll_case_expect(const struct coll_case *c, int rank, unsigned char *out);

/* inout becomes source op inout, as a step of a schedule does it; `self` is the case. */
void hitop_coll_case_combine(void *self, const unsigned char *source, unsigned char *inout,
                             size_t bytes);

/*
 * Count the bytes of output that differ from the definition, plus the reductions that cut an
 * element.
 */
size_t hitop_coll_case_count_wrong(const struct coll_case *c);

#endif /* COLL_CASE_H */
