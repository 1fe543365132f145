/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCHMARK_HOP_MPI_H
#define BENCHMARK_HOP_MPI_H

#include <mpi.h>

/*
 * How long a cache line takes from a rank to another one on the same host, in seconds: that of the slowest host. NaN, where no
 * host has two ranks on different processors, or in a simulation. Takes some milliseconds, a fifth of a second at most where others
 * use the processors. Collective; the same on all ranks.
 */
double benchmark_hop(MPI_Comm comm);

#endif /* BENCHMARK_HOP_MPI_H */
