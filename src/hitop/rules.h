/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_RULES_H
#define HITOP_RULES_H

/**
 * @file rules.h
 * @brief Rules for the choice of algorithms: a text file whose first matching rule decides.
 *
 * doc/rules.md describes the format. A file is checked when it is read, so that errors are reported
 * before the calls of a rule.
 */

#include "hitop/choice.h"

#include <stdio.h>

HITOP_BEGIN_DECLS

/** From low to high, both included. */
struct hitop_range {
    size_t low, high;
};

enum hitop_rule_kind {
    HITOP_RULE_ALGORITHM, /**< take an algorithm */
    HITOP_RULE_AUTO,      /**< take the fastest by prediction */
    HITOP_RULE_MPI        /**< leave the call to the MPI library */
};

/** Conditions on a call, in this order. */
enum hitop_rule_condition {
    HITOP_RULE_RANKS,
    HITOP_RULE_HOSTS,
    HITOP_RULE_RANKS_PER_HOST,
    HITOP_RULE_BYTES,       /**< call->bytes */
    HITOP_RULE_COMMUTATIVE, /**< 0: the operation does not commute */
    HITOP_RULE_NCONDITIONS
};

/** One line of the file. */
struct hitop_rule {
    int line; /**< the first is 1 */
    const struct hitop_operation *operation;
    struct hitop_range when[HITOP_RULE_NCONDITIONS]; /**< 0..SIZE_MAX: no condition */
    enum hitop_rule_kind kind;
    struct hitop_choice choice; /**< HITOP_RULE_ALGORITHM: with parameters; seconds is NaN */
    int unreachable;            /**< 1: earlier rules match all calls that it could match */
};

/** A file of rules. Immutable. */
struct hitop_rules;

/**
 * Read a file, "-" being standard input.
 *
 * @param out  receives the rules; set to NULL on failure
 * @retval HITOP_ERR_IO      the file cannot be opened or read
 * @retval HITOP_ERR_FORMAT  a rule is wrong; the message has its line and what is valid
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_rules_read(const char *path, struct hitop_rules **out, struct hitop_diag *diag);

/** Read rules from the text of a file; messages have its @p name. */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_rules_parse(const char *text, const char *name,
                                                               struct hitop_rules **out,
                                                               struct hitop_diag *diag);

/** Release rules. NULL is allowed. */
HITOP_API void hitop_rules_free(struct hitop_rules *rules);

/** The @p index-th rule of the file, or NULL past the last. Valid until hitop_rules_free(). */
HITOP_API const struct hitop_rule *hitop_rules_at(const struct hitop_rules *rules, size_t index);

/**
 * The first rule for @p call after line @p after (0: of all); NULL if there is none, which
 * means HITOP_RULE_AUTO. hitop_choice_applies() decides whether its algorithm can serve the call. A
 * condition on an unknown property of the call (0) does not hold. Allocates nothing.
 */
HITOP_API const struct hitop_rule *hitop_rules_match(const struct hitop_rules *rules,
                                                     const struct hitop_call *call, int after);

/**
 * Write a rule as a line of a file. The caller checks the stream for errors.
 */
HITOP_API void hitop_rule_write(const struct hitop_rule *rule, FILE *to);

HITOP_END_DECLS

#endif /* HITOP_RULES_H */
