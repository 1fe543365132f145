/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_oversubscription.c - ranks share processors with all that may use the same ones, whatever
 * node they are of.
 *
 * Run under mpirun on one host, with an even number of ranks; exit status 1 after something else.
 */
#include <config.h>

#include "hierarchy/job/oversubscription_mpi.h"

#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size, errors;

static void expect(const char *what, MPI_Comm node, struct oversubscription expected)
{
    uint64_t *numbers = calloc((size_t)size, sizeof(*numbers));
    struct oversubscription got = {.nranks = 0};
    const int failed =
        !numbers || hitop_oversubscription_find(MPI_COMM_WORLD, node, numbers, &got) != MPI_SUCCESS;

    if (failed || got.nranks != expected.nranks || got.nprocessors != expected.nprocessors ||
        got.is_bound != expected.is_bound) {
        fprintf(stderr,
                "%s: rank %d: %d ranks on %d processors, bound: %d, instead of %d, %d, %d\n", what,
                rank, got.nranks, got.nprocessors, got.is_bound, expected.nranks,
                expected.nprocessors, expected.is_bound);
        errors++;
    }
    free(numbers);
}

/* The n-th processor of `all`. */
static void bind_to(const cpu_set_t *all, size_t n)
{
    cpu_set_t one;
    size_t processor = 0;

    while (!CPU_ISSET(processor, all) || n-- > 0) {
        processor++;
    }
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    (void)sched_setaffinity(0, sizeof(one), &one);
}

/* Each half of the ranks has a processor of its own. */
static void test_halves(MPI_Comm host, MPI_Comm half, const cpu_set_t *all)
{
    struct oversubscription worst;

    bind_to(all, rank < size / 2 ? 0 : 1);
    expect("bound halves, one host", host, (struct oversubscription){size, 2, 1});
    expect("bound halves, two nodes", half, (struct oversubscription){size / 2, 1, 0});
    if (hitop_oversubscription_find_worst(MPI_COMM_WORLD, &worst) != MPI_SUCCESS ||
        worst.nranks != size || worst.nprocessors != 2) {
        fprintf(stderr, "the worst: %d ranks on %d processors\n", worst.nranks, worst.nprocessors);
        errors++;
    }
}

/* Half of the ranks are bound to one processor; the others may use all. */
static void test_uneven(MPI_Comm host, MPI_Comm half, const cpu_set_t *all)
{
    const int is_bound = rank < size / 2, nall = CPU_COUNT(all);

    (void)sched_setaffinity(0, sizeof(*all), all);
    if (is_bound) {
        bind_to(all, 0);
    }
    expect("one bound half, one host", host, (struct oversubscription){size, nall, is_bound});
    expect("one bound half, two nodes", half,
           (struct oversubscription){size / 2, is_bound ? 1 : nall, 0});
}

int main(int argc, char **argv)
{
    MPI_Comm host, half;
    cpu_set_t all;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_split(MPI_COMM_WORLD, rank < size / 2, 0, &half);
    CPU_ZERO(&all);
    (void)sched_getaffinity(0, sizeof(all), &all);
    MPI_Allreduce(MPI_IN_PLACE, &all, sizeof(all), MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
    (void)sched_setaffinity(0, sizeof(all), &all);
    expect("one host", host, (struct oversubscription){size, CPU_COUNT(&all), 0});
    expect("two nodes", half, (struct oversubscription){size, CPU_COUNT(&all), 0});
    expect("a node each", MPI_COMM_SELF, (struct oversubscription){size, CPU_COUNT(&all), 0});
    if (CPU_COUNT(&all) > 1) {
        test_halves(host, half, &all);
        test_uneven(host, half, &all);
    }
    MPI_Comm_free(&half);
    MPI_Comm_free(&host);
    MPI_Allreduce(MPI_IN_PLACE, &errors, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return errors > 0;
}
