/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_han.c - check rules for coll/han of Open MPI, as their reader takes them: a number of
 * collectives; for each its name or number and a number of levels; for each level its number and a
 * number of blocks; for each block a number of ranks and of rules; for each rule bytes, a component
 * and perhaps "@ algorithm" and a list of segments in brackets.
 *
 * Source: Open MPI, ompi/mca/coll/han/coll_han_dynamic_file.c, coll_han_dynamic.c.
 */
#include <config.h>

#include "tools/export/lint/in_force.h"
#include "tools/export/lint/lint.h"
#include "tools/export/lint/lint_lines.h"
#include "tools/export/lint/tuned_collectives.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORD = 64, MAX_NAME = 32 };

static const char ignored[] = "the rest of the file is ignored";

struct reader {
    const char *at;
    int line;
    struct lint *lint;
    struct hitop_diag *diag;
    char word[MAX_WORD];
};

static void skip_blanks(struct reader *r)
{
    for (;; r->at++) {
        if (*r->at == '#') {
            r->at += strcspn(r->at, "\n");
        }
        if (*r->at == '\n') {
            r->line++;
        }
        if (*r->at == '\0' || !isspace((unsigned char)*r->at)) {
            return;
        }
    }
}

/* Read a word. */
static enum hitop_status next(struct reader *r, const char *what)
{
    size_t n;

    skip_blanks(r);
    n = strcspn(r->at, " \t\r\n#");
    if (n == 0) {
        return hitop_fail(r->diag, HITOP_ERR_FORMAT,
                          "%s:%d: the file ends before %s; Open MPI ignores the rest",
                          r->lint->name, r->line, what);
    }
    if (n > MAX_NAME) {
        lint_find(r->lint, r->line, NULL, NULL, "a word of more than %d characters is cut off: %s",
                  MAX_NAME, ignored);
    }
    (void)snprintf(r->word, sizeof(r->word), "%.*s", (int)n, r->at);
    r->at += n;
    return HITOP_OK;
}

static enum hitop_status next_number(struct reader *r, const char *what, long *out)
{
    char *end;
    enum hitop_status status = next(r, what);

    if (status == HITOP_OK) {
        *out = strtol(r->word, &end, 10);
        if (*end || *out < 0) {
            status = hitop_fail(r->diag, HITOP_ERR_FORMAT, "%s:%d: '%s' is not %s; %s",
                                r->lint->name, r->line, r->word, what, ignored);
        }
    }
    return status;
}

static int is_in(const char *word, const char *const *list)
{
    for (int i = 0; list[i]; i++) {
        if (strcmp(list[i], word) == 0) {
            return 1;
        }
    }
    return 0;
}

static void check_component(struct reader *r)
{
    static const char *const always[] = {"self", "basic", "libnbc", "tuned", "adapt", "han", NULL};

    if (strcmp(r->word, "sm") == 0) {
        lint_find(r->lint, r->line, "6.0", NULL, "there is no component 'sm' any more: %s",
                  ignored);
    } else if (strcmp(r->word, "xhc") == 0) {
        lint_find(r->lint, r->line, NULL, "5.0.10", "there is no component 'xhc': %s", ignored);
    } else if (strchr(r->word, '@') && r->word[0] != '@') {
        lint_find(r->lint, r->line, NULL, NULL, "'%s' needs blanks around '@': %s", r->word,
                  ignored);
    } else if (!is_in(r->word, always)) {
        lint_find(r->lint, r->line, NULL, NULL, "'%s' is no name of a component: %s", r->word,
                  ignored);
    }
}

