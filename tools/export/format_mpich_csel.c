/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * format_mpich_csel.c - choices of algorithms for MPICH, as its JSON tree of conditions.
 *
 * Idea: a file replaces all choices of operations of one level: those of communicators with one
 *       rank on each node, such as the first ranks of the nodes, between which the compositions for
 *       several ranks on a node exchange messages. So a job is one rank on each of its hosts. For
 *       these numbers of ranks the tree has our rules, else the defaults of MPICH.
 * Use:  MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=FILE
 * Needs: all 44 collectives; a number is no larger than 2^31 - 1; a length that is no multiple of
 *       4096, because MPICH maps the file and expects a zero byte behind it.
 * Source: MPICH, src/mpi/coll/src/csel.c, csel_container.c.
 */
#include <config.h>

#include "tools/export/csel_defaults.h"
#include "tools/export/export_rules.h"

#include <ctype.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096 };

/* What a tree is written from. */
struct tree {
    FILE *to;
    const struct csel_default *of;
    const struct export_rules *rules;
    size_t begin, end; /* rules of the operation, of a job where the tree is inside one */
    int has_k_dissemination;
    int depth;
    int is_first; /* 1: no member stands before in this object */
};

/* The algorithms of one level that all versions have. */
static int is_usable(const struct hitop_mpi_choice *choice)
{
    static const char *const names[] = {"binomial",
                                        "brucks",
                                        "pairwise",
                                        "recursive_doubling",
                                        "recursive_halving",
                                        "reduce_scatter_allgather",
                                        "reduce_scatter_gather",
                                        "ring",
                                        "scatter_recursive_doubling_allgather",
                                        "scatter_ring_allgather",
                                        "scattered",
                                        NULL};

    for (int i = 0; names[i]; i++) {
        if (strcmp(names[i], choice->algorithm->name) == 0) {
            return choice->segment == 0 && choice->fanout == 0;
        }
    }
    return 0;
}

/* Begin a member; its object is open. */
static void open_member(struct tree *t, const char *prefix, const char *key, int length)
{
    fprintf(t->to, "%s\n%*s\"%s%.*s\": {", t->is_first ? "" : ",", 2 * t->depth, "", prefix, length,
            key);
    t->depth++;
    t->is_first = 1;
}

static void close_member(struct tree *t)
{
    t->depth--;
    if (t->is_first) {
        fputs("}", t->to);
    } else {
        fprintf(t->to, "\n%*s}", 2 * t->depth, "");
    }
    t->is_first = 0;
}

static void put_algorithm(struct tree *t, const char *name, int length)
{
    char prefix[64];
    const int is_old = strncmp(name, "intra_dissemination", (size_t)length) == 0 && length == 19;

    (void)snprintf(prefix, sizeof(prefix), "algorithm=MPIR_%s_", t->of->collective);
    prefix[15] = (char)toupper((unsigned char)prefix[15]);
    if (is_old && t->has_k_dissemination) {
        open_member(t, prefix, "intra_k_dissemination", 21);
        open_member(t, "", "k=2", 3);
        close_member(t);
    } else {
        open_member(t, prefix, name, length);
    }
    close_member(t);
}

static const char *put_choice(struct tree *t, const char *text, void (*put_rules)(struct tree *t));

/* The default of the collective, inside the present object. */
static void put_default(struct tree *t)
{
    (void)put_choice(t, t->of->intra, NULL);
}

/*
 * Write a choice in the form of csel_defaults.h, up to its end or a closing brace; returns what
 * follows.
 */
static const char *put_choice(struct tree *t, const char *text, void (*put_rules)(struct tree *t))
{
    while (*text && *text != '}') {
        const int length = (int)strcspn(text, "{}@*!");
        if (*text == '@') {
            const int name = (int)strspn(text + 1, "abcdefghijklmnopqrstuvwxyz_");
            put_algorithm(t, text + 1, name);
            text += 1 + name;
        } else if (*text == '*') {
            put_rules(t);
            text++;
        } else if (*text == '!') {
            put_default(t);
            text++;
        } else {
            open_member(t, "", text, length);
            text = put_choice(t, text + length + 1, put_rules) + 1; /* its brace */
            close_member(t);
        }
    }
    return text;
}

