/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * in_force_han.c - the rules for coll/han of Open MPI that are in force: of the communicator, and
 * of those in nodes and between them. The last rule counts whose ranks and bytes are not too many.
 *
 * Source: Open MPI, ompi/mca/coll/han/coll_han_dynamic.c.
 */
#include <config.h>

#include "tools/export/lint/in_force.h"
#include "tools/export/lint/tuned_collectives.h"

#include <string.h>

enum { IN_NODES, BETWEEN_NODES, WHOLE, NLEVELS };

/* The rule of a level, or NULL. */
static const struct lint_rule *find(const struct lint *lint, const char *collective, int level,
                                    long ranks, size_t bytes)
{
    const struct lint_rule *found = NULL;
    int block = -1;

    for (size_t i = 0; i < lint->nrules; i++) {
        const struct lint_rule *r = &lint->rule[i];
        if (strcmp(r->collective, collective) == 0 && r->level == level && r->ranks <= ranks) {
            block = r->block;
        }
    }
    for (size_t i = 0; i < lint->nrules; i++) {
        const struct lint_rule *r = &lint->rule[i];
        if (strcmp(r->collective, collective) == 0 && r->level == level && r->block == block &&
            (size_t)r->bytes <= bytes) {
            found = r;
        }
    }
    return found;
}

static void print_level(const struct lint *lint, const struct lint_query *query,
                        const char *collective, int level, FILE *to)
{
    static const char *const where[] = {"in nodes", "between nodes", "the communicator"};
    const long ranks[] = {query->ranks_per_host, query->hosts, in_force_ranks(query)};
    const struct lint_rule *rule = find(lint, collective, level, ranks[level], query->bytes);

    in_force_begin(lint, rule ? rule->line : 0, collective, to);
    fprintf(to, "%s, %ld %s: ", where[level], ranks[level], ranks[level] == 1 ? "rank" : "ranks");
    if (rule) {
        fprintf(to, "%s\n", rule->name);
    } else {
        fputs("the library's default: there is no rule\n", to);
    }
}

enum hitop_status han_in_force(const char *text, size_t length, const struct lint *lint,
                               const struct lint_query *query, FILE *to, struct hitop_diag *diag)
{
    (void)text;
    (void)length;
    (void)diag;
    for (const struct tuned_collective *t = tuned_collectives(); t->name; t++) {
        int any = 0;
        for (size_t i = 0; i < lint->nrules; i++) {
            any |= strcmp(lint->rule[i].collective, t->name) == 0;
        }
        if (!in_force_asks(query, t->name) || (!any && !query->operation)) {
            continue;
        }
        if (query->hosts < 2 || query->ranks_per_host < 2) {
            in_force_begin(lint, 0, t->name, to);
            fputs("coll/han serves communicators with several hosts and several ranks on each "
                  "only\n",
                  to);
        } else {
            for (int level = NLEVELS - 1; level >= 0; level--) {
                print_level(lint, query, t->name, level, to);
            }
        }
    }
    return HITOP_OK;
}
