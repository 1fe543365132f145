/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_tuned.c - check rules for coll/tuned of Open MPI in the classic format, as their reader
 * takes them. Numbers have any form; a leading 0 makes them octal. All other text separates
 * numbers, and '#' begins a comment.
 *
 * Source: tuned_collectives.h, coll_tuned_dynamic_file.c beside it
 */
#include <config.h>

#include "tools/export/lint/lint_tuned.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char header[] = "rule-file-version-";

struct reader {
    const char *at;
    int line;
    struct lint *lint;
    struct hitop_diag *diag;
    int version;   /* of the format: 1 or 2 */
    int last_line; /* of the number read last */
};

/* A rule, and the one before it. */
struct rule {
    int line;
    long bytes, algorithm, fanout, segment;
};

/* A block of rules for numbers of ranks. */
struct block {
    const struct tuned_collective *tuned;
    long ranks, nrules;
    int line, index;
};

/* Read the next number. */
static enum hitop_status next(struct reader *r, const char *what, long *out)
{
    for (;; r->at++) {
        if (*r->at == '#') {
            r->at += strcspn(r->at, "\n");
        }
        if (*r->at == '\n') {
            r->line++;
        } else if (*r->at == '\0') {
            return hitop_fail(r->diag, HITOP_ERR_FORMAT,
                              "%s:%d: the file ends before %s; Open MPI ignores all of it",
                              r->lint->name, r->line, what);
        } else if (isdigit((unsigned char)*r->at) ||
                   (*r->at == '-' && isdigit((unsigned char)r->at[1]))) {
            char *end;
            *out = strtol(r->at, &end, 0);
            if (*r->at == '0' && isdigit((unsigned char)r->at[1])) {
                lint_find(r->lint, r->line, NULL, NULL,
                          "'%.*s' begins with 0: Open MPI reads an octal number, %ld",
                          (int)(end - r->at), r->at, *out);
            }
            r->at = end;
            r->last_line = r->line;
            break;
        }
    }
    if (*out < 0) {
        return hitop_fail(r->diag, HITOP_ERR_FORMAT,
                          "%s:%d: %ld for %s is negative; Open MPI ignores the whole file",
                          r->lint->name, r->line, *out, what);
    }
    return HITOP_OK;
}

/* In version 2 a number follows the segment where the next character but blanks is a digit. */
static int has_requests(const struct reader *r)
{
    const char *c = r->at;

    while (*c == ' ' || *c == '\t') {
        c++;
    }
    return r->version > 1 && isdigit((unsigned char)*c);
}

/* An algorithm that some versions do not have. */
static void check_algorithm(struct lint *lint, const struct tuned_collective *t, int line,
                            long algorithm)
{
    if (algorithm > t->max_6) {
        lint_find(lint, line, NULL, NULL,
                  "%s has no algorithm %ld: its calls return MPI_ERR_ARG; 0 to %d are valid",
                  t->name, algorithm, t->max_6);
    } else if (algorithm > t->max) {
        lint_find(lint, line, NULL, "5.0.10",
                  "%s has no algorithm %ld before 6.0: its calls return MPI_ERR_ARG", t->name,
                  algorithm);
    } else if ((t->operation == HITOP_ALLGATHER && algorithm == 7) ||
               (t->operation == HITOP_ALLGATHERV && algorithm == 6)) {
        lint_find(lint, line, NULL, "4.1.8",
                  "%s has no algorithm %ld (sparbit) before 5.0: its calls return MPI_ERR_ARG",
                  t->name, algorithm);
    }
}

void tuned_check_rule(struct lint *lint, const struct tuned_collective *t, int line, long algorithm,
                      long fanout, long bytes, long ranks)
{
    check_algorithm(lint, t, line, algorithm);
    if (fanout < 2 && ((t->operation == HITOP_ALLGATHER && algorithm == 2) ||
                       (t->operation == HITOP_REDUCE && algorithm == 8))) {
        lint_find(lint, line, "6.0", NULL,
                  "%s algorithm %ld with fan-out %ld never ends: the fan-out must be 2 or more",
                  t->name, algorithm, fanout);
    }
    if (bytes < ranks && ((t->operation == HITOP_BCAST && (algorithm == 8 || algorithm == 9)) ||
                          (t->operation == HITOP_ALLREDUCE && algorithm == 6))) {
        lint_find(lint, line, NULL, NULL,
                  "%s algorithm %ld becomes linear for fewer elements than ranks (%ld): begin the "
                  "rule at a larger size",
                  t->name, algorithm, ranks);
    }
}

