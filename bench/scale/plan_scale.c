/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan_scale.c - processor seconds, prices and memory of planning each operation, by ranks.
 *
 * Machines of clusters of racks of hosts, with a class of links for each group; 64 KiB are the
 * message, or one block. The first table is of the decision for the fastest way. The second is of
 * its tree with the plan of the root, which is what a rank of libhitop_exec_mpi makes, the third of
 * the plans of all ranks and what they take by prediction. Each try is a process of its own; a cell
 * is its seconds, its prices and how many MiB more it had at its peak than with the model alone,
 * medians of all tries. Where plans would be too long, a cell is about their number of steps.
 *
 *     plan_scale [tries [sizes [operation]]]
 */
#include "bench/scale/apart.h"
#include "bench/scale/counted_cost.h"
#include "bench/scale/made_machine.h"

#include "hitop/choice.h"
#include "hitop/sys/coll.h"
#include "hitop/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 65536, MAX_TRIES = 99, SAMPLES = 50 };

static const struct made_machine machines[] = {
    {"hockney", {2, 2, 2, 2}, 0},     {"hockney", {4, 4, 4, 4}, 0},
    {"hockney", {4, 4, 4, 8}, 0},     {"hockney", {8, 8, 8, 8}, 0},
    {"hockney", {16, 16, 16, 16}, 0}, {"hockney", {40, 25, 25, 40}, 0},
};

enum { NSIZES = sizeof(machines) / sizeof(machines[0]) };

enum work { DECIDE, PLAN_ROOT, PLAN_ALL, NWORKS };

static const char *const titles[NWORKS] = {"decision", "tree, plan of the root",
                                           "plans of all, predicted"};

struct job {
    const struct made_machine *machine;
    const struct hitop_operation *operation;
    enum work work;
    struct hitop_choice choice; /* what is planned */
};

struct result {
    double seconds, prices, memory; /* more memory than before, in MiB; its peak in the end */
    double steps;                   /* 0 unless they are too many */
    struct hitop_choice choice;
};

static struct hitop_call call_of(const struct job *job)
{
    const int size = made_count_ranks(job->machine);

    return (struct hitop_call){
        .operation = job->operation, .size = size, .root = 17 % size, .bytes = BYTES, .unit = 8};
}

static size_t count_steps(const struct hitop_plan_args *args, const struct hitop_tree *tree,
                          int rank)
{
    const struct hitop_coll_args coll = {.rank = rank,
                                         .size = args->size,
                                         .root = args->root,
                                         .bytes = args->bytes,
                                         .unit = args->unit,
                                         .tree = tree,
                                         .params = args->params};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_sched *sched = NULL;
    size_t steps;

    apart_must(hitop_coll_plan(args->algorithm.type->name, &coll, &sched, &diag) == HITOP_OK,
               &diag);
    (void)hitop_sched_steps(sched, &steps);
    hitop_sched_free(sched);
    return steps;
}

/*
 * Steps of the root, and of others as many as some of them have in the mean; 0 others: the root
 * alone.
 */
static double plan_some(const struct job *job, const struct hitop_cost *cost, int others)
{
    const struct hitop_call call = call_of(job);
    const struct hitop_plan_args args = hitop_choice_plan_args(&job->choice, &call, cost);
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_tree *tree = NULL;
    double steps = 0;

    apart_must(hitop_plan_tree(&args, &tree, &diag) == HITOP_OK, &diag);
    for (int i = 0; i < others; i++) {
        const int rank = call.root + 1 + (int)((call.size - 1.0) / others * i);
        steps += (double)count_steps(&args, tree, rank % call.size) / others * (call.size - 1);
    }
    steps += (double)count_steps(&args, tree, call.root);
    hitop_tree_free(tree);
    return steps;
}

static enum hitop_status work(const struct job *job, const struct hitop_cost *cost,
                              struct result *r, struct hitop_diag *diag)
{
    const struct hitop_choice_basis basis = {.cost = cost};
    const struct hitop_call call = call_of(job);
    double seconds;

