/* SPDX-License-Identifier: BSD-3-Clause */
/* check_cpm.c - the names of CPM's operations. */
#include <config.h>

#include "tools/check/check_cpm.h"

#include <stdio.h>

/* Models, of which each but the last has all builders. */
static const char *const models[][2] = {
    {"Hockney", "hockney"}, {"LinInterp", "lininterp"}, {"PLogP", "plogp"}, {"LogGP", "loggp"}};

static const struct {
    const char *name;
    enum hitop_operation_id operation;
} operations[] = {{"Bcast", HITOP_BCAST},       {"Reduce", HITOP_REDUCE},
                  {"Scatter", HITOP_SCATTER},   {"Gather", HITOP_GATHER},
                  {"Scatterv", HITOP_SCATTERV}, {"Gatherv", HITOP_GATHERV}};

/* The last three are for blocks that differ only. */
static const struct {
    const char *builder, *strategy, *algorithm;
} trees[] = {{"dfs_binomial", "min", "dfs_min"}, {"dfs_binomial", "max", "dfs_max"},
             {"bfs_binomial", "min", "bfs_min"}, {"bfs_binomial", "max", "bfs_max"},
             {"ucs_binomial", "min", "ucs_min"}, {"ucs_binomial", "max", "ucs_max"},
             {"sorted_flat", "asc", "flat_asc"}, {"sorted_flat", "dsc", "flat_dsc"},
             {"Traff", "", "traff_model"}};

enum { NMODELS = 4, NBINOMIAL = 6, NTREES = 9, FIRST_UNEVEN = 4, NOPERATIONS = 6, NLMO = 2 };

/* Operations of one model. */
enum { EACH = NOPERATIONS * NBINOMIAL + (NOPERATIONS - FIRST_UNEVEN) * (NTREES - NBINOMIAL) };

_Static_assert(EACH == 42, "as CPM has them");

int cpm_operation_at(int index, struct cpm_operation *out)
{
    const int model = index / EACH, rest = index % EACH, binomial = NOPERATIONS * NBINOMIAL;
    const int flat = rest - binomial, uneven = NTREES - NBINOMIAL;
    const int o = flat < 0 ? rest / NBINOMIAL : FIRST_UNEVEN + flat / uneven;
    const int t = flat < 0 ? rest % NBINOMIAL : NBINOMIAL + flat % uneven;

    if (model >= NMODELS) {
        const int gather = rest % NLMO;
        *out = (struct cpm_operation){"LMO",        "lmo", gather ? "Gather" : "Scatter",
                                      "split_flat", "",    gather ? HITOP_GATHER : HITOP_SCATTER,
                                      "split"};
        return index < NMODELS * EACH + NLMO;
    }
    *out = (struct cpm_operation){models[model][0],  models[model][1],  operations[o].name,
                                  trees[t].builder,  trees[t].strategy, operations[o].operation,
                                  trees[t].algorithm};
    return 1;
}

void cpm_operation_name(const struct cpm_operation *o, char *out, size_t length)
{
    (void)snprintf(out, length, "%s_%s_%s%s%s", o->model, o->name, o->builder,
                   o->strategy[0] ? "_" : "", o->strategy);
}

void cpm_print(void)
{
    struct cpm_operation o;

    printf("%-40s %-9s %-13s %-8s %-10s %s\n", "cpm", "operation", "builder", "strategy", "model",
           "algorithm");
    for (int i = 0; cpm_operation_at(i, &o); i++) {
        char name[64];
        cpm_operation_name(&o, name, sizeof(name));
        printf("%-40s %-9s %-13s %-8s %-10s %s\n", name, hitop_operations()[o.operation].name,
               o.builder, o.strategy[0] ? o.strategy : "-", o.ours, o.algorithm);
    }
}
