/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COLL_CASE_PARTS_H
#define COLL_CASE_PARTS_H

/* coll_case_parts.h - what inputs and outputs of a case have in common. */

#include "tools/check/coll_case.h"

/* `n` zero elements of `bytes`; ends the program when out of memory. */
void *coll_case_get(size_t n, size_t bytes);

/* A reduction step, for hitop_sched_replay(): inout becomes source op inout. */
void coll_case_combine(void *self, const unsigned char *source, unsigned char *inout, size_t bytes);

static inline int coll_case_is(const struct coll_case *c, enum hitop_operation_id operation)
{
    return c->operation == &hitop_operations()[operation];
}

/* Bytes of an element. */
static inline size_t coll_case_unit(const struct coll_case *c)
{
    if (c->operation->flags & HITOP_REDUCES) {
        return c->elements ? c->elements->unit : CASE_UNIT;
    }
    return c->unit > 0 ? c->unit : 1;
}

/* Where a rank's own block is among all. */
static inline size_t coll_case_own_start(const struct coll_case *c, int rank)
{
    return c->starts ? c->starts[rank][rank] : (size_t)rank * c->bytes;
}

#endif /* COLL_CASE_PARTS_H */
