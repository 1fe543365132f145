/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_CHOICE_H
#define HITOP_CHOICE_H

/**
 * @file choice.h
 * @brief Choose the algorithm of a collective: by a rule that the user wrote, or else by prediction.
 *
 * Tools and libraries decide by this code. It does not communicate: ranks with equal arguments get
 * equal results.
 *
 * By prediction means: every way that can serve the call (hitop/plan.h), each with the parameters
 * that suit it, is planned for all ranks and priced; the fastest is taken, of those within 1e-9 of
 * it the first. Ways that cannot be faster than one already known are not planned, nor those whose
 * plans would be too large. Among more than 512 ranks all ways are predicted for 64 and for 256 of
 * the ranks, and for all ranks only the two that then promise most; where plans would be very long,
 * what they promise is their prediction.
 */

#include "hitop/plan.h"

HITOP_BEGIN_DECLS

/** What is to be done. Set what is not known to 0. */
struct hitop_call {
    const struct hitop_operation *operation;
    int size; /**< ranks 0..size-1 take part */
    int root; /**< 0 where there is none */
    size_t
        bytes; /**< of the message, or of one block; of unlike blocks the mean, in whole elements */
    const size_t
        *starts; /**< unlike blocks, see struct hitop_coll_args; NULL: all have `bytes`. Borrowed */
    size_t unit; /**< bytes of an element, which no reduction cuts; 0 is 1 */
    int ordered; /**< 1: a reduction that does not commute */
    int hosts;   /**< on which the ranks are; read by rules only */
    int ranks_per_host; /**< the most that are on one; read by rules only */
};

struct hitop_rules;     /* hitop/rules.h */
struct hitop_irregular; /* hitop/irregular.h */

/** On what a choice rests. All is borrowed. */
struct hitop_choice_basis {
    const struct hitop_cost
        *cost; /**< prices of at least call->size ranks; NULL: nothing is predicted */
    const struct hitop_rules *rules; /**< asked first; or NULL */
    const struct hitop_irregular *
        irregular; /**< what several messages at once take longer; or NULL: nothing is known of it */
};

/** Parameters that an algorithm or a tree has at most. */
enum { HITOP_CHOICE_PARAMS = 8 };

/** A way with its parameters. May be copied; what it points to lives for ever. */
struct hitop_choice {
    struct hitop_way way;
    double params[HITOP_CHOICE_PARAMS];      /**< of the algorithm */
    double tree_params[HITOP_CHOICE_PARAMS]; /**< of its tree */
    double seconds; /**< predicted for the call it was made for; NaN where nothing was predicted */
    int line;       /**< of the rule that decided; 0: there was none */
};

/**
 * Choose, from scratch. Takes milliseconds for 64 ranks.
 *
 * @retval HITOP_ERR_INVALID      the call is out of range
 * @retval HITOP_ERR_UNSUPPORTED  no rule and no way can serve the call, or a rule leaves it to the MPI library; the
 *                                message says which
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_choose(const struct hitop_choice_basis *basis,
                                                          const struct hitop_call *call,
                                                          struct hitop_choice *out,
                                                          struct hitop_diag *diag);

/** A choice with the defaults of @p way, nothing predicted. */
HITOP_API struct hitop_choice hitop_choice_default(struct hitop_way way);

/**
 * Set a parameter of the algorithm or, where that has none of this name, of the tree from text
 * "name=number".
 *
 * @retval HITOP_ERR_NOTFOUND  there is none; the message lists the valid ones
 * @retval HITOP_ERR_INVALID   no '=', or not a number within the range
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_choice_set(struct hitop_choice *choice, const char *text, struct hitop_diag *diag);

/**
 * Have messages cut into segments of so many bytes; 0: sent whole. Returns 1, or 0 where the way
 * does not cut.
 */
HITOP_API int hitop_choice_cut(struct hitop_choice *choice, double segment);

/**
 * The parameters that are not the defaults, as in a rule: "segment=16KiB radix=3".
 *
 * @param out  receives the text of @p length bytes at most, "" where all are; HITOP_CHOICE_TEXT
 *        always suffice
 */
HITOP_API void hitop_choice_format(const struct hitop_choice *choice, char *out, size_t length);

/** Bytes for hitop_choice_format(). */
enum { HITOP_CHOICE_TEXT = 1024 };