    switch (job->work) {
    case DECIDE:
        return hitop_choose(&basis, &call, &r->choice, diag);
    case PLAN_ROOT:
        (void)plan_some(job, cost, 0);
        return HITOP_OK;
    default:
        return hitop_choice_price(&basis, &call, &job->choice, &seconds, diag);
    }
}

static void try(const void *what, void *result)
{
    const struct job *job = what;
    struct result *r = result;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_model *model = made_model(job->machine);
    const struct counted_cost counted = {hitop_model_cost(model), &r->prices};
    const struct hitop_cost cost = counted_cost(&counted);
    double start;
    enum hitop_status status;

    *r = (struct result){.memory = apart_forget_peak()};
    start = apart_now();
    status = work(job, &cost, r, &diag);
    r->seconds = apart_elapsed(&start);
    if (status == HITOP_ERR_UNSUPPORTED && job->work == PLAN_ALL) {
        r->steps = plan_some(job, &cost, SAMPLES);
    } else {
        apart_must(status == HITOP_OK, &diag);
    }
    hitop_model_free(model);
}

static int by_number(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *of, int n)
{
    qsort(of, (size_t)n, sizeof(*of), by_number);
    return of[n / 2];
}

static struct result measure(const struct job *job, int ntries)
{
    double seconds[MAX_TRIES], memory[MAX_TRIES];
    struct result one;

    for (int k = 0; k < ntries; k++) {
        const double peak = apart_try(try, job, &one, sizeof(one));
        seconds[k] = one.seconds;
        memory[k] = peak - one.memory;
    }
    one.seconds = median(seconds, ntries);
    one.memory = median(memory, ntries);
    return one;
}

static void print_cell(const struct result *r)
{
    char number[32];

    if (r->steps > 0) {
        static const char *const units[] = {"", " k", " M", " G", " T"};
        double steps = r->steps;
        int unit = 0;
        for (; steps >= 1000 && unit < 4; unit++) {
            steps /= 1000;
        }
        printf(" %.3g%s steps |", steps, units[unit]);
        return;
    }
    (void)snprintf(number, sizeof(number), r->seconds < 1 ? "%.2g" : "%.1f", r->seconds);
    printf(" %s / %.0f / %.1f |", number, r->prices, r->memory < 0 ? 0 : r->memory);
}

int main(int argc, char **argv)
{
    static struct result results[HITOP_NOPERATIONS][NSIZES][NWORKS];
    const struct hitop_operation *operation = hitop_operations();
    int ntries = 3, nsizes = NSIZES;

    if (argc > 4 ||
        (argc > 1 && hitop_text_int(argv[1], 1, MAX_TRIES, &ntries, NULL) != HITOP_OK) ||
        (argc > 2 && hitop_text_int(argv[2], 1, NSIZES, &nsizes, NULL) != HITOP_OK)) {
        fprintf(stderr, "usage: plan_scale [tries [sizes [operation]]]\n");
        return 2;
    }
    for (int o = 0; o < HITOP_NOPERATIONS; o++) {
        for (int s = 0; s < nsizes && (argc < 4 || !strcmp(argv[3], operation[o].name)); s++) {
            struct job job = {.machine = &machines[s], .operation = &operation[o]};
            for (; job.work < NWORKS; job.work++) {
                results[o][s][job.work] = measure(&job, ntries);
                job.choice = results[o][s][DECIDE].choice;
            }
        }
    }
    for (int w = 0; w < NWORKS; w++) {
        made_print_head(titles[w], machines, nsizes);
        for (int o = 0; o < HITOP_NOPERATIONS; o++) {
            if (argc < 4 || !strcmp(argv[3], operation[o].name)) {
                printf("| %s |", operation[o].name);
                for (int s = 0; s < nsizes; s++) {
                    if (w == DECIDE) {
                        printf(" %s", hitop_algorithm_name(results[o][s][w].choice.algorithm));
                    }
                    print_cell(&results[o][s][w]);
                }
                printf("\n");
            }
        }
    }
    return 0;
}
