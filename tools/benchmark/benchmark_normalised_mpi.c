/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_normalised_mpi.c - how fast the processors of the hosts are, see pace.h. */
#include <config.h>

#include "hierarchy/job/job.h"
#include "models/clock/pace.h"
#include "models/fit/quantile.h"
#include "models/transport/transport_impl_mpi.h"
#include "tools/benchmark/benchmark_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The normalised time on the first rank of each host, while the others wait; else -1. */
static double time_here(void)
{
    const struct hitop_clock clock = hitop_clock_monotonic();
    double seconds = -1;
    MPI_Request all;
    MPI_Comm host;
    int rank;

    (void)PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    (void)PMPI_Comm_rank(host, &rank);
    (void)PMPI_Comm_free(&host);
    if (rank == 0) {
        seconds = hitop_benchmark_normalised_time(&clock);
    }
    (void)PMPI_Ibarrier(MPI_COMM_WORLD, &all);
    (void)hitop_wait_quietly(&all, 1);
    return seconds;
}

/* "a:1.31,b:1.29": microseconds on each host, and their median. */
static void list_times(const struct job *job, const double *times, struct benchmark_result *result)
{
    double *sorted = calloc((size_t)job->nranks, sizeof(*sorted));
    size_t length;
    FILE *memory = open_memstream(&result->normalised_hosts, &length);
    int n = 0;

    for (int r = 0; r < job->nranks && sorted && memory; r++) {
        if (times[r] > 0) {
            fprintf(memory, "%s%s:%.4g", n > 0 ? "," : "", job->place[r].host, 1e6 * times[r]);
            sorted[n++] = times[r];
        }
    }
    result->normalised = n > 0 ? quantile(sorted, n, 0.5) : 0;
    if (memory) {
        (void)fclose(memory);
    }
    free(sorted);
}

void benchmark_time_hosts(const struct job *job, struct benchmark_result *result)
{
#ifdef SMPI_H /* simulated hosts have no processors to time */
    (void)job;
    (void)result;
    (void)list_times;
    (void)time_here;
#else
    const double own = time_here();
    double *times = NULL;
    int all_have, size;

    (void)PMPI_Comm_size(MPI_COMM_WORLD, &size);
    if (job) {
        times = malloc((size_t)size * sizeof(*times));
    }
    all_have = !job || times;
    (void)PMPI_Bcast(&all_have, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (all_have) {
        (void)PMPI_Gather(&own, 1, MPI_DOUBLE, times, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        if (times) {
            list_times(job, times, result);
        }
    }
    free(times);
#endif
}
