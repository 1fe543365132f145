/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source_binding.c - the parts of its host to which a rank is bound.
 *
 * Idea:   ranks that are bound to the same package, die, NUMA node or last-level cache share it.
 * Use:    jobs whose launcher binds ranks. A rank that may move between packages makes no level.
 * Needs:  the binding of each rank. The fact "binding" has the levels from the outside inwards,
 *         e.g. "package numa l3"; without it the order is that of parts[].
 */
#include <config.h>

#include "hitop/sys/source.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *level;
    size_t number; /* offset in struct hitop_place */
} parts[] = {
    {"package", offsetof(struct hitop_place, package)},
    {"die", offsetof(struct hitop_place, die)},
    {"group4", offsetof(struct hitop_place, group4)},
    {"group3", offsetof(struct hitop_place, group3)},
    {"group2", offsetof(struct hitop_place, group2)},
    {"group", offsetof(struct hitop_place, group)},
    {"numa", offsetof(struct hitop_place, numa)},
    {"l3", offsetof(struct hitop_place, l3)},
};

enum { NPARTS = sizeof(parts) / sizeof(parts[0]) };

static int find_part(const char *level, size_t length)
{
    for (int i = 0; i < NPARTS; i++) {
        if (strlen(parts[i].level) == length && memcmp(parts[i].level, level, length) == 0) {
            return i;
        }
    }
    return NPARTS;
}

/* The order of the parts: those in the fact, in its order, then the others. */
static void read_order(const char *fact, int order[NPARTS])
{
    unsigned seen = 0;
    int n = 0;

    while (*fact) {
        const size_t length = strcspn(fact, " ");
        const int part = find_part(fact, length);
        if (part < NPARTS && !(seen & 1u << part)) {
            seen |= 1u << part;
            order[n++] = part;
        }
        fact += length;
        fact += *fact == ' ';
    }
    for (int part = 0; part < NPARTS; part++) {
        if (!(seen & 1u << part)) {
            order[n++] = part;
        }
    }
}

static void push_part(struct hitop_paths *paths, int rank, const struct hitop_place *place,
                      int part)
{
    char name[16];
    int number;

    memcpy(&number, (const char *)place + parts[part].number, sizeof(number));
    if (number != HITOP_UNBOUND) {
        (void)snprintf(name, sizeof(name), "%d", number);
        hitop_paths_push(paths, rank, parts[part].level, name, 1);
    }
}

static enum hitop_status binding_classify(const struct hitop_source_input *in,
                                          struct hitop_paths *paths, struct hitop_diag *diag)
{
    const struct hitop_fact *fact = NULL; /* from which order[] was read */
    int order[NPARTS];

    (void)diag;
    read_order("", order);
    for (int rank = 0; rank < in->nplaces; rank++) {
        const struct hitop_place *place = &in->place[rank];
        if (place->fact != fact) {
            fact = place->fact;
            read_order(hitop_place_fact(place, "binding"), order);
        }
        for (int i = 0; i < NPARTS; i++) {
            push_part(paths, rank, place, order[i]);
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
