/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * format_openmpi_tuned_json.c - rules for coll/tuned of Open MPI 6.0 and later, as JSON.
 *
 * Idea: the first rule that matches counts, and what no rule matches is left to the library.
 *       Algorithms are numbers, because names differ between versions. A limit that would be "inf"
 *       is left out. Bruck of allgather needs a fan-out of 2 or more, or it never ends.
 * Use:  mpirun --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename FILE
 * Source: tuned.h
 */
#include <config.h>

#include "tools/export/tuned.h"

#include <stdint.h>
#include <string.h>

enum { BRUCK = 2, KNOMIAL_REDUCE = 8 };

static int fanout_of(const struct export_rule *rule)
{
    const int operation = (int)(rule->operation - hitop_operations());
    const int number = rule->choice.algorithm->number;
    const int needs_fanout = (operation == HITOP_ALLGATHER && number == BRUCK) ||
                             (operation == HITOP_REDUCE && number == KNOMIAL_REDUCE);

    return needs_fanout && rule->choice.fanout < 2 ? 2 : rule->choice.fanout;
}

static void put_rule(const struct export_rule *rule, int is_first, FILE *to)
{
    const struct hitop_mpi_choice *choice = &rule->choice;

    fprintf(to, "%s\n        { ", is_first ? "" : ",");
    if (rule->from > 0) {
        fprintf(to, "\"msg_size_min\": %zu, ", tuned_size(rule, rule->from));
    }
    if (rule->to < SIZE_MAX) {
        fprintf(to, "\"msg_size_max\": %zu, ", tuned_size(rule, rule->to + 1) - 1);
    }
    fprintf(to, "\"alg\": %d", choice->algorithm->number);
    if (fanout_of(rule) > 0) {
        fprintf(to, ", \"faninout\": %d", fanout_of(rule));
    }
    if (choice->segment > 0) {
        fprintf(to, ", \"seg_size\": %zu", choice->segment);
    }
    fputs(" }", to);
}

/* Print the rules of one operation in one job; returns the index behind them. */
static size_t put_job(const struct export_rules *rules, size_t i, FILE *to)
{
    const struct export_rule *begin = &rules->rule[i];
    const int ranks = hitop_model_nranks(begin->job->model);
    int is_first = 1;

    fprintf(to, "      { \"comm_size_min\": %d, \"comm_size_max\": %d, \"rules\": [", ranks, ranks);
    for (; i < rules->count && rules->rule[i].operation == begin->operation &&
           rules->rule[i].job == begin->job;
         i++) {
        if (rules->rule[i].choice.algorithm) {
            put_rule(&rules->rule[i], is_first, to);
            is_first = 0;
        }
    }
    fputs(" ] }", to);
    return i;
}

/* What JSON has no comments for; the library ignores the member. */
static void put_notes(const struct export_request *r, const struct export_rules *rules, FILE *to)
{
    fputs("  \"comment\": [\n    \"", to);
    export_put_origin(r, "", "Rules of coll/tuned", to);
    fputs("\",\n    \"mpirun --mca coll_tuned_use_dynamic_rules 1 --mca "
          "coll_tuned_dynamic_rules_filename FILE --mca coll_han_priority 0\",\n"
          "    \"Operands of reductions must commute.\"",
          to);
    for (size_t i = 0; i < rules->count; i++) {
        const struct export_rule *rule = &rules->rule[i];
        if (rule->choice.algorithm) {
            fprintf(to, ",\n    \"%s on %d ranks from %zu bytes: ", rule->operation->name,
                    hitop_model_nranks(rule->job->model), tuned_size(rule, rule->from));
            tuned_put_gain(r, rule, to);
            fputc('"', to);
        }
    }
    fputs("\n  ],\n", to);
}

static enum hitop_status write_json(const struct export_request *r, FILE *to,
                                    struct hitop_diag *diag)
{
    const struct export_rules *rules = r->found;

    (void)diag;
    fputs("{\n  \"rule_file_version\": 3,\n  \"module\": \"tuned\",\n", to);
    put_notes(r, rules, to);
    fputs("  \"collectives\": {", to);
    for (size_t i = 0; i < rules->count;) {
        const struct hitop_operation *operation = rules->rule[i].operation;
        fprintf(to, "%s\n    \"%s\": [\n", i > 0 ? "," : "", tuned_of(operation)->name);
        while (i < rules->count && rules->rule[i].operation == operation) {
            i = put_job(rules, i, to);
            fputs(i < rules->count && rules->rule[i].operation == operation ? ",\n" : "\n", to);
        }
        fputs("    ]", to);
    }
    fputs("\n  }\n}\n", to);
    return HITOP_OK;
}

const struct export_format hitop_format_openmpi_tuned_json = {
    .name = "openmpi-tuned-json",
    .summary = "rules for coll/tuned of Open MPI as JSON",
    .ending = "json",
    .software = "Open MPI",
    .oldest = {6, 0, -1},
    .newest = {6, 0, -1},
    .takes_jobs = 1,
    .variables = tuned_variables,
    .find = tuned_rules,
    .write = write_json,
};
