/* SPDX-License-Identifier: BSD-3-Clause */
/* choice.c - choose an algorithm: by rules first, then by prediction. */
#include <config.h>

#include "coll/predict/choice_parts.h"

/* Use the rule that matches; if there is none (NULL), predict the fastest algorithm. */
static enum hitop_status ask(const struct hitop_choice_basis *basis, const struct hitop_rule *rule,
                             const struct hitop_call *call, struct hitop_choice *out,
                             struct hitop_diag *diag)
{
    enum hitop_status status;

    if (rule && rule->kind == HITOP_RULE_MPI) {
        return hitop_fail(diag, HITOP_ERR_UNSUPPORTED,
                          "%s: the rule in line %d leaves it to the MPI library",
                          call->operation->name, rule->line);
    }
    if (rule && rule->kind == HITOP_RULE_ALGORITHM) {
        *out = rule->choice;
        return hitop_choice_applies(out, call, basis->cost, diag);
    }
    status = hitop_choice_predict(basis, call, out, diag);
    if (status == HITOP_OK && rule) {
        out->line = rule->line;
    }
    return status;
}

/* Match rules with `call`; the algorithm must be able to serve `served`. */
static enum hitop_status choose(const struct hitop_choice_basis *basis,
                                const struct hitop_call *call, const struct hitop_call *served,
                                struct hitop_choice *out, struct hitop_diag *diag)
{
    const struct hitop_rule *rule;
    int after = 0;
    enum hitop_status status = hitop_choice_check(basis, call, diag);

    if (status != HITOP_OK) {
        return status;
    }
    do {
        rule = hitop_rules_match(basis->rules, call, after);
        status = ask(basis, rule, served, out, diag);
        after = rule ? rule->line : 0;
    } while (status == HITOP_ERR_UNSUPPORTED && rule && rule->kind == HITOP_RULE_ALGORITHM);
    return status;
}

enum hitop_status hitop_choose(const struct hitop_choice_basis *basis,
                               const struct hitop_call *call, struct hitop_choice *out,
                               struct hitop_diag *diag)
{
    return choose(basis, call, call, out, diag);
}

enum hitop_status hitop_choose_class(const struct hitop_choice_basis *basis,
                                     const struct hitop_call *call, struct hitop_choice *out,
                                     struct hitop_diag *diag)
{
    struct hitop_call middle = *call;

    middle.bytes = hitop_choice_class(call->bytes, call->unit);
    middle.starts = NULL;
    return choose(basis, call, &middle, out, diag);
}
