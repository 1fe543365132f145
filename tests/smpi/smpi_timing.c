/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * smpi_timing.c - broadcasts and fans of known times on a simulated machine.
 *
 * usage: smpi_timing HOSTFILE TRUTHFILE, under smpi-run.sh with one-port sends, where a send
 * occupies both sides for latency + (bytes + 16) / bandwidth. All ranks read wrong clocks.
 */
#include <config.h>

#include "models/fans/fan_mpi.h"
#include "tests/smpi/simgrid_truth.h"
#include "tests/support/fake_clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_BYTES = 65536 };

static const double tolerance = 1e-8; /* relative; and 2 ns, to which ranks sleep */

static char buffer[MAX_BYTES];
static int rank, size, bad;
static struct hitop_cost cost;

static double truth(void)
{
    return MPI_Wtime();
}

static double drift_of(int r)
{
    return r == 0 ? 0 : 40e-6 * sin(3 * r);
}

static void expect(int condition, const char *what, double value, double expected)
{
    if (!condition) {
        fprintf(stderr, "smpi_timing: rank %d: %s: %.12g, expected %.12g\n", rank, what, value,
                expected);
        bad = 1;
    }
}

static int is_near(double value, double expected)
{
    return fabs(value - expected) <= 2e-9 + tolerance * fabs(expected);
}

/* A linear broadcast. */
struct flat {
    int root, bytes;
};

