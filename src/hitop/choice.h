/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_CHOICE_H
#define HITOP_CHOICE_H

/**
 * @file choice.h
 * @brief Choose the algorithm of a collective by the rules of the user, else by prediction.
 *
 * Tools and libraries use these functions. They do not communicate: ranks with equal arguments get
 * equal results.
 *
 * Prediction: each algorithm that can serve the call (hitop/plan.h) is planned for all ranks with
 * its best parameters, and a cost gives its time; the fastest is chosen, of several within 1e-9 the
 * first. An algorithm over a tree or around a ring needs no plan if all blocks have equal length,
 * no message is eager, local steps take no time and no two messages share a link at any time.
 * Algorithms with a lower bound above the best known time, or whose plans would be too large, are
 * not planned.
 *
 * For more than 512 ranks the algorithms are predicted for samples of 64 and 256 of the ranks that
 * have the shape of the whole, and extrapolated; there, a tree whose messages share links takes 1.5
 * times its bound. Algorithms are then predicted for all ranks in the order of these estimates,
 * until the others have estimates of more than 1.5 times the shortest time or the work is too much;
 * the estimate, at least the bound, is the prediction if plans would be very long. Those that take
 * over 16 or 4 times as long as the fastest one of a sample have no time.
 */

#include "hitop/plan.h"

HITOP_BEGIN_DECLS

/** A call of a collective. Members that are not known are 0. */
struct hitop_call {
    const struct hitop_operation *operation;
    int size; /**< ranks 0..size-1 take part */
    int root; /**< 0 if there is none */
    /** Of the message, or of one block; the mean of different blocks, in whole elements. */
    size_t bytes;
    /** Blocks of different lengths, see struct hitop_coll_args; NULL: all have `bytes`. Borrowed.
     */
    const size_t *starts;
    size_t unit;        /**< bytes of an element, which reductions do not divide; 0 is 1 */
    int ordered;        /**< 1: a reduction that does not commute */
    int hosts;          /**< number of hosts; only rules use it */
    int ranks_per_host; /**< largest number on a host; only rules use it */
};

struct hitop_rules;     /* hitop/rules.h */
struct hitop_irregular; /* hitop/irregular.h */

/** What searches have done. */
struct hitop_choice_counts {
    size_t planned; /**< choices that were planned for all ranks and simulated */
    size_t direct;  /**< predicted without a plan, from a tree or a ring */
    size_t skipped; /**< not predicted, as a lower bound exceeds the best time so far */
};

/**
 * Times that searches with one cost have found, so that equal plans are predicted once: operations
 * share algorithms, and tables ask for the same choices again. Opaque; release with
 * hitop_choice_memo_free(). For one thread at a time.
 */
struct hitop_choice_memo;

/** NULL when out of memory. */
HITOP_API struct hitop_choice_memo *hitop_choice_memo_new(void);
HITOP_API void hitop_choice_memo_free(struct hitop_choice_memo *memo);

/** The basis of a choice. Everything is borrowed. */
struct hitop_choice_basis {
    const struct hitop_cost *cost;   /**< of at least call->size ranks; NULL: no predictions */
    const struct hitop_rules *rules; /**< used first; or NULL */
    /** Extra time of concurrent messages, or NULL if unknown. */
    const struct hitop_irregular *irregular;
    struct hitop_choice_counts *counts; /**< grows with each search; or NULL */
    struct hitop_choice_memo *memo;     /**< of this cost and `irregular`; or NULL */
};

/** Largest number of parameters of an algorithm or a tree. */
enum { HITOP_CHOICE_PARAMS = 8 };

/** An algorithm with its parameters. May be copied; its pointers are valid as long as the program.
 */
struct hitop_choice {
    struct hitop_algorithm algorithm;
    double params[HITOP_CHOICE_PARAMS];      /**< of the algorithm */
    double tree_params[HITOP_CHOICE_PARAMS]; /**< of its tree */
    double seconds; /**< predicted for its call; NaN without a prediction */
    int line;       /**< of the rule that decided; 0: no rule */
};

/**
 * Choose. Takes milliseconds for 64 ranks.
 *
 * @retval HITOP_ERR_INVALID      the call is out of range
 * @retval HITOP_ERR_UNSUPPORTED  no rule and no algorithm can serve the call, or a rule leaves it
 * to the MPI library; the message says which
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_choose(const struct hitop_choice_basis *basis,
                                                          const struct hitop_call *call,
                                                          struct hitop_choice *out,
                                                          struct hitop_diag *diag);

/** A choice with the defaults of @p algorithm, without a prediction. */
HITOP_API struct hitop_choice hitop_choice_default(struct hitop_algorithm algorithm);

/**
 * Set a parameter of the algorithm or, if it has none of this name, of the tree, by a text
 * "name=number".
 *
 * @retval HITOP_ERR_NOTFOUND  no such parameter; the message lists the valid ones
 * @retval HITOP_ERR_INVALID   no '=', or not a number within the range
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_choice_set(struct hitop_choice *choice, const char *text, struct hitop_diag *diag);

/**
 * A choice by the name of an algorithm of @p operation, which parameters may follow, such as
 * "chain:segment=8192"; the others have their defaults.
 *
 * @retval HITOP_ERR_NOTFOUND  no such algorithm or parameter; the message lists the valid ones
 * @retval HITOP_ERR_INVALID   longer than 127 bytes, or a value that is no number of its range
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_choice_parse(const struct hitop_operation *operation, const char *text,
                   struct hitop_choice *out, struct hitop_diag *diag);

/**
 * Set the bytes of segments; 0: no segments. Returns 1, or 0 if the algorithm has no segments.
 */
