/* SPDX-License-Identifier: BSD-3-Clause */
/* coll.c - argument checks and the registry of algorithms, which live in coll/algorithms. */
#include <config.h>

#include "hitop/sys/coll.h"

#include "hitop/cpm.h"
#include "hitop/operation.h"
#include "hitop/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HITOP_ENTRY(symbol) extern const struct hitop_coll_type symbol;
#include "coll_registry.inc"
#undef HITOP_ENTRY

#define HITOP_ENTRY(symbol) &symbol,
static const struct hitop_coll_type *const types[] = {
#include "coll_registry.inc"
    NULL};
#undef HITOP_ENTRY

const struct hitop_coll_type *const *hitop_coll_types(void)
{
    return types;
}

static const struct hitop_coll_type *find(const char *name)
{
    for (size_t i = 0; types[i]; i++) {
        if (strcmp(types[i]->name, name) == 0) {
            return types[i];
        }
    }
    return NULL;
}

/* A name of CPM: "LMO_Gather_split_flat" is gather_split; others are trees of the program. */
static enum hitop_status find_cpm(const char *name, const struct hitop_coll_type **out,
                                  struct hitop_diag *diag)
{
    const struct hitop_operation *operation;
    struct hitop_cpm_name cpm;
    enum hitop_status status = hitop_cpm_find(name, &cpm, diag);
    char present[64];

    if (status != HITOP_OK) {
        return status;
    }
    if (!cpm.operation || !cpm.algorithm ||
        hitop_operation_find(cpm.operation, &operation, NULL) != HITOP_OK) {
        return HITOP_ERR_NOTFOUND;
    }
    (void)snprintf(present, sizeof(present), "%s_%s", operation->family, cpm.algorithm);
    *out = find(present);
    if (*out) {
        hitop_cpm_report(name, &cpm);
        return HITOP_OK;
    }
    return hitop_fail(diag, HITOP_ERR_UNSUPPORTED,
                      "'%.64s' of CPM is the collective %s_tree over the tree %s", name,
                      operation->family, cpm.algorithm);
}

enum hitop_status hitop_coll_type_find(const char *name, const struct hitop_coll_type **out,
                                       struct hitop_diag *diag)
{
    char valid[1024] = "";
    enum hitop_status status;

    *out = find(name);
    if (*out) {
        return HITOP_OK;
    }
    status = find_cpm(name, out, diag);
    if (status != HITOP_ERR_NOTFOUND) {
        return status == HITOP_OK ? HITOP_OK : HITOP_ERR_NOTFOUND;
    }
    for (size_t i = 0; types[i]; i++) {
        hitop_text_list_name(valid, sizeof(valid), types[i]->name);
    }
    return hitop_fail(diag, HITOP_ERR_NOTFOUND, "no collective is called '%.64s'; valid: %s", name,
                      valid);
}

static enum hitop_status refuse(const struct hitop_coll_type *type, const char *reason,
                                struct hitop_diag *diag)
{
    return hitop_fail(diag, HITOP_ERR_UNSUPPORTED, "%s: %s", type->name, reason);
}

enum hitop_status hitop_coll_applies(const struct hitop_coll_type *type,
                                     const struct hitop_coll_args *a, struct hitop_diag *diag)
{
    if ((type->needs & HITOP_NEED_POW2) && (a->size & (a->size - 1))) {
        return hitop_fail(diag, HITOP_ERR_UNSUPPORTED, "%s: %d ranks is not a power of two",
                          type->name, a->size);
    }
    if ((type->needs & HITOP_NEED_EVEN) && a->size % 2) {
        return hitop_fail(diag, HITOP_ERR_UNSUPPORTED, "%s: %d ranks is not an even number",
                          type->name, a->size);
    }
    if ((type->needs & HITOP_NEED_ALIKE) && a->starts) {
        return refuse(type, "blocks differ in length", diag);
    }
    if ((type->needs & HITOP_NEED_ANY_ORDER) && a->ordered) {
        return refuse(type, "the operation does not commute", diag);
    }
    if ((type->needs & HITOP_NEED_TREE_IN_ORDER) && a->ordered && a->tree &&
        !hitop_tree_in_order(a->tree)) {
        return refuse(type, "the operation does not commute, and the tree is not in rank order",
                      diag);
    }
    return HITOP_OK;
}

