/* SPDX-License-Identifier: BSD-3-Clause */
/* rules.c - read a file of rules and match calls in the order of its lines. */
#include <config.h>

#include "coll/predict/conditions.h"
#include "coll/predict/rules_form.h"

#include "hitop/input.h"
#include "hitop/sys/coll.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A limit against files that are no rules. */
enum { MAX_RULES = 1000 };

struct hitop_rules {
    struct hitop_rule *rule;
    size_t count;
};

/*
 * Cut *text at the end of its first line. Returns the line without its comment; *text becomes the
 * rest, or NULL.
 */
static char *take_line(char **text)
{
    char *line = *text, *end = strchr(line, '\n');

    if (end) {
        *end = '\0';
    }
    *text = end ? end + 1 : NULL;
    line[strcspn(line, "#\r")] = '\0';
    return line;
}

static int is_blank(const char *line)
{
    return line[strspn(line, " \t")] == '\0';
}

static enum hitop_status add(struct hitop_rules *rules, const struct hitop_rule *rule,
                             struct hitop_diag *diag)
{
    struct hitop_rule *more;

    if (rules->count == MAX_RULES) {
        return hitop_fail(diag, HITOP_ERR_FORMAT, "more than %d rules", MAX_RULES);
    }
    if ((rules->count & (rules->count - 1)) == 0) { /* room for a power of two */
        more = realloc(rules->rule, (2 * rules->count + 1) * sizeof(*more));
        if (!more) {
            return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
        }
        rules->rule = more;
    }
    rules->rule[rules->count++] = *rule;
    return HITOP_OK;
}

static enum hitop_status read_lines(char *text, const char *name, struct hitop_rules *rules,
                                    struct hitop_diag *diag)
{
    struct hitop_diag why = HITOP_DIAG_INIT;
    enum hitop_status status = HITOP_OK;

    for (int line = 1; text && status == HITOP_OK; line++) {
        char *words = take_line(&text);
        struct hitop_rule rule;
        if (is_blank(words)) {
            continue;
        }
        status = hitop_rules_line(words, &rule, &why);
        rule.line = rule.choice.line = line;
        if (status == HITOP_OK) {
            status = add(rules, &rule, &why);
        }
        if (status != HITOP_OK) {
            status =
                hitop_fail(diag, status == HITOP_ERR_NOMEM ? HITOP_ERR_NOMEM : HITOP_ERR_FORMAT,
                           "%s: line %d: %s", name, line, why.message);
        }
    }
    return status;
}

/*
 * ---- Rules that are never used ----
 *
 * The conditions of a rule are a box in five dimensions. The boxes of earlier rules that apply with
 * certainty are cut out of it; when nothing remains, the rule is never used. A rule applies with
 * certainty if its algorithm can serve every call.
 */

/* The limit of steps for one file; beyond it, rules count as reachable. */
enum { MAX_STEPS = 100000 };

struct box {
    struct hitop_range side[HITOP_RULE_NCONDITIONS];
};

static int takes_for_certain(const struct hitop_rule *rule)
{
    return rule->kind != HITOP_RULE_ALGORITHM ||
           (rule->choice.algorithm.type->needs & ~(unsigned)(HITOP_NEED_TREE)) == 0;
}

/*
 * Whether the conditions of `by` are certain where those of `rule` hold. A condition on a number
 * that may be unknown is not certain, unless `rule` has a condition on it, too.
 */
static int is_sure(const struct hitop_rule *by, const struct hitop_rule *rule)
{
    static const int unknown[] = {HITOP_RULE_HOSTS, HITOP_RULE_RANKS_PER_HOST};

    for (int i = 0; i < 2; i++) {
        const struct hitop_range *a = &by->when[unknown[i]], *b = &rule->when[unknown[i]];
        if ((a->low > 0 || a->high < SIZE_MAX) && b->low == 0 && b->high == SIZE_MAX) {
            return 0;
        }
    }
    return 1;
}

static int overlap(const struct box *box, const struct hitop_rule *rule)
{
    for (int i = 0; i < HITOP_RULE_NCONDITIONS; i++) {
        if (box->side[i].high < rule->when[i].low || box->side[i].low > rule->when[i].high) {
            return 0;
        }
    }
    return 1;
}

