/* SPDX-License-Identifier: BSD-3-Clause */
/* check_cpm.c - the operations of CPM, and models with invented parameters for them. */
#include <config.h>

#include "tools/check/check_cpm.h"

#include <stdio.h>
#include <string.h>

/* The models that have all builders; LMO has only split_flat. */
static const char *const models[][2] = {
    {"Hockney", "hockney"}, {"LinInterp", "lininterp"}, {"PLogP", "plogp"}, {"LogGP", "loggp"}};

static const struct {
    const char *name;
    enum hitop_operation_id operation;
} operations[] = {{"Bcast", HITOP_BCAST},       {"Reduce", HITOP_REDUCE},
                  {"Scatter", HITOP_SCATTER},   {"Gather", HITOP_GATHER},
                  {"Scatterv", HITOP_SCATTERV}, {"Gatherv", HITOP_GATHERV}};

/* The last three are only for operations with blocks of different lengths. */
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

/* A root with two halves if there are more than 3 ranks. Nodes: the ranks, the root, the halves. */
static enum hitop_status make_halves(int nranks, struct hitop_hierarchy **out,
                                     struct hitop_diag *diag)
{
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    enum hitop_status status;
    int root, half[2];

    if (!b) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    root = hitop_hierarchy_builder_group(b, "root", NULL);
    for (int i = 0; i < 2 && nranks > 3; i++) {
        half[i] = hitop_hierarchy_builder_group(b, "cluster", i ? "b" : "a");
        hitop_hierarchy_builder_edge(b, half[i], root);
    }
    for (int r = 0; r < nranks; r++) {
        char host[16];
        (void)snprintf(host, sizeof(host), "n%d", r);
        hitop_hierarchy_builder_edge(b, hitop_hierarchy_builder_leaf(b, r, host),
                                     nranks > 3 ? half[2 * r >= nranks] : root);
    }
    status = hitop_hierarchy_builder_finish(b, out, diag);
    hitop_hierarchy_builder_free(b);
    return status;
}

/* The parameters of a model type for two links, a near one and a far one. */
struct numbers {
    const char *type, *from; /* from: converted from that type, or NULL */
    double params[2][8];
    const double *table[2];
    int nrows;
};

static const double lines[2][3][2] = {{{0, 20e-6}, {1024, 31e-6}, {65536, 700e-6}},
                                      {{0, 400e-6}, {1024, 520e-6}, {65536, 7e-3}}};
static const double gaps[2][3][4] = {
    {{0, 2e-6, 2.6e-6, 5e-6}, {1024, 2e-6, 2.6e-6, 17e-6}, {65536, 2e-6, 2.6e-6, 675e-6}},
    {{0, 2e-6, 2.6e-6, 9e-6}, {1024, 2e-6, 2.6e-6, 90e-6}, {65536, 2e-6, 2.6e-6, 5e-3}}};

static const struct numbers all[] = {
    {"hockney", NULL, {{20e-6, 10e-9}, {400e-6, 100e-9}}, {NULL, NULL}, 0},
    {"lininterp", NULL, {{0}, {0}}, {&lines[0][0][0], &lines[1][0][0]}, 3},
    {"plogp", NULL, {{20e-6}, {400e-6}}, {&gaps[0][0][0], &gaps[1][0][0]}, 3},
    {"loggp", "plogp", {{0}, {0}}, {NULL, NULL}, 0},
    {"lmo", NULL, {{20e-6, 9e-9}, {400e-6, 90e-9}}, {NULL, NULL}, 0},
};

static enum hitop_status build(const struct numbers *n, int nranks, struct hitop_model **out,
                               struct hitop_diag *diag)
{
    static const double cpu[2] = {10e-6, 4e-9};
    const struct hitop_processor processor = {.rank = HITOP_NO_RANK, .params = cpu};
    const int has_cpu = strcmp(n->type, "lmo") == 0;
    struct hitop_class classes[3];
    struct hitop_hierarchy *h = NULL;
    struct hitop_model_parts parts = {.type = n->type,
                                      .classes = classes,
                                      .processors = has_cpu ? &processor : NULL,
                                      .nprocessors = has_cpu};
    enum hitop_status status = make_halves(nranks, &h, diag);

    if (status != HITOP_OK) {
        return status;
    }
    parts.hierarchy = h;
    for (int node = nranks; node < hitop_hierarchy_nnodes(h); node++) {
        const int far = nranks > 3 && hitop_hierarchy_parent(h, node) == HITOP_NO_NODE;
        classes[parts.nclasses++] = (struct hitop_class){.node = node,
                                                         .pair = {HITOP_NO_RANK, HITOP_NO_RANK},
                                                         .params = n->params[far],
                                                         .table = n->table[far],
                                                         .nrows = n->nrows};
    }
    status = hitop_model_build(&parts, out, diag);
    hitop_hierarchy_free(h);
    return status;
}

enum hitop_status cpm_make_model(const char *type, int nranks, struct hitop_model **out,
                                 struct hitop_diag *diag)
{
    *out = NULL;
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        struct hitop_model *base;
        enum hitop_status status;
        if (strcmp(all[i].type, type) != 0) {
            continue;
        }
        if (!all[i].from) {
            return build(&all[i], nranks, out, diag);
        }
        status = cpm_make_model(all[i].from, nranks, &base, diag);
        if (status == HITOP_OK) {
            status = hitop_model_convert(base, type, out, diag);
            hitop_model_free(base);
        }
        return status;
    }
    return hitop_fail(diag, HITOP_ERR_NOTFOUND, "no model '%s'", type);
}
