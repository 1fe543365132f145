/* SPDX-License-Identifier: BSD-3-Clause */
/* update_links.c - links that represent the classes of an earlier model. */
#include <config.h>

#include "models/measure/update.h"

#include <stdlib.h>
#include <string.h>

/* Whether a class represents all links of a group. */
static int is_of_group(const struct hitop_class *c)
{
    return c->between[0] == c->between[1];
}

/* Keep only links with classes of groups, or only the others; returns their number. */
static int keep(const struct hitop_model *model, int of_groups, struct hitop_link *links, int n)
{
    int kept = 0;

    for (int i = 0; i < n; i++) {
        if (is_of_group(class_of_link(model, &links[i])) == of_groups) {
            links[kept++] = links[i];
        }
    }
    return kept;
}

/* Append other links, in rounds after the last one. */
static enum hitop_status append(struct hitop_link **links, int *nlinks,
                                const struct hitop_link *others, int n, struct hitop_diag *diag)
{
    struct hitop_link *all;
    int round = 0, phase = 0;

    if (n == 0) {
        return HITOP_OK;
    }
    all = calloc((size_t)*nlinks + (size_t)n, sizeof(*all));
    if (!all) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "links: out of memory for %d", *nlinks + n);
    }
    for (int i = 0; i < *nlinks; i++) {
        all[i] = (*links)[i];
        round = all[i].round > round ? all[i].round : round;
        phase = all[i].phase > phase ? all[i].phase : phase;
    }
    for (int i = 0; i < n; i++) {
        all[*nlinks + i] = others[i];
        all[*nlinks + i].round += round + 1;
        all[*nlinks + i].phase += phase + 1;
    }
    free(*links);
    *links = all;
    *nlinks += n;
    return HITOP_OK;
}

static int has_pairs(const struct hitop_model *model)
{
    int i = 0;

    while (i < hitop_model_nclasses(model) && is_of_group(hitop_model_class(model, i))) {
        i++;
    }
    return i < hitop_model_nclasses(model);
}

enum hitop_status hitop_links_choose_like(const struct hitop_model *model,
                                          struct hitop_link **links, int *nlinks,
                                          struct hitop_diag *diag)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(model);
    const int is_flat = hitop_hierarchy_height(h, hitop_hierarchy_root(h)) == 1;
    struct hitop_link *pairs = NULL;
    int npairs = 0;
    enum hitop_status status;

    if (!has_pairs(model)) {
        return HITOP_OK;
    }
    status = is_flat ? hitop_links_choose_flat(h, &pairs, &npairs, diag)
                     : hitop_links_choose_pairs(h, &pairs, &npairs, diag);
    if (status == HITOP_OK) {
        *nlinks = keep(model, 1, *links, *nlinks);
        npairs = keep(model, 0, pairs, npairs);
        status = append(links, nlinks, pairs, npairs, diag);
    }
    free(pairs);
    return status;
}

/*
 * Append other links, except those on which classes were measured, which are checked in any case.
 */
static enum hitop_status append_others(const struct hitop_model *model, struct hitop_link **links,
                                       int *nlinks, struct hitop_link *others, int n,
                                       struct hitop_diag *diag)
{
    int kept = 0;

    for (int i = 0; i < n; i++) {
        if (!is_own_link(class_of_link(model, &others[i]), &others[i])) {
            others[kept++] = others[i];
        }
    }
    return append(links, nlinks, others, kept, diag);
}

/* The ranks in the order of the tree; NULL without memory. */
static int *leaves_of(const struct hitop_hierarchy *h)
{
    const int top = hitop_hierarchy_root(h), nranks = hitop_hierarchy_nranks(h);
    int *leaf = calloc((size_t)nranks + 1, sizeof(*leaf));
    int n = 0;

    for (int node = top; leaf && node != HITOP_NO_NODE; node = hitop_hierarchy_next(h, top, node)) {
        if (node < nranks) {
            leaf[n++] = node;
        }
    }
    return leaf;
}

/*
 * Pair each rank with the rank half a machine away, so that most pairs are in the largest groups.
 */
static struct hitop_link *choose_far(const struct hitop_hierarchy *h, int *n)
{
    const int nranks = hitop_hierarchy_nranks(h), half = nranks / 2;
    struct hitop_link *links = calloc((size_t)half + 2, sizeof(*links));
    int *leaf = leaves_of(h);

    *n = 0;
    for (int i = 0; links && leaf && nranks > 1 && i < nranks - half; i++) {
        const int a = leaf[i < half ? i : nranks - 1], b = leaf[i < half ? half + i : 0];
        links[(*n)++] = (struct hitop_link){.node = hitop_hierarchy_lca(h, a, b),
                                            .rank = {a, b},
                                            .round = i == half, /* the last of an odd number */
                                            .phase = i == half};
    }
    if (!leaf) {
        free(links);
        links = NULL;
    }
    free(leaf);
    return links;
}

/* Append links of small and of large groups for each processor. */
static enum hitop_status append_for_processors(const struct hitop_model *model,
                                               struct hitop_link **links, int *nlinks,
                                               struct hitop_diag *diag)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(model);
    struct hitop_link *ring = NULL, *far = NULL;
    int n = 0;
    enum hitop_status status = hitop_links_choose_ring(h, &ring, &n, diag);

    if (status == HITOP_OK) {
        status = append_others(model, links, nlinks, ring, n, diag);
    }
    if (status == HITOP_OK) {
        far = choose_far(h, &n);
        status = far ? append_others(model, links, nlinks, far, n, diag)
                     : hitop_fail(diag, HITOP_ERR_NOMEM, "links: out of memory");
    }
    free(far);
    free(ring);
    return status;
}

enum hitop_status hitop_links_choose_checks(const struct hitop_model *model,
                                            struct hitop_link **out, int *nlinks,
                                            struct hitop_diag *diag)
{
    enum hitop_status status = hitop_links_choose(hitop_model_hierarchy(model), out, nlinks, diag);

    if (status == HITOP_OK) {
        status = hitop_links_choose_like(model, out, nlinks, diag);
    }
    for (int i = 0; status == HITOP_OK && i < *nlinks; i++) {
        struct hitop_link *l = &(*out)[i];
        const struct hitop_class *c = class_of_link(model, l);
        if (c->pair[0] != HITOP_NO_RANK) {
            memcpy(l->rank, c->pair, sizeof(l->rank));
        }
    }
    if (status == HITOP_OK && hitop_model_nprocessors(model) > 0) {
        status = append_for_processors(model, out, nlinks, diag);
    }
    if (status != HITOP_OK) {
        free(*out);
        *out = NULL;
        *nlinks = 0;
    }
    return status;
}