/* An algorithm of coll/han after '@'. */
static void check_algorithm(struct reader *r, const char *collective)
{
    static const char *const both[] = {"bcast",  "reduce",    "allreduce", "scatter",
                                       "gather", "allgather", NULL};
    static const char *const reductions[] = {"reduce", "allreduce", NULL};
    static const char *const exchanges[] = {"alltoall", "alltoallv", NULL};
    static const char *const late[] = {"gatherv", "scatterv", NULL};

    lint_find(r->lint, r->line, NULL, "4.1.8", "algorithms are not known: %s", ignored);
    if ((strcmp(r->word, "smsc") == 0 && is_in(collective, exchanges)) ||
        (strcmp(r->word, "intra") == 0 && is_in(collective, late))) {
        lint_find(r->lint, r->line, "5.0", "5.0.10", "%s has no algorithm '%s' before 6.0: %s",
                  collective, r->word, ignored);
    } else if (!((strcmp(r->word, "intra") == 0 && is_in(collective, both)) ||
                 (strcmp(r->word, "simple") == 0 &&
                  (is_in(collective, both) || strcmp(collective, "barrier") == 0)) ||
                 (strcmp(r->word, "reproducible") == 0 && is_in(collective, reductions)))) {
        lint_find(r->lint, r->line, "5.0", NULL, "%s has no algorithm '%s': %s", collective,
                  r->word, ignored);
    }
}

/* What may follow a component. */
static enum hitop_status read_extras(struct reader *r, struct lint_rule *rule)
{
    enum hitop_status status = HITOP_OK;

    skip_blanks(r);
    if (*r->at == '@') {
        r->at++;
        status = next(r, "an algorithm");
        if (status == HITOP_OK) {
            const size_t n = strlen(rule->name);
            check_algorithm(r, rule->collective);
            (void)snprintf(rule->name + n, sizeof(rule->name) - n, " @ %.20s", r->word);
        }
        skip_blanks(r);
    }
    if (*r->at == '[') {
        lint_find(r->lint, r->line, NULL, NULL,
                  "segments of rules are parsed and not used: set coll_han_%s_segsize",
                  rule->collective);
        r->at += strcspn(r->at, "]");
        r->at += *r->at == ']';
    }
    return status;
}

static enum hitop_status read_rules(struct reader *r, const struct lint_rule *block, long nrules)
{
    struct lint_rule rule = *block;
    enum hitop_status status = HITOP_OK;
    long before = -1, bytes;

    for (long i = 0; i < nrules && status == HITOP_OK; i++, before = bytes) {
        status = next_number(r, "a message size", &bytes);
        if (status == HITOP_OK && i == 0 && bytes > 0) {
            lint_find(r->lint, r->line, NULL, NULL,
                      "the first rule begins at %ld bytes, not at 0: %s", bytes, ignored);
        } else if (status == HITOP_OK && bytes <= before) {
            lint_find(r->lint, r->line, NULL, NULL,
                      "%ld bytes do not follow %ld: a rule is never reached", bytes, before);
        }
        status = status == HITOP_OK ? next(r, "a component") : status;
        if (status == HITOP_OK) {
            check_component(r);
            rule.bytes = bytes;
            rule.line = r->line;
            (void)snprintf(rule.name, sizeof(rule.name), "%.32s", r->word);
            status = read_extras(r, &rule);
            lint_keep(r->lint, &rule);
        }
    }
    return status;
}

static int level_of(const char *word, const char *const *names)
{
    int level = 0;

    while (names[level] && strcmp(names[level], word) != 0) {
        level++;
    }
    return names[level] ? level : word[0] - '0';
}

static enum hitop_status read_level(struct reader *r, const char *collective)
{
    static const char *const names[] = {"intra_node", "inter_node", "global_communicator", NULL};
    struct lint_rule block = {.collective = collective, .most_bytes = LONG_MAX};
    long nblocks = 0, ranks, before = 0, nrules = 0;
    enum hitop_status status = next(r, "a level");

