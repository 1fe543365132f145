/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * format_openmpi_han.c - rules for coll/han of Open MPI: whether it or coll/tuned serves a call.
 *
 * Idea: coll/han works in two levels, on hosts and between them, and serves calls of communicators
 *       with several hosts and several ranks on each. In 5.0 and later it decides first, in 4.1
 *       with --mca coll_han_priority 100 only. The rules are those of whole communicators (level
 * 2); inside, coll/han uses its defaults. Use:  mpirun --mca coll_han_use_dynamic_file_rules 1
 * --mca coll_han_dynamic_rules_filename FILE Needs: the first block is of 1 rank, its first rule of
 * 0 bytes; names of components. Source: Open MPI, ompi/mca/coll/han/coll_han_dynamic_file.c
 * (reader), coll_han_dynamic.c (sizes: those of a block in allgather, gather and scatter).
 */
#include <config.h>

#include "tools/export/tuned.h"

#include "hitop/text.h"

#include <stdlib.h>
#include <string.h>

/* The operations that have rules in all versions and plans here. */
static const unsigned served = 1u << HITOP_ALLGATHER | 1u << HITOP_ALLREDUCE | 1u << HITOP_BARRIER |
                               1u << HITOP_BCAST | 1u << HITOP_GATHER | 1u << HITOP_REDUCE |
                               1u << HITOP_SCATTER;

static int is_served(const struct hitop_operation *operation)
{
    return (served & 1u << (operation - hitop_operations())) != 0;
}

static int is_han(const struct hitop_mpi_choice *choice)
{
    return is_served(choice->algorithm->operation) && strcmp(choice->algorithm->name, "han") == 0;
}

/*
 * In 4.1 rules name coll/han where it is faster than coll/tuned, which serves all calls by default;
 * later, coll/tuned where it is faster than coll/han: with its own choices, or with its fastest
 * algorithm if rules for it are in force.
 */
static enum hitop_status make_all(const struct export_request *r, struct export_rules *rules,
                                  struct hitop_diag *diag)
{
    const struct export_rules_request old = {
        .defaults = "openmpi-4.1",
        .own = "openmpi-5.0",
        .is_usable = is_han,
        .by_choice = 1,
        .single = 1u << HITOP_GATHER | 1u << HITOP_SCATTER,
    };
    const struct export_rules_request present = {
        .defaults = r->version.major == 5 ? "openmpi-5.0" : "openmpi-6.0",
        .own = r->version.major == 5 ? "openmpi-5.0-tuned" : "openmpi-6.0-tuned",
        .by_choice = !r->rules,
        .is_component = r->rules != NULL,
        .is_usable = r->rules ? tuned_is_usable : NULL,
        .single = 1u << HITOP_GATHER | 1u << HITOP_SCATTER,
    };

    if (r->version.major == 4 && r->rules) {
        *rules = (struct export_rules){0};
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "openmpi-han for 4.1 is compared with the defaults of coll/tuned; leave "
                          "the option out");
    }
    return export_rules_make(r, r->version.major == 4 ? &old : &present, rules, diag);
}

/* The rules of the operations that files of coll/han can name. */
static enum hitop_status find(const struct export_request *r, struct export_rules *rules,
                              struct hitop_diag *diag)
{
    enum hitop_status status = make_all(r, rules, diag);
    int *is_dropped = NULL;