HITOP_API int hitop_choice_cut(struct hitop_choice *choice, double segment);

/**
 * Set the pieces of an algorithm "split" that has whole blocks, as CPM's split_flat does: the
 * fewest pieces of equal length below S for a scatter from S on, below M1 for a gather from M1 to
 * M2.
 *
 * @param irregular  the sizes of the model, NaN if unknown; NULL: none is known
 * @return 1, or 0: the algorithm has no pieces, they are set, or the sizes ask for none
 */
HITOP_API int hitop_choice_pieces(struct hitop_choice *choice, const struct hitop_call *call,
                                  const struct hitop_irregular *irregular);

/**
 * The parameters that differ from the defaults, as in a rule: "segment=16KiB radix=3".
 *
 * @param out  receives the text of @p length bytes at most, "" if none differs; HITOP_CHOICE_TEXT
 *        always suffice
 */
HITOP_API void hitop_choice_format(const struct hitop_choice *choice, char *out, size_t length);

/** Bytes for hitop_choice_format(). */
enum { HITOP_CHOICE_TEXT = 1024 };

/**
 * Whether the algorithm of @p choice can serve @p call; builds a tree if that decides.
 *
 * @retval HITOP_ERR_UNSUPPORTED  it cannot; the message says why
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_choice_applies(const struct hitop_choice *choice,
                                                                  const struct hitop_call *call,
                                                                  const struct hitop_cost *cost,
                                                                  struct hitop_diag *diag);

/** Arguments of hitop_plan_build(); they point to @p call, @p choice and @p cost (may be NULL). */
HITOP_API struct hitop_plan_args hitop_choice_plan_args(const struct hitop_choice *choice,
                                                        const struct hitop_call *call,
                                                        const struct hitop_cost *cost);

/**
 * Predict the time of @p call with @p choice, which may be that of another call.
 *
 * @param seconds  receives the time until the last rank has finished
 * @retval HITOP_ERR_INVALID      the call or a parameter is out of range
 * @retval HITOP_ERR_UNSUPPORTED  as for hitop_plan_build(), or the basis has no cost
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_choice_price(const struct hitop_choice_basis *basis, const struct hitop_call *call,
                   const struct hitop_choice *choice, double *seconds, struct hitop_diag *diag);

/**
 * The same, and INFINITY instead of a time that is longer than @p limit, which takes less work.
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_choice_price_within(const struct hitop_choice_basis *basis, const struct hitop_call *call,
                          const struct hitop_choice *choice, double limit, double *seconds,
                          struct hitop_diag *diag);

/**
 * Compute when each rank completes a plan, and report the events as hitop_sched_trace() does, with
 * the interference of concurrent messages, as hitop_choice_price() predicts it.
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_choice_trace(const struct hitop_choice_basis *basis, const struct hitop_plan *plan,
                   double *finish, hitop_sched_note *note, void *self, struct hitop_diag *diag);

/** The result of an algorithm for a call. */
struct hitop_candidate {
    /** With its best parameters; seconds is NaN if it cannot be predicted. */
    struct hitop_choice choice;
    char reason[160]; /**< why it cannot be predicted, or "" */
};

/**
 * Predict all algorithms of the call's operation, without rules.
 *
 * @param out      receives hitop_algorithm_count() of them in the order of hitop_algorithm_at()
 * @param fastest  receives the index of the one that hitop_choose() chooses by prediction
 * @retval HITOP_ERR_UNSUPPORTED  none can serve the call; the reasons are in @p out
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_choice_rank(const struct hitop_choice_basis *basis, const struct hitop_call *call,
                  struct hitop_candidate *out, size_t *fastest, struct hitop_diag *diag);

/**
 * The same, and only the @p places fastest need their times, which takes much less work: slower
 * algorithms may have INFINITY instead, or a time with other than their best parameters.
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_choice_rank_first(const struct hitop_choice_basis *basis, const struct hitop_call *call,
                        size_t places, struct hitop_candidate *out, size_t *fastest,
                        struct hitop_diag *diag);

/**
 * As hitop_choice_rank() with the default parameters, except that algorithms with a parameter
 * "segment" use segments of @p segment bytes.
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_choice_rank_cut(const struct hitop_choice_basis *basis, const struct hitop_call *call,
                      double segment, struct hitop_candidate *out, size_t *fastest,
                      struct hitop_diag *diag);

/*
 * Programs that keep choices put sizes into classes, four for each doubling. The choice of a class
 * is the one for its middle, a size of three significant bits (..., 64 Ki, 80 Ki, 96 Ki, 112 Ki,
 * 128 Ki, ...).
 */

/** The middle of the class of @p bytes: 0 for 0, else a multiple of @p unit (0 is 1). */
HITOP_API size_t hitop_choice_class(size_t bytes, size_t unit);

/**
 * As hitop_choose() with rules for @p call, and predictions for the middle of its class. Unlike
 * blocks are taken as equal ones of call->bytes.
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_choose_class(const struct hitop_choice_basis *basis, const struct hitop_call *call,
                   struct hitop_choice *out, struct hitop_diag *diag);

HITOP_END_DECLS

#endif /* HITOP_CHOICE_H */
