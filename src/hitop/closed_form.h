/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_CLOSED_FORM_H
#define HITOP_CLOSED_FORM_H

/**
 * @file closed_form.h
 * @brief Time of a collective by a formula, without a plan of its steps.
 *
 * For comparison with hitop_sched_predict(), which follows each step, with simulators and with
 * measurements. With r the root, n the number of ranks, p(i) the time of the message between r and
 * i, and o(i) the part of it for which r is occupied:
 *
 *     flat serial      sum p(i)                      one message after the other
 *     flat parallel    max p(i)                      all concurrently
 *     linear scatter   sum o(i) + max (p(i) - o(i))  times of r add up, those of the others overlap
 *     linear gather    the same while messages are short, sum p(i) when they are long
 *     binomial         over the binomial tree, each sends to its largest subtree first:
 *                      T(v) = max over children c, in order, of (sum of o before) + p(c) + T(c)
 *
 * In the model "lmo", where o = C_r + m t_r, the linear ones are (n - 1)(C_r + m t_r) + max or sum
 * of L_ri + C_i + m (beta_ri + t_i). In "plogp" linear scatter over equal links is L + (n - 1)
 * g(m), in "loggp" L + 2 o + (n - 1)(m - 1) G + (n - 2) g. In "hockney", where o = p, linear is
 * serial, and binomial scatter over equal links (log2 n) alpha + (n - 1) beta m for powers of two.
 *
 * Sources: A. Lastovetsky, V. Rychkov and M. O'Flynn, Accurate heterogeneous communication models
 * and a software tool for their efficient estimation, IJHPCA 24 (2010), for linear scatter and
 * gather and their thresholds; CPM, the tool described there, for the others.
 */

#include "hitop/model.h"

HITOP_BEGIN_DECLS

/** All from or to one root. A block is the data of one other rank. */
enum hitop_closed_form {
    HITOP_FLAT_SERIAL,
    HITOP_FLAT_PARALLEL,
    HITOP_LINEAR_SCATTER,
    HITOP_LINEAR_GATHER,
    HITOP_BINOMIAL_BCAST,  /**< the block to all; also reduce, without the time of its operations */
    HITOP_BINOMIAL_SCATTER /**< on each edge the blocks of the subtree; gather takes as long */
};

struct hitop_closed_form_args {
    const struct hitop_model *model; /**< all its ranks take part; borrowed */
    int root;
    size_t bytes;         /**< of a block */
    const size_t *blocks; /**< of each rank, or NULL: all `bytes`. Not for HITOP_BINOMIAL_BCAST.
                               Borrowed */
    int homogeneous;      /**< 1: each pair has the mean time of all pairs; with blocks NULL */
};

/**
 * Two formulas for one operation, in seconds; equal unless the model does not decide between them.
 */
struct hitop_bounds {
    double lower, upper;
};

/**
 * Predict the time of an operation.
 *
 * Linear gather is bounded by the formulas for short and for long messages unless the model has the
 * sizes M1 and M2, as "lmo" may: below M1 the first one applies, from M2 on the second; between
 * them escalations of the network are added to either. Linear scatter is bounded by the formula
 * and, from the model's size S on, by the line that was measured there.
 *
 * @retval HITOP_ERR_INVALID  the root is not a rank of the model, blocks are combined with an
 *                            option that excludes them, or the sum of bytes exceeds a size_t
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_closed_form(enum hitop_closed_form form, const struct hitop_closed_form_args *args,
                  struct hitop_bounds *out, struct hitop_diag *diag);

HITOP_END_DECLS

#endif /* HITOP_CLOSED_FORM_H */
