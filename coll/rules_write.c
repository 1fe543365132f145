/* SPDX-License-Identifier: BSD-3-Clause */
/* rules_write.c - a rule as a line of a file. */
#include <config.h>

#include "rules_form.h"

#include "hitop/sys/coll.h"
#include "hitop/sys/tree.h"
#include "hitop/text.h"

#include <stdint.h>
#include <string.h>

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
    fprintf(to, " %s ", rules_condition(what));
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

static void write_params(const struct hitop_param *params, size_t nparams, const double *values,
                         FILE *to)
{
    for (size_t i = 0; i < nparams; i++) {
        if (values[i] == params[i].fallback) {
            continue;
        }
        fprintf(to, " %s=", params[i].name);
        if (strcmp(params[i].unit, "B") == 0 && values[i] == (double)(size_t)values[i]) {
            write_number((size_t)values[i], 1, to);
        } else {
            fprintf(to, "%.17g", values[i]);
        }
    }
}

void hitop_choice_write(const struct hitop_choice *choice, FILE *to)
{
    const struct hitop_way way = choice->way;

    fputs(hitop_way_name(way), to);
    write_params(way.type->params, way.type->nparams, choice->params, to);
    if (way.tree) {
        write_params(way.tree->params, way.tree->nparams, choice->tree_params, to);
    }
}

void hitop_rule_write(const struct hitop_rule *rule, FILE *to)
{
    fputs(rule->operation->name, to);
    for (int i = 0; i < HITOP_RULE_NCONDITIONS; i++) {
        write_condition(&rule->when[i], (enum hitop_rule_condition)i, to);
    }
    fputs(" : ", to);
    if (rule->kind == HITOP_RULE_WAY) {
        hitop_choice_write(&rule->choice, to);
    } else {
        fputs(rule->kind == HITOP_RULE_AUTO ? "auto" : "mpi", to);
    }
    fputc('\n', to);
}
