/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source_binding.c - the parts of its host to which a rank is bound.
 *
 * Idea:   ranks that are bound to the same package, die, NUMA node or last-level cache share it.
 * Use:    jobs whose launcher binds ranks. A rank that may move between packages is in no package.
 * Needs:  the binding of each rank. The fact "binding" has the levels from the outside inwards,
 *         e.g. "package numa l3"; without it the order is that of part_names[].
 */
#include <config.h>

#include "hitop/sys/source.h"

#include "hierarchy/text/part_names.h"

#include <stdio.h>
#include <string.h>

static int find_part(const char *level, size_t length)
{
    int i = 0;

    while (i < HITOP_NPARTS &&
           (strlen(part_names[i]) != length || memcmp(part_names[i], level, length) != 0)) {
        i++;
    }
    return i;
}

/* The order of the parts: those in the fact, in its order, then the others. */
static void read_order(const char *fact, int order[HITOP_NPARTS])
{
    unsigned seen = 0;
    int n = 0;

    while (*fact) {
        const size_t length = strcspn(fact, " ");
        const int part = find_part(fact, length);
        if (part < HITOP_NPARTS && !(seen & 1u << part)) {
            seen |= 1u << part;
            order[n++] = part;
        }
        fact += length;
        fact += *fact == ' ';
    }
    for (int part = 0; part < HITOP_NPARTS; part++) {
        if (!(seen & 1u << part)) {
            order[n++] = part;
        }
    }
}

static enum hitop_status binding_classify(const struct hitop_source_input *in,
                                          struct hitop_paths *paths, struct hitop_diag *diag)
{
    const struct hitop_fact *fact = NULL; /* the fact that order[] was read from */
    int order[HITOP_NPARTS];

    (void)diag;
    read_order("", order);
    for (int rank = 0; rank < in->nplaces; rank++) {
        const struct hitop_place *place = &in->place[rank];
        if (place->fact != fact) {
            fact = place->fact;
            read_order(hitop_place_fact(place, "binding"), order);
        }
        for (int i = 0; i < HITOP_NPARTS; i++) {
            const int number = place->part[order[i]];
            char name[16];

            (void)snprintf(name, sizeof(name), "%d", number);
            if (number != HITOP_UNBOUND) {
                hitop_paths_push(paths, rank, part_names[order[i]], name, 1);
            }
        }
    }
    return HITOP_OK;
}

const struct hitop_source hitop_source_binding = {
    .name = "binding",
    .summary = "the package, die, NUMA node and cache a rank is bound to",
    .layer = HITOP_LAYER_INSIDE,
    .trust = 1,
    .classify = binding_classify,
};
