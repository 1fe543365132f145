/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SUMS_H
#define SUMS_H

/*
 * sums.h - the sum of a reduction in progress.
 *
 * One buffer holds the operands combined so far, the other one receives. A reduction writes its
 * result over the right operand. Where the order of operands matters, that can be the received
 * one; then the two buffers change places, which saves a copy.
 */

#include "coll/algorithms/parts.h"
#include "coll/algorithms/team.h"

struct sums {
    struct hitop_span sum, spare; /* of the same length */
    int ordered;
};

/* Bytes start .. start + bytes - 1 of a span. */
static inline struct hitop_span sums_part(struct hitop_span all, size_t start, size_t bytes)
{
    return (struct hitop_span){all.buffer, all.offset + start, bytes};
}

/*
 * Combine bytes that have arrived in `spare` with the same bytes of the sum. The other bytes of
 * the sum are lost if the two change places. Ends with a fence, so that more can arrive.
 */
void hitop_sums_take(struct sums *sums, struct hitop_sched *sched, size_t start, size_t bytes,
                     int arrived_is_left);

/* Copy these bytes of the sum to `all`, unless the sum is there. */
void hitop_sums_settle(const struct sums *sums, struct hitop_sched *sched, struct hitop_span all,
                       size_t start, size_t bytes);

/*
 * A member of a pair combines the sum, which is its own operand, with the operand of its surplus
 * rank. A surplus rank sends its operand `own` and does nothing else.
 */
void hitop_sums_add_surplus(struct sums *sums, const struct team *team, struct hitop_span own,
                            struct hitop_sched *sched);

/*
 * Begin a reduction in a team: copy the operand of this rank to the sum, then call
 * hitop_sums_add_surplus().
 */
void hitop_sums_begin(struct sums *sums, const struct team *team, struct hitop_sched *sched);

/*
 * Recursive halving: members exchange halves, quarters, ... of the parts and combine them, until
 * each member has the sum of its own part. The number of members is a power of two; where order
 * matters, the team is mirrored and begins with rank 0.
 */
void hitop_sums_halve(struct sums *sums, const struct team *team, const struct parts *parts,
                      struct hitop_sched *sched);

#endif /* SUMS_H */
