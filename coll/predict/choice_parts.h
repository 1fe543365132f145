/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CHOICE_PARTS_H
#define CHOICE_PARTS_H

/* choice_parts.h - the internal functions of a choice: check, price, parameters, search. */

#include "coll/predict/cost_view.h"

#include "hitop/coll.h"
#include "hitop/rules.h"
#include "hitop/sched.h"

#include <stddef.h>

/* The arguments of a rank of a call, without a tree. They point to both. */
static inline struct hitop_coll_args choice_coll_args(const struct hitop_call *call,
                                                      const struct hitop_choice *choice, int rank)
{
    return (struct hitop_coll_args){.rank = rank,
                                    .size = call->size,
                                    .root = call->root,
                                    .bytes = call->bytes,
                                    .starts = call->starts,
                                    .unit = call->unit,
                                    .ordered = call->ordered,
                                    .params = choice->params};
}

static inline int choice_params_are_equal(const double *a, const double *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (a[i] < b[i] || a[i] > b[i]) {
            return 0;
        }
    }
    return 1;
}

/* Check that a call has valid ranks, root and sizes. */
enum hitop_status hitop_choice_check(const struct hitop_choice_basis *basis,
                                     const struct hitop_call *call, struct hitop_diag *diag);

/* The same, and that there is a model to predict by. */
enum hitop_status hitop_choice_check_priced(const struct hitop_choice_basis *basis,
                                            const struct hitop_call *call, struct hitop_diag *diag);

/* Predict the fastest algorithm with its parameters. */
enum hitop_status hitop_choice_predict(const struct hitop_choice_basis *basis,
                                       const struct hitop_call *call, struct hitop_choice *out,
                                       struct hitop_diag *diag);

/* The predicted times of an algorithm with its parameters. */
struct choice_price {
    double seconds; /* until the last rank completes */
    double least;   /* a lower bound, by all that is known without a plan */
    double stage;   /* lower bound of the longest phase of any rank: one step of a pipeline */
};

/* Some ranks of many. */
struct choice_sample {
    struct hitop_cost cost; /* of these ranks; rank 0 is the root */
    struct cost_view view;
    int *rank; /* [cost.nranks] */
};

/*
 * Select `count` of the first `size` ranks, with the root, by the shape of the machine, and make
 * their cost. `count` is a multiple of 8, and at most `size`. Release with
 * hitop_choice_sample_fini().
 */
enum hitop_status hitop_choice_sample_init(struct choice_sample *sample,
                                           const struct hitop_cost *all, int size, int root,
                                           int count, struct hitop_diag *diag);
void hitop_choice_sample_fini(struct choice_sample *sample);

/* Times of equal plans differ by rounding errors, which must not decide. */
static inline int choice_is_faster(double seconds, double than)
{
    return seconds < than * (1 - 1e-9);
}

/* Whether an algorithm has a size of segments or pieces. */
int hitop_choice_has_segments(const struct hitop_coll_type *type);

/*
 * Predict a choice. If it takes longer than `limit` seconds, out->seconds may be INFINITY instead
 * of its time, which then costs less: a bound shows it before anything is planned, or the
 * simulation stops at the limit.
 */
enum hitop_status hitop_choice_find_price(const struct hitop_choice_basis *basis,
                                          const struct hitop_call *call,
                                          const struct hitop_choice *choice, double limit,
                                          struct choice_price *out, struct hitop_diag *diag);

/* Whether hitop_choice_price_tree() can be used. */
int hitop_choice_has_tree_price(const struct hitop_choice_basis *basis,
                                const struct hitop_call *call, const struct hitop_choice *choice);

/*
 * What the tree of a choice shows without a plan: out->least, out->stage, and out->seconds if it is
 * exact, else INFINITY. The basis has a memo. The tree is that of the call; if `bytes` are not
 * those of the call, they travel over it instead. Beyond `limit` seconds out->least may be
 * INFINITY, too.
 */
enum hitop_status hitop_choice_price_tree(const struct hitop_choice_basis *basis,
                                          const struct hitop_call *call,
                                          const struct hitop_choice *choice, size_t bytes,
                                          double limit, struct choice_price *out,
                                          struct hitop_diag *diag);