    if (status == HITOP_OK) {
        is_dropped = calloc(rules->count + 1, sizeof(*is_dropped));
        status = is_dropped ? HITOP_OK : hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    for (size_t i = 0; is_dropped && i < rules->count; i++) {
        is_dropped[i] = !is_served(rules->rule[i].operation);
    }
    if (is_dropped) {
        export_rules_drop(rules, is_dropped);
    }
    free(is_dropped);
    return status;
}

static void put_rule(const struct export_request *r, const struct export_rule *rule,
                     const char *usual, const char *other, FILE *to)
{
    char size[32];

    fprintf(to, "    %zu %s", rule->from, rule->choice.algorithm ? other : usual);
    if (rule->choice.algorithm) {
        hitop_text_format_size(rule->best_at, size, sizeof(size));
        fprintf(to, "  # predicted %.3g times as fast, %.3g times at %s", rule->gain, rule->best,
                size);
        export_put_measured(r, rule, to);
    }
    fputc('\n', to);
}

/* Blocks of one operation: of its job, and of all others. Returns the index behind its rules. */
static size_t put_operation(const struct export_request *r, const struct export_rules *rules,
                            size_t begin, const char *usual, const char *other, FILE *to)
{
    const struct hitop_operation *operation = rules->rule[begin].operation;
    int nblocks = 1, ranks = 0;
    size_t end = begin;

    for (; end < rules->count && rules->rule[end].operation == operation; end++) {
        const int is_first = end == begin || rules->rule[end].job != rules->rule[end - 1].job;
        nblocks += is_first ? 2 - (hitop_model_nranks(rules->rule[end].job->model) == ranks) : 0;
        ranks = hitop_model_nranks(rules->rule[end].job->model) + 1;
    }
    fprintf(to, "\n%s\n1  # level\n2 %d  # the whole communicator, blocks\n  1 1\n    0 %s\n",
            operation->name, nblocks, usual);
    for (size_t i = begin, next; i < end; i = next) {
        for (next = i; next < end && rules->rule[next].job == rules->rule[i].job; next++) {
        }
        ranks = hitop_model_nranks(rules->rule[i].job->model);
        fprintf(to, "  %d %zu  # ranks, rules\n", ranks, next - i);
        for (size_t k = i; k < next; k++) {
            put_rule(r, &rules->rule[k], usual, other, to);
        }
        if (next == end || hitop_model_nranks(rules->rule[next].job->model) > ranks + 1) {
            fprintf(to, "  %d 1\n    0 %s\n", ranks + 1, usual);
        }
    }
    return end;
}

static enum hitop_status write_han(const struct export_request *r, FILE *to,
                                   struct hitop_diag *diag)
{
    const char *usual = r->version.major == 4 ? "tuned" : "han";
    const char *other = r->version.major == 4 ? "han" : "tuned";
    const struct export_rules *rules = r->found;
    int count = 0;

    (void)diag;
    for (size_t i = 0; i < rules->count; i++) {
        count += i == 0 || rules->rule[i].operation != rules->rule[i - 1].operation;
    }
    export_put_origin(r, "# ", "Rules of coll/han", to);
    fprintf(to,
            "\n# mpirun --mca coll_han_use_dynamic_file_rules 1 --mca "
            "coll_han_dynamic_rules_filename FILE%s\n",
            r->version.major == 4 ? " --mca coll_han_priority 100" : "");
    if (r->rules) {
        fprintf(to, "# With %s as rules of coll/tuned\n", r->rules);
    }
    fprintf(to, "%d  # operations\n", count);
    for (size_t i = 0; i < rules->count;) {
        i = put_operation(r, rules, i, usual, other, to);
    }
    return HITOP_OK;
}

static const struct export_variable variables[] = {
    {"OMPI_MCA_coll_han_use_dynamic_file_rules", "1", 4, 6},
    {"OMPI_MCA_coll_han_dynamic_rules_filename", NULL, 4, 6},
    {"OMPI_MCA_coll_han_priority", "100", 4, 4},
    {NULL, NULL, 0, 0},
};

const struct export_format hitop_format_openmpi_han = {
    .name = "openmpi-han",
    .summary = "rules for coll/han of Open MPI",
    .ending = "rules",
    .software = "Open MPI",
    .oldest = {4, 1, -1},
    .newest = {6, 0, -1},
    .takes_jobs = 1,
    .takes_rules = 1,
    .variables = variables,
    .find = find,
    .write = write_han,
};
