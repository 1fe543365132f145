/* SPDX-License-Identifier: BSD-3-Clause */
/* made_machine.c - hierarchies and parameters of machines of any size. */
#include "bench/scale/made_machine.h"

#include "bench/scale/apart.h"

#include <stdio.h>
#include <stdlib.h>

int made_count_ranks(const struct made_machine *m)
{
    int n = 1;

    for (int level = 0; level < NLEVELS; level++) {
        n *= m->members[level];
    }
    return n;
}

/* Groups of a level below a group, and theirs. */
static void add_groups(struct hitop_hierarchy_builder *b, const struct made_machine *m, int level,
                       int parent, int *host)
{
    static const char *const names[NLEVELS] = {"cluster", "rack", "host"};
    const int nhosts = made_count_ranks(m) / m->members[NLEVELS - 1];
    char name[64];

    for (int i = 0; level < NLEVELS - 1 && i < m->members[level]; i++) {
        int group;
        (void)snprintf(name, sizeof(name), "%c%d", names[level][0],
                       level == NLEVELS - 2 ? *host : i);
        group = hitop_hierarchy_builder_group(b, names[level], name);
        hitop_hierarchy_builder_edge(b, group, parent);
        add_groups(b, m, level + 1, group, host);
        if (level == NLEVELS - 2) {
            const int n = m->members[NLEVELS - 1];
            const struct hitop_rank_range ranks = {m->round_robin ? *host : *host * n,
                                                   m->round_robin ? *host + (n - 1) * nhosts
                                                                  : *host * n + n - 1,
                                                   m->round_robin ? nhosts : 1};
            hitop_hierarchy_builder_edge(b, hitop_hierarchy_builder_leaves(b, &ranks, 1, name),
                                         group);
            (*host)++;
        }
    }
}

struct hitop_hierarchy *made_tree(const struct made_machine *m)
{
    struct hitop_diag diag = {"out of memory"};
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    struct hitop_hierarchy *h = NULL;
    int host = 0;

    apart_must(b != NULL, &diag);
    add_groups(b, m, 0, hitop_hierarchy_builder_group(b, "root", ""), &host);
    apart_must(hitop_hierarchy_builder_finish(b, &h, &diag) == HITOP_OK, &diag);
    hitop_hierarchy_builder_free(b);
    return h;
}

/* Values, standard errors and intervals of any two parameters. */
static const double numbers[4][2] = {
    {2e-6, 1e-10}, {1e-8, 1e-12}, {1.9e-6, 9e-11}, {2.1e-6, 1.1e-10}};

struct hitop_class *made_classes(const struct hitop_hierarchy *h, int *n)
{
    const int nranks = hitop_hierarchy_nranks(h);
    struct hitop_diag diag = {"out of memory"};
    struct hitop_class *c = calloc((size_t)(hitop_hierarchy_nnodes(h) - nranks), sizeof(*c));

    apart_must(c != NULL, &diag);
    *n = 0;
    for (int node = nranks; node < hitop_hierarchy_nnodes(h); node++) {
        int nmembers;
        const int *member = hitop_hierarchy_children(h, node, &nmembers);
        c[(*n)++] = (struct hitop_class){.node = node,
                                         .pair = {hitop_hierarchy_first_rank(h, member[0]),
                                                  hitop_hierarchy_first_rank(h, member[1])},
                                         .params = numbers[0],
                                         .se = numbers[1],
                                         .lo = numbers[2],
                                         .hi = numbers[3],
                                         .nsizes = 14,
                                         .nsamples = 280,
                                         .converged = 1};
    }
    return c;
}

/* A class of processors for each host, in parts. */
void made_processors(const struct hitop_hierarchy *h, struct hitop_model_parts *parts)
{
    const int nranks = hitop_hierarchy_nranks(h);
    struct hitop_diag diag = {"out of memory"};
    int nhosts, *of = calloc((size_t)nranks, sizeof(*of));
    const int first = hitop_hierarchy_at_height(h, 1, &nhosts);
    struct hitop_processor *p = calloc((size_t)nhosts, sizeof(*p));

    apart_must(of && p, &diag);
    for (int i = 0; i < nhosts; i++) {
        p[i] = (struct hitop_processor){.rank = hitop_hierarchy_first_rank(h, first + i),
                                        .params = numbers[0],
                                        .se = numbers[1],
                                        .lo = numbers[2],
                                        .hi = numbers[3],
                                        .nsamples = 280,
                                        .converged = 1};
    }
    for (int rank = 0; rank < nranks; rank++) {
        of[rank] = hitop_hierarchy_parent(h, rank) - first;
    }
    parts->processors = p;
    parts->nprocessors = nhosts;
    parts->processor_of = of;
}

struct hitop_model *made_model(const struct made_machine *machine)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_hierarchy *h = made_tree(machine);
    struct hitop_model_parts parts = {.type = machine->model, .hierarchy = h};
    struct hitop_model *model = NULL;

    parts.classes = made_classes(h, &parts.nclasses);
    apart_must(hitop_model_build(&parts, &model, &diag) == HITOP_OK, &diag);
    made_free_parts(&parts);
    hitop_hierarchy_free(h);
    return model;
}

void made_print_head(const char *title, const struct made_machine *m, int n)
{
    printf("\n| %s |", title);
    for (int i = 0; i < n; i++) {
        printf(" %d |", made_count_ranks(&m[i]));
    }
    printf("\n|---|");
    for (int i = 0; i < n; i++) {
        printf("---|");
    }
    printf("\n");
}

void made_free_parts(struct hitop_model_parts *parts)
{
    /* ours, though the library only looks at them */
    free((void *)(size_t)parts->classes);
    free((void *)(size_t)parts->processors);
    free((void *)(size_t)parts->processor_of);
}
