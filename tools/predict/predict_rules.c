/* SPDX-License-Identifier: BSD-3-Clause */
/* predict_rules.c - which rules match a call, and why they decide or not. */
#include <config.h>

#include "tools/predict/predict.h"

void predict_explain_rules(const struct predict_request *r, size_t bytes, FILE *out)
{
    const struct hitop_call call = predict_call(r, bytes);
    const struct hitop_rule *rule = NULL;
    int after = 0;

    if (!r->rules) {
        return;
    }
    while ((rule = hitop_rules_match(r->rules, &call, after))) {
        struct hitop_diag diag = HITOP_DIAG_INIT;
        fprintf(out, "  line %d matches: ", rule->line);
        if (rule->kind != HITOP_RULE_WAY) {
            fputs(rule->kind == HITOP_RULE_AUTO ? "auto\n" : "left to the MPI library\n", out);
            return;
        }
        fputs(hitop_way_name(rule->choice.way), out);
        if (hitop_choice_applies(&rule->choice, &call, &r->cost, &diag) == HITOP_OK) {
            fputs("\n", out);
            return;
        }
        fprintf(out, ", but %s\n", diag.message);
        after = rule->line;
    }
    fprintf(out, "  %s rule matches: auto\n", after ? "no other" : "no");
}
