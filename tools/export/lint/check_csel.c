/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_csel.c - check choices of algorithms of MPICH (MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE
 * and those of its devices).
 *
 * The file is a tree: the key of a member is a condition, members are tried in their order, and
 * "algorithm=..." or "composition=..." ends a path. MPICH checks some of it with assertions, in
 * MPI_Init or in the first call that gets there.
 *
 * Source: MPICH, src/mpi/coll/src/csel.c, csel_container.c.
 */
#include <config.h>

#include "tools/export/lint/in_force.h"
#include "tools/export/lint/json_lines.h"
#include "tools/export/lint/lint.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, NCOLLECTIVES = 44 };

/* All collectives: these, and those with an i before. */
static const char *const collectives[] = {"allgather",
                                          "allgatherv",
                                          "allreduce",
                                          "alltoall",
                                          "alltoallv",
                                          "alltoallw",
                                          "barrier",
                                          "bcast",
                                          "exscan",
                                          "gather",
                                          "gatherv",
                                          "neighbor_allgather",
                                          "neighbor_allgatherv",
                                          "neighbor_alltoall",
                                          "neighbor_alltoallv",
                                          "neighbor_alltoallw",
                                          "reduce",
                                          "reduce_scatter",
                                          "reduce_scatter_block",
                                          "scan",
                                          "scatter",
                                          "scatterv",
                                          NULL};

/* Conditions on a call, and the collectives that have the property; others end the program. */
static const struct {
    const char *property;
    const char *const has[16];
} properties[] = {
    {"avg_msg_size", {"bcast", "reduce", "allreduce", "alltoall"}},
    {"total_msg_size",
     {"allgather", "allgatherv", "allreduce", "alltoall", "alltoallv", "alltoallw", "bcast",
      "gather", "reduce", "reduce_scatter", "reduce_scatter_block", "scatter"}},
    {"count",
     {"allgather", "allgatherv", "allreduce", "bcast", "reduce", "reduce_scatter",
      "reduce_scatter_block"}},
    {"is_commutative", {"allreduce", "reduce", "reduce_scatter", "reduce_scatter_block"}},
    {"is_op_built_in", {"allreduce", "reduce"}},
    {"is_sendbuf_inplace", {"alltoall", "alltoallv", "alltoallw"}},
    {"is_block_regular", {"reduce_scatter"}},
};

/* Algorithms that are not in all versions: the oldest that has them, the last without. */
static const struct {
    const char *name, *last_without;
} algorithms[] = {
    {"MPIR_Allgather_intra_recexch_doubling", "4.1"},
    {"MPIR_Allgather_intra_recexch_halving", "4.1"},
    {"MPIR_Allreduce_intra_recursive_multiplying", "4.2"},
    {"MPIR_Allreduce_intra_ccl", "4.3"},
    {"MPIR_Bcast_intra_tree", "4.0"},
    {"MPIR_Bcast_intra_pipelined_tree", "4.0"},
    {"MPIR_Allreduce_intra_ring", "4.0"},
    {"MPIR_Barrier_intra_k_dissemination", "4.0"},
};

/* Where in the tree a member is. */
struct place {
    const char *collective; /* without an i before; NULL: above */
    int is_inter;           /* 1: of intercommunicators, where MPICH's own choices do so */
};

static size_t property_length(const char *key)
{
    return strcspn(key, "<=");
}

static int is_any(const char *key)
{
    const size_t n = strlen(key);

    return strcmp(key, "any") == 0 || (n > 4 && strcmp(key + n - 4, "=any") == 0);
}

static int is_numeric(const char *key)
{
    const char *value = key + property_length(key);

    return *value == '<' || strcmp(value, "=pow2") == 0 || strcmp(value, "=node_comm_size") == 0;
}

static int is_leaf(const char *key)
{
    return strncmp(key, "algorithm=", 10) == 0 || strncmp(key, "composition=", 12) == 0;
}

/* Whether a collective has a property; all have those of communicators. */
static int has_property(const char *collective, const char *key)
{
    const size_t n = property_length(key);

    for (size_t p = 0; p < sizeof(properties) / sizeof(properties[0]); p++) {
        if (strlen(properties[p].property) == n && strncmp(properties[p].property, key, n) == 0) {
            for (int i = 0; i < 16 && properties[p].has[i]; i++) {
                if (strcmp(properties[p].has[i], collective) == 0) {
                    return 1;
                }
            }
            return 0;
        }
    }
    return 1;
}

static int is_of_communicator(const char *key)
{
    return strncmp(key, "comm_", 5) == 0 || strncmp(key, "is_node_consecutive=", 20) == 0 ||
           strcmp(key, "any") == 0;
}

