/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CHOICE_RULE_H
#define CHOICE_RULE_H

/* choice_rule.h - what one rule makes of a call. */

#include "hitop/rules.h"

/* Whether a call may be asked about. */
enum hitop_status hitop_choice_check(const struct hitop_choice_basis *basis,
                                     const struct hitop_call *call, struct hitop_diag *diag);

/* The fastest algorithm. */
enum hitop_status hitop_choice_predict(const struct hitop_choice_basis *basis,
                                       const struct hitop_call *call, struct hitop_choice *out,
                                       struct hitop_diag *diag);

/* What a rule that matches says; where there is none (NULL), the fastest algorithm. */
enum hitop_status hitop_choice_by_rule(const struct hitop_choice_basis *basis,
                                       const struct hitop_rule *rule, const struct hitop_call *call,
                                       struct hitop_choice *out, struct hitop_diag *diag);

/* Whether the next rule is asked when this one cannot serve. */
static inline int choice_goes_on(const struct hitop_rule *rule)
{
    return rule && rule->kind == HITOP_RULE_ALGORITHM;
}

#endif /* CHOICE_RULE_H */
