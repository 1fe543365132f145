/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * algorithm.c - list the algorithms of an operation; an algorithm over trees counts once for each
 * tree.
 */
#include <config.h>

#include "hitop/plan.h"

#include "hitop/cpm.h"
#include "hitop/sys/coll.h"
#include "hitop/sys/tree.h"
#include "hitop/text.h"

#include <string.h>

static int serves(const struct hitop_coll_type *type, const struct hitop_operation *operation)
{
    return strcmp(type->family, operation->family) == 0 &&
           !((operation->flags & HITOP_UNEVEN) && (type->needs & HITOP_NEED_ALIKE));
}

/*
 * Return the algorithm with this index. Past the last one its type is NULL, and *count, unless
 * NULL, receives their number.
 */
static struct hitop_algorithm look_up(const struct hitop_operation *operation, size_t index,
                                      size_t *count)
{
    const struct hitop_coll_type *const *types = hitop_coll_types();
    const struct hitop_tree_builder *const *trees = hitop_tree_builders();
    struct hitop_algorithm algorithm = {NULL, NULL};
    size_t n = 0;

    for (size_t t = 0; types[t]; t++) {
        if (!serves(types[t], operation)) {
            continue;
        }
        algorithm.type = types[t];
        if (!(types[t]->needs & HITOP_NEED_TREE) && n++ == index) {
            return algorithm;
        }
        for (size_t b = 0; (types[t]->needs & HITOP_NEED_TREE) && trees[b]; b++) {
            if (n++ == index) {
                algorithm.tree = trees[b];
                return algorithm;
            }
        }
    }
    if (count) {
        *count = n;
    }
    return (struct hitop_algorithm){NULL, NULL};
}

size_t hitop_algorithm_count(const struct hitop_operation *operation)
{
    size_t count = 0;

    (void)look_up(operation, (size_t)-1, &count);
    return count;
}

struct hitop_algorithm hitop_algorithm_at(const struct hitop_operation *operation, size_t index)
{
    return look_up(operation, index, NULL);
}

const char *hitop_algorithm_name(struct hitop_algorithm algorithm)
{
    return algorithm.tree ? algorithm.tree->name
                          : algorithm.type->name + strlen(algorithm.type->family) + 1;
}

/* Find an algorithm by its present name; on failure *out has no type. */
static int find(const struct hitop_operation *operation, const char *name,
                struct hitop_algorithm *out)
{
    for (size_t i = 0;; i++) {
        *out = hitop_algorithm_at(operation, i);
        if (!out->type || strcmp(hitop_algorithm_name(*out), name) == 0) {
            return out->type != NULL;
        }
    }
}

/* An algorithm of CPM or MPIBlib, e.g. "dfs_binomial_min" or "Hockney_Scatter_dfs_binomial_min". */
static enum hitop_status find_cpm(const struct hitop_operation *operation, const char *name,
                                  struct hitop_algorithm *out, struct hitop_diag *diag)
{
    struct hitop_cpm_name found;
    enum hitop_status status = hitop_cpm_find(name, &found, diag);

    if (status == HITOP_OK && found.operation && strcmp(found.operation, operation->name) != 0) {
        return hitop_fail(diag, HITOP_ERR_UNSUPPORTED,
                          "'%.64s' of CPM is for the operation %s, not %s", name, found.operation,
                          operation->name);
    }
    if (status == HITOP_OK && (!found.algorithm || !find(operation, found.algorithm, out))) {
        return HITOP_ERR_NOTFOUND;
    }
    if (status == HITOP_OK) {
        hitop_cpm_report(name, &found);
    }
    return status;
}

enum hitop_status hitop_algorithm_find(const struct hitop_operation *operation, const char *name,
                                       struct hitop_algorithm *out, struct hitop_diag *diag)
{
    char valid[1024] = "";
    enum hitop_status status;

    if (find(operation, name, out)) {
        return HITOP_OK;
    }
    status = find_cpm(operation, name, out, diag);
    if (status != HITOP_ERR_NOTFOUND) {
        return status == HITOP_OK ? HITOP_OK : HITOP_ERR_NOTFOUND;
    }
    for (size_t i = 0; i < hitop_algorithm_count(operation); i++) {
        hitop_text_list_name(valid, sizeof(valid),
                             hitop_algorithm_name(hitop_algorithm_at(operation, i)));
    }
    return hitop_fail(diag, HITOP_ERR_NOTFOUND, "%s has no algorithm '%.64s'; valid: auto, %s",
                      operation->name, name, valid);
}
