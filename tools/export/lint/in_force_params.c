/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * in_force_params.c - the parameters of collectives in a file of parameters of Open MPI. The last
 * line with a name counts.
 */
#include <config.h>

#include "tools/export/lint/in_force.h"
#include "tools/export/lint/lint_lines.h"

#include <string.h>

enum { MAX_LINE = 4096 };

int params_split(char *line, char **value)
{
    char *equal = strchr(line, '=');

    if (!equal) {
        return 0;
    }
    *value = equal + 1 + strspn(equal + 1, " \t");
    *equal = '\0';
    while (equal > line && strchr(" \t", equal[-1])) {
        *--equal = '\0';
    }
    return 1;
}

/* Whether a later line sets the same parameter. */
static int is_set_again(const char *text, const char *name)
{
    char line[MAX_LINE], *value;

    while (lint_line(&text, '#', line, sizeof(line))) {
        if (params_split(line, &value) && strcmp(line, name) == 0) {
            return 1;
        }
    }
    return 0;
}

/* "coll_tuned_bcast_algorithm" is about bcast; parameters without an operation are about all. */
static int concerns(const struct lint_query *query, const char *name)
{
    size_t longest = 0;
    int is_it = !query->operation;

    for (const struct hitop_operation *o = hitop_operations(); o->name; o++) {
        const size_t n = strlen(o->name);
        const char *found = strstr(name, o->name);
        if (found && found[-1] == '_' && found[n] == '_' && n > longest) {
            longest = n;
            is_it = !query->operation || query->operation == o;
        }
    }
    return longest == 0 || is_it;
}

enum hitop_status params_in_force(const char *text, size_t length, const struct lint *lint,
                                  const struct lint_query *query, FILE *to, struct hitop_diag *diag)
{
    char line[MAX_LINE], *value;

    (void)length;
    (void)diag;
    for (int number = 1; lint_line(&text, '#', line, sizeof(line)); number++) {
        if (params_split(line, &value) && strncmp(line, "coll_", 5) == 0 && concerns(query, line) &&
            !is_set_again(text, line)) {
            in_force_begin(lint, number, line, to);
            fprintf(to, "%s\n", value);
        }
    }
    return HITOP_OK;
}
