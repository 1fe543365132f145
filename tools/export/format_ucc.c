/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * format_ucc.c - the string UCC_TL_UCP_TUNE of UCC, as a line of a ucc.conf.
 *
 * Idea: a token "collective:from-to:host:[ranks]:@algorithm" for each rule; `to` is not included.
 *       Plans of UCC's algorithms are near only: its trees and exchanges have radix 4 by default,
 *       and radices of their own in variables that a string does not set.
 * Use:  UCC_CONFIG_FILE=FILE, or the line as a variable of the environment.
 * Needs: one wrong token discards the whole string, so that only algorithms of all versions are
 *       named.
 * Source: UCC, docs/user_guide.md; src/components/tl/ucp (defaults "..._DEFAULT_ALG_SELECT_STR");
 *       sizes: ucc_coll_args_msgsize(), all blocks together in allgather.
 */
#include <config.h>

#include "tools/export/export_rules.h"

#include <stdint.h>

/* In the form of coll/defaults. */
static const char algorithms[] =
    "algorithm allgather 0 knomial\n"
    "algorithm allgather 0 ring\n"
    "algorithm allgather 0 neighbor\n"
    "algorithm allreduce 0 knomial\n"
    "algorithm allreduce 0 sra_knomial\n"
    "algorithm bcast 0 knomial\n"
    "algorithm bcast 0 sag_knomial\n"
    "plan allgather knomial power-of-two yes : near recursive_doubling\n"
    "plan allgather knomial : near bruck\n"
    "plan allgather ring : same ring\n"
    "plan allgather neighbor even yes : same neighbor_exchange\n"
    "plan allgather neighbor : none\n"
    "plan allreduce knomial : near recursive_doubling\n"
    "plan allreduce sra_knomial elements/power 0 : near recursive_doubling\n"
    "plan allreduce sra_knomial : near rabenseifner\n"
    "plan bcast knomial : near knomial radix=4\n"
    "plan bcast sag_knomial elements/ranks 0 : near knomial radix=4\n"
    "plan bcast sag_knomial : near scatter_doubling\n"
    "choose allgather total ..4095 : knomial\n"
    "choose allgather even yes : neighbor\n"
    "choose allgather : ring\n"
    "choose allreduce bytes ..4095 : knomial\n"
    "choose allreduce : sra_knomial\n"
    "choose bcast ranks ..2 : knomial\n"
    "choose bcast bytes ..32767 : knomial\n"
    "choose bcast : sag_knomial\n";

static int is_usable(const struct hitop_mpi_choice *choice)
{
    return choice->segment == 0 && choice->fanout == 0;
}

static size_t size_of(const struct export_rule *rule, size_t bytes)
{
    const size_t ranks = (size_t)hitop_model_nranks(rule->job->model);

    return rule->operation->takes == HITOP_BLOCKS ? bytes * ranks : bytes;
}

static void put_token(const struct export_rule *rule, FILE *to)
{
    const int ranks = hitop_model_nranks(rule->job->model);

    fprintf(to, "%s:%zu-", rule->operation->name, size_of(rule, rule->from));
    if (rule->to < SIZE_MAX) {
        fprintf(to, "%zu", size_of(rule, rule->to + 1));
    } else {
        fputs("inf", to);
    }
    fprintf(to, ":host:[%d-%d]:@%s", ranks, ranks, rule->choice.algorithm->name);
}

static enum hitop_status find(const struct export_request *r, struct export_rules *rules,
                              struct hitop_diag *diag)
{
    const struct export_rules_request what = {
        .defaults = "ucc", .own = "ucc", .text = algorithms, .is_usable = is_usable};

    return export_rules_make(r, &what, rules, diag);
}

static enum hitop_status write_ucc(const struct export_request *r, FILE *to,
                                   struct hitop_diag *diag)
{
    const struct export_rules *rules = r->found;
    int count = 0;

    (void)diag;
    export_put_origin(r, "# ", "Algorithms of tl/ucp of UCC", to);
    fputs("\n# UCC_CONFIG_FILE=FILE, or the last line as a variable, in quotes\n", to);
    for (size_t i = 0; i < rules->count; i++) {
        const struct export_rule *rule = &rules->rule[i];
        if (rule->choice.algorithm) {
            fprintf(to, "# %s of %d ranks from %zu bytes: predicted %.3g times as fast\n",
                    rule->operation->name, hitop_model_nranks(rule->job->model),
                    size_of(rule, rule->from), rule->gain);
        }
    }
    for (size_t i = 0; i < rules->count; i++) {
        if (rules->rule[i].choice.algorithm) {
            fputs(count++ == 0 ? "UCC_TL_UCP_TUNE=" : "#", to);
            put_token(&rules->rule[i], to);
        }
    }
    fputs(count > 0 ? "\n" : "# The defaults are as fast.\n", to);
    return HITOP_OK;
}

const struct export_format hitop_format_ucc = {
    .name = "ucc",
    .summary = "algorithms of tl/ucp, for UCC (not tried with UCC)",
    .ending = "conf",
    .software = "UCC",
    .oldest = {1, 3, -1},
    .newest = {1, 8, -1},
    .takes_jobs = 1,
    .find = find,
    .write = write_ucc,
};
