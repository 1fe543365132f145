/* SPDX-License-Identifier: BSD-3-Clause */
/* check_cpm.c - the list of the operations of CPM, and models with invented parameters for them. */
#include <config.h>

#include "tools/check/check_cpm.h"

#include "hitop/cpm.h"

#include <stdio.h>
#include <string.h>

void cpm_print(void)
{
    struct hitop_cpm_name o;
    char name[64];

    printf("%-40s %-10s %-10s %s\n", "cpm", "model", "operation", "algorithm");
    for (int i = 0; i < HITOP_CPM_NOPERATIONS; i++) {
        hitop_cpm_operation(i, name, sizeof(name), &o);
        printf("%-40s %-10s %-10s %s\n", name, o.model, o.operation, o.algorithm);
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
