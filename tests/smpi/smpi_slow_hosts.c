/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * smpi_slow_hosts.c - hierarchical_model on simulated hosts whose processors take time for
 * messages.
 *
 * Rank i takes C_i + m t_i before a message of m bytes leaves and after one has come; no two
 * neighbours are alike. HITOP_TEST_NOISE is the standard deviation of the logarithm of these times.
 */
#include <config.h>

#include "tools/measure/measure.h"

#include <math.h>
#include <mpi.h>
#include <stdlib.h>

/* Speed of the hosts of the platform. */
static const double flops_per_second = 1e9;

static double fixed(int rank)
{
    return 1e-6 * (3 + rank * 5 % 7);
}

static double per_byte(int rank)
{
    return 1e-9 * (0.2 + 0.1 * (rank * 3 % 5));
}

/* Of a uniform law, above 0. Each rank has these variables for itself. */
static double draw(int rank)
{
    static unsigned int state;

    state = (state ? state : 2463534242u + 7919u * (unsigned int)rank) * 1664525u + 1013904223u;
    return (state + 1.0) / 4294967297.0;
}

/* Let the processor work for one message. */
static void work(int bytes)
{
    const char *text = getenv("HITOP_TEST_NOISE");
    const double noise = text ? strtod(text, NULL) : 0;
    double seconds;
    int rank;

    (void)PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    seconds = fixed(rank) + per_byte(rank) * bytes;
    if (noise > 0) {
        const double radius = sqrt(-2 * log(draw(rank)));
        seconds *= exp(noise * radius * cos(2 * M_PI * draw(rank)));
    }
    smpi_execute_flops(flops_per_second * seconds);
}

int MPI_Send(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    int size;

    (void)PMPI_Type_size(type, &size);
    work(count * size);
    return PMPI_Send(data, count, type, to, tag, comm);
}

int MPI_Recv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status *status)
{
    MPI_Status own;
    int bytes;
    const int code = PMPI_Recv(data, count, type, from, tag, comm, &own);

    if (code == MPI_SUCCESS) {
        (void)PMPI_Get_count(&own, MPI_BYTE, &bytes);
        work(bytes);
    }
    if (status != MPI_STATUS_IGNORE) {
        *status = own;
    }
    return code;
}

int main(int argc, char **argv)
{
    struct tool tool = {.name = "smpi_slow_hosts",
                        .synopsis = "-C MODEL -i HIERARCHY -o FILE [options]",
                        .summary = "hierarchical_model where processors take time."};

    return measure_main(&tool, 0, argc, argv);
}
