/* SPDX-License-Identifier: BSD-3-Clause */
/* reader_rules.c - rules: what is accepted survives being written. */
#include <config.h>

#include "hitop/rules.h"

#include "tests/fuzz/reader.h"

#include <stdlib.h>
#include <string.h>

static enum hitop_status write_rules(const void *object, FILE *to)
{
    const struct hitop_rule *rule;

    for (size_t i = 0; (rule = hitop_rules_at(object, i)); i++) {
        hitop_rule_write(rule, to);
    }
    return HITOP_OK;
}

static int is_same(const struct hitop_rule *a, const struct hitop_rule *b)
{
    return a->operation == b->operation && memcmp(a->when, b->when, sizeof(a->when)) == 0 &&
           a->kind == b->kind && a->unreachable == b->unreachable &&
           a->choice.algorithm.type == b->choice.algorithm.type &&
           a->choice.algorithm.tree == b->choice.algorithm.tree &&
           memcmp(a->choice.params, b->choice.params, sizeof(a->choice.params)) == 0 &&
           memcmp(a->choice.tree_params, b->choice.tree_params, sizeof(a->choice.tree_params)) == 0;
}

static void check_written(const struct hitop_rules *rules)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_rules *again;
    size_t length;
    char *text = fuzz_written(write_rules, rules, &length);

    if (hitop_rules_parse(text, "again", &again, &diag) != HITOP_OK) {
        fuzz_fail("'%s' cannot be read: %s", text, diag.message);
    }
    for (size_t i = 0; hitop_rules_at(rules, i); i++) {
        if (!hitop_rules_at(again, i) ||
            !is_same(hitop_rules_at(rules, i), hitop_rules_at(again, i))) {
            fuzz_fail("rule %zu is another one in '%s'", i + 1, text);
        }
    }
    hitop_rules_free(again);
    free(text);
}

static void read_rules(const struct fuzz_reader *reader, const char *text, size_t length)
{
    const char *path = fuzz_file(text, length);
    struct hitop_rules *rules;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    (void)reader;
    if (hitop_rules_read(path, &rules, &diag) == HITOP_OK) {
        check_written(rules);
    } else {
        fuzz_check_refusal(&diag, path, rules);
    }
    hitop_rules_free(rules);
}

extern const struct fuzz_reader hitop_reader_rules;
const struct fuzz_reader hitop_reader_rules = {.name = "rules", .read = read_rules};
