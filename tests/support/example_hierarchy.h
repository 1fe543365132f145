/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EXAMPLE_HIERARCHY_H
#define EXAMPLE_HIERARCHY_H

/*
 * example_hierarchy.h - a machine of three levels worked out by hand: 8 ranks dealt round robin on
 * 4 hosts of 2 sites. Groups: hosts 8..11, sites 12 and 13, root 14.
 */

#include "hitop/model.h"

#include <stdlib.h>

enum { EXAMPLE_CLASSES = 7 };

/* alpha in seconds, beta in seconds per byte, of nodes 8..14 */
static const double example_params[EXAMPLE_CLASSES][2] = {
    {1.0e-6, .10e-9}, {1.2e-6, .11e-9}, {0.8e-6, .09e-9}, {0.9e-6, .095e-9},
    {3.0e-6, .40e-9}, {2.5e-6, .35e-9}, {60e-6, 1.2e-9},
};

static inline struct hitop_hierarchy *example_hierarchy(void)
{
    static const char *const hosts[] = {"alpha01.site1.org", "alpha02.site1.org",
                                        "betas01.site2.org", "betas02.site2.org"};
    static const int parents[14] = {8, 9, 10, 11, 8, 9, 10, 11, 12, 12, 13, 13, 14, 14};
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    struct hitop_hierarchy *h = NULL;

    for (int rank = 0; rank < 8; rank++) {
        (void)hitop_hierarchy_builder_leaf(b, rank, hosts[rank % 4]);
    }
    for (int i = 0; i < 4; i++) {
        (void)hitop_hierarchy_builder_group(b, "host", hosts[i]);
    }
    (void)hitop_hierarchy_builder_group(b, "domain", "site1.org");
    (void)hitop_hierarchy_builder_group(b, "domain", "site2.org");
    hitop_hierarchy_builder_attr(b, hitop_hierarchy_builder_group(b, "root", ""), "zone", "eu");
    for (int node = 0; node < 14; node++) {
        hitop_hierarchy_builder_edge(b, node, parents[node]);
    }
    if (hitop_hierarchy_builder_finish(b, &h, NULL) != HITOP_OK) {
        abort();
    }
    hitop_hierarchy_builder_free(b);
    return h;
}

/* Measured pairs and parameters of all classes; everything else zero. */
static inline void example_classes(struct hitop_class *classes)
{
    static const int pairs[EXAMPLE_CLASSES][2] = {{0, 4}, {1, 5}, {2, 6}, {3, 7},
                                                  {0, 1}, {2, 3}, {0, 2}};

    for (int i = 0; i < EXAMPLE_CLASSES; i++) {
        classes[i] = (struct hitop_class){.node = 8 + i,
                                          .pair = {pairs[i][0], pairs[i][1]},
                                          .params = example_params[i],
                                          .converged = 1};
    }
}

/* Build a model of nothing but links. */
static inline enum hitop_status example_build(const char *type, const struct hitop_hierarchy *h,
                                              const struct hitop_class *classes, int nclasses,
                                              const struct hitop_provenance *provenance,
                                              struct hitop_model **out, struct hitop_diag *diag)
{
    const struct hitop_model_parts parts = {.type = type,
                                            .hierarchy = h,
                                            .classes = classes,
                                            .nclasses = nclasses,
                                            .provenance = provenance};

    return hitop_model_build(&parts, out, diag);
}

static inline struct hitop_model *example_model(void)
{
    struct hitop_hierarchy *h = example_hierarchy();
    struct hitop_class classes[EXAMPLE_CLASSES];
    struct hitop_model *model = NULL;

    example_classes(classes);
    if (example_build("hockney", h, classes, EXAMPLE_CLASSES, NULL, &model, NULL) != HITOP_OK) {
        abort();
    }
    hitop_hierarchy_free(h);
    return model;
}

/*
 * Two racks, nodes 4 and 5, of two ranks each, and the way into and out of the first one has room
 * for half a message, that of the second for four, as its edge says. What the root says of itself
 * nothing crosses.
 */
static inline struct hitop_model *example_racks(void)
{
    static const double params[3][2] = {{1e-6, 1e-9}, {2e-6, 1e-9}, {10e-6, 8e-9}};
    static const struct hitop_attr four = {"capacity", "4", 0};
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    const int root = hitop_hierarchy_builder_group(b, "root", "");
    struct hitop_hierarchy *h = NULL;
    struct hitop_model *model = NULL;
    struct hitop_class classes[3];
    int rack[2];

    for (int k = 0; k < 2; k++) {
        rack[k] = hitop_hierarchy_builder_group(b, "rack", k ? "B" : "A");
        hitop_hierarchy_builder_edge(b, rack[k], root);
        for (int i = 0; i < 2; i++) {
            static const char *const host[] = {"a0", "a1", "b0", "b1"};
            hitop_hierarchy_builder_edge(
                b, hitop_hierarchy_builder_leaf(b, 2 * k + i, host[2 * k + i]), rack[k]);
        }
    }
    hitop_hierarchy_builder_attr(b, root, "capacity", "1/4");
    hitop_hierarchy_builder_attr(b, rack[0], "capacity", "1/2");
    hitop_hierarchy_builder_add_attr(b, HITOP_ATTR_OF_EDGE, rack[1], &four);
    for (int i = 0; i < 3; i++) {
        classes[i] = (struct hitop_class){
            .node = 4 + i, .pair = {HITOP_NO_RANK, HITOP_NO_RANK}, .params = params[i]};
    }
    if (hitop_hierarchy_builder_finish(b, &h, NULL) != HITOP_OK ||
        example_build("hockney", h, classes, 3, NULL, &model, NULL) != HITOP_OK) {
        abort();
    }
    hitop_hierarchy_free(h);
    hitop_hierarchy_builder_free(b);
    return model;
}

#endif /* EXAMPLE_HIERARCHY_H */
