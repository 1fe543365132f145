/* SPDX-License-Identifier: BSD-3-Clause */
/* worked_models.c - the models of worked examples. */
#include <config.h>

#include "tests/support/worked_models.h"

#include "tests/support/costs.h"
#include "tests/support/test_main.h"

#include <stdio.h>

struct hitop_hierarchy *worked_flat(int nranks)
{
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    struct hitop_hierarchy *h = NULL;
    const int root = hitop_hierarchy_builder_group(b, "root", "");

    for (int r = 0; r < nranks; r++) {
        char host[16];
        (void)snprintf(host, sizeof(host), "n%d", r);
        hitop_hierarchy_builder_edge(b, hitop_hierarchy_builder_leaf(b, r, host), root);
    }
    ck_assert_int_eq(hitop_hierarchy_builder_finish(b, &h, NULL), HITOP_OK);
    hitop_hierarchy_builder_free(b);
    return h;
}

struct hitop_model *worked_hockney(int nranks)
{
    const struct hitop_cost cost = worked_cost();
    struct hitop_hierarchy *h = worked_flat(nranks);
    struct hitop_class classes[28];
    double params[28][2];
    struct hitop_model *model = NULL;
    int n = 0;

    for (int i = 0; i < nranks; i++) {
        for (int j = i + 1; j < nranks; j++, n++) {
            params[n][0] = cost.p2p(cost.self, i, j, 0);
            params[n][1] = (cost.p2p(cost.self, i, j, 1000) - params[n][0]) / 1000;
            classes[n] = (struct hitop_class){
                .node = nranks, .between = {i, j}, .pair = {i, j}, .params = params[n]};
        }
    }
    ck_assert_int_eq(hitop_model_build(
                         &(struct hitop_model_parts){
                             .type = "hockney", .hierarchy = h, .classes = classes, .nclasses = n},
                         &model, NULL),
                     HITOP_OK);
    hitop_hierarchy_free(h);
    return model;
}

struct hitop_model *worked_lmo(const double *collective)
{
    static const double processor[4][2] = {
        {10e-6, 4e-9}, {12e-6, 5e-9}, {9e-6, 3e-9}, {15e-6, 6e-9}};
    static const double link[6][2] = {{20e-6, 9e-9},  {22e-6, 8e-9},  {25e-6, 11e-9},
                                      {21e-6, 10e-9}, {24e-6, 12e-9}, {23e-6, 9.5e-9}};
    static const int between[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    static const int processor_of[4] = {0, 1, 2, 3};
    struct hitop_hierarchy *h = worked_flat(4);
    struct hitop_class classes[6];
    struct hitop_processor processors[4];
    struct hitop_model *model = NULL;

    for (int i = 0; i < 6; i++) {
        classes[i] = (struct hitop_class){.node = 4,
                                          .between = {between[i][0], between[i][1]},
                                          .pair = {between[i][0], between[i][1]},
                                          .params = link[i]};
    }
    for (int i = 0; i < 4; i++) {
        processors[i] = (struct hitop_processor){.rank = i, .params = processor[i]};
    }
    ck_assert_int_eq(hitop_model_build(&(struct hitop_model_parts){.type = "lmo",
                                                                   .hierarchy = h,
                                                                   .classes = classes,
                                                                   .nclasses = 6,
                                                                   .processors = processors,
                                                                   .nprocessors = 4,
                                                                   .processor_of = processor_of,
                                                                   .collective = collective},
                                       &model, NULL),
                     HITOP_OK);
    hitop_hierarchy_free(h);
    return model;
}

/* Eight equal links of a type. */
static struct hitop_model *equal_links(const char *name, const double *params, const double *table,
                                       int nrows)
{
    struct hitop_hierarchy *h = worked_flat(8);
    const struct hitop_class class = {
        .node = 8, .pair = {0, 1}, .params = params, .table = table, .nrows = nrows};
    const struct hitop_model_parts parts = {
        .type = name, .hierarchy = h, .classes = &class, .nclasses = 1};
    struct hitop_model *model = NULL;

    ck_assert_int_eq(hitop_model_build(&parts, &model, NULL), HITOP_OK);
    hitop_hierarchy_free(h);
    return model;
}

struct hitop_model *worked_plogp(void)
{
    static const double L = 20e-6;
    static const double table[5][4] = {{0, 2e-6, 2.6e-6, 5e-6},
                                       {1, 2e-6, 2.6e-6, 5.5e-6},
                                       {1024, 2e-6, 2.6e-6, 17e-6},
                                       {4096, 2e-6, 2.6e-6, 50e-6},
                                       {65536, 2e-6, 2.6e-6, 675e-6}};

    return equal_links("plogp", &L, &table[0][0], 5);
}