/**
 * Whether the way of @p choice can serve @p call; a tree is built where that decides.
 *
 * @retval HITOP_ERR_UNSUPPORTED  it cannot; the message says why
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_choice_applies(const struct hitop_choice *choice,
                                                                  const struct hitop_call *call,
                                                                  const struct hitop_cost *cost,
                                                                  struct hitop_diag *diag);

/** What hitop_plan_build() needs; points into @p call, @p choice and @p cost, which may be NULL. */
HITOP_API struct hitop_plan_args hitop_choice_plan_args(const struct hitop_choice *choice,
                                                        const struct hitop_call *call,
                                                        const struct hitop_cost *cost);

/**
 * Predict what @p choice takes for @p call, which need not be the one it was made for.
 *
 * @param seconds  receives the time until the last rank has finished
 * @retval HITOP_ERR_INVALID      the call or a parameter is out of range
 * @retval HITOP_ERR_UNSUPPORTED  as for hitop_plan_build(), or there are no prices
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_choice_price(const struct hitop_choice_basis *basis, const struct hitop_call *call,
                   const struct hitop_choice *choice, double *seconds, struct hitop_diag *diag);

/**
 * Compute when each rank completes a plan, and report the events as hitop_sched_trace() does, with
 * the interference of concurrent messages, as hitop_choice_price() predicts it.
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_choice_trace(const struct hitop_choice_basis *basis, const struct hitop_plan *plan,
                   double *finish, hitop_sched_note *note, void *self, struct hitop_diag *diag);

/** The result of an algorithm for a call. */
struct hitop_candidate {
    struct hitop_choice
        choice;       /**< with its best parameters; seconds is NaN if it cannot be predicted */
    char reason[160]; /**< why it cannot be predicted, or "" */
};

/**
 * Predict all ways of the call's operation; rules are not asked.
 *
 * @param out      receives hitop_way_count() of them in the order of hitop_way_at()
 * @param fastest  receives the index of the one that hitop_choose() takes by prediction
 * @retval HITOP_ERR_UNSUPPORTED  none can serve the call; the reasons are in @p out
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_choice_rank(const struct hitop_choice_basis *basis, const struct hitop_call *call,
                  struct hitop_candidate *out, size_t *fastest, struct hitop_diag *diag);

/**
 * The same, with the defaults of all ways but for those with a parameter "segment", which cut
 * messages into segments of so many bytes.
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_choice_rank_cut(const struct hitop_choice_basis *basis, const struct hitop_call *call,
                      double segment, struct hitop_candidate *out, size_t *fastest,
                      struct hitop_diag *diag);

/*
 * Choices once made are kept. Sizes are put into classes, four for each doubling: the choice of a
 * class is the one made for its middle, which is a size of three significant bits (..., 64 Ki, 80
 * Ki, 96 Ki, 112 Ki, 128 Ki, ...), and holds for all sizes that are nearest to it; its seconds are
 * those of the middle. hitop_choice_price() predicts other sizes.
 */

/** The middle of the class of @p bytes: 0 for 0, else a multiple of @p unit (0 is 1). */
HITOP_API size_t hitop_choice_class(size_t bytes, size_t unit);

/** Keeps choices. Opaque; one thread at a time. */
struct hitop_chooser;

/** @param basis  is copied; what it points to must outlive the chooser */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_chooser_new(const struct hitop_choice_basis *basis, struct hitop_chooser **out,
                  struct hitop_diag *diag);

/** Release a chooser and the choices it lent. NULL is allowed. */
HITOP_API void hitop_chooser_free(struct hitop_chooser *chooser);

/**
 * The choice for the class of @p call. A choice that is kept is found without allocating, in about
 * 100 ns. Unlike blocks are taken as equal ones of call->bytes; call->starts is not read.
 *
 * @param out  receives the choice, lent until hitop_chooser_free(); NULL on failure
 * @retval HITOP_ERR_UNSUPPORTED  as for hitop_choose(); that is kept, too
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_chooser_get(struct hitop_chooser *chooser,
                                                               const struct hitop_call *call,
                                                               const struct hitop_choice **out,
                                                               struct hitop_diag *diag);

HITOP_END_DECLS

#endif /* HITOP_CHOICE_H */
