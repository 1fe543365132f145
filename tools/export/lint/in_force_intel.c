/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * in_force_intel.c - the choice of a tree for Intel MPI; a size is taken as the largest of its
 * messages, which is not documented.
 */
#include <config.h>

#include "tools/export/lint/in_force.h"
#include "tools/export/lint/json_lines.h"

#include <stdlib.h>
#include <string.h>

long intel_number(const struct json_lines *member)
{
    const char *equal = strchr(member->key, '=');

    return equal ? atol(equal + 1) : 0;
}

/* The member "KEY=number"; NULL: there is none. A number of -1 is any. */
static const struct json_lines *find(const struct json_lines *object, long number)
{
    for (const struct json_lines *m = object ? object->first : NULL; m; m = m->next) {
        if (intel_number(m) == number || intel_number(m) == -1) {
            return m;
        }
    }
    return NULL;
}

static const struct json_lines *find_size(const struct json_lines *object, size_t bytes)
{
    for (const struct json_lines *m = object ? object->first : NULL; m; m = m->next) {
        if (intel_number(m) == -1 || (intel_number(m) >= 0 && (size_t)intel_number(m) >= bytes)) {
            return m;
        }
    }
    return NULL;
}

/* Names are as in "coll=Reduce_scatter". */
static int is_collective(const struct json_lines *m, const char *name)
{
    return strncmp(m->key, "coll=", 5) == 0 && strcasecmp(m->key + 5, name) == 0;
}

static void print_choice(const struct lint *lint, const struct lint_query *query, const char *name,
                         const struct json_lines *choices, FILE *to)
{
    const struct json_lines *ppn = find(choices, query->ranks_per_host);
    const struct json_lines *ranks = find(ppn, in_force_ranks(query));
    const struct json_lines *size = find_size(ranks ? ranks->first : NULL, query->bytes);
    const struct json_lines *leaf = size ? size->first : NULL;

    in_force_begin(lint, leaf ? leaf->line : 0, name, to);
    if (leaf) {
        fprintf(to, "%s, if sizes are upper limits\n", leaf->key);
    } else if (!ppn) {
        fprintf(to, "no choice for %d ranks on each host\n", query->ranks_per_host);
    } else if (!ranks) {
        fprintf(to, "no choice for %ld ranks\n", in_force_ranks(query));
    } else {
        fputs("no choice for this size\n", to);
    }
}

enum hitop_status intel_in_force(const char *text, size_t length, const struct lint *lint,
                                 const struct lint_query *query, FILE *to, struct hitop_diag *diag)
{
    struct json_lines *root = NULL;
    enum hitop_status status = json_lines_parse(text, length, lint->name, &root, diag);

    for (const struct hitop_operation *o = hitop_operations(); status == HITOP_OK && o->name; o++) {
        const struct json_lines *m = root->first;
        while (m && !is_collective(m, o->name)) {
            m = m->next;
        }
        if (m && in_force_asks(query, o->name)) {
            print_choice(lint, query, o->name, m, to);
        } else if (query->operation == o) {
            in_force_begin(lint, 0, o->name, to);
            fputs("the library's default: there are no choices for it\n", to);
        }
    }
    json_lines_free(root);
    return status;
}
