/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_ab.c - measured model beside a plain ping-pong, in one launch.
 *
 * For every link of a hierarchy, blocks of A and B alternate. A is a ping-pong as any benchmark has
 * it: after some round trips, the median of half round trips of 1 B, and for the bandwidth those of
 * 256 KiB and 1 MiB. B is what hierarchical_model does: all sizes of the link, fitted to Hockney's
 * two numbers. Each B is compared with the mean of the two A about it; what disturbs the machine
 * for longer than that disturbs both. The ratio of these two A is the noise.
 */
#include "models/fit/estimate.h"
#include "models/transport/measure_mpi.h"

#include "hitop/dot.h"
#include "hitop/measure.h"
#include "hitop/text.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_ROUNDS = 99,
    MAX_SIZES = 64,
    TRIPS = 1000,
    SHORT = 1,
    LONG = 1 << 18,
    LONGEST = 1 << 20
};

/* What one block says about a link. */
struct view {
    double latency, bandwidth;
};

static int rank;
static char *buffer;

static void must(enum hitop_status status, const struct hitop_diag *diag)
{
    if (status != HITOP_OK) {
        fprintf(stderr, "model_ab: rank %d: %s\n", rank, diag->message);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double quantile(double *values, int n, double q)
{
    qsort(values, (size_t)n, sizeof(*values), by_value);
    return values[(int)(q * (n - 1) + 0.5)];
}

/* So many half round trips with one message at a time. */
static void exchange(const struct hitop_link *link, int bytes, double *half, int n)
{
    const int first = rank == link->rank[0];
    const int peer = link->rank[first];

    for (int i = 0; i < n; i++) {
        const double start = MPI_Wtime();
        if (first) {
            MPI_Send(buffer, bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD);
        }
        MPI_Recv(buffer, bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (!first) {
            MPI_Send(buffer, bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD);
        }
        half[i] = 0.5 * (MPI_Wtime() - start);
    }
}

/* Median of as many half round trips as fit into the time, after a few to warm up. */
static double ping_pong(const struct hitop_link *link, int bytes, double seconds)
{
    static double half[TRIPS];
    int n = 0;

    exchange(link, bytes, half, 5);
    if (rank == link->rank[0]) {
        const double wanted = seconds / (2 * quantile(half, 5, 0.5));
        n = wanted < 20 ? 20 : wanted > TRIPS ? TRIPS : (int)wanted;
        MPI_Send(&n, 1, MPI_INT, link->rank[1], 1, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&n, 1, MPI_INT, link->rank[0], 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    exchange(link, bytes, half, n);
    return quantile(half, n, 0.5);
}

/* All ranks call it and get what the first rank of the link saw. */
static struct view plain(const struct hitop_transport *t, const struct hitop_link *link)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct view view = {0};
    double nothing = 0;

    if (rank == link->rank[0] || rank == link->rank[1]) {
        const double lone = ping_pong(link, SHORT, 0.05);
        const double low = ping_pong(link, LONG, 0.1), high = ping_pong(link, LONGEST, 0.2);
        view = (struct view){lone, (LONGEST - LONG) / (high - low)};
    }
    must(t->agree(t->self, &nothing, 1, &diag), &diag); /* the others wait quietly */
    MPI_Bcast(&view, sizeof(view), MPI_BYTE, link->rank[0], MPI_COMM_WORLD);
    return view;
}

/* All ranks call it; the result is at rank 0. */
static struct view modelled(const struct hitop_transport *t, const struct hitop_link *link,
                            const struct hitop_measure_options *options)
{
    const struct hitop_model_type *hockney;
    struct hitop_measurement m;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    double params[2] = {0}, se[2], lo[2], hi[2];
    struct hitop_fit fit = {.params = params, .se = se, .lo = lo, .hi = hi};

    must(hitop_measure(t, link, 1, options, &m, &diag), &diag);
    must(hitop_model_type_find("hockney", &hockney, &diag), &diag);
    if (rank == 0) {
        const struct hitop_evidence evidence = hitop_measure_evidence(
            &(struct hitop_measured){
                .links = link, .nlinks = 1, .confidence = options->confidence, .curves = m.curves},
            0);
        must(hockney->fit(&evidence, hitop_estimators(), &fit, &diag), &diag);
    }
    hitop_measurement_clear(&m);
    return (struct view){params[0], 1 / params[1]};
}

static void print(const struct hitop_hierarchy *h, const struct hitop_link *link, const char *what,
                  double unit, double *a, double *b, double *ratio, double *itself, int rounds)
{
    const char *level = hitop_hierarchy_level(h, link->node);

    printf("%-8s %3d-%-3d %-14s %10.2f %10.2f %7.3f  %.3f .. %.3f   %.3f .. %.3f\n",
           level ? level : "-", link->rank[0], link->rank[1], what, unit * quantile(a, rounds, 0.5),
           unit * quantile(b, rounds, 0.5), quantile(ratio, rounds, 0.5),
           quantile(ratio, rounds, 0.25), quantile(ratio, rounds, 0.75),
           quantile(itself, rounds, 0.25), quantile(itself, rounds, 0.75));
}

static void compare(const struct hitop_transport *t, const struct hitop_hierarchy *h,
                    const struct hitop_link *link, const struct hitop_measure_options *options,
                    int rounds)
{
    double latency[4][MAX_ROUNDS], bandwidth[4][MAX_ROUNDS];
    struct view before = plain(t, link);

    for (int i = 0; i < rounds; i++) {
        const struct view model = modelled(t, link, options);
        const struct view after = plain(t, link);
        const struct view mean = {0.5 * (before.latency + after.latency),
                                  0.5 * (before.bandwidth + after.bandwidth)};
        latency[0][i] = mean.latency;
        latency[1][i] = model.latency;
        latency[2][i] = model.latency / mean.latency;
        latency[3][i] = after.latency / before.latency;
        bandwidth[0][i] = mean.bandwidth;
        bandwidth[1][i] = model.bandwidth;
        bandwidth[2][i] = model.bandwidth / mean.bandwidth;
        bandwidth[3][i] = after.bandwidth / before.bandwidth;
        before = after;
    }
    if (rank == 0) {
        print(h, link, "latency_us", 1e6, latency[0], latency[1], latency[2], latency[3], rounds);
        print(h, link, "bandwidth_MBps", 1e-6, bandwidth[0], bandwidth[1], bandwidth[2],
              bandwidth[3], rounds);
        (void)fflush(stdout);
    }
}

static void run(const struct hitop_hierarchy *h, int rounds, double budget)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_measure_options options;
    struct hitop_transport t;
    struct hitop_link *links = NULL;
    size_t *sizes = NULL;
    int nlinks = 0;

    hitop_measure_defaults(&options);
    must(hitop_sizes_choose(0, LONGEST, 0, &sizes, &options.nsizes, &diag), &diag);
    must(hitop_links_choose(h, &links, &nlinks, &diag), &diag);
    must(hitop_transport_mpi(MPI_COMM_WORLD, NULL, &t, &diag), &diag);
    options.sizes = sizes;
    options.budget = budget;
    if (rank == 0) {
        puts("level    ranks   what            ping-pong      model   ratio  quartiles       "
             " ping-pong with itself");
    }
    for (int i = 0; i < nlinks; i++) {
        compare(&t, h, &links[i], &options, rounds);
    }
    t.close(t.self);
    free(links);
    free(sizes);
}

int main(int argc, char **argv)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_hierarchy *h = NULL;
    double budget = 1;
    int rounds = 7, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc < 2 || argc > 4 || argv[1][0] == '-' ||
        (argc > 2 && hitop_text_int(argv[2], 1, MAX_ROUNDS, &rounds, &diag) != HITOP_OK) ||
        (argc > 3 && hitop_text_seconds(argv[3], &budget, &diag) != HITOP_OK)) {
        if (rank == 0) {
            fprintf(stderr, "usage: mpirun -n N model_ab HIERARCHY.dot [ROUNDS] [TIME]\n"
                            "ROUNDS per link (7), TIME for each measurement (1s)\n");
        }
        MPI_Finalize();
        return 2;
    }
    must(hitop_dot_read(argv[1], NULL, &h, &diag), &diag);
    if (hitop_hierarchy_nranks(h) != size) {
        must(hitop_fail(&diag, HITOP_ERR_INVALID, "%s has %d ranks, the job %d", argv[1],
                        hitop_hierarchy_nranks(h), size),
             &diag);
    }
    buffer = malloc(LONGEST);
    if (!buffer) {
        must(hitop_fail(&diag, HITOP_ERR_NOMEM, "no memory"), &diag);
    }
    memset(buffer, 1, LONGEST);
    run(h, rounds, budget);
    free(buffer);
    hitop_hierarchy_free(h);
    MPI_Finalize();
    return 0;
}