    if (status == HITOP_OK && is_in(r->word, names)) {
        lint_find(r->lint, r->line, NULL, "4.1.8", "the level '%s' must be a number, 0 to 2: %s",
                  r->word, ignored);
    } else if (status == HITOP_OK && (r->word[1] || r->word[0] < '0' || r->word[0] > '2')) {
        status = hitop_fail(r->diag, HITOP_ERR_FORMAT, "%s:%d: '%s' is no level, 0 to 2; %s",
                            r->lint->name, r->line, r->word, ignored);
    }
    block.level = level_of(r->word, names);
    status = status == HITOP_OK ? next_number(r, "a number of blocks", &nblocks) : status;
    for (long i = 0; i < nblocks && status == HITOP_OK; i++, before = ranks) {
        status = next_number(r, "a number of ranks", &ranks);
        if (status == HITOP_OK && i == 0 && ranks != 1) {
            lint_find(r->lint, r->line, NULL, NULL,
                      "the first block begins at %ld ranks, not at 1: %s", ranks, ignored);
        } else if (status == HITOP_OK && ranks <= before) {
            lint_find(r->lint, r->line, NULL, NULL,
                      "%ld ranks do not follow %ld: a block is never reached", ranks, before);
        }
        status = status == HITOP_OK ? next_number(r, "a number of rules", &nrules) : status;
        block.block = (int)i;
        block.ranks = ranks;
        status = status == HITOP_OK ? read_rules(r, &block, nrules) : status;
    }
    return status;
}

static enum hitop_status read_collective(struct reader *r)
{
    static const char *const old[] = {"allgather", "allgatherv", "allreduce", "barrier", "bcast",
                                      "gather",    "reduce",     "scatter",   NULL};
    static const char *const late[] = {"alltoall", "alltoallv", "gatherv", "scatterv", NULL};
    const struct tuned_collective *t = tuned_collectives();
    long nlevels = 0;
    enum hitop_status status = next(r, "a collective");

    if (status != HITOP_OK) {
        return status;
    }
    while (t->name && strcmp(t->name, r->word) != 0 &&
           !(isdigit((unsigned char)r->word[0]) && atoi(r->word) == t->id)) {
        t++;
    }
    if (!t->name) {
        return hitop_fail(r->diag, HITOP_ERR_FORMAT, "%s:%d: there is no collective '%s'; %s",
                          r->lint->name, r->line, r->word, ignored);
    }
    if (is_in(t->name, late)) {
        lint_find(r->lint, r->line, NULL, "5.0.10", "coll/han does not use rules for %s before 6.0",
                  t->name);
    } else if (!is_in(t->name, old)) {
        lint_find(r->lint, r->line, NULL, NULL, "coll/han does not use rules for %s", t->name);
    }
    status = next_number(r, "a number of levels", &nlevels);
    for (long i = 0; i < nlevels && status == HITOP_OK; i++) {
        status = read_level(r, t->name);
    }
    return status;
}

static enum hitop_status check_han(const char *text, size_t length, struct lint *lint,
                                   struct hitop_diag *diag)
{
    struct reader r = {.at = text, .line = 1, .lint = lint, .diag = diag};
    long count = 0;
    enum hitop_status status = next_number(&r, "the number of collectives", &count);

    (void)length;
    lint_says_comment(lint, text);
    for (long i = 0; i < count && status == HITOP_OK; i++) {
        status = read_collective(&r);
    }
    if (status == HITOP_OK) {
        skip_blanks(&r);
        if (*r.at) {
            lint_find(lint, r.line, NULL, NULL,
                      "what follows is ignored: the file has %ld collectives", count);
        }
    }
    return status;
}

/* A component as a word. */
static int is_han(const char *text)
{
    return lint_has(text, "tuned") || lint_has(text, "han") || lint_has(text, "libnbc") ||
           lint_has(text, "basic");
}

const struct lint_kind lint_han = {
    .name = "openmpi-han",
    .software = "Open MPI",
    .newest = "6.0",
    .is_kind = is_han,
    .check = check_han,
    .in_force = han_in_force,
};