static int flat_bcast(void *data)
{
    const struct flat *f = data;

    if (rank != f->root) {
        return MPI_Recv(buffer, f->bytes, MPI_BYTE, f->root, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < size; i++) {
        if (i != f->root) {
            MPI_Send(buffer, f->bytes, MPI_BYTE, i, 3, MPI_COMM_WORLD);
        }
    }
    return 0;
}

/* All messages of the root one after the other. */
static double sum_of_messages(int root, size_t bytes)
{
    double sum = 0;

    for (int i = 0; i < size; i++) {
        sum += i == root ? 0 : cost.p2p(cost.self, root, i, bytes);
    }
    return sum;
}

/* How far apart ranks leave a barrier, in simulated time. */
static double barrier_skew(void)
{
    double left, first, last;

    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    left = truth();
    MPI_Allreduce(&left, &first, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&left, &last, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return last - first;
}

/*
 * By all methods. Only with a start time all ranks begin together. By global the time begins with
 * the root, and ranks that wait for the root's messages may begin late; it is not longer by more
 * than the skew of the barrier, and nor are the others.
 */
static void time_broadcast(const struct hitop_common_clock *clock, struct flat f, double skew)
{
    const struct hitop_timed operation = {flat_bcast, &f, -1, f.root};
    const double expected = sum_of_messages(f.root, (size_t)f.bytes);
    struct hitop_timing_options options;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    hitop_timing_defaults(&options);
    for (int m = 0; hitop_timings[m]; m++) {
        const struct hitop_timing *method = hitop_timings[m];
        struct hitop_collective_time t;
        options.method = method;
        expect(hitop_collective_time(clock, &operation, &options, &t, &diag) == HITOP_OK,
               diag.message, 0, 0);
        if (rank == 0) {
            printf("%5d B from rank %2d by %-11s: %.6f ms, truth %+.6f ms\n", f.bytes, f.root,
                   method->name, 1e3 * t.seconds, 1e3 * (expected - t.seconds));
        }
        expect(fabs(t.seconds - expected) <=
                   (method->barriers > 0 ? skew : 0) + 2e-9 + tolerance * expected,
               method->name, t.seconds, expected);
        expect(method->confirms || t.seconds > expected - 2e-9 - tolerance * expected, method->name,
               t.seconds, expected);
        expect(t.converged && t.nlate == 0 && t.method == method, "samples", t.nsamples, 20);
    }
}

/* A clock that jumps after all have been compared: its rank is always late, until barriers replace
 * the start times. This happens once. */
static void give_up_appointments(const struct hitop_clock *local, struct fake_clock *fake,
                                 double astray)
{
    const struct hitop_clock_options quick = {.exchanges = 10, .moments = 10, .span = 5};
    struct hitop_common_clock *clock = NULL;
    struct flat f = {0, 1};
    const struct hitop_timed operation = {flat_bcast, &f, -1, f.root};
    struct hitop_timing_options options;
    struct hitop_collective_time t;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const double offset = fake->offset;

    if (hitop_common_clock_create(MPI_COMM_WORLD, local, &quick, &clock, &diag) != HITOP_OK) {
        expect(0, diag.message, 0, 0);
        return;
    }
    hitop_timing_defaults(&options);
    options.median.max_samples = 20;
    options.budget = 100;
    fake->offset += rank == 7 ? astray : 0;
    expect(hitop_collective_time(clock, &operation, &options, &t, &diag) == HITOP_OK, diag.message,
           0, 0);
    expect(t.nlate == 30, "late repetitions", t.nlate, 30);
    expect(t.method == &hitop_timing_one_barrier && t.nsamples == 20, "samples after a barrier",
           t.nsamples, 20);
    expect(hitop_collective_time(clock, &operation, &options, &t, &diag) == HITOP_OK, diag.message,
           0, 0);
    expect(t.nlate == 0 && t.method == &hitop_timing_one_barrier,
           "late repetitions of a second call", t.nlate, 0);
    expect(t.nsamples == 20, "samples of a second call", t.nsamples, 20);
    fake->offset = offset;
    hitop_common_clock_free(clock);
}

/* With one-port sends nothing overlaps; the time is by the clock of the root. */
static void time_fans(const struct hitop_common_clock *clock)
{
    static const size_t sizes[] = {0, 4711, MAX_BYTES};
    struct hitop_fan_request request = {.root = 5, .sizes = sizes, .nsizes = 3};
    struct hitop_point scatter[3], gather[3];
    int n;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    hitop_timing_defaults(&request.timing);
    expect(hitop_fan_curves(clock, &request, scatter, gather, &n, &diag) == HITOP_OK, diag.message,
           0, 0);
    for (int i = 0; i < 3; i++) {
        const double there = (1 + drift_of(5)) * sum_of_messages(5, sizes[i]);
        const double back = (1 + drift_of(5)) * sum_of_messages(5, 0);
        expect(scatter[i].bytes == sizes[i] && is_near(scatter[i].seconds, there + back), "scatter",
               scatter[i].seconds, there + back);
        expect(gather[i].converged && is_near(gather[i].seconds, there), "gather",
               gather[i].seconds, there);
        expect(gather[i].se > 0, "standard error", gather[i].se, 0);
    }
}

int main(int argc, char **argv)
{
    const struct hitop_clock_options quick = {.exchanges = 10, .moments = 10, .span = 5};
    struct fake_clock fake = {.truth = truth, .kink_at = 1e300};
    struct hitop_clock local;
    struct hitop_common_clock *clock = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    double skew;
    int worst;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    fake.offset = 1000 * sin(rank);
    fake.drift = drift_of(rank);
    local = fake_clock(&fake);
    if (argc != 3 || simgrid_truth_read(argv[1], argv[2], &cost, &diag) != HITOP_OK ||
        hitop_common_clock_create(MPI_COMM_WORLD, &local, &quick, &clock, &diag) != HITOP_OK) {
        fprintf(stderr, "smpi_timing: %s\n", diag.message);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    skew = barrier_skew();
    time_broadcast(clock, (struct flat){0, 1}, skew);
    time_broadcast(clock, (struct flat){0, MAX_BYTES}, skew);
    time_broadcast(clock, (struct flat){19, 4711}, skew);
    time_fans(clock);
    give_up_appointments(&local, &fake, 1000);
    give_up_appointments(&local, &fake, -1000);
    hitop_common_clock_free(clock);
    MPI_Allreduce(&bad, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    simgrid_truth_free(&cost);
    return worst ? EXIT_FAILURE : EXIT_SUCCESS;
}