static int is_known(const char *key)
{
    const size_t n = property_length(key);
    static const char *const others[] = {"comm_type",    "comm_size",           "comm_hierarchy",
                                         "comm_avg_ppn", "is_node_consecutive", "is_multi_threaded",
                                         "collective"};

    for (size_t i = 0; i < sizeof(properties) / sizeof(properties[0]); i++) {
        if (strlen(properties[i].property) == n && strncmp(properties[i].property, key, n) == 0) {
            return 1;
        }
    }
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        if (strlen(others[i]) == n && strncmp(others[i], key, n) == 0) {
            return 1;
        }
    }
    return is_any(key);
}

static void check_number(struct lint *lint, const char *key, int line)
{
    const char *value = key + property_length(key);
    const char *digits = value + strspn(value, "<=");

    if (*value == '<' && strcmp(digits, "pow2") != 0) {
        char *end;
        const long long number = strtoll(digits, &end, 10);
        if (*end || end == digits || number > 2147483647) {
            lint_find(lint, line, NULL, NULL,
                      "'%s' is no plain integer below 2^31: MPICH reads another number", key);
        }
    }
}

/* Check the condition of a member inside a collective. */
static void check_inside(struct lint *lint, const char *key, int line, const struct place *place)
{
    const int is_total = strncmp(key, "total_msg_size<", 15) == 0;

    if (!is_any(key) && !has_property(place->collective, key)) {
        lint_find(lint, line, NULL, NULL,
                  "%.*s is not defined for %s: the first call ends the program",
                  (int)property_length(key), key, place->collective);
    } else if (is_total && !place->is_inter &&
               (strcmp(place->collective, "gather") == 0 ||
                strcmp(place->collective, "scatter") == 0)) {
        lint_find(lint, line, NULL, NULL,
                  "total_msg_size of %s counts elements, not bytes, times ranks",
                  place->collective);
    }
}

static void check_condition(struct lint *lint, const char *key, int line, const struct place *place)
{
    if (!is_known(key)) {
        lint_find(lint, line, NULL, NULL, "'%s' is no condition: MPI_Init ends the program", key);
        return;
    }
    if (strcmp(key, "any") == 0) {
        lint_find(lint, line, NULL, "4.1", "'any' is not known alone: write \"...=any\"");
    }
    if (strncmp(key, "comm_avg_ppn<", 13) == 0) {
        if (key[13] != '=') {
            lint_find(lint, line, NULL, "4.1",
                      "comm_avg_ppn< is not known: MPI_Init ends the program");
        }
        lint_find(lint, line, "5.0", NULL,
                  "comm_avg_ppn is never small enough for a communicator without a hierarchy, such "
                  "as one rank on each node");
    }
    if (strcmp(key, "comm_hierarchy=node_roots") == 0 || strcmp(key, "comm_hierarchy=node") == 0 ||
        strcmp(key, "comm_hierarchy=flat") == 0) {
        lint_find(lint, line, "5.0", NULL, "%s means any communicator that is not parent", key);
    }
    check_number(lint, key, line);
    if (place->collective) {
        check_inside(lint, key, line, place);
    } else if (strncmp(key, "collective=", 11) != 0 && !is_of_communicator(key)) {
        lint_find(lint, line, NULL, NULL,
                  "'%s' stands above the collectives, where only conditions on communicators may: "
                  "MPI_Init ends the program",
                  key);
    }
}

static void check_algorithm(struct lint *lint, const char *key, int line)
{
    for (size_t i = 0; i < sizeof(algorithms) / sizeof(algorithms[0]); i++) {
        if (strcmp(key + strcspn(key, "=") + 1, algorithms[i].name) == 0) {
            lint_find(lint, line, NULL, algorithms[i].last_without,
                      "there is no %s: MPI_Init ends the program", algorithms[i].name);
        }
    }
    if (strcmp(key, "algorithm=MPIR_Barrier_intra_dissemination") == 0) {
        lint_find(lint, line, "4.1", NULL,
                  "there is no MPIR_Barrier_intra_dissemination, which is "
                  "MPIR_Barrier_intra_k_dissemination: MPI_Init ends the program");
    }
}