/* Find a known time, and return 1. `memo` may be NULL. */
int hitop_choice_memo_find(const struct hitop_choice_memo *memo, const struct hitop_call *call,
                           const struct hitop_choice *choice, struct choice_price *out);

/* Keep a time, if there is room. `memo` may be NULL. */
void hitop_choice_memo_add(struct hitop_choice_memo *memo, const struct hitop_call *call,
                           const struct hitop_choice *choice, const struct choice_price *price);

struct sched_prices; /* coll/schedule/sched_prices.h */
struct tree_cache;   /* coll/predict/tree_cache.h */

/*
 * Prices of the first `size` ranks of the memo's cost. They belong to the memo and are valid until
 * the next call.
 */
enum hitop_status hitop_choice_memo_prices(struct hitop_choice_memo *memo,
                                           const struct hitop_cost *cost, int size,
                                           struct sched_prices **out, struct hitop_diag *diag);

/* The trees of the memo. */
struct tree_cache *hitop_choice_memo_trees(struct hitop_choice_memo *memo);

/*
 * A rough search, for a sample of the ranks: where messages of a tree share trunks, it is not
 * simulated, and its time is taken as 1.5 times the lower bound. Bounds are 0.6 to 1 of the time
 * for trees that are of use.
 */
void hitop_choice_memo_use_bounds(struct hitop_choice_memo *memo);
int hitop_choice_memo_uses_bounds(const struct hitop_choice_memo *memo);

/*
 * A lower bound of the time of a choice, from the steps of a few ranks, in O(steps of a rank): the
 * root, one in the middle, and ranks at the ends of the largest sets, whose links are the longest.
 * 0 if the algorithm needs a tree. With `any_segment` it is a bound with any size of segments, too,
 * and 0 if the algorithm has plain numbers as parameters.
 *
 * Why it is a bound: a rank runs its phases one after another. In a phase its sends, copies and
 * reductions occupy its port one after another, so the phase takes at least their sum. Without
 * eager messages a message starts only when its receiver has entered the phase of the receive, so
 * the phase takes at least the time of its longest receive and, as a rank receives through one
 * port, at least the sum of the receptions. With eager messages a message can arrive before its
 * phase; then the receptions and the longest message bound only the time of all phases together.
 * Delays by shared links and by other ranks only add to these times.
 *
 * For an algorithm with segments it is a bound for every size of segments: without segments the
 * rank has the fewest phases, and where times grow with the size, each phase with a receive takes
 * at least the time of an empty message. It is 0 with eager messages.
 */
double hitop_choice_bound(const struct hitop_call *call, const struct hitop_choice *choice,
                          int any_segment, struct sched_prices *prices);

/* The same for the steps of one rank. */
double hitop_choice_bound_steps(const struct hitop_step *steps, size_t count, int rank,
                                struct sched_prices *prices);

/*
 * How much longer than the limit a bound must be. It covers the rounding errors of both sums, and
 * more than those that choice_is_faster() ignores.
 */
#define CHOICE_SURE (1 + 1e-6)

/* The first candidate within rounding errors of the fastest; -1: no candidate has a price. */
ptrdiff_t hitop_choice_fastest(const struct hitop_candidate *candidates, size_t count);

/*
 * Try other parameters for `best`, a choice with the defaults of its algorithm, whose price is
 * given. Only parameters that can take less than `limit` seconds, the time of another algorithm,
 * are tried. `best` receives the fastest choice.
 */
enum hitop_status hitop_choice_tune(const struct hitop_choice_basis *basis,
                                    const struct hitop_call *call, double limit,
                                    const struct choice_price *price, struct hitop_choice *best,
                                    struct hitop_diag *diag);

/*
 * The bytes that a parameter cuts into segments or pieces: the message or all blocks together; for
 * pieces one block; 0: the parameter is no size.
 */
double hitop_choice_cut_bytes(const struct hitop_call *call, const struct hitop_param *param);

/*
 * The length in bytes of the fewest pieces of a block that have equal length, whole elements, and
 * less than `limit` bytes; 0: the block is shorter, or the limit is unknown (NaN).
 */
size_t hitop_choice_piece_below(const struct hitop_call *call, double limit);

#endif /* CHOICE_PARTS_H */
