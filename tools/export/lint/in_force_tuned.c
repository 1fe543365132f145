/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * in_force_tuned.c - the rule for coll/tuned of Open MPI that is in force.
 *
 * Up to 5.0 the last block of at most the ranks is taken, or the first one where all are larger; in
 * it the last rule of at most the bytes. From 6.0 on the first block and the first rule are taken
 * that match; blocks of the classic format begin where the block before does.
 *
 * Source: tuned_collectives.h; coll_tuned_dynamic_rules.c beside it
 */
#include <config.h>

#include "tools/export/lint/in_force.h"
#include "tools/export/lint/lint_tuned.h"

#include <limits.h>
#include <string.h>

enum { ELEMENT = 8 };

/* What the rules of a collective are looked up with. */
struct lookup {
    const struct lint *lint;
    const struct lint_query *query;
    const struct tuned_collective *tuned;
    int is_json;
    long ranks, bytes;
};

static int is_mine(const struct lookup *l, const struct lint_rule *rule)
{
    return strcmp(rule->collective, l->tuned->name) == 0;
}

static long bytes_of(const struct lint_query *query, const struct tuned_collective *t)
{
    const long ranks = in_force_ranks(query);
    const long bytes = query->bytes < LONG_MAX ? (long)query->bytes : LONG_MAX;

    if (t->operation == HITOP_SCAN || t->operation == HITOP_EXSCAN) {
        return ELEMENT * ranks;
    }
    if (t->operation == HITOP_BARRIER || t->operation == HITOP_ALLTOALLV) {
        return 0;
    }
    if (t->size == TUNED_TOTAL || t->operation == HITOP_GATHER || t->operation == HITOP_SCATTER) {
        return bytes < LONG_MAX / ranks ? bytes * ranks : LONG_MAX;
    }
    return bytes;
}

/* The ranks from which a block of the classic format is used by 6.0 and later, and the last. */
static void shift(const struct lookup *l, const struct lint_rule *rule, long *low, long *high)
{
    *low = 0;
    *high = LONG_MAX;
    for (size_t i = 0; i < l->lint->nrules; i++) {
        const struct lint_rule *r = &l->lint->rule[i];
        if (is_mine(l, r) && r->block == rule->block - 1) {
            *low = r->ranks;
        }
        if (is_mine(l, r) && r->block > rule->block) {
            *high = rule->ranks - 1;
        }
    }
}

static int suits_job(const struct lookup *l, const struct lint_rule *rule)
{
    return !(rule->one_host && l->query->hosts > 1) &&
           !(rule->one_per_host && l->query->ranks_per_host > 1);
}

/* The block in force: its number, or -1. */
static int find_block(const struct lookup *l)
{
    const int is_new = l->is_json || l->query->version.major >= 6;
    int found = -1;

    for (size_t i = 0; i < l->lint->nrules; i++) {
        const struct lint_rule *r = &l->lint->rule[i];
        long low = r->ranks, high = r->most_ranks;
        if (!is_mine(l, r)) {
            continue;
        }
        if (is_new) {
            if (!l->is_json) {
                shift(l, r, &low, &high);
            }
            if (low <= l->ranks && l->ranks <= high && suits_job(l, r)) {
                return r->block;
            }
        } else if (found < 0 || r->ranks <= l->ranks) {
            found = r->block;
        }
    }
    return found;
}

/* The rule in force of a block, or NULL. */
static const struct lint_rule *find_rule(const struct lookup *l, int block)
{
    const struct lint_rule *found = NULL;

    for (size_t i = 0; i < l->lint->nrules; i++) {
        const struct lint_rule *r = &l->lint->rule[i];
        if (!is_mine(l, r) || r->block != block) {
            continue;
        }
        if (l->is_json) {
            if (r->bytes <= l->bytes && l->bytes <= r->most_bytes) {
                return r;
            }
        } else if (!found || r->bytes <= l->bytes) {
            found = r;
        } else {
            break;
        }
    }
    return found;
}

/* Whether ranks that look up another size of gather or scatter may choose another algorithm. */
static int depends_on_size(const struct lookup *l, const struct lint_rule *rule)
{
    if (l->tuned->operation != HITOP_GATHER && l->tuned->operation != HITOP_SCATTER) {
        return 0;
    }
    for (size_t i = 0; i < l->lint->nrules; i++) {
        const struct lint_rule *r = &l->lint->rule[i];
        if (is_mine(l, r) && r->block == rule->block && r->algorithm != rule->algorithm) {
            return 1;
        }
    }
    return 0;
}

