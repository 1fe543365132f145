/* SPDX-License-Identifier: BSD-3-Clause */
/* placement_names.c - a stand-in for a model where there is none. */
#include <config.h>

#include "coll/predict/placement.h"
#include "coll/predict/placement_price.h"

#include "hitop/source.h"

#include <stdlib.h>
#include <string.h>

/* Latency in seconds and seconds per byte between the members of a group. */
struct guess {
    const char *level;
    double params[2];
};

/*
 * Orders of magnitude: shared memory, one switch, several switches, a wide-area link. Mostly their order matters: it
 * keeps messages inside the smallest group. Latencies are rather high, so that trees without a measured model are
 * rather flat: each process that passes a message on may have lost its processor.
 */
static const struct guess guesses[] = {
    {"host", {1e-6, 2e-10}},
    {"cluster", {6e-5, 1e-9}},
    {"domain", {1e-4, 1e-9}},
    {"root", {1e-3, 1e-8}},
};

enum { NGUESSES = sizeof(guesses) / sizeof(guesses[0]) };

/* Seconds until a process that shares its processor has seen a message: turns of the others, as some on a processor take. */
static const double turns = 1.4e-4;

static int guess_params(const void *context, const struct hitop_hierarchy *h, int node,
                        const int member[2], struct hitop_class *c)
{
    const char *level = hitop_hierarchy_level(h, node);
    const struct guess *kinds = context;

    (void)member;
    c->params = kinds[1].params;
    for (int i = 0; i < NGUESSES; i++) {
        if (strcmp(kinds[i].level, level) == 0) {
            c->params = kinds[i].params;
        }
    }
    return 1;
}

enum hitop_status hitop_placement_from_names(const char *const *hosts, int nhosts, int crowded,
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
        place[k] = (struct hitop_place)HITOP_PLACE_INIT(hosts[k]);
    }
    status = hitop_hierarchy_group(place, nhosts, &how, &h, diag);
    if (status == HITOP_OK) {
        const struct hitop_model_parts parts = {.type = "hockney", .hierarchy = h};
        struct guess kinds[NGUESSES];

        memcpy(kinds, guesses, sizeof(guesses));
        for (int i = 1; i < NGUESSES && crowded; i++) { /* on a host nobody passes it on */
            kinds[i].params[0] += turns;
        }
        status = hitop_placement_price(&parts, guess_params, kinds, out, diag);
    }
    hitop_hierarchy_free(h);
    free(place);
    return status;
}
