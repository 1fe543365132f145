/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rules_text.c - one rule as text: OPERATION [CONDITION RANGE]... : ALGORITHM [PARAMETER=VALUE]...
 */
#include <config.h>

#include "coll/predict/conditions.h"
#include "coll/predict/rules_form.h"

#include "hitop/sys/coll.h"
#include "hitop/text.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static const struct hitop_condition conditions[HITOP_RULE_NCONDITIONS] = {
    [HITOP_RULE_RANKS] = {"ranks", HITOP_CONDITION_COUNT},
    [HITOP_RULE_HOSTS] = {"hosts", HITOP_CONDITION_COUNT},
    [HITOP_RULE_RANKS_PER_HOST] = {"ranks-per-host", HITOP_CONDITION_COUNT},
    [HITOP_RULE_BYTES] = {"bytes", HITOP_CONDITION_SIZE},
    [HITOP_RULE_COMMUTATIVE] = {"commutative", HITOP_CONDITION_FLAG}};

/* Whether the range has a power of two, or an even number, if the algorithm needs one. */
static int has_ranks(const struct hitop_range *ranks, unsigned needs)
{
    size_t power = 1;

    while (power < ranks->low && power <= INT_MAX) {
        power *= 2;
    }
    if ((needs & HITOP_NEED_POW2) && (power > ranks->high || power > INT_MAX)) {
        return 0;
    }
    return !(needs & HITOP_NEED_EVEN) || ranks->low != ranks->high || ranks->low % 2 == 0;
}

/* Check that at least one call matches the rule and can use its algorithm. */
static enum hitop_status check_applies(const struct hitop_rule *rule, struct hitop_diag *diag)
{
    const unsigned needs = rule->choice.algorithm.type->needs;

    if (!has_ranks(&rule->when[HITOP_RULE_RANKS], needs)) {
        return hitop_fail(diag, HITOP_ERR_FORMAT,
                          "%s can never serve these numbers of ranks: it needs %s",
                          hitop_algorithm_name(rule->choice.algorithm),
                          needs & HITOP_NEED_POW2 ? "a power of two" : "an even number");
    }
    if ((needs & HITOP_NEED_ANY_ORDER) && rule->when[HITOP_RULE_COMMUTATIVE].high == 0) {
        return hitop_fail(diag, HITOP_ERR_FORMAT,
                          "%s can never serve operations that do not commute",
                          hitop_algorithm_name(rule->choice.algorithm));
    }
    return HITOP_OK;
}

static enum hitop_status read_choice(char *text, struct hitop_rule *rule, struct hitop_diag *diag)
{
    const char *name = hitop_conditions_word(&text), *word;
    struct hitop_algorithm algorithm;
    enum hitop_status status;

    if (strcmp(name, "auto") == 0 || strcmp(name, "mpi") == 0) {
        rule->kind = name[0] == 'a' ? HITOP_RULE_AUTO : HITOP_RULE_MPI;
        word = hitop_conditions_word(&text);
        return word[0]
                   ? hitop_fail(diag, HITOP_ERR_FORMAT, "'%.64s': %s has no parameters", word, name)
                   : HITOP_OK;
    }
    if (!name[0]) {
        return hitop_fail(diag, HITOP_ERR_FORMAT, "an algorithm, auto or mpi is missing");
    }
    status = hitop_algorithm_find(rule->operation, name, &algorithm, diag);
    if (status != HITOP_OK) {
        return status;
    }
    rule->kind = HITOP_RULE_ALGORITHM;
    rule->choice = hitop_choice_default(algorithm);
    for (word = hitop_conditions_word(&text); word[0] && status == HITOP_OK;
         word = hitop_conditions_word(&text)) {
        status = hitop_choice_set(&rule->choice, word, diag);
    }
    return status == HITOP_OK ? check_applies(rule, diag) : status;
}

enum hitop_status hitop_rules_line(char *text, struct hitop_rule *out, struct hitop_diag *diag)
{
    char *colon = strchr(text, ':'), *word;
    unsigned seen = 0;
    enum hitop_status status;

    *out = (struct hitop_rule){.choice = {.seconds = NAN}};
    hitop_conditions_init(out->when, HITOP_RULE_NCONDITIONS);
    if (!colon) {
        return hitop_fail(diag, HITOP_ERR_FORMAT,
                          "no ':' between the conditions and the algorithm");
    }
    *colon = '\0';
    status = hitop_operation_find(hitop_conditions_word(&text), &out->operation, diag);
    for (word = hitop_conditions_word(&text); word[0] && status == HITOP_OK;
         word = hitop_conditions_word(&text)) {
        if (strcmp(word, "*") != 0) {
            status = hitop_conditions_read(conditions, HITOP_RULE_NCONDITIONS, word, &text,
                                           out->when, &seen, diag);
        }
    }
    return status == HITOP_OK ? read_choice(colon + 1, out, diag) : status;
}

/* ---- Write ---- */

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
    fprintf(to, " %s ", conditions[what].name);
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
