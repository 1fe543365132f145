/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source_binding.c - the package, NUMA node and last-level cache a rank is bound to.
 *
 * Idea:   a rank that may run on a single one of them shares it with the ranks bound likewise.
 * Use:    jobs whose launcher binds ranks. A rank that may move between packages makes no level.
 * Needs:  bindings, found out by the ranks themselves.
 */
#include <config.h>

#include "hitop/sys/source.h"

#include <stdio.h>

static void push_number(struct hitop_paths *paths, int rank, const char *level, int number)
{
    char name[16];

    if (number != HITOP_UNBOUND) {
        (void)snprintf(name, sizeof(name), "%d", number);
        hitop_paths_push(paths, rank, level, name, 1);
    }
}

static enum hitop_status binding_classify(const struct hitop_source_input *in,
                                          struct hitop_paths *paths, struct hitop_diag *diag)
{
    (void)diag;
    for (int rank = 0; rank < in->nplaces; rank++) {
        push_number(paths, rank, "package", in->place[rank].package);
        push_number(paths, rank, "numa", in->place[rank].numa);
        push_number(paths, rank, "l3", in->place[rank].l3);
    }
    return HITOP_OK;
}

const struct hitop_source hitop_source_binding = {
    .name = "binding",
    .summary = "the package, NUMA node and cache a rank is bound to",
    .layer = HITOP_LAYER_INSIDE,
    .trust = 1,
    .classify = binding_classify,
};
