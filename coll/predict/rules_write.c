/* SPDX-License-Identifier: BSD-3-Clause */
/* rules_write.c - a rule as a line of a file. */
#include <config.h>

#include "coll/predict/rules_form.h"

#include "hitop/text.h"

#include <stdint.h>

static void write_number(size_t number, int is_size, FILE *to)
{
    char text[32];

    if (is_size) {
        hitop_text_format_size(number, text, sizeof(text));
        fputs(text, to);
    } else {
        fprintf(to, "%zu", number);
    }
}

static void write_condition(const struct hitop_range *range, enum hitop_rule_condition what,
                            FILE *to)
{
    if (range->low == 0 && range->high == SIZE_MAX) {
        return;
    }
    fprintf(to, " %s ", hitop_rules_condition(what));
    if (what == HITOP_RULE_COMMUTATIVE) {
        fputs(range->low ? "yes" : "no", to);
        return;
    }
    if (range->low > 0 || range->high == 0) {
        write_number(range->low, what == HITOP_RULE_BYTES, to);
    }
    if (range->low != range->high) {
        fputs("..", to);
        if (range->high < SIZE_MAX) {
            write_number(range->high, what == HITOP_RULE_BYTES, to);
        }
    }
}

void hitop_rule_write(const struct hitop_rule *rule, FILE *to)
{
    fputs(rule->operation->name, to);
    for (int i = 0; i < HITOP_RULE_NCONDITIONS; i++) {
        write_condition(&rule->when[i], (enum hitop_rule_condition)i, to);
    }
    fputs(" : ", to);
    if (rule->kind == HITOP_RULE_ALGORITHM) {
        char params[HITOP_CHOICE_TEXT];
        hitop_choice_format(&rule->choice, params, sizeof(params));
        fprintf(to, "%s%s%s", hitop_algorithm_name(rule->choice.algorithm), params[0] ? " " : "",
                params);
    } else {
        fputs(rule->kind == HITOP_RULE_AUTO ? "auto" : "mpi", to);
    }
    fputc('\n', to);
}
