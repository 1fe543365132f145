/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SUMS_H
#define SUMS_H

/*
 * sums.h - a message being combined with those of other ranks.
 *
 * Two stretches of memory, in the one the operands combined so far, in the other what arrives.
 * Where order matters the result may have to come to lie where the right operand was; then they
 * change places, which saves a copy.
 */

#include "coll/algorithms/parts.h"
#include "coll/algorithms/team.h"

struct sums {
    struct hitop_span sum, spare; /* as long */
    int ordered;
};

/* Bytes start .. start + bytes - 1 of a stretch. */
static inline struct hitop_span sums_part(struct hitop_span all, size_t start, size_t bytes)
{
    return (struct hitop_span){all.buffer, all.offset + start, bytes};
}

/*
 * Combine what has arrived in `spare` with the sum, both in these bytes. The other bytes of the sum
 * are lost if the two change places. Ends with a fence: more may arrive.
 */
void hitop_sums_take(struct sums *sums, struct hitop_sched *sched, size_t start, size_t bytes,
                     int arrived_is_left);

/* Put these bytes of the sum where the whole is to be in the end, unless they are there. */
void hitop_sums_settle(const struct sums *sums, struct hitop_sched *sched, struct hitop_span all,
                       size_t start, size_t bytes);

/*
 * Combine the sum, which is the own operand, with what the surplus rank of the pair sends. A
 * surplus rank sends its operand `own`, and does nothing else.
 */
void hitop_sums_add_surplus(struct sums *sums, const struct team *team, struct hitop_span own,
                            struct hitop_sched *sched);

/*
 * Begin a reduction in a team: copy what this rank brings to the sum, then
 * hitop_sums_add_surplus().
 */
void hitop_sums_begin(struct sums *sums, const struct team *team, struct hitop_sched *sched);

/*
 * Recursive halving: of what is to be combined, halves, quarters, ... of the parts are exchanged,
 * until each member has the sum of its own part. The size is a power of two; where order matters,
 * the team is mirrored and begins with rank 0.
 */
void hitop_sums_halve(struct sums *sums, const struct team *team, const struct parts *parts,
                      struct hitop_sched *sched);

#endif /* SUMS_H */
