/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_tuned_json.c - check rules for coll/tuned of Open MPI as JSON, as their reader takes them.
 *
 * Source: tuned_collectives.h, coll_tuned_dynamic_file.c beside it
 */
#include <config.h>

#include "tools/export/lint/json_lines.h"
#include "tools/export/lint/lint_tuned.h"

#include "hitop/status.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* An integer, or "inf"; `missing` if there is none. Others make the reader ignore the file. */
static long integer_of(struct lint *lint, const struct json_lines *object, const char *key,
                       long missing)
{
    const struct json_lines *value = json_lines_get(object, key);
    char *end;
    long number;

    if (!value) {
        return missing;
    }
    if (value->kind == JSON_STRING &&
        (strncmp(value->text, "inf", 3) == 0 || strncmp(value->text, "Inf", 3) == 0 ||
         strncmp(value->text, "INF", 3) == 0)) {
        return LONG_MAX;
    }
    number = strtol(value->text, &end, 10);
    if (value->kind != JSON_NUMBER || *end) {
        lint_find(lint, value->line, "6.0", NULL,
                  "\"%s\" is '%s', not an integer: Open MPI ignores the whole file", key,
                  value->text);
        return missing;
    }
    return number;
}

/* Members that the reader does not know. */
static void check_keys(struct lint *lint, const struct json_lines *object, const char *const *known)
{
    for (const struct json_lines *m = object->first; m; m = m->next) {
        int is_known = 0;
        for (int i = 0; known[i]; i++) {
            is_known |= strcmp(known[i], m->key) == 0;
        }
        if (!is_known) {
            lint_find(lint, m->line, "6.0", NULL, "\"%s\" is ignored%s", m->key,
                      strcmp(m->key, "segsize") == 0 ? ": the member is \"seg_size\"" : "");
        }
    }
}

/* A rule for some sizes. */
struct span {
    int line;
    long low, high, algorithm;
};

/* The number of an algorithm; -1: the rule is disabled. */
static long algorithm_of(struct lint *lint, const struct tuned_collective *t,
                         const struct json_lines *rule)
{
    const struct json_lines *alg = json_lines_get(rule, "alg");
    long number;

    if (!alg) {
        lint_find(lint, rule->line, "6.0", NULL, "the rule has no \"alg\" and is ignored");
        return -1;
    }
    if (alg->kind == JSON_STRING) {
        number = tuned_algorithm_number(t, alg->text);
        if (number < 0) {
            lint_find(lint, alg->line, "6.0", NULL,
                      "%s has no algorithm '%s': the rule is disabled silently%s", t->name,
                      alg->text,
                      t->operation == HITOP_ALLGATHER && strcmp(alg->text, "bruck") == 0
                          ? "; bruck is bruck-k-fanout in 6.x, write the number 2"
                          : "");
        }
        return number;
    }
    number = strtol(alg->text, NULL, 10);
    if (number < 0 || number > t->max_6) {
        lint_find(lint, alg->line, "6.0", NULL,
                  "%s has no algorithm %s: the rule is disabled silently", t->name, alg->text);
        return -1;
    }
    return number;
}

static void keep_rule(struct lint *lint, const struct lint_rule *block, const struct span *span,
                      long fanout, long segment)
{
    struct lint_rule kept = *block;

    kept.line = span->line;
    kept.bytes = span->low;
    kept.most_bytes = span->high;
    kept.algorithm = span->algorithm;
    kept.fanout = fanout;
    kept.segment = segment;
    lint_keep(lint, &kept);
}

static struct span check_rule(struct lint *lint, const struct tuned_collective *t,
                              const struct json_lines *rule, const struct lint_rule *block)
{
    static const char *const known[] = {"msg_size_min", "msg_size_max", "alg", "faninout",
                                        "seg_size",     "reqs",         NULL};
    struct span span = {.line = rule->line};
    const long fanout = integer_of(lint, rule, "faninout", 0);

    check_keys(lint, rule, known);
    span.low = integer_of(lint, rule, "msg_size_min", 0);
    span.high = integer_of(lint, rule, "msg_size_max", LONG_MAX);
    span.algorithm = algorithm_of(lint, t, rule);
    keep_rule(lint, block, &span, fanout, integer_of(lint, rule, "seg_size", 0));
    if (span.low > span.high) {
        lint_find(lint, rule->line, "6.0", NULL, "no size is at least %ld and at most %ld",
                  span.low, span.high);
    }
    if (span.algorithm > 0) {
        tuned_check_rule(lint, t, rule->line, span.algorithm, fanout, span.low,
                         block->ranks > 2 ? block->ranks : 2);
    }
    if (span.algorithm == 0) {
        lint_find(lint, rule->line, "6.1", NULL,
                  "algorithm 0 takes the general defaults, not those for one rank on each host: "
                  "leave the rule out");
    }
    return span;
}

