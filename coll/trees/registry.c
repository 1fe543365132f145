/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * registry.c - find a tree builder by name and run it. Builders that the program registers follow
 * those of Makefile.am.
 */
#include <config.h>

#include "hitop/sys/tree.h"

#include "hitop/cpm.h"
#include "hitop/text.h"

#include <stdlib.h>
#include <string.h>

#define HITOP_ENTRY(symbol) extern const struct hitop_tree_builder symbol;
#include "tree_registry.inc"
#undef HITOP_ENTRY

#define HITOP_ENTRY(symbol) +1
enum {
    COMPILED =
#include "tree_registry.inc"
};
#undef HITOP_ENTRY

#define HITOP_ENTRY(symbol) &symbol,
static const struct hitop_tree_builder *builders[COMPILED + HITOP_PRIVATE_MAX + 1] = {
#include "tree_registry.inc"
};
#undef HITOP_ENTRY

const struct hitop_tree_builder *const *hitop_tree_builders(void)
{
    return builders;
}

static const struct hitop_tree_builder *find(const char *name)
{
    for (size_t i = 0; builders[i]; i++) {
        if (strcmp(builders[i]->name, name) == 0) {
            return builders[i];
        }
    }
    return NULL;
}

/* A tree of CPM or MPIBlib, e.g. "dfs_binomial_min". */
static enum hitop_status find_cpm(const char *name, const struct hitop_tree_builder **out,
                                  struct hitop_diag *diag)
{
    struct hitop_cpm_name found;
    const enum hitop_status status = hitop_cpm_find(name, &found, diag);

    *out = status == HITOP_OK && found.algorithm ? find(found.algorithm) : NULL;
    if (status == HITOP_OK && !*out) {
        return HITOP_ERR_NOTFOUND;
    }
    if (status == HITOP_OK) {
        hitop_cpm_report(name, &found);
    }
    return status;
}

enum hitop_status hitop_tree_builder_find(const char *name, const struct hitop_tree_builder **out,
                                          struct hitop_diag *diag)
{
    char valid[384] = "";
    enum hitop_status status;

    *out = find(name);
    if (*out) {
        return HITOP_OK;
    }
    status = find_cpm(name, out, diag);
    if (status != HITOP_ERR_NOTFOUND) {
        return status == HITOP_OK ? HITOP_OK : HITOP_ERR_NOTFOUND;
    }
    for (size_t i = 0; builders[i]; i++) {
        hitop_text_list_name(valid, sizeof(valid), builders[i]->name);
    }
    return hitop_fail(diag, HITOP_ERR_NOTFOUND, "no tree is called '%.64s'; valid: %s", name,
                      valid);
}

enum hitop_status hitop_tree_builder_register(const struct hitop_tree_builder *builder,
                                              struct hitop_diag *diag)
{
    enum hitop_status status = hitop_param_name_check("tree", builder->name, diag);
    size_t n;

    if (status == HITOP_OK && (!builder->build || !builder->summary)) {
        status = hitop_fail(diag, HITOP_ERR_INVALID, "tree %s: summary and build() are needed",
                            builder->name);
    }
    if (status == HITOP_OK) {
        status = hitop_param_table_check(builder->name, builder->params, builder->nparams, diag);
    }
    for (n = 0; status == HITOP_OK && builders[n]; n++) {
        if (builders[n] == builder) {
            return HITOP_OK;
        }
        if (strcmp(builders[n]->name, builder->name) == 0) {
            status =
                hitop_fail(diag, HITOP_ERR_INVALID, "there is a tree %s already", builder->name);
        }
    }
    if (status == HITOP_OK && n == COMPILED + HITOP_PRIVATE_MAX) {
        status = hitop_fail(diag, HITOP_ERR_UNSUPPORTED,
                            "tree %s: there are %d trees of the program already", builder->name,
                            HITOP_PRIVATE_MAX);
    }
    if (status == HITOP_OK) {
        builders[n] = builder;
    }
    return status;
}

static enum hitop_status check_args(const struct hitop_tree_builder *b,
                                    const struct hitop_tree_args *a, struct hitop_diag *diag)
{
    if (a->size < 1 || a->root < 0 || a->root >= a->size) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "%s: root %d with %d ranks makes no tree; at least one rank and a root "
                          "in 0..ranks-1 are needed",
                          b->name, a->root, a->size);
    }
    if ((b->needs & HITOP_TREE_NEEDS_COST) && (!a->cost || a->cost->nranks < a->size)) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "%s: needs prices for %d ranks, has them for %d",
                          b->name, a->size, a->cost ? a->cost->nranks : 0);
    }
    return HITOP_OK;
}

enum hitop_status hitop_tree_build(const char *name, const struct hitop_tree_args *args,
                                   const double *params, struct hitop_tree **out,
                                   struct hitop_diag *diag)
{
    const struct hitop_tree_builder *b;
    double *values = NULL;
    int *parent = NULL, *order = NULL;
    enum hitop_status status;

    *out = NULL;
    status = hitop_tree_builder_find(name, &b, diag);
    if (status == HITOP_OK) {
        status = check_args(b, args, diag);
    }
    if (status != HITOP_OK) {
        return status;
    }
    values = calloc(b->nparams + 1, sizeof(*values));
    parent = calloc((size_t)args->size, sizeof(*parent));
    order = calloc((size_t)args->size, sizeof(*order));
    if (!values || !parent || !order) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", name);
        goto out;
    }
    status = hitop_params_check(name, b->params, b->nparams, params, values, diag);
    if (status == HITOP_OK) {
        status = b->build(args, values, parent, order, diag);
    }
    if (status == HITOP_OK) {
        status = hitop_tree_make(name, args->size, args->root, parent, order, out, diag);
    }

out:
    free(order);
    free(parent);
    free(values);
    return status;
}
