/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_scale.c - processor seconds, predictions and memory of building trees, by ranks.
 *
 * Machines of clusters of racks of hosts, with a class of links for each group. Each tree is built
 * in a process of its own, from rank 17 modulo n; of the seconds the least of all tries counts,
 * because others may use the caches. The last row is not a tree but the broadcast over the one of
 * ucs_min, planned for every rank.
 *
 *     tree_scale [tries [sizes]]
 */
#include "bench/scale/apart.h"
#include "bench/scale/counted_cost.h"
#include "bench/scale/made_machine.h"

#include "hitop/coll.h"
#include "hitop/sys/tree.h"
#include "hitop/text.h"

#include <stdio.h>
#include <stdlib.h>

enum { BYTES = 65536, MAX_BUILDERS = 64 };

static const struct made_machine machines[] = {
    {"hockney", {2, 2, 2, 2}, 0, 0},     {"hockney", {4, 4, 4, 4}, 0, 0},
    {"hockney", {8, 8, 8, 8}, 0, 0},     {"hockney", {16, 16, 16, 16}, 0, 0},
    {"hockney", {40, 25, 25, 40}, 0, 0},
};

enum { NSIZES = sizeof(machines) / sizeof(machines[0]) };

struct job {
    const struct made_machine *machine;
    const char *builder; /* NULL: nothing, to see what the model takes */
    int plans;           /* plan a broadcast over the tree, and count that only */
};

struct result {
    double seconds;
    double prices;
};

static void plan(const struct hitop_tree *tree)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_coll_args args = {
        .size = hitop_tree_size(tree), .root = hitop_tree_root(tree), .bytes = BYTES, .tree = tree};

    for (args.rank = 0; args.rank < args.size; args.rank++) {
        struct hitop_sched *sched = NULL;
        apart_must(hitop_coll_plan("bcast_tree", &args, &sched, &diag) == HITOP_OK, &diag);
        hitop_sched_free(sched);
    }
}

static void try(const void *what, void *result)
{
    const struct job *job = what;
    struct result *r = result;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_model *model = made_model(job->machine);
    double asked = 0;
    const struct counted_cost counted = {hitop_model_cost(model), &asked};
    const struct hitop_cost cost = counted_cost(&counted);
    const struct hitop_tree_args args = {
        .size = cost.nranks, .root = 17 % cost.nranks, .bytes = BYTES, .cost = &cost};
    struct hitop_tree *tree = NULL;
    double start = apart_now();

    if (job->builder) {
        apart_must(hitop_tree_build(job->builder, &args, NULL, &tree, &diag) == HITOP_OK, &diag);
    }
    r->seconds = apart_elapsed(&start);
    r->prices = asked;
    if (job->plans) {
        plan(tree);
        r->seconds = apart_elapsed(&start);
        r->prices = 0;
    }
    hitop_tree_free(tree);
    hitop_model_free(model);
}

static void measure(const struct job *job, int ntries, struct result *best, double *peak)
{
    *peak = 0;
    for (int k = 0; k < ntries; k++) {
        struct result one;
        const double used = apart_try(try, job, &one, sizeof(one));
        *peak = used > *peak ? used : *peak;
        if (k == 0 || one.seconds < best->seconds) {
            *best = one;
        }
    }
}

enum what { SECONDS, PRICES, MEMORY };

static void print_table(enum what what, const char *title, char name[][32], int nrows, int nsizes,
                        struct result result[][NSIZES], double peak[][NSIZES])
{
    made_print_head(title, machines, nsizes);
    for (int row = 0; row < nrows; row++) {
        printf("| %s |", name[row]);
        for (int s = 0; s < nsizes; s++) {
            if (what == SECONDS) {
                printf(" %.6f |", result[row][s].seconds);
            } else {
                printf(" %.0f |", what == PRICES ? result[row][s].prices : peak[row][s]);
            }
        }
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    const struct hitop_tree_builder *const *builders = hitop_tree_builders();
    static struct result result[MAX_BUILDERS][NSIZES];
    static double peak[MAX_BUILDERS][NSIZES];
    static char name[MAX_BUILDERS][32];
    int ntries = 3, nsizes = NSIZES, nrows = 0;

    if (argc > 3 || (argc > 1 && hitop_text_int(argv[1], 1, 1000, &ntries, NULL) != HITOP_OK) ||
        (argc > 2 && hitop_text_int(argv[2], 1, NSIZES, &nsizes, NULL) != HITOP_OK)) {
        fprintf(stderr, "usage: tree_scale [tries [sizes]]\n");
        return 2;
    }
    for (int b = -1; b < 0 || (builders[b] && nrows + 1 < MAX_BUILDERS); b++, nrows++) {
        (void)snprintf(name[nrows], sizeof(name[nrows]), "%s",
                       b < 0 ? "(model)" : builders[b]->name);
        for (int s = 0; s < nsizes; s++) {
            const struct job job = {&machines[s], b < 0 ? NULL : builders[b]->name, 0};
            measure(&job, ntries, &result[nrows][s], &peak[nrows][s]);
        }
    }
    (void)snprintf(name[nrows], sizeof(name[nrows]), "bcast_tree, planned");
    for (int s = 0; s < nsizes; s++) {
        const struct job job = {&machines[s], "ucs_min", 1};
        measure(&job, ntries, &result[nrows][s], &peak[nrows][s]);
    }
    nrows++;
    print_table(SECONDS, "seconds, ranks:", name, nrows, nsizes, result, peak);
    print_table(PRICES, "predictions", name, nrows, nsizes, result, peak);
    print_table(MEMORY, "peak_MiB", name, nrows, nsizes, result, peak);
    return 0;
}