/* What is wrong with a rule because of the one before it: the first that matches counts. */
static void check_order(struct lint *lint, const struct tuned_collective *t,
                        const struct span *before, const struct span *span)
{
    if (before->low <= span->low && before->high >= span->high) {
        lint_find(lint, span->line, "6.0", NULL,
                  "the rule is never reached: the one of line %d takes all its sizes",
                  before->line);
    }
    if (t->operation == HITOP_ALLTOALLV) {
        lint_find(lint, span->line, "6.0", NULL,
                  "alltoallv is always looked up with 0 bytes: only the first rule counts");
    }
    if ((t->operation == HITOP_SCATTER || t->operation == HITOP_GATHER) &&
        span->algorithm != before->algorithm) {
        lint_find(lint, span->line, "6.0", NULL,
                  "%s with another algorithm by size: ranks look up different sizes and may choose "
                  "different algorithms, which gives wrong results or never ends; use one rule",
                  t->name);
    }
}

/* Rules for some numbers of ranks. */
static void check_block(struct lint *lint, const struct tuned_collective *t,
                        const struct json_lines *block, int number)
{
    static const char *const known[] = {"comm_size_min", "comm_size_max", "comm_rank_distribution",
                                        "rules", NULL};
    const struct json_lines *rules = json_lines_get(block, "rules");
    const struct json_lines *high = json_lines_get(block, "comm_size_max");
    const struct json_lines *where = json_lines_get(block, "comm_rank_distribution");
    const long most = high ? integer_of(lint, block, "comm_size_max", 0) : LONG_MAX;
    const struct lint_rule kept = {
        .collective = t->name,
        .line = block->line,
        .block = number,
        .ranks = integer_of(lint, block, "comm_size_min", 0),
        .most_ranks = high && most == LONG_MAX ? -1 : most,
        .one_host = where && strcmp(where->text, "single-node") == 0,
        .one_per_host = where && strcmp(where->text, "one-per-node") == 0,
    };
    struct span before = {0};
    int index = 0;

    check_keys(lint, block, known);
    if (high && most == LONG_MAX) {
        lint_find(
            lint, high->line, "6.0", NULL,
            "\"comm_size_max\": \"inf\" is cut to -1, so that the rules never apply: leave it "
            "out");
    }
    if (where && strcmp(where->text, "any") != 0 && strcmp(where->text, "one-per-node") != 0 &&
        strcmp(where->text, "single-node") != 0) {
        lint_find(lint, where->line, "6.0", NULL,
                  "'%s' is taken as any; valid: any, one-per-node, single-node", where->text);
    }
    if (!rules || rules->kind != JSON_ARRAY) {
        lint_find(lint, block->line, "6.0", NULL,
                  "there is no array \"rules\": Open MPI ignores the whole file");
        return;
    }
    for (const struct json_lines *rule = rules->first; rule; rule = rule->next) {
        const struct span span = check_rule(lint, t, rule, &kept);
        if (index++ > 0) {
            check_order(lint, t, &before, &span);
        }
        before = span;
    }
}

static void check_collective(struct lint *lint, const struct json_lines *collective)
{
    const struct tuned_collective *t = tuned_collectives();
    int number = 0;

    while (t->name && strcmp(t->name, collective->key) != 0) {
        t++;
    }
    if (!t->name) {
        lint_find(lint, collective->line, "6.0", NULL,
                  "there is no collective '%s': Open MPI ignores the whole file%s", collective->key,
                  strncmp(collective->key, "reducescatter", 13) == 0
                      ? "; names have underscores, as in reduce_scatter"
                      : "");
        return;
    }
    if (t->max_6 == 0) {
        lint_find(lint, collective->line, "6.0", NULL,
                  "rules for %s crash in MPI_Init, because it has no algorithms", t->name);
        return;
    }
    if (collective->kind != JSON_ARRAY) {
        lint_find(lint, collective->line, "6.0", NULL,
                  "%s is not an array of rules: Open MPI ignores the whole file", t->name);
        return;
    }
    for (const struct json_lines *b = collective->first; b; b = b->next, number++) {
        check_block(lint, t, b, number);
    }
}

/* Files are for 6.0 and later; those of export_tuning have the version in their description. */
static void says_version(struct lint *lint, const struct json_lines *root)
{
    const struct json_lines *version = json_lines_get(root, "rule_file_version");

    lint_says(lint, version ? version->line : 1, "6.0");
}

static enum hitop_status check_json(const char *text, size_t length, struct lint *lint,
                                    struct hitop_diag *diag)
{
    struct json_lines *root = NULL;
    const struct json_lines *collectives;
    enum hitop_status status = json_lines_parse(text, length, lint->name, &root, diag);

    if (status == HITOP_OK) {
        if (lint->has_version) {
            lint_find(lint, 1, NULL, "5.0.10",
                      "rules as JSON are not known: Open MPI ignores the whole file");
        }
        says_version(lint, root);
        collectives = json_lines_get(root, "collectives");
        if (!collectives || collectives->kind != JSON_OBJECT) {
            status = hitop_fail(diag, HITOP_ERR_FORMAT, "%s: there is no object \"collectives\"",
                                lint->name);
        }
        for (const struct json_lines *c = status == HITOP_OK ? collectives->first : NULL; c;
             c = c->next) {
            check_collective(lint, c);
        }
    }
    json_lines_free(root);
    return status;
}

static int is_json(const char *text)
{
    return text[strspn(text, " \t\r\n")] == '{' && strstr(text, "\"collectives\"");
}

const struct lint_kind lint_tuned_json = {
    .name = "openmpi-tuned-json",
    .software = "Open MPI",
    .newest = "6.0",
    .is_kind = is_json,
    .check = check_json,
    .in_force = tuned_in_force,
};