/* The rules of one job. */
static void put_rules(struct tree *t)
{
    const char *property = t->of->by_total ? "total_msg_size" : "avg_msg_size";
    char key[64];

    for (size_t i = t->begin; i < t->end; i++) {
        const struct export_rule *rule = &t->rules->rule[i];
        const size_t ranks = (size_t)hitop_model_nranks(rule->job->model);
        const size_t factor = t->of->by_total ? ranks : 1;
        const int is_last = i + 1 == t->end || rule->to >= INT_MAX / factor;
        if (is_last) {
            (void)snprintf(key, sizeof(key), "%s=any", property);
        } else {
            (void)snprintf(key, sizeof(key), "%s<%zu", property, (rule->to + 1) * factor);
        }
        open_member(t, "", key, (int)strlen(key));
        if (rule->choice.algorithm) {
            char name[64];
            (void)snprintf(name, sizeof(name), "intra_%s", rule->choice.algorithm->name);
            put_algorithm(t, name, (int)strlen(name));
        } else {
            put_default(t);
        }
        close_member(t);
        if (is_last) {
            return;
        }
    }
}

static void put_sized(struct tree *t, const char *condition, int ranks, const char *choice)
{
    char key[64];

    (void)snprintf(key, sizeof(key), "comm_size%s%d", condition, ranks);
    open_member(t, "", key, (int)strlen(key));
    (void)put_choice(t, choice, put_rules);
    close_member(t);
}

/* The choice of intracommunicators: the default around the rules of each job. */
static void put_intra(struct tree *t, size_t begin, size_t end)
{
    int last = 1;

    if (begin == end) {
        put_default(t);
        return;
    }
    for (size_t i = begin; i < end; i = t->end) {
        const struct export_job *job = t->rules->rule[i].job;
        const int ranks = hitop_model_nranks(job->model);
        t->begin = i;
        for (t->end = i; t->end < end && t->rules->rule[t->end].job == job; t->end++) {
        }
        if (ranks > last + 1) {
            put_sized(t, "<", ranks, "!");
        }
        put_sized(t, "<=", ranks, t->of->around);
        last = ranks;
    }
    open_member(t, "", "comm_size=any", 13);
    put_default(t);
    close_member(t);
}

static void put_collective(struct tree *t)
{
    size_t begin = 0, end;

    while (begin < t->rules->count &&
           (t->of->operation < 0 ||
            t->rules->rule[begin].operation != &hitop_operations()[t->of->operation])) {
        begin++;
    }
    for (end = begin;
         end < t->rules->count && t->rules->rule[end].operation == t->rules->rule[begin].operation;
         end++) {
    }
    open_member(t, "collective=", t->of->collective, (int)strlen(t->of->collective));
    if (t->of->inter) {
        open_member(t, "", "comm_type=intra", 15);
        put_intra(t, begin, end);
        close_member(t);
        open_member(t, "", "comm_type=inter", 15);
        (void)put_choice(t, t->of->inter, NULL);
        close_member(t);
    } else {
        put_default(t);
    }
    close_member(t);
}

/* Write the text with a length that is no multiple of a page. */
static enum hitop_status put_text(const char *text, size_t length, FILE *to,
                                  struct hitop_diag *diag)
{
    if (!text) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    fputs(text, to);
    if (length % PAGE == 0) {
        fputc(' ', to);
    }
    return HITOP_OK;
}

static enum hitop_status find(const struct export_request *r, struct export_rules *rules,
                              struct hitop_diag *diag)
{
    char name[64], version[48];
    const struct export_rules_request what = {
        .defaults = name, .own = name, .is_usable = is_usable};

    export_version_text(r->version, version, sizeof(version));
    (void)snprintf(name, sizeof(name), "mpich-%s", version);
    return export_rules_make(r, &what, rules, diag);
}

static enum hitop_status write_csel(const struct export_request *r, FILE *to,
                                    struct hitop_diag *diag)
{
    char *text = NULL;
    size_t length = 0;
    struct tree t = {.rules = r->found,
                     .has_k_dissemination = r->version.minor > 0,
                     .to = open_memstream(&text, &length)};
    enum hitop_status status = HITOP_OK;

    if (t.to) {
        fputc('{', t.to);
        t.depth = 1;
        t.is_first = 1;
        for (t.of = csel_defaults(); t.of->collective; t.of++) {
            put_collective(&t);
        }
        fputs("\n}\n", t.to);
    }
    if (t.to && fclose(t.to) != 0) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    if (status == HITOP_OK) {
        status = put_text(text, length, to, diag);
    }
    free(text);
    return status;
}

static const struct export_variable variables[] = {
    {"MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE", NULL, 4, 4},
    {NULL, NULL, 0, 0},
};

const struct export_format hitop_format_mpich_csel = {
    .name = "mpich-csel",
    .summary = "choices of algorithms between nodes, for MPICH",
    .ending = "json",
    .software = "MPICH",
    .oldest = {4, 0, -1},
    .newest = {4, 3, -1},
    .takes_jobs = 1,
    .one_per_host = 1,
    .variables = variables,
    .find = find,
    .write = write_csel,
};
