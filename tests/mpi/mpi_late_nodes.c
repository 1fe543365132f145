/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_late_nodes.c - a root runs ahead of nodes that come late, one of them far more than the
 * others.
 *
 * Run on three nodes of RANKS_PER_NODE ranks, with everything prepared by the first call
 * (HITOP_LAZY=0); a mistake hangs.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { NODES = 3, CALLS = 100, INTS = 8, NAP_US = 200, LONG_NAP_US = 50000 };

static int rank, node, wrong;

static void sleep_us(long us)
{
    const struct timespec nap = {.tv_nsec = us * 1000};

    (void)nanosleep(&nap, NULL);
}

static void broadcast(int number, int root)
{
    int got[INTS] = {0};

    for (int i = 0; rank == root && i < INTS; i++) {
        got[i] = INTS * number + i;
    }
    MPI_Bcast(got, INTS, MPI_INT, root, MPI_COMM_WORLD);
    for (int i = 0; i < INTS; i++) {
        wrong += got[i] != INTS * number + i;
    }
}

/*
 * Until a root has sent to one node unasked as often as it may; the other one announces itself
 * meanwhile.
 */
static void one_is_far_behind(int root, int root_node)
{
    const int last = (root_node + NODES - 1) % NODES;

    MPI_Barrier(MPI_COMM_WORLD);
    if (node == last) {
        sleep_us(LONG_NAP_US);
    }
    for (int k = 0; k < CALLS; k++) {
        if (node != root_node && node != last) {
            sleep_us(NAP_US);
        }
        broadcast(k, root);
    }
}

/*
 * Does Open MPI yield, which the library keeps from it during a broadcast? 0 where that cannot be
 * seen.
 */
static int mpi_yields(void)
{
    const bool *yields = dlsym(RTLD_DEFAULT, "opal_progress_yield_when_idle");

    return yields && *yields;
}

int main(int argc, char **argv)
{
    const int per_node = argc > 1 ? atoi(argv[1]) : 1;
    int yielded;

    MPI_Init(&argc, &argv);
    yielded = mpi_yields();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    node = rank / per_node;
    for (int root_node = 0; root_node < NODES; root_node++) {
        one_is_far_behind(root_node * per_node, root_node);
    }
    if (mpi_yields() != yielded) {
        printf("rank %d: MPI %s after broadcasts\n", rank,
               yielded ? "does not yield any more" : "yields");
        wrong++;
    }
    MPI_Finalize();
    if (wrong) {
        printf("rank %d: %d wrong ints\n", rank, wrong);
    }
    return wrong > 0;
}
