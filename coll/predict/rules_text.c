/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rules_text.c - one rule as text: OPERATION [CONDITION RANGE]... : ALGORITHM [PARAMETER=VALUE]...
 */
#include <config.h>

#include "coll/predict/rules_form.h"

#include "hitop/sys/coll.h"
#include "hitop/text.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static const char *const conditions[HITOP_RULE_NCONDITIONS] = {
    [HITOP_RULE_RANKS] = "ranks",
    [HITOP_RULE_HOSTS] = "hosts",
    [HITOP_RULE_RANKS_PER_HOST] = "ranks-per-host",
    [HITOP_RULE_BYTES] = "bytes",
    [HITOP_RULE_COMMUTATIVE] = "commutative"};

/* Return the next word, or "" at the end; *text becomes the rest. */
static char *take_word(char **text)
{
    char *word = *text + strspn(*text, " \t");
    const size_t length = strcspn(word, " \t");

    *text = word + length;
    if (**text) {
        *(*text)++ = '\0';
    }
    return word;
}

static enum hitop_status read_number(const char *text, enum hitop_rule_condition what, size_t *out,
                                     struct hitop_diag *diag)
{
    int number = 0;
    enum hitop_status status;

    if (what == HITOP_RULE_BYTES) {
        return hitop_text_size(text, out, diag);
    }
    status = hitop_text_int(text, 1, INT_MAX, &number, diag);
    *out = (size_t)number;
    return status;
}

static enum hitop_status read_yes_or_no(const char *text, struct hitop_range *out,
                                        struct hitop_diag *diag)
{
    if (strcmp(text, "yes") != 0 && strcmp(text, "no") != 0) {
        return hitop_fail(diag, HITOP_ERR_FORMAT, "'commutative %.64s': yes or no", text);
    }
    out->low = out->high = strcmp(text, "yes") == 0;
    return HITOP_OK;
}

/* N, LOW..HIGH, LOW.. or ..HIGH */
static enum hitop_status read_range(char *text, enum hitop_rule_condition what,
                                    struct hitop_range *out, struct hitop_diag *diag)
{
    char *dots = strstr(text, "..");
    enum hitop_status status = HITOP_OK;

    if (what == HITOP_RULE_COMMUTATIVE) {
        return read_yes_or_no(text, out, diag);
    }
    if (!dots) {
        status = read_number(text, what, &out->low, diag);
        out->high = out->low;
        return status;
    }
    *dots = '\0';
    if (!text[0] && !dots[2]) {
        return hitop_fail(diag, HITOP_ERR_FORMAT, "'%s ..': a bound is missing", conditions[what]);
    }
    if (text[0]) {
        status = read_number(text, what, &out->low, diag);
    }
    if (status == HITOP_OK && dots[2]) {
        status = read_number(dots + 2, what, &out->high, diag);
    }
    if (status == HITOP_OK && out->low > out->high) {
        status = hitop_fail(diag, HITOP_ERR_FORMAT, "'%s %.64s..%.64s' is empty", conditions[what],
                            text, dots + 2);
    }
    return status;
}

static enum hitop_status read_condition(char *word, char **rest, struct hitop_rule *rule,
                                        unsigned *seen, struct hitop_diag *diag)
{
    char valid[128] = "";

    for (unsigned i = 0; i < HITOP_RULE_NCONDITIONS; i++) {
        if (strcmp(word, conditions[i]) == 0) {
            if (*seen & 1u << i) {
                return hitop_fail(diag, HITOP_ERR_FORMAT, "'%s' stands there twice", word);
            }
            *seen |= 1u << i;
            return read_range(take_word(rest), (enum hitop_rule_condition)i, &rule->when[i], diag);
        }
        hitop_text_list_name(valid, sizeof(valid), conditions[i]);
    }
    return hitop_fail(diag, HITOP_ERR_FORMAT, "'%.64s' is no condition; valid: %s", word, valid);
}

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
    const char *name = take_word(&text), *word;
    struct hitop_algorithm algorithm;
    enum hitop_status status;

    if (strcmp(name, "auto") == 0 || strcmp(name, "mpi") == 0) {
        rule->kind = name[0] == 'a' ? HITOP_RULE_AUTO : HITOP_RULE_MPI;
        word = take_word(&text);
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
    for (word = take_word(&text); word[0] && status == HITOP_OK; word = take_word(&text)) {
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
    for (int i = 0; i < HITOP_RULE_NCONDITIONS; i++) {
        out->when[i].high = SIZE_MAX;
    }
    if (!colon) {
        return hitop_fail(diag, HITOP_ERR_FORMAT,
                          "no ':' between the conditions and the algorithm");
    }
    *colon = '\0';
    status = hitop_operation_find(take_word(&text), &out->operation, diag);
    for (word = take_word(&text); word[0] && status == HITOP_OK; word = take_word(&text)) {
        if (strcmp(word, "*") != 0) {
            status = read_condition(word, &text, out, &seen, diag);
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
    fprintf(to, " %s ", conditions[what]);
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