/* Whether the rules from `first` up to `of`, the rule of the box, cover the whole box. */
static int is_covered(const struct hitop_rule *first, const struct hitop_rule *of, struct box box,
                      int *steps)
{
    while (first < of && (first->operation != of->operation || !takes_for_certain(first) ||
                          !is_sure(first, of) || !overlap(&box, first))) {
        first++;
    }
    if (first == of || ++*steps > MAX_STEPS) {
        return 0;
    }
    for (int i = 0; i < HITOP_RULE_NCONDITIONS; i++) { /* what is outside the rule */
        const struct hitop_range *cut = &first->when[i];
        struct box part = box;
        if (box.side[i].low < cut->low) {
            part.side[i].high = cut->low - 1;
            if (!is_covered(first + 1, of, part, steps)) {
                return 0;
            }
            box.side[i].low = cut->low;
        }
        part = box;
        if (box.side[i].high > cut->high) {
            part.side[i].low = cut->high + 1;
            if (!is_covered(first + 1, of, part, steps)) {
                return 0;
            }
            box.side[i].high = cut->high;
        }
    }
    return 1;
}

static void mark_unreachable(struct hitop_rule *rules, size_t count)
{
    int steps = 0;

    for (size_t i = 0; i < count; i++) {
        struct box box;
        memcpy(box.side, rules[i].when, sizeof(box.side));
        if (box.side[HITOP_RULE_COMMUTATIVE].high > 1) {
            box.side[HITOP_RULE_COMMUTATIVE].high = 1;
        }
        rules[i].unreachable = is_covered(rules, &rules[i], box, &steps);
    }
}

/* ---- Files ---- */

enum hitop_status hitop_rules_parse(const char *text, const char *name, struct hitop_rules **out,
                                    struct hitop_diag *diag)
{
    struct hitop_rules *rules = calloc(1, sizeof(*rules));
    char *copy = strdup(text);
    enum hitop_status status = rules && copy
                                   ? read_lines(copy, name, rules, diag)
                                   : hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", name);

    *out = NULL;
    if (status == HITOP_OK) {
        mark_unreachable(rules->rule, rules->count);
    }
    free(copy);
    if (status != HITOP_OK) {
        hitop_rules_free(rules);
        return status;
    }
    *out = rules;
    return HITOP_OK;
}

enum hitop_status hitop_rules_read(const char *path, struct hitop_rules **out,
                                   struct hitop_diag *diag)
{
    const char *name = hitop_input_name(path);
    char *text = NULL;
    size_t length;
    enum hitop_status status = hitop_input_read_text(path, &text, &length, diag);

    *out = NULL;
    if (status == HITOP_OK) {
        status = hitop_rules_parse(text, name, out, diag);
    }
    free(text);
    return status;
}

void hitop_rules_free(struct hitop_rules *rules)
{
    if (rules) {
        free(rules->rule);
    }
    free(rules);
}

const struct hitop_rule *hitop_rules_at(const struct hitop_rules *rules, size_t index)
{
    return index < rules->count ? &rules->rule[index] : NULL;
}

/* Whether a number that may be unknown is within a range. */
static int is_known_within(const struct hitop_range *range, int value)
{
    return value > 0 ? hitop_range_has(range, (size_t)value) : hitop_range_is_open(range);
}

static int matches(const struct hitop_rule *rule, const struct hitop_call *call)
{
    const struct hitop_range *when = rule->when;

    return rule->operation == call->operation &&
           hitop_range_has(&when[HITOP_RULE_RANKS], (size_t)call->size) &&
           is_known_within(&when[HITOP_RULE_HOSTS], call->hosts) &&
           is_known_within(&when[HITOP_RULE_RANKS_PER_HOST], call->ranks_per_host) &&
           hitop_range_has(&when[HITOP_RULE_BYTES], call->bytes) &&
           hitop_range_has(&when[HITOP_RULE_COMMUTATIVE], !call->ordered);
}

const struct hitop_rule *hitop_rules_match(const struct hitop_rules *rules,
                                           const struct hitop_call *call, int after)
{
    for (size_t i = 0; rules && i < rules->count; i++) {
        if (rules->rule[i].line > after && matches(&rules->rule[i], call)) {
            return &rules->rule[i];
        }
    }
    return NULL;
}