static void keep_rule(struct lint *lint, const struct block *block, const struct rule *rule)
{
    lint_keep(lint, &(struct lint_rule){.collective = block->tuned->name,
                                        .line = rule->line,
                                        .block = block->index,
                                        .ranks = block->ranks,
                                        .most_ranks = LONG_MAX,
                                        .bytes = rule->bytes,
                                        .most_bytes = LONG_MAX,
                                        .algorithm = rule->algorithm,
                                        .fanout = rule->fanout,
                                        .segment = rule->segment});
}

static enum hitop_status read_rule(struct reader *r, const struct block *block, struct rule *rule)
{
    static const char *const what[] = {"a message size", "an algorithm", "a fan-out", "a segment"};
    long *const number[] = {&rule->bytes, &rule->algorithm, &rule->fanout, &rule->segment};
    enum hitop_status status = HITOP_OK;
    int last = 0;
    long ignored;

    for (int i = 0; i < 4 && status == HITOP_OK; i++) {
        status = next(r, what[i], number[i]);
        if (i == 0) {
            rule->line = r->last_line;
        }
        last = r->last_line;
    }
    if (status == HITOP_OK && r->version > 1 && last != rule->line) {
        lint_find(r->lint, rule->line, "4.1.8", NULL,
                  "a rule of version 2 is on several lines: a number may be read as the limit of "
                  "requests");
    }
    if (status == HITOP_OK && has_requests(r)) {
        status = next(r, "a limit of requests", &ignored);
    }
    if (status == HITOP_OK) {
        tuned_check_rule(r->lint, block->tuned, rule->line, rule->algorithm, rule->fanout,
                         rule->bytes, block->ranks);
        keep_rule(r->lint, block, rule);
    }
    return status;
}

/* What is wrong with a rule because of the rules before it in its block. */
static void check_order(struct lint *lint, const struct block *block, const struct rule *before,
                        const struct rule *rule, int index)
{
    const int operation = block->tuned->operation;

    if (index == 0) {
        return;
    }
    if (rule->bytes <= before->bytes) {
        lint_find(lint, rule->line, NULL, NULL,
                  "%ld bytes do not follow %ld: sizes must ascend, so a rule is never reached",
                  rule->bytes, before->bytes);
    }
    if (operation == HITOP_ALLTOALLV) {
        lint_find(
            lint, rule->line, NULL, NULL,
            "alltoallv is always looked up with 0 bytes: only the first rule of a block counts");
    }
    if ((operation == HITOP_SCATTER || operation == HITOP_GATHER) &&
        rule->algorithm != before->algorithm) {
        lint_find(lint, rule->line, NULL, NULL,
                  "%s with another algorithm by size: ranks look up different sizes and may choose "
                  "different algorithms, which gives wrong results or never ends; use one rule",
                  block->tuned->name);
    }
    if ((operation == HITOP_SCAN || operation == HITOP_EXSCAN) &&
        rule->algorithm != before->algorithm) {
        lint_find(lint, rule->line, NULL, NULL,
                  "%s is looked up by the size of an element, not of the message",
                  block->tuned->name);
    }
}

static void check_default(struct lint *lint, const struct rule *rule)
{
    if (rule->algorithm == 0) {
        lint_find(lint, rule->line, "6.1", NULL,
                  "algorithm 0 takes the general defaults, not those for one rank on each host: "
                  "leave the rule out");
    }
}

static enum hitop_status read_block(struct reader *r, const struct tuned_collective *tuned,
                                    long *ranks, int index)
{
    struct block block = {.tuned = tuned, .index = index};
    struct rule before = {0};
    enum hitop_status status = next(r, "a number of ranks", &block.ranks);

    block.line = r->last_line;
    if (status == HITOP_OK && index > 0 && block.ranks <= *ranks) {
        lint_find(r->lint, block.line, NULL, NULL,
                  "%ld ranks do not follow %ld: numbers of ranks must ascend, so a block is never "
                  "reached",
                  block.ranks, *ranks);
    }
    if (status == HITOP_OK && index > 0) {
        lint_find(r->lint, block.line, "6.0", NULL,
                  "the rules are used from %ld rank%s on, where the block before begins, not from "
                  "%ld: use the JSON format",
                  *ranks, *ranks == 1 ? "" : "s", block.ranks);
    }
    *ranks = block.ranks;
    status = status == HITOP_OK ? next(r, "a number of rules", &block.nrules) : status;
    if (status == HITOP_OK && block.nrules == 0) {
        keep_rule(r->lint, &block, &(struct rule){.line = block.line, .algorithm = -1});
    }
    for (long i = 0; i < block.nrules && status == HITOP_OK; i++) {
        struct rule rule = {0};
        status = read_rule(r, &block, &rule);
        if (status == HITOP_OK && i == 0 && rule.bytes != 0) {
            lint_find(
                r->lint, rule.line, NULL, NULL,
                "the first rule of a block begins at %ld bytes, not at 0: Open MPI ignores the "
                "whole file",
                rule.bytes);
        }
        if (status == HITOP_OK) {
            check_order(r->lint, &block, &before, &rule, (int)(i > 0));
            check_default(r->lint, &rule);
        }
        before = rule;
    }
    return status;
}

