/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * in_force_csel.c - the algorithm that a file of choices of MPICH takes: of the members of an
 * object the first whose condition holds is entered, and none is tried after that.
 *
 * Source: MPICH, src/mpi/coll/src/csel.c.
 */
#include <config.h>

#include "tools/export/lint/in_force.h"
#include "tools/export/lint/json_lines.h"

#include <stdlib.h>
#include <string.h>

enum { ELEMENT = 8 };

/* The largest power of two that is not above n. */
static long power_below(long n)
{
    long power = 1;

    while (power <= n / 2) {
        power *= 2;
    }
    return power;
}

/* Whether a number is within "<N" or "<=N"; other conditions are 0. */
static int is_below(double number, const char *limit, double power)
{
    const char *digits = limit + strspn(limit, "<=");
    const double value = strcmp(digits, "pow2") == 0 ? power : atof(digits);

    return *limit == '<' && (limit[1] == '=' ? number <= value : number < value);
}

/* Whether communicators have nodes with several ranks on several hosts. */
static int is_parent(const struct lint_query *query)
{
    return query->hosts > 1 && query->ranks_per_host > 1;
}

static int has_hierarchy(const struct lint_query *query, const char *value)
{
    if (strcmp(value, "parent") == 0 || query->version.major >= 5) {
        return is_parent(query) == (strcmp(value, "parent") == 0);
    }
    return strcmp(value, "flat") == 0 && !is_parent(query);
}

/* Whether a condition with '=' holds for operands that commute, of MPI's own operations. */
static int is_equal(const struct lint_query *query, const char *key, const char *value)
{
    static const char *const yes[] = {"is_commutative", "is_op_built_in", "is_block_regular",
                                      "is_node_consecutive"};
    const long ranks = in_force_ranks(query);
    const size_t n = strcspn(key, "=");

    if (strncmp(key, "comm_type=", 10) == 0) {
        return strcmp(value, "intra") == 0;
    }
    if (strncmp(key, "comm_size=", 10) == 0) {
        return strcmp(value, "pow2") == 0             ? power_below(ranks) == ranks
               : strcmp(value, "node_comm_size") == 0 ? query->hosts == 1
                                                      : 0;
    }
    if (strncmp(key, "comm_hierarchy=", 15) == 0) {
        return has_hierarchy(query, value);
    }
    for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
        if (strlen(yes[i]) == n && strncmp(yes[i], key, n) == 0) {
            return strcmp(value, "yes") == 0;
        }
    }
    return strcmp(value, "no") == 0; /* in place, several threads */
}

/* Bytes of all ranks; elements where MPICH forgets their size. */
static double total_of(const char *collective, double bytes, double ranks)
{
    const int is_elements = strcmp(collective, "gather") == 0 || strcmp(collective, "scatter") == 0;

    return bytes * ranks / (is_elements ? ELEMENT : 1);
}

/* Elements of the call, of all ranks where they may differ. */
static double count_of(const char *collective, double bytes, double ranks)
{
    const int is_sum =
        strcmp(collective, "allgatherv") == 0 || strcmp(collective, "reduce_scatter") == 0;

    return bytes / ELEMENT * (is_sum ? ranks : 1);
}

static int holds(const struct lint_query *query, const char *collective, const char *key)
{
    const size_t n = strcspn(key, "<=");
    const double ranks = (double)in_force_ranks(query), bytes = (double)query->bytes;
    const double power = (double)power_below((long)ranks);

    if (strcmp(key, "any") == 0 || strcmp(key + n, "=any") == 0) {
        return 1;
    }
    if (strncmp(key, "collective=", 11) == 0) {
        return strcmp(key + 11, collective) == 0;
    }
    if (strncmp(key, "comm_avg_ppn<", 13) == 0 && query->version.major >= 5 && !is_parent(query)) {
        return 0;
    }
    if (key[n] == '=') {
        return is_equal(query, key, key + n + 1);
    }
    return is_below(strncmp(key, "comm_size", n) == 0        ? ranks
                    : strncmp(key, "comm_avg_ppn", n) == 0   ? query->ranks_per_host
                    : strncmp(key, "total_msg_size", n) == 0 ? total_of(collective, bytes, ranks)
                    : strncmp(key, "count", n) == 0          ? count_of(collective, bytes, ranks)
                                                             : bytes,
                    key + n, power);
}

static int is_leaf(const char *key)
{
    return strncmp(key, "algorithm=", 10) == 0 || strncmp(key, "composition=", 12) == 0;
}

/* Enter conditions down to an algorithm; NULL: none is reached. */
static const struct json_lines *walk(const struct json_lines *object,
                                     const struct lint_query *query, const char *collective)
{
    const struct json_lines *m = object->first;

    while (m) {
        char key[256];
        json_lines_strip(m->key, key, sizeof(key));
        if (is_leaf(key)) {
            return m;
        }
        m = !holds(query, collective, key) ? m->next : m->first;
    }
    return NULL;
}

static void print_leaf(const struct lint *lint, const struct lint_query *query,
                       const char *collective, const struct json_lines *leaf, FILE *to)
{
    char key[256];

    in_force_begin(lint, leaf ? leaf->line : 0, collective, to);
    if (!leaf) {
        fprintf(to, "no algorithm for %ld ranks: the first call ends the program\n",
                in_force_ranks(query));
        return;
    }
    json_lines_strip(leaf->key, key, sizeof(key));
    fputs(key + strcspn(key, "=") + 1, to);
    for (const struct json_lines *m = leaf->first; m; m = m->next) {
        json_lines_strip(m->key, key, sizeof(key));
        fprintf(to, ", %s", key);
    }
    fputc('\n', to);
}

enum hitop_status csel_in_force(const char *text, size_t length, const struct lint *lint,
                                const struct lint_query *query, FILE *to, struct hitop_diag *diag)
{
    struct json_lines *root = NULL;
    enum hitop_status status = json_lines_parse(text, length, lint->name, &root, diag);

    for (const struct hitop_operation *o = hitop_operations(); status == HITOP_OK && o->name; o++) {
        char name[64];
        (void)snprintf(name, sizeof(name), "collective=%s", o->name);
        if (in_force_asks(query, o->name) && (query->operation || strstr(text, name))) {
            print_leaf(lint, query, o->name, walk(root, query, o->name), to);
        }
    }
    json_lines_free(root);
    return status;
}
