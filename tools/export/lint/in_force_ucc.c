/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * in_force_ucc.c - the tokens of strings UCC_..._TUNE that match. Sizes are those of the output of
 * a rank; for alltoallv, gatherv and scatterv UCC knows none. A range ends before its second size.
 *
 * Source: UCC, src/utils/ucc_coll_utils.c (sizes), src/coll_score/ucc_coll_score.c.
 */
#include <config.h>

#include "tools/export/lint/in_force.h"
#include "tools/export/lint/lint_lines.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

enum { MAX_LINE = 8192 };

static double bytes_of(const struct lint_query *query, const char *collective)
{
    static const char *const unknown[] = {"alltoallv", "gatherv", "scatterv", NULL};
    static const char *const all[] = {"allgather", "allgatherv",      "alltoall", "gather",
                                      "scatter",   "reduce_scatterv", NULL};

    for (int i = 0; unknown[i]; i++) {
        if (strcmp(unknown[i], collective) == 0) {
            return INFINITY;
        }
    }
    for (int i = 0; all[i]; i++) {
        if (strcmp(all[i], collective) == 0) {
            return (double)query->bytes * (double)in_force_ranks(query);
        }
    }
    return strcmp(collective, "barrier") == 0 ? 0 : (double)query->bytes;
}

/* "4096", "4K", "1Mb", "inf". */
static double size_of(const char *text, char **end)
{
    static const char units[] = "kmgt";
    const double number = strtod(text, end);
    const char *unit = **end ? strchr(units, tolower((unsigned char)**end)) : NULL;

    if (unit) {
        (*end)++;
    }
    *end += **end == 'b' || **end == 'B';
    return unit ? ldexp(number, 10 * (int)(unit - units + 1)) : number;
}

/* Whether a number is in one of ranges such as "0-4k,1M-inf"; -1: they are no ranges. */
static int is_within(const char *ranges, double number, int has_last)
{
    int found = 0;

    while (*ranges) {
        char *end;
        const double low = size_of(ranges, &end);
        double high = low;
        if (end == ranges) {
            return -1;
        }
        if (*end == '-') {
            high = size_of(end + 1, &end);
        } else if (!has_last) {
            return -1; /* a score */
        }
        found |= low <= number &&
                 (number < high || (has_last && number <= high) || (isinf(high) && isinf(number)));
        ranges = end + (*end == ',' || *end == ']');
        if (*end && *end != ',' && *end != ']') {
            return -1;
        }
    }
    return found;
}

/* Whether a list has a word; 0 also if it is another list. */
static int has_word(const char *list, const char *word)
{
    const size_t n = strlen(word);

    for (const char *c = list; (c = strstr(c, word)); c += n) {
        if ((c == list || c[-1] == ',') && (c[n] == ',' || c[n] == '\0')) {
            return 1;
        }
    }
    return 0;
}

/* Whether a list of words is of collectives. */
static int names_collectives(const char *list)
{
    for (const struct hitop_operation *o = hitop_operations(); o->name; o++) {
        if (has_word(list, o->name)) {
            return 1;
        }
    }
    return strstr(list, "reduce_scatterv") || strstr(list, "fan") == list;
}

/* Whether a token is for an operation, size and job, in memory of the host. */
static int matches(const char *token, const struct lint_query *query, const char *collective)
{
    char copy[MAX_LINE], *rest;

    (void)snprintf(copy, sizeof(copy), "%s", token);
    for (char *part = strtok_r(copy, ":", &rest); part; part = strtok_r(NULL, ":", &rest)) {
        if (*part == '@') {
            continue;
        }
        if (*part == '[') {
            if (is_within(part + 1, (double)in_force_ranks(query), 1) == 0) {
                return 0;
            }
        } else if (names_collectives(part)) {
            if (!has_word(part, collective)) {
                return 0;
            }
        } else if (isdigit((unsigned char)*part)) {
            if (is_within(part, bytes_of(query, collective), 0) == 0) {
                return 0;
            }
        } else if ((strncasecmp(part, "cuda", 4) == 0 || strncasecmp(part, "rocm", 4) == 0) &&
                   !strstr(part, "host")) {
            return 0;
        }
    }
    return 1;
}

/* Whether a section is for other jobs; its processors are not known. */
static int excludes(const char *section, const struct lint_query *query)
{
    static const char *const keys[] = {"team_size=", "ppn=", "nnodes="};
    const long values[] = {in_force_ranks(query), query->ranks_per_host, query->hosts};

    for (int i = 0; i < 3; i++) {
        const char *found = strstr(section, keys[i]);
        if (found) {
            char range[64];
            found += strlen(keys[i]);
            (void)snprintf(range, sizeof(range), "%.*s", (int)strcspn(found, " ]"), found);
            if (is_within(range, (double)values[i], 1) == 0) {
                return 1;
            }
        }
    }
    return 0;
}

static int print_tokens(const struct lint *lint, const struct lint_query *query, int line,
                        char *value, const char *section, const char *collective, FILE *to)
{
    char *rest;
    int count = 0;

    if (*value == '"' || *value == '\'') {
        value++;
        value[strcspn(value, "\"'")] = '\0';
    }
    for (char *token = strtok_r(value, "#", &rest); token; token = strtok_r(NULL, "#", &rest)) {
        if (matches(token, query, collective)) {
            in_force_begin(lint, line, collective, to);
            fprintf(to, "%s%s%s\n", token, *section ? ", on processors of " : "", section);
            count++;
        }
    }
    return count;
}

char *ucc_tune(char *line)
{
    char *equal = line[0] != '#' ? strchr(line, '=') : NULL, *end = equal;

    while (end && end > line && strchr(" \t", end[-1])) {
        end--;
    }
    return end && end - line > 5 && strncmp(end - 5, "_TUNE", 5) == 0
               ? equal + 1 + strspn(equal + 1, " \t")
               : NULL;
}

/* `line` has room for the longest line of the text. */
static void print_collective(const char *text, char *line, size_t room, const struct lint *lint,
                             const struct lint_query *query, const char *collective, FILE *to)
{
    char section[MAX_LINE] = "";
    int count = 0;

    for (int number = 1; lint_line(&text, '\0', line, room); number++) {
        char *value = ucc_tune(line);
        if (line[0] == '[') {
            (void)snprintf(section, sizeof(section), "%s", line);
        } else if (value && !excludes(section, query)) {
            count += print_tokens(lint, query, number, value, section, collective, to);
        }
    }
    if (count == 0 && query->operation) {
        in_force_begin(lint, 0, collective, to);
        fputs("the library's default: no token is for it\n", to);
    }
}

enum hitop_status ucc_in_force(const char *text, size_t length, const struct lint *lint,
                               const struct lint_query *query, FILE *to, struct hitop_diag *diag)
{
    char *line = malloc(length + 1);

    if (!line) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    for (const struct hitop_operation *o = hitop_operations(); o->name; o++) {
        if (in_force_asks(query, o->name)) {
            print_collective(text, line, length + 1, lint, query, o->name, to);
        }
    }
    free(line);
    return HITOP_OK;
}