static enum hitop_status read_collective(struct reader *r)
{
    const struct tuned_collective *tuned = tuned_collectives();
    long id, nblocks = 0, ranks = -1;
    enum hitop_status status = next(r, "the number of a collective", &id);

    if (status != HITOP_OK) {
        return status;
    }
    while (tuned->name && tuned->id != id) {
        tuned++;
    }
    if (!tuned->name) {
        return hitop_fail(r->diag, HITOP_ERR_FORMAT,
                          "%s:%d: there is no collective %ld; Open MPI ignores the whole file",
                          r->lint->name, r->last_line, id);
    }
    if (tuned->max_6 == 0) {
        lint_find(r->lint, r->last_line, NULL, NULL, "%s has no algorithms: its rules are ignored",
                  tuned->name);
    }
    status = next(r, "a number of blocks", &nblocks);
    for (long i = 0; i < nblocks && status == HITOP_OK; i++) {
        status = read_block(r, tuned, &ranks, (int)i);
    }
    return status;
}

/* The version in the first line, which must begin at the first byte. */
static void read_header(struct reader *r, const char *text)
{
    const char *found = strstr(text, header);

    if (strncmp(text, header, strlen(header)) == 0) {
        r->version = atoi(text + strlen(header));
        r->at = text + strlen(header) + strspn(text + strlen(header), "0123456789");
        if (r->version > 1) {
            lint_find(r->lint, 1, NULL, "4.1.7",
                      "the format of version 2 is not known: Open MPI ignores the whole file");
            lint_find(r->lint, 1, "5.0", "5.0.6",
                      "the format of version 2 is not known: Open MPI ignores the whole file");
            lint_says(r->lint, 1, "4.1.8");
        }
    } else if (found) {
        int line = 1;
        for (const char *c = text; c < found; c++) {
            line += *c == '\n';
        }
        lint_find(r->lint, line, NULL, NULL,
                  "'%s' does not begin the file: '-%.1s' is read as the number of collectives, and "
                  "Open MPI ignores the whole file",
                  header, found + strlen(header));
        r->at = found + strlen(header);
        r->at += *r->at != '\0';
        r->line = line;
        r->version = 2;
    }
}

static enum hitop_status check_tuned(const char *text, size_t length, struct lint *lint,
                                     struct hitop_diag *diag)
{
    struct reader r = {.at = text, .line = 1, .lint = lint, .diag = diag, .version = 1};
    long count = 0;
    enum hitop_status status;

    (void)length;
    lint_says_comment(lint, text);
    read_header(&r, text);
    status = next(&r, "the number of collectives", &count);
    for (long i = 0; i < count && status == HITOP_OK; i++) {
        status = read_collective(&r);
    }
    if (status == HITOP_OK) {
        long more;
        struct hitop_diag none;
        r.diag = &none;
        if (next(&r, "", &more) == HITOP_OK) {
            lint_find(lint, r.last_line, NULL, NULL,
                      "%ld and what follows is ignored: the file has %ld collectives", more, count);
        }
    }
    return status;
}

/* Whether a text has numbers only, but for comments. */
static int has_numbers_only(const char *text)
{
    int digits = 0;

    for (; *text; text++) {
        if (*text == '#') {
            text += strcspn(text, "\n");
            if (!*text) {
                break;
            }
        }
        if (isalpha((unsigned char)*text)) {
            return 0;
        }
        digits |= isdigit((unsigned char)*text);
    }
    return digits != 0;
}

static int is_tuned(const char *text)
{
    return strstr(text, header) || has_numbers_only(text);
}

const struct lint_kind lint_tuned = {
    .name = "openmpi-tuned",
    .software = "Open MPI",
    .newest = "5.0",
    .is_kind = is_tuned,
    .check = check_tuned,
    .in_force = tuned_in_force,
};
