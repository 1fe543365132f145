/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MADE_MACHINE_H
#define MADE_MACHINE_H

/* made_machine.h - machines of clusters of racks of hosts, as large as wanted. */

#include "hitop/model.h"

enum { NLEVELS = 4 };

struct made_machine {
    const char *model;
    int members[NLEVELS]; /* clusters, racks of each, hosts of each, ranks of each */
    int round_robin;      /* neighbouring ranks are on different hosts */
    int is_uneven; /* groups have half as many or half as many more members, and slower levels */
};

int made_count_ranks(const struct made_machine *m);

/* Its hierarchy, owned by the caller. */
struct hitop_hierarchy *made_tree(const struct made_machine *m);

/*
 * A class of links for each group, n of them, with standard errors and intervals; owned by the
 * caller.
 */
struct hitop_class *made_classes(const struct hitop_hierarchy *h, int *n);

/* A class of processors for each host, in parts. */
void made_processors(const struct hitop_hierarchy *h, struct hitop_model_parts *parts);

/* The head of a table with a column for each of n machines, by ranks. */
void made_print_head(const char *title, const struct made_machine *m, int n);

/* Release the classes of links and of processors. */
void made_free_parts(struct hitop_model_parts *parts);

/* The model of a machine whose formula needs links only; owned by the caller. */
struct hitop_model *made_model(const struct made_machine *machine);

#endif /* MADE_MACHINE_H */