/* How the size of a collective is looked up, where that is not plain. */
static void put_lookup(const struct lookup *l, FILE *to)
{
    const int operation = l->tuned->operation;

    if (operation == HITOP_ALLTOALLV) {
        fputs("; always looked up with 0 bytes", to);
    } else if (operation == HITOP_SCAN || operation == HITOP_EXSCAN) {
        fprintf(to, "; looked up with %ld bytes, those of %ld elements of %d bytes", l->bytes,
                l->ranks, ELEMENT);
    } else if ((size_t)l->bytes != l->query->bytes && operation != HITOP_BARRIER) {
        fprintf(to, "; looked up with %ld bytes, those of all ranks", l->bytes);
    }
}

static void put_rule(const struct lookup *l, const struct lint_rule *rule, FILE *to)
{
    const int major = l->query->version.major;
    const int operation = l->tuned->operation;
    const int by_elements =
        (operation == HITOP_BCAST && (rule->algorithm == 8 || rule->algorithm == 9)) ||
        (operation == HITOP_ALLREDUCE && rule->algorithm == 6);

    if (rule->algorithm > (major < 6 ? l->tuned->max : l->tuned->max_6)) {
        fprintf(to, "MPI_ERR_ARG: Open MPI %d has no algorithm %ld", major, rule->algorithm);
    } else {
        fprintf(to, "algorithm %ld (%s), fan-out %ld, segment %ld", rule->algorithm,
                tuned_algorithm_name(l->tuned, rule->algorithm, major), rule->fanout,
                rule->segment);
    }
    if (by_elements && (size_t)l->ranks > l->query->bytes) {
        fputs("; it turns linear: there are fewer elements than ranks", to);
    } else if (by_elements && (size_t)l->ranks * ELEMENT > l->query->bytes) {
        fprintf(to,
                "; it turns linear for elements of more than %zu bytes: there are fewer than "
                "ranks",
                l->query->bytes / (size_t)l->ranks);
    }
    put_lookup(l, to);
    if (depends_on_size(l, rule)) {
        fputs("; ranks may look up different sizes and choose different algorithms", to);
    }
}

static void print_collective(const struct lookup *l, FILE *to)
{
    static const char by_default[] = "the library's default:";
    const struct lint_finding *ignored = in_force_ignored(l->lint, l->query->version);
    const int block = find_block(l);
    const struct lint_rule *rule = block >= 0 ? find_rule(l, block) : NULL;
    int any = 0;

    for (size_t i = 0; i < l->lint->nrules; i++) {
        any |= is_mine(l, &l->lint->rule[i]);
    }
    in_force_begin(l->lint, rule ? rule->line : 0, l->tuned->name, to);
    if (ignored) {
        fprintf(to, "%s the whole file is ignored because of line %d", by_default, ignored->line);
    } else if (l->tuned->max_6 == 0) {
        fprintf(to, "%s it has no algorithms to choose", by_default);
    } else if (!any) {
        fprintf(to, "%s there are no rules for it", by_default);
    } else if (block < 0) {
        fprintf(to, "%s there is no rule for %ld ranks in this job", by_default, l->ranks);
    } else if (!rule) {
        fprintf(to, "%s there is no rule for this size", by_default);
        put_lookup(l, to);
    } else if (rule->algorithm < 0) {
        fprintf(to, "%s %s", by_default,
                l->is_json ? "the rule is disabled" : "the block has no rules");
    } else if (rule->algorithm == 0) {
        fprintf(to, "%s the rule has algorithm 0", by_default);
        put_lookup(l, to);
    } else {
        put_rule(l, rule, to);
    }
    fputc('\n', to);
}

enum hitop_status tuned_in_force(const char *text, size_t length, const struct lint *lint,
                                 const struct lint_query *query, FILE *to, struct hitop_diag *diag)
{
    (void)length;
    (void)diag;
    for (const struct tuned_collective *t = tuned_collectives(); t->name; t++) {
        if (t->operation >= 0 && in_force_asks(query, t->name) &&
            (t->max_6 > 0 || query->operation)) {
            const struct lookup l = {.lint = lint,
                                     .query = query,
                                     .tuned = t,
                                     .is_json = text[strspn(text, " \t\r\n")] == '{',
                                     .ranks = in_force_ranks(query),
                                     .bytes = bytes_of(query, t)};
            print_collective(&l, to);
        }
    }
    return HITOP_OK;
}
