/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rules_cover.c - rules that are never asked.
 *
 * The conditions of a rule are a box in five dimensions. What rules before it take for certain is cut out of it;
 * it is never asked when nothing remains. A rule takes for certain if its algorithm can serve every call.
 */
#include <config.h>

#include "coll/predict/rules_form.h"

#include "hitop/sys/coll.h"

#include <stdint.h>
#include <string.h>

/* Rather than to think longer about a file, it is believed. */
enum { MAX_STEPS = 100000 };

struct box {
    struct hitop_range side[HITOP_RULE_NCONDITIONS];
};

static int takes_for_certain(const struct hitop_rule *rule)
{
    return rule->kind != HITOP_RULE_ALGORITHM ||
           (rule->choice.algorithm.type->needs & ~(unsigned)(HITOP_NEED_TREE)) == 0;
}

/* A condition on what may be unknown is never met for certain. */
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

/* 1: the rules from first on, up to the one that the box is of, leave nothing of the box. */
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
    for (int i = 0; i < HITOP_RULE_NCONDITIONS; i++) { /* what sticks out on either side */
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

void hitop_rules_mark_unreachable(struct hitop_rule *rules, size_t count)
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