/* Members after the last one that applies always, and the lack of such a member. */
static void check_members(struct lint *lint, const struct json_lines *object)
{
    const struct json_lines *last = NULL;
    char key[256], before[256] = "";
    int numeric = 0, line_of_any = 0;

    for (const struct json_lines *m = object->first; m; last = m, m = m->next) {
        json_lines_strip(m->key, key, sizeof(key));
        if (line_of_any) {
            lint_find(lint, m->line, NULL, NULL,
                      "'%s' follows \"any\" in line %d, which must be the last: MPI_Init ends the "
                      "program",
                      key, line_of_any);
        }
        if (last && property_length(key) == property_length(before) && strchr(key, '<') &&
            strncmp(key, before, property_length(key) + 1) == 0 &&
            atoll(key + strcspn(key, "0123456789")) <
                atoll(before + strcspn(before, "0123456789"))) {
            lint_find(lint, m->line, NULL, NULL, "'%s' is never reached: '%s' stands before it",
                      key, before);
        }
        line_of_any = is_any(key) ? m->line : 0;
        numeric |= is_numeric(key);
        strcpy(before, key);
    }
    if (numeric && !line_of_any) {
        lint_find(lint, last->line, NULL, NULL,
                  "no \"%.*s=any\" follows '%s': MPI_Init ends the program",
                  (int)property_length(before), before, before);
    }
}

static void check_tree(struct lint *lint, const struct json_lines *object,
                       const struct place *place, unsigned long long *seen);

/* The index of a collective, 100 more for those that do not block; -1: there is none. */
static int find_collective(const char *name)
{
    for (int blocking = 0; blocking < 2; blocking++) {
        for (int i = 0; collectives[i]; i++) {
            if ((blocking == 0 || *name == 'i') &&
                strcmp(collectives[i], blocking == 0 ? name : name + 1) == 0) {
                return i + 100 * blocking;
            }
        }
    }
    return -1;
}

static void check_member(struct lint *lint, const struct json_lines *m, const struct place *place,
                         unsigned long long *seen)
{
    char key[256];
    struct place inside = *place;
    int index;

    json_lines_strip(m->key, key, sizeof(key));
    if (is_leaf(key)) {
        check_algorithm(lint, key, m->line);
        return;
    }
    check_condition(lint, key, m->line, place);
    inside.is_inter |= strcmp(key, "comm_type=inter") == 0;
    if (m->kind != JSON_OBJECT) {
        lint_find(lint, m->line, NULL, NULL, "'%s' is no object: MPI_Init ends the program", key);
        return;
    }
    if (strncmp(key, "collective=", 11) == 0) {
        index = find_collective(key + 11);
        if (index < 0) {
            lint_find(lint, m->line, NULL, NULL,
                      "there is no collective '%s': MPI_Init ends the program", key + 11);
            return;
        }
        *seen |= 1ull << (index % 100 + (index >= 100 ? 22 : 0));
        inside.collective = collectives[index % 100];
    }
    if (!m->first) {
        lint_find(lint, m->line, NULL, NULL, "'%s' has no algorithm: MPI_Init ends the program",
                  key);
    }
    check_tree(lint, m, &inside, seen);
}

static void check_tree(struct lint *lint, const struct json_lines *object,
                       const struct place *place, unsigned long long *seen)
{
    check_members(lint, object);
    for (const struct json_lines *m = object->first; m; m = m->next) {
        check_member(lint, m, place, seen);
    }
}

static enum hitop_status check_csel(const char *text, size_t length, struct lint *lint,
                                    struct hitop_diag *diag)
{
    const struct place top = {0};
    struct json_lines *root = NULL;
    unsigned long long seen = 0;
    int count = 0;
    enum hitop_status status = json_lines_parse(text, length, lint->name, &root, diag);

    if (status == HITOP_OK) {
        check_tree(lint, root, &top, &seen);
        for (unsigned long long s = seen; s; s &= s - 1) {
            count++;
        }
        if (count < NCOLLECTIVES && strstr(text, "algorithm=MPIR_")) {
            lint_find(lint, 1, NULL, NULL,
                      "%d of %d collectives are missing: their first call ends the program",
                      NCOLLECTIVES - count, NCOLLECTIVES);
        }
        if (length > 0 && length % PAGE == 0) {
            lint_find(lint, 1, NULL, NULL,
                      "the file has %zu bytes, a multiple of %d: MPICH reads beyond its end, which "
                      "may crash; add a blank",
                      length, PAGE);
        }
    }
    json_lines_free(root);
    return status;
}

static int is_csel(const char *text)
{
    return text[strspn(text, " \t\r\n")] == '{' &&
           (strstr(text, "collective=") || strstr(text, "algorithm=") ||
            strstr(text, "composition="));
}

const struct lint_kind lint_csel = {
    .name = "mpich-csel",
    .software = "MPICH",
    .newest = "4.3",
    .is_kind = is_csel,
    .check = check_csel,
    .in_force = csel_in_force,
};
