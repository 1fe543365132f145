/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * format_openmpi_tuned.c - rules for coll/tuned of Open MPI 4.1 and 5.0, in its classic format.
 *
 * Idea: a block holds from its number of ranks on, and the first one also below. Blocks with
 *       algorithm 0, which leave the choice to the library, surround those of the jobs, so that
 *       other communicators do not change.
 * Use:  mpirun --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename FILE
 * Needs: the file must be on all hosts. 6.0 and later read this format with other limits of blocks;
 *       they have the format openmpi-tuned-json.
 * Source: tuned.h
 */
#include <config.h>

#include "tools/export/tuned.h"

/* The rules of an operation are consecutive, and within it those of a job. */
static size_t end_of_operation(const struct export_rules *rules, size_t i)
{
    size_t end = i;

    while (end < rules->count && rules->rule[end].operation == rules->rule[i].operation) {
        end++;
    }
    return end;
}

static size_t end_of_job(const struct export_rules *rules, size_t i)
{
    size_t end = i;

    while (end < rules->count && rules->rule[end].operation == rules->rule[i].operation &&
           rules->rule[end].job == rules->rule[i].job) {
        end++;
    }
    return end;
}

static int ranks_of(const struct export_rule *rule)
{
    return hitop_model_nranks(rule->job->model);
}

static int count_operations(const struct export_rules *rules)
{
    int count = 0;

    for (size_t i = 0; i < rules->count; i = end_of_operation(rules, i)) {
        count++;
    }
    return count;
}

/* Blocks of an operation: one before, one for each job, and one behind each that has a gap there.
 */
static int count_blocks(const struct export_rules *rules, size_t begin, size_t end)
{
    int count = 1;

    for (size_t i = begin, next; i < end; i = next) {
        next = end_of_job(rules, i);
        count += 1 + (next == end || ranks_of(&rules->rule[next]) > ranks_of(&rules->rule[i]) + 1);
    }
    return count;
}

static void put_default(int ranks, FILE *to)
{
    fprintf(to, "%d 1  # from %d ranks on the library chooses\n0 0 0 0\n", ranks, ranks);
}

static void put_job(const struct export_request *r, const struct export_rules *rules, size_t begin,
                    size_t end, FILE *to)
{
    fprintf(to, "%d %zu  # ranks, rules: bytes, algorithm, fan-out, segment\n",
            ranks_of(&rules->rule[begin]), end - begin);
    for (size_t i = begin; i < end; i++) {
        const struct export_rule *rule = &rules->rule[i];
        const struct hitop_mpi_choice *choice = &rule->choice;
        if (choice->algorithm) {
            fprintf(to, "%zu %d %d %zu  # ", tuned_size(rule, rule->from),
                    choice->algorithm->number, choice->fanout, choice->segment);
            tuned_put_gain(r, rule, to);
            fputc('\n', to);
        } else {
            fprintf(to, "%zu 0 0 0  # the library chooses\n", tuned_size(rule, rule->from));
        }
    }
}

static void put_operation(const struct export_request *r, const struct export_rules *rules,
                          size_t begin, size_t end, FILE *to)
{
    const struct tuned_collective *tuned = tuned_of(rules->rule[begin].operation);

    fprintf(to, "\n%d  # %s\n%d  # blocks\n", tuned->id, tuned->name,
            count_blocks(rules, begin, end));
    put_default(0, to);
    for (size_t i = begin, next; i < end; i = next) {
        next = end_of_job(rules, i);
        put_job(r, rules, i, next, to);
        if (next == end || ranks_of(&rules->rule[next]) > ranks_of(&rules->rule[i]) + 1) {
            put_default(ranks_of(&rules->rule[i]) + 1, to);
        }
    }
}

static enum hitop_status write_tuned(const struct export_request *r, FILE *to,
                                     struct hitop_diag *diag)
{
    const struct export_rules *rules = r->found;
    char version[48];

    (void)diag;
    export_version_text(r->version, version, sizeof(version));
    export_put_origin(r, "# ", "Rules of coll/tuned", to);
    fprintf(to,
            "\n# For Open MPI %s: mpirun --mca coll_tuned_use_dynamic_rules 1 "
            "--mca coll_tuned_dynamic_rules_filename FILE\n"
            "# Operands of reductions must commute.\n",
            version);
    if (r->version.major > 4) {
        fputs("# coll/han decides before coll/tuned on several hosts with several ranks on each: "
              "--mca coll_han_priority 0\n",
              to);
    }
    fprintf(to, "%d  # operations\n", count_operations(rules));
    for (size_t i = 0; i < rules->count; i = end_of_operation(rules, i)) {
        put_operation(r, rules, i, end_of_operation(rules, i), to);
    }
    return HITOP_OK;
}

const struct export_format hitop_format_openmpi_tuned = {
    .name = "openmpi-tuned",
    .summary = "rules for coll/tuned of Open MPI",
    .ending = "rules",
    .software = "Open MPI",
    .oldest = {4, 1, -1},
    .newest = {5, 0, -1},
    .takes_jobs = 1,
    .variables = tuned_variables,
    .find = tuned_rules,
    .write = write_tuned,
};
