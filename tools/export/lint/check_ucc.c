/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_ucc.c - check strings UCC_TL_UCP_TUNE and UCC_CL_..._TUNE, in a ucc.conf or as variables.
 *
 * A string has tokens separated by '#'; a token has parts separated by ':' in any order: a list of
 * collectives, ranges of bytes, a type of memory, [ranges of ranks], a score, @algorithm. One bad
 * token discards the whole string.
 *
 * Source: UCC, docs/user_guide.md, src/coll_score/ucc_coll_score.c, src/components/tl/ucp.
 */
#include <config.h>

#include "tools/export/lint/in_force.h"
#include "tools/export/lint/lint.h"
#include "tools/export/lint/lint_lines.h"

#include <ctype.h>
#include <stdlib.h>

enum { MAX_LINE = 8192 };

/* Algorithms of tl/ucp, and the version that has them first; NULL: all that are known. */
struct algorithm {
    const char *collective, *name, *since;
};

static const struct algorithm algorithms[] = {
    {"allgather", "knomial", NULL},
    {"allgather", "ring", NULL},
    {"allgather", "neighbor", NULL},
    {"allgather", "bruck", NULL},
    {"allgather", "sparbit", NULL},
    {"allgather", "linear", NULL},
    {"allgather", "batched", "1.9"},
    {"allgatherv", "knomial", NULL},
    {"allgatherv", "ring", NULL},
    {"allreduce", "knomial", NULL},
    {"allreduce", "sra_knomial", NULL},
    {"allreduce", "dbt", "1.4"},
    {"allreduce", "sliding_window", "1.4"},
    {"allreduce", "ring", "1.7"},
    {"alltoall", "pairwise", NULL},
    {"alltoall", "bruck", NULL},
    {"alltoall", "onesided", NULL},
    {"alltoallv", "pairwise", NULL},
    {"alltoallv", "hybrid", NULL},
    {"alltoallv", "onesided", NULL},
    {"barrier", "knomial", NULL},
    {"bcast", "knomial", NULL},
    {"bcast", "sag_knomial", NULL},
    {"bcast", "dbt", "1.3"},
    {"gather", "knomial", NULL},
    {"reduce", "knomial", NULL},
    {"reduce", "dbt", NULL},
    {"reduce", "srg", NULL},
    {"reduce_scatter", "ring", NULL},
    {"reduce_scatter", "knomial", NULL},
    {"reduce_scatterv", "ring", NULL},
    {"scatter", "knomial", NULL},
    {"scatterv", "linear", NULL},
    {"gatherv", "linear", NULL},
    {"fanin", "knomial", NULL},
    {"fanout", "knomial", NULL},
    {NULL, NULL, NULL},
};

static int is_collective(const char *word)
{
    for (const struct algorithm *a = algorithms; a->collective; a++) {
        if (strcmp(a->collective, word) == 0) {
            return 1;
        }
    }
    return 0;
}

/* A list of words that all satisfy is_one(). */
static int is_list(char *list, int (*is_one)(const char *word))
{
    char *rest, *word = strtok_r(list, ",", &rest);

    for (; word; word = strtok_r(NULL, ",", &rest)) {
        if (!is_one(word)) {
            return 0;
        }
    }
    return 1;
}

/* "4096", "4K", "1Mb", "inf". */
static const char *skip_size(const char *text)
{
    if (strncmp(text, "inf", 3) == 0) {
        return text + 3;
    }
    if (!isdigit((unsigned char)*text)) {
        return NULL;
    }
    text += strspn(text, "0123456789.");
    text += *text && strchr("kKmMgGtT", *text);
    return text + (*text == 'b' || *text == 'B');
}

static int is_range(const char *word)
{
    const char *middle = skip_size(word), *end;

    if (!middle || *middle != '-') {
        return 0;
    }
    end = skip_size(middle + 1);
    return end && *end == '\0';
}

static int is_memory(const char *word)
{
    static const char *const types[] = {"host", "cuda",         "cuda_managed",
                                        "rocm", "rocm_managed", NULL};

    for (int i = 0; types[i]; i++) {
        if (strcasecmp(types[i], word) == 0) {
            return 1;
        }
    }
    return 0;
}

static int is_score(const char *word)
{
    return strcmp(word, "inf") == 0 || (*word && word[strspn(word, "0123456789")] == '\0');
}

/* Whether a part is of any known kind, but an algorithm. */
static int is_part(const char *part)
{
    char copy[MAX_LINE];
    static int (*const kinds[])(const char *) = {is_collective, is_range, is_memory, is_score};

    if (*part == '[') {
        return part[strlen(part) - 1] == ']';
    }
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        (void)snprintf(copy, sizeof(copy), "%s", part);
        if (is_list(copy, kinds[i])) {
            return 1;
        }
    }
    return 0;
}

