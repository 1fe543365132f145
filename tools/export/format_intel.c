/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * format_intel.c - a tree of choices for Intel MPI (I_MPI_TUNING).
 *
 * Idea: the path to a choice is operation, ranks on each node, ranks, communicator (-1: any), bytes
 *       (-1: any). Whether bytes are an upper limit is not documented; they are written as one.
 *       The defaults of Intel MPI are not known, so that each size has a choice: the fastest of the
 *       algorithms whose numbers are documented. It was not tried with Intel MPI.
 * Use:  I_MPI_TUNING=FILE
 * Source: Intel MPI Library developer reference, I_MPI_ADJUST family (numbers); the form is that of
 *       files that mpitune wrote.
 */
#include <config.h>

#include "tools/export/export_rules.h"

#include <ctype.h>
#include <stdint.h>

/* In the form of coll/defaults. */
static const char algorithms[] = "algorithm allgather 1 recursive_doubling\n"
                                 "algorithm allgather 2 bruck\n"
                                 "algorithm allgather 3 ring\n"
                                 "algorithm allreduce 1 recursive_doubling\n"
                                 "algorithm allreduce 2 rabenseifner\n"
                                 "algorithm allreduce 8 ring\n"
                                 "algorithm alltoall 1 bruck\n"
                                 "algorithm alltoall 2 isend_irecv\n"
                                 "algorithm alltoall 3 pairwise\n"
                                 "algorithm bcast 1 binomial\n"
                                 "algorithm bcast 2 recursive_doubling\n"
                                 "algorithm bcast 3 ring\n"
                                 "plan allgather recursive_doubling power-of-two yes : near "
                                 "recursive_doubling\n"
                                 "plan allgather recursive_doubling : none\n"
                                 "plan allgather bruck : near bruck\n"
                                 "plan allgather ring : near ring\n"
                                 "plan allreduce recursive_doubling : near recursive_doubling\n"
                                 "plan allreduce rabenseifner elements/power 0 : none\n"
                                 "plan allreduce rabenseifner : near rabenseifner\n"
                                 "plan allreduce ring elements/ranks 0 : none\n"
                                 "plan allreduce ring : near ring\n"
                                 "plan alltoall bruck : near bruck\n"
                                 "plan alltoall isend_irecv : near scattered group=0\n"
                                 "plan alltoall pairwise : near pairwise\n"
                                 "plan bcast binomial : near binomial_mpich\n"
                                 "plan bcast recursive_doubling elements/ranks 0 : none\n"
                                 "plan bcast recursive_doubling : near scatter_doubling\n"
                                 "plan bcast ring elements/ranks 0 : none\n"
                                 "plan bcast ring : near scatter_ring\n"
                                 "choose bcast : binomial\n"; /* a line that is required */

static int is_usable(const struct hitop_mpi_choice *choice)
{
    return choice->segment == 0 && choice->fanout == 0;
}

/* The name of an operation in capitals, or with the first one only. */
static void put_name(const struct hitop_operation *operation, int all, FILE *to)
{
    for (const char *c = operation->name; *c; c++) {
        fputc(all || c == operation->name ? toupper((unsigned char)*c) : *c, to);
    }
}

static void put_job(const struct export_rules *rules, size_t begin, size_t end, FILE *to)
{
    const struct export_rule *first = &rules->rule[begin];
    int is_first = 1;

    fprintf(to, "    \"ppn=%d\": {\n      \"comm_size=%d\": {\n        \"comm_id=-1\": {\n",
            first->job->ranks_per_host, hitop_model_nranks(first->job->model));
    for (size_t i = begin; i < end; i++) {
        const struct export_rule *rule = &rules->rule[i];
        if (!rule->choice.algorithm) {
            continue; /* no algorithm can be predicted */
        }
        fputs(is_first ? "" : ",\n", to);
        is_first = 0;
        if (rule->to < SIZE_MAX) {
            fprintf(to, "          \"msg_size=%zu\": { \"", rule->to);
        } else {
            fputs("          \"msg_size=-1\": { \"", to);
        }
        put_name(rule->operation, 1, to);
        fprintf(to, "=%d\": {} }", rule->choice.algorithm->number);
    }
    fputc('\n', to);
    fputs("        }\n      }\n    }", to);
}

static enum hitop_status find(const struct export_request *r, struct export_rules *rules,
                              struct hitop_diag *diag)
{
    const struct export_rules_request what = {.defaults = "intel",
                                              .own = "intel",
                                              .text = algorithms,
                                              .no_default = 1,
                                              .is_usable = is_usable};

    return export_rules_make(r, &what, rules, diag);
}

static enum hitop_status write_intel(const struct export_request *r, FILE *to,
                                     struct hitop_diag *diag)
{
    const struct export_rules *rules = r->found;

    (void)diag;
    fputs("{", to);
    for (size_t i = 0, end; i < rules->count; i = end) {
        for (end = i; end < rules->count && rules->rule[end].operation == rules->rule[i].operation;
             end++) {
        }
        fprintf(to, "%s\n  \"coll=", i > 0 ? "," : "");
        put_name(rules->rule[i].operation, 0, to);
        fputs("\": {\n", to);
        put_job(rules, i, end, to);
        fputs("\n  }", to);
    }
    fputs("\n}\n", to);
    return HITOP_OK;
}

const struct export_format hitop_format_intel = {
    .name = "intel",
    .summary = "choices of algorithms, for Intel MPI (not tried with Intel MPI)",
    .ending = "json",
    .find = find,
    .write = write_intel,
};
