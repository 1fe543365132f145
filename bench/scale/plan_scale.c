/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan_scale.c - how long the choice of an algorithm takes, by ranks, and what it loses.
 *
 * Machines of uneven clusters of uneven racks of hosts with different numbers of ranks. A cell is
 * the choice, its processor milliseconds, the algorithms and parameters that were simulated, also
 * for samples of the ranks, and how many MiB more the process had at its peak than with the model
 * alone: medians of all tries, each a process of its own. Up to LOSS_RANKS ranks the time of the
 * choice follows, over that of the fastest of all algorithms with their defaults.
 *
 *     plan_scale [tries [sizes [operation]]]
 */
#include "bench/scale/apart.h"
#include "bench/scale/made_machine.h"

#include "hitop/choice.h"
#include "hitop/sys/coll.h"
#include "hitop/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TRIES = 99, LOSS_RANKS = 5000 };

static const struct made_machine machines[] = {
    {.model = "hockney", .members = {4, 4, 4, 8}, .is_uneven = 1},
    {.model = "hockney", .members = {8, 8, 8, 8}, .is_uneven = 1},
    {.model = "hockney", .members = {16, 16, 16, 16}, .is_uneven = 1},
    {.model = "hockney", .members = {40, 26, 26, 40}, .is_uneven = 1},
};

enum { NSIZES = sizeof(machines) / sizeof(machines[0]) };

static const enum hitop_operation_id operations[] = {HITOP_BCAST, HITOP_REDUCE, HITOP_ALLREDUCE,
                                                     HITOP_ALLGATHER, HITOP_ALLTOALL};

enum { NOPERATIONS = sizeof(operations) / sizeof(operations[0]), NBYTES = 2 };

static const size_t bytes_of[NBYTES] = {1024, 1 << 20};

struct job {
    const struct made_machine *machine;
    enum hitop_operation_id operation;
    size_t bytes;
    int finds_loss;
};

struct result {
    double milliseconds, memory; /* more memory than before, in MiB; its peak in the end */
    double loss;                 /* 0: not known */
    size_t nsimulated;
    struct hitop_choice choice;
};

static double find_loss(const struct hitop_choice_basis *basis, const struct hitop_call *call,
                        const struct hitop_choice *choice)
{
    double own, least = INFINITY;

    if (hitop_choice_price(basis, call, choice, &own, NULL) != HITOP_OK) {
        return 0;
    }
    for (size_t i = 0; i < hitop_algorithm_count(call->operation); i++) {
        const struct hitop_choice other =
            hitop_choice_default(hitop_algorithm_at(call->operation, i));
        double seconds;
        if (!other.algorithm.type->by_name &&
            hitop_choice_price_within(basis, call, &other, fmin(own, least), &seconds, NULL) ==
                HITOP_OK) {
            least = fmin(least, seconds);
        }
    }
    return own / fmin(own, least);
}

static void try(const void *what, void *result)
{
    const struct job *job = what;
    struct result *r = result;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_model *model = made_model(job->machine);
    const struct hitop_cost cost = hitop_model_cost(model);
    struct hitop_choice_counts counts = {0};
    const struct hitop_choice_basis basis = {.cost = &cost, .counts = &counts};
    const struct hitop_call call = {.operation = &hitop_operations()[job->operation],
                                    .size = cost.nranks,
                                    .root = 17 % cost.nranks,
                                    .bytes = job->bytes,
                                    .unit = 8};
    double start;
    enum hitop_status status;

    *r = (struct result){.memory = apart_forget_peak()};
    start = apart_now();
    status = hitop_choose(&basis, &call, &r->choice, &diag);
    r->milliseconds = 1e3 * apart_elapsed(&start);
    apart_must(status == HITOP_OK, &diag);
    r->nsimulated = counts.planned;
    if (job->finds_loss) {
        r->loss = find_loss(&basis, &call, &r->choice);
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

static struct result measure(struct job job, int ntries)
{
    double milliseconds[MAX_TRIES], memory[MAX_TRIES];
    struct result one, last = {0};

    for (int k = 0; k < ntries; k++) {
        const double peak = apart_try(try, &job, &one, sizeof(one));
        milliseconds[k] = one.milliseconds;
        memory[k] = peak - one.memory;
    }
    if (made_count_ranks(job.machine) <= LOSS_RANKS) {
        job.finds_loss = 1;
        (void)apart_try(try, &job, &last, sizeof(last));
    }
    one.loss = last.loss;
    one.milliseconds = median(milliseconds, ntries);
    one.memory = median(memory, ntries);
    return one;
}

static void print_cell(const struct result *r)
{
    printf(" %s %.3g / %zu / %.1f", hitop_algorithm_name(r->choice.algorithm), r->milliseconds,
           r->nsimulated, fmax(r->memory, 0));
    if (r->loss > 0) {
        printf(" / %.2f", r->loss);
    }
    printf(" |");
}

int main(int argc, char **argv)
{
    int ntries = 3, nsizes = NSIZES;

    if (argc > 4 ||
        (argc > 1 && hitop_text_int(argv[1], 1, MAX_TRIES, &ntries, NULL) != HITOP_OK) ||
        (argc > 2 && hitop_text_int(argv[2], 1, NSIZES, &nsizes, NULL) != HITOP_OK)) {
        fprintf(stderr, "usage: plan_scale [tries [sizes [operation]]]\n");
        return 2;
    }
    made_print_head("choice, ms / simulated / MiB / loss", machines, nsizes);
    for (int o = 0; o < NOPERATIONS; o++) {
        const char *name = hitop_operations()[operations[o]].name;
        for (int b = 0; b < NBYTES && (argc < 4 || !strcmp(argv[3], name)); b++) {
            printf("| %s %s |", name, b == 0 ? "1 KiB" : "1 MiB");
            for (int s = 0; s < nsizes; s++) {
                const struct job job = {&machines[s], operations[o], bytes_of[b], 0};
                const struct result r = measure(job, ntries);
                print_cell(&r);
                fflush(stdout);
            }
            printf("\n");
        }
    }
    return 0;
}