static enum hitop_status check_args(const struct hitop_coll_type *type,
                                    const struct hitop_coll_args *a, struct hitop_diag *diag)
{
    if (a->size < 1 || a->rank < 0 || a->rank >= a->size || a->root < 0 || a->root >= a->size) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "%s: rank %d or root %d is not in 0..%d",
                          type->name, a->rank, a->root, a->size - 1);
    }
    if ((type->needs & HITOP_NEED_TREE) &&
        (!a->tree || hitop_tree_size(a->tree) != a->size || hitop_tree_root(a->tree) != a->root)) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "%s: needs a tree over %d ranks rooted at %d",
                          type->name, a->size, a->root);
    }
    if (a->bytes % hitop_unit(a) != 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "%s: %zu bytes are no whole elements of %zu",
                          type->name, a->bytes, a->unit);
    }
    return hitop_coll_applies(type, a, diag);
}

enum hitop_status hitop_coll_check(const struct hitop_coll_type *type,
                                   const struct hitop_coll_args *args, struct hitop_diag *diag)
{
    double *values = calloc(type->nparams + 1, sizeof(*values));
    enum hitop_status status = values ? HITOP_OK : HITOP_ERR_NOMEM;

    if (status != HITOP_OK) {
        return hitop_fail(diag, status, "%s: out of memory", type->name);
    }
    status = args->tree ? check_args(type, args, diag) : hitop_coll_applies(type, args, diag);
    if (status == HITOP_OK) {
        status =
            hitop_params_check(type->name, type->params, type->nparams, args->params, values, diag);
    }
    free(values);
    return status;
}

static size_t share(enum hitop_share what, const struct hitop_coll_args *a, const size_t *starts)
{
    switch (what) {
    case HITOP_MESSAGE:
        return a->bytes;
    case HITOP_BLOCK:
        return hitop_block_bytes(a, a->rank, 1);
    case HITOP_BLOCKS:
        return starts ? starts[a->size] : (size_t)a->size * a->bytes;
    case HITOP_NOTHING:
        break;
    }
    return 0;
}

size_t hitop_coll_brings(const struct hitop_operation *operation,
                         const struct hitop_coll_args *args)
{
    if (operation->flags & HITOP_ROOT_BRINGS &&
        (args->rank != args->root || operation->brings == HITOP_MESSAGE)) {
        return 0;
    }
    return share(operation->brings, args, args->starts);
}

size_t hitop_coll_takes(const struct hitop_operation *operation, const struct hitop_coll_args *args)
{
    if (operation->flags & HITOP_ROOT_TAKES && args->rank != args->root) {
        return 0;
    }
    return share(operation->takes, args, args->recv_starts ? args->recv_starts : args->starts);
}

static enum hitop_status check_plan(const struct hitop_coll_type *type,
                                    const struct hitop_coll_args *a,
                                    const struct hitop_sched *sched, struct hitop_diag *diag)
{
    const enum hitop_status status = hitop_sched_status(sched);

    if (status == HITOP_ERR_UNSUPPORTED && type->nparams > 0) {
        return hitop_fail(diag, status, "%s: %s=%.0f cuts %zu bytes into too many segments",
                          type->name, type->params[0].name, a->params[0], a->bytes);
    }
    return status == HITOP_OK ? status : hitop_fail(diag, status, "%s: no plan", type->name);
}

enum hitop_status hitop_coll_type_plan(const struct hitop_coll_type *type,
                                       const struct hitop_coll_args *args, struct hitop_sched **out,
                                       struct hitop_diag *diag)
{
    struct hitop_coll_args complete = *args;
    struct hitop_sched *sched = NULL;
    double *values = NULL;
    enum hitop_status status = check_args(type, args, diag);

    *out = NULL;
    if (status != HITOP_OK) {
        return status;
    }
    sched = hitop_sched_new();
    values = calloc(type->nparams + 1, sizeof(*values));
    if (!sched || !values) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", type->name);
        goto out;
    }
    status =
        hitop_params_check(type->name, type->params, type->nparams, args->params, values, diag);
    if (status == HITOP_OK) {
        complete.params = values;
        type->plan(&complete, sched);
        status = check_plan(type, &complete, sched, diag);
    }
    if (status == HITOP_OK) {
        *out = sched;
        sched = NULL;
    }

out:
    free(values);
    hitop_sched_free(sched);
    return status;
}

enum hitop_status hitop_coll_plan(const char *name, const struct hitop_coll_args *args,
                                  struct hitop_sched **out, struct hitop_diag *diag)
{
    const struct hitop_coll_type *type;
    const enum hitop_status status = hitop_coll_type_find(name, &type, diag);

    *out = NULL;
    return status == HITOP_OK ? hitop_coll_type_plan(type, args, out, diag) : status;
}