/* Report an algorithm that a collective does not have, or not in all versions. */
static void check_algorithm(struct lint *lint, int line, const char *collective, const char *name)
{
    const struct algorithm *a = algorithms;
    static const struct {
        const char *since, *before;
    } before[] = {{"1.3", "1.2"}, {"1.4", "1.3"}, {"1.7", "1.6"}, {"1.9", "1.8"}};

    if (isdigit((unsigned char)*name)) {
        return; /* by its number */
    }
    while (a->collective &&
           (strcmp(a->collective, collective) != 0 || strcmp(a->name, name) != 0)) {
        a++;
    }
    if (!a->collective) {
        lint_find(lint, line, NULL, NULL, "%s has no algorithm '%s': UCC discards the whole string",
                  collective, name);
        return;
    }
    for (size_t i = 0; a->since && i < sizeof(before) / sizeof(before[0]); i++) {
        if (strcmp(before[i].since, a->since) == 0) {
            lint_find(lint, line, NULL, before[i].before,
                      "%s has no algorithm '%s' yet: UCC discards the whole string", collective,
                      name);
        }
    }
}

/* Of the string of tl/ucp, algorithms are checked, too; other layers have others. */
static void check_token(struct lint *lint, int line, char *token, int is_ucp)
{
    char collectives[MAX_LINE] = "", *rest, *word;
    const char *algorithm = NULL;

    for (char *part = strtok_r(token, ":", &rest); part; part = strtok_r(NULL, ":", &rest)) {
        char copy[MAX_LINE];
        (void)snprintf(copy, sizeof(copy), "%s", part);
        if (*part == '@') {
            algorithm = part + 1;
        } else if (strcmp(part, "cpu") == 0) {
            lint_find(lint, line, NULL, NULL,
                      "'cpu' is no type of memory, which is 'host': UCC discards the whole string");
        } else if (!is_part(part)) {
            lint_find(lint, line, NULL, NULL,
                      "'%s' is no collective, range, type of memory or score: UCC discards the "
                      "whole string",
                      part);
        } else if (is_list(copy, is_collective)) {
            (void)snprintf(collectives, sizeof(collectives), "%s", part);
        }
    }
    if (algorithm && !collectives[0]) {
        lint_find(lint, line, NULL, NULL,
                  "'@%s' without a collective: UCC discards the whole string", algorithm);
    }
    for (word = strtok_r(collectives, ",", &rest); algorithm && word && is_ucp;
         word = strtok_r(NULL, ",", &rest)) {
        check_algorithm(lint, line, word, algorithm);
    }
}

static void check_string(struct lint *lint, int line, char *value, int is_ucp)
{
    char *rest, *token;

    if (*value == '"' || *value == '\'') {
        const size_t end = strlen(value) - 1;
        value[end > 0 && value[end] == *value ? end : end + 1] = '\0';
        value++;
    }
    for (token = strtok_r(value, "#", &rest); token; token = strtok_r(NULL, "#", &rest)) {
        check_token(lint, line, token, is_ucp);
    }
}

/* Keys of a section such as [vendor=intel model=skylake team_size=32]. */
static void check_section(struct lint *lint, int line, char *text)
{
    static const char *const keys[] = {"vendor", "model",  "team_size", "ppn",
                                       "sock",   "nnodes", NULL};
    char *rest, *word;

    text[strcspn(text, "]")] = '\0';
    for (word = strtok_r(text + 1, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        int is_key = 0;
        for (int i = 0; keys[i]; i++) {
            const size_t n = strlen(keys[i]);
            is_key |= strncmp(word, keys[i], n) == 0 && word[n] == '=';
        }
        if (!is_key) {
            lint_find(lint, line, NULL, NULL,
                      "'%s' is no key of a section; valid: vendor, model, team_size, ppn, sock, "
                      "nnodes",
                      word);
        }
    }
}

static enum hitop_status check_ucc(const char *text, size_t length, struct lint *lint,
                                   struct hitop_diag *diag)
{
    char *line = malloc(length + 1);

    if (!line) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    for (int number = 1; lint_line(&text, '\0', line, length + 1); number++) {
        char *value = ucc_tune(line);
        if (line[0] == '[') {
            check_section(lint, number, line);
        } else if (value) {
            check_string(lint, number, value, strncmp(line, "UCC_TL_UCP_", 11) == 0);
        }
    }
    free(line);
    return HITOP_OK;
}

static int is_ucc(const char *text)
{
    return strstr(text, "UCC_") != NULL;
}

const struct lint_kind lint_ucc = {
    .name = "ucc",
    .software = "UCC",
    .newest = "1.8",
    .is_kind = is_ucc,
    .check = check_ucc,
    .in_force = ucc_in_force,
};
