/* SPDX-License-Identifier: BSD-3-Clause */
/* model_classes.c - check, sort and index classes, so that a pair of ranks finds its own. */
#include <config.h>

#include "models/model/model_impl.h"

#include <stdlib.h>
#include <string.h>

/* A class and its place in the order. */
struct placed {
    struct hitop_class class;
    int place[2]; /* of the two members in their group; equal for a class of the whole group */
};

static int compare_placed(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    if (x->class.node != y->class.node) {
        return x->class.node < y->class.node ? -1 : 1;
    }
    if (x->place[0] != y->place[0]) {
        return x->place[0] < y->place[0] ? -1 : 1;
    }
    return (x->place[1] > y->place[1]) - (x->place[1] < y->place[1]);
}

static struct placed place_class(const struct hitop_hierarchy *h, const struct hitop_class *c)
{
    struct placed p = {.class = *c};

    if (!model_is_whole(c)) {
        const int x = hitop_model_place_of(h, c->node, c->between[0]);
        const int y = hitop_model_place_of(h, c->node, c->between[1]);
        const int swap = x > y;
        p.place[swap] = x;
        p.place[!swap] = y;
        p.class.between[0] = c->between[swap];
        p.class.between[1] = c->between[!swap];
    } else {
        p.class.between[0] = p.class.between[1] = 0;
    }
    return p;
}

/* Check the classes one by one and sort them. */
static enum hitop_status sort_classes(struct hitop_model *model,
                                      const struct hitop_model_parts *parts,
                                      struct hitop_diag *diag)
{
    const size_t n = (size_t)parts->nclasses;
    struct placed *placed = calloc(n + 1, sizeof(*placed));
    enum hitop_status status = HITOP_OK;

    model->classes = hitop_memory_take(&model->memory, n, sizeof(*model->classes));
    model->nclasses = parts->nclasses;
    if (!placed || !model->classes) {
        status = hitop_model_out_of_memory(diag);
    }
    for (size_t i = 0; status == HITOP_OK && i < n; i++) {
        struct hitop_diag reason = HITOP_DIAG_INIT;
        status =
            hitop_model_check_class(model->type, model->hierarchy, &parts->classes[i], &reason);
        if (status != HITOP_OK) {
            status = hitop_fail(diag, status, "class of node %d: %s", parts->classes[i].node,
                                reason.message);
        } else {
            placed[i] = place_class(model->hierarchy, &parts->classes[i]);
        }
    }
    if (status == HITOP_OK) {
        qsort(placed, n, sizeof(*placed), compare_placed);
    }
    for (size_t i = 0; status == HITOP_OK && i < n; i++) {
        model->classes[i] = placed[i].class;
    }
    free(placed);
    return status;
}

static enum hitop_status refuse_group(const struct hitop_model *model, int node, const char *what,
                                      struct hitop_diag *diag)
{
    return hitop_fail(diag, HITOP_ERR_INVALID, "node %d (%s '%s') has %s", node,
                      hitop_hierarchy_level(model->hierarchy, node),
                      hitop_hierarchy_name(model->hierarchy, node), what);
}

/* Check that a group has one class for all, or one for each two members, in order. */
static enum hitop_status check_group(const struct hitop_model *model, int node, int first,
                                     int nfound, struct hitop_diag *diag)
{
    const struct hitop_class *c = model->classes + first;
    int nmembers, k = 0;
    const int *member = hitop_hierarchy_children(model->hierarchy, node, &nmembers);

    if (nfound == 0) {
        return refuse_group(model, node, "no class", diag);
    }
    if (model_is_whole(c)) {
        return nfound == 1 ? HITOP_OK : refuse_group(model, node, "more than one class", diag);
    }
    for (int x = 0; x < nmembers; x++) {
        for (int y = x + 1; y < nmembers; y++, k++) {
            if (k >= nfound || c[k].between[0] != member[x] || c[k].between[1] != member[y]) {
                return refuse_group(model, node, "not one class for each two members", diag);
            }
        }
    }
    return k == nfound ? HITOP_OK : refuse_group(model, node, "two classes for two members", diag);
}

/* Check that each priced group has its classes, and note the index of the first. */
static enum hitop_status index_classes(struct hitop_model *model, struct hitop_diag *diag)
{
    const struct hitop_hierarchy *h = model->hierarchy;
    const int nnodes = hitop_hierarchy_nnodes(h);
    enum hitop_status status = HITOP_OK;
    int next = 0;

    model->class_of_node = hitop_memory_take(&model->memory, (size_t)nnodes, sizeof(int));
    if (!model->class_of_node) {
        return hitop_model_out_of_memory(diag);
    }
    memset(model->class_of_node, -1, (size_t)nnodes * sizeof(int));
    for (int node = hitop_hierarchy_nranks(h); status == HITOP_OK && node < nnodes; node++) {
        const int first = next;
        while (next < model->nclasses && model->classes[next].node == node) {
            next++;
        }
        if (model_is_priced(h, node)) {
            model->class_of_node[node] = first;
            status = check_group(model, node, first, next - first, diag);
        }
    }
    return status;
}

enum hitop_status hitop_model_adopt_classes(struct hitop_model *model,
                                            const struct hitop_model_parts *parts,
                                            struct hitop_diag *diag)
{
    const enum hitop_status status = sort_classes(model, parts, diag);

    return status == HITOP_OK ? index_classes(model, diag) : status;
}
