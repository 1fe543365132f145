/* SPDX-License-Identifier: BSD-3-Clause */
/* made_machine.c - hierarchies and parameters of machines of any size. */
#include "bench/scale/made_machine.h"

#include "bench/scale/apart.h"

#include <stdio.h>
#include <stdlib.h>

/* Members of a group of a level, the i-th of the group around it: those of the machine in the mean.
 */
static int count_members(const struct made_machine *m, int level, int i)
{
    const int mean = m->members[level];

    if (!m->is_uneven || level == 0 || mean < 2) {
        return mean;
    }
    return mean + (i % 3 - 1) * (mean / 2);
}

static int count_ranks(const struct made_machine *m, int level, int i)
{
    int n = 0;

    if (level == NLEVELS) {
        return 1;
    }
    for (int k = 0; k < count_members(m, level, i); k++) {
        n += count_ranks(m, level + 1, k);
    }
    return n;
}

int made_count_ranks(const struct made_machine *m)
{
    return count_ranks(m, 0, 0);
}

/* Where the next host and rank are. */
struct place {
    int host, rank, nhosts;
};

/* The ranks of a host. */
static void add_ranks(struct hitop_hierarchy_builder *b, const struct made_machine *m, int n,
                      int group, const char *name, struct place *at)
{
    const struct hitop_rank_range ranks = {m->round_robin ? at->host : at->rank,
                                           m->round_robin ? at->host + (n - 1) * at->nhosts
                                                          : at->rank + n - 1,
                                           m->round_robin ? at->nhosts : 1};

    hitop_hierarchy_builder_edge(b, hitop_hierarchy_builder_leaves(b, &ranks, 1, name), group);
    at->host++;
    at->rank += n;
}

/* Groups of a level below a group, the `index`-th of its own, and theirs. */
static void add_groups(struct hitop_hierarchy_builder *b, const struct made_machine *m, int level,
                       int index, int parent, struct place *at)
{
    static const char *const names[NLEVELS] = {"cluster", "rack", "host"};
    const int n = count_members(m, level, index);
    char name[64];

    for (int i = 0; i < n; i++) {
        int group;
        (void)snprintf(name, sizeof(name), "%c%d", names[level][0],
                       level == NLEVELS - 2 ? at->host : i);
        group = hitop_hierarchy_builder_group(b, names[level], name);
        hitop_hierarchy_builder_edge(b, group, parent);
        if (level == NLEVELS - 2) {
            add_ranks(b, m, count_members(m, level + 1, i), group, name, at);
        } else {
            add_groups(b, m, level + 1, i, group, at);
        }
    }
}

struct hitop_hierarchy *made_tree(const struct made_machine *m)
{
    struct hitop_diag diag = {"out of memory"};
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    struct hitop_hierarchy *h = NULL;
    struct place at = {.nhosts = made_count_ranks(m) / m->members[NLEVELS - 1]};

    apart_must(b != NULL, &diag);
    add_groups(b, m, 0, 0, hitop_hierarchy_builder_group(b, "root", ""), &at);
    apart_must(hitop_hierarchy_builder_finish(b, &h, &diag) == HITOP_OK, &diag);
    hitop_hierarchy_builder_free(b);
    return h;
}

/* Values, standard errors and intervals of two parameters. */
#define NUMBERS(a, b)                                                                              \
    {                                                                                              \
        {(a), (b)}, {0.01 * (a), 0.01 * (b)}, {0.9 * (a), 0.9 * (b)},                              \
        {                                                                                          \
            1.1 * (a), 1.1 * (b)                                                                   \
        }                                                                                          \
    }

/* Of links inside hosts, racks, clusters and the whole: latency, and seconds for a byte. */
static const double numbers[NLEVELS][4][2] = {NUMBERS(1e-6, 2e-10), NUMBERS(10e-6, 5e-10),
                                              NUMBERS(30e-6, 1e-9), NUMBERS(80e-6, 2e-9)};

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
        const double(*number)[2] = numbers[hitop_hierarchy_height(h, node) - 1];
        c[(*n)++] = (struct hitop_class){.node = node,
                                         .pair = {hitop_hierarchy_first_rank(h, member[0]),
                                                  hitop_hierarchy_first_rank(h, member[1])},
                                         .params = number[0],
                                         .se = number[1],
                                         .lo = number[2],
                                         .hi = number[3],
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
                                        .params = numbers[0][0],
                                        .se = numbers[0][1],
                                        .lo = numbers[0][2],
                                        .hi = numbers[0][3],
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
