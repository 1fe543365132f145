/* SPDX-License-Identifier: BSD-3-Clause */
/* placement_names.c - a stand-in for a model where there is none. */
#include <config.h>

#include "placement.h"

#include "hitop/source.h"

#include <stdlib.h>
#include <string.h>

/* Latency in seconds and seconds per byte between the members of a group. */
struct guess {
    const char *level;
    double params[2];
};

/*
 * Orders of magnitude: shared memory, one switch, several switches, a wide-area link. Only their order
 * matters: it keeps messages inside the smallest group.
 */
static const struct guess guesses[] = {
    {"host", {1e-6, 2e-10}},
    {"cluster", {2e-5, 1e-9}},
    {"domain", {1e-4, 1e-9}},
    {"root", {1e-3, 1e-8}},
};

static const double *guess_params(const char *level)
{
    const size_t n = sizeof(guesses) / sizeof(guesses[0]);

    for (size_t i = 0; i < n; i++) {
        if (strcmp(guesses[i].level, level) == 0) {
            return guesses[i].params;
        }
    }
    return guesses[1].params;
}

static enum hitop_status price(const struct hitop_hierarchy *h, struct hitop_model **out,
                               struct hitop_diag *diag)
{
    const int nnodes = hitop_hierarchy_nnodes(h);
    struct hitop_class *classes = calloc((size_t)nnodes, sizeof(*classes));
    enum hitop_status status;
    int n = 0;

    if (!classes) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    for (int node = hitop_hierarchy_nranks(h); node < nnodes; node++) {
        int nchildren;
        (void)hitop_hierarchy_children(h, node, &nchildren);
        if (nchildren >= 2) {
            classes[n++] =
                (struct hitop_class){.node = node,
                                     .pair = {HITOP_NO_RANK, HITOP_NO_RANK},
                                     .params = guess_params(hitop_hierarchy_level(h, node))};
        }
    }
    status = hitop_model_build("hockney", h, classes, n, NULL, out, diag);
    free(classes);
    return status;
}

enum hitop_status hitop_placement_from_names(const char *const *hosts, int nhosts,
                                             struct hitop_model **out, struct hitop_diag *diag)
{
    const struct hitop_grouping how = {0};
    struct hitop_place *place = calloc((size_t)nhosts + 1, sizeof(*place));
    struct hitop_hierarchy *h = NULL;
    enum hitop_status status;

    *out = NULL;
    if (!place) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    for (int k = 0; k < nhosts; k++) {
        place[k] = (struct hitop_place){
            .host = hosts[k], .package = HITOP_UNBOUND, .numa = HITOP_UNBOUND, .l3 = HITOP_UNBOUND};
    }
    status = hitop_hierarchy_group(place, nhosts, &how, &h, diag);
    if (status == HITOP_OK) {
        status = price(h, out, diag);
    }
    hitop_hierarchy_free(h);
    free(place);
    return status;
}
