/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COLL_CASE_H
#define COLL_CASE_H

/*
 * coll_case.h - the reference definition of each collective: input, expected output of all ranks.
 *
 * Reductions combine elements. An element of CASE_UNIT bytes is two numbers (a, b), read as the map
 * x -> a x + b modulo 2^32. Compositions of maps keep the order of ranks; where operands commute
 * the numbers are added. The caller can provide other elements.
 */

#include "hitop/plan.h"

enum { CASE_UNIT = 8 };

/* What is combined. */
struct case_elements {
    size_t unit;                                         /* bytes */
    void (*make)(int rank, size_t index, void *element); /* what a rank brings */
    void (*combine)(const void *left, void *right);      /* right = left op right */
};

struct coll_case {
    const struct hitop_operation *operation;
    int size, root;
    size_t bytes; /* longest block where blocks differ */
    int uneven;   /* blocks differ, where the operation allows it */
    int ordered;  /* reductions do not commute */
    int in_place;
    int salt;    /* 0 .. 60000: other contents */
    int only;    /* r + 1: memory of rank r alone; 0: of all ranks; -1: of none */
    size_t unit; /* bytes that no block cuts, of what is only moved; 0: 1 */
    const struct case_elements *elements; /* of reductions; NULL: the numbers */
    size_t **starts;                      /* [size][size + 1], or NULL: all blocks are alike */
    size_t **recv_starts;                 /* of alltoallv, or NULL */
    unsigned char **memory;   /* [size] what each rank gives, from input[] and for output[] */
    unsigned char **input;    /* [size], lent by memory[] */
    unsigned char **output;   /* [size], lent by memory[] */
    size_t *nmemory;          /* [size] bytes of memory[] */
    unsigned char **brought;  /* [size] copy of what each rank brings */
    size_t *nbrings, *ntakes; /* [size] */
    unsigned char *expected;  /* room for what one rank takes */
    size_t ncut;              /* reductions of a part of an element */
};

/* Allocate, from the fields down to elements. HITOP_ERR_NOMEM: nothing is left to free. */
HITOP_MUST_CHECK enum hitop_status hitop_coll_case_init(struct coll_case *c,
                                                        struct hitop_diag *diag);
void hitop_coll_case_fini(struct coll_case *c);

/* Arguments of a rank; the tree is still to be set. */
struct hitop_coll_args hitop_coll_case_args(const struct coll_case *c, int rank);

/* Set input and output to what they are before the call. */
void hitop_coll_case_fill(struct coll_case *c);

/* What a rank should take away: ntakes[rank] bytes. Nothing of an exscan at rank 0. */
void hitop_coll_case_expect(const struct coll_case *c, int rank, unsigned char *out);

/* inout becomes source op inout, as a step of a schedule does it; `self` is the case. */
void hitop_coll_case_combine(void *self, const unsigned char *source, unsigned char *inout,
                             size_t bytes);

/* Bytes of output that differ from the definition, plus reductions that cut an element. */
size_t hitop_coll_case_count_wrong(const struct coll_case *c);

#endif /* COLL_CASE_H */
