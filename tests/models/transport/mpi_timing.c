/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_timing.c - an operation that sleeps takes as long as its longest sleep, by each method.
 *
 * A sleep is never shorter than it should be, and may be much longer on a slow machine.
 */
#include <config.h>

#include "models/fans/fan_mpi.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double nap = 3e-3; /* of rank 0; of rank 1 twice as long, and so on */

static int rank, size, bad;

static void expect(int condition, const char *what, double value)
{
    if (!condition) {
        fprintf(stderr, "mpi_timing: rank %d: %s: %.12g\n", rank, what, value);
        bad = 1;
    }
}

struct sleeper {
    int calls, fails_at;
};

static int sleep_by_rank(void *data)
{
    struct sleeper *s = data;
    const struct timespec t = {.tv_nsec = (long)(1e9 * nap * (rank + 1))};

    (void)nanosleep(&t, NULL);
    return ++s->calls == s->fails_at ? 4711 : 0;
}

static struct hitop_timing_options few(void)
{
    struct hitop_timing_options options;

    hitop_timing_defaults(&options);
    options.median.min_samples = 5;
    options.median.max_samples = 5;
    return options;
}

/*
 * The time contains the longest sleep, that of the root. How long the barriers of a method that
 * confirms take is unknown on a slow machine.
 */
static void agree_on_sleep(const struct hitop_common_clock *clock,
                           const struct hitop_timing *method)
{
    const double known = nap * size;
    struct hitop_timing_options options = few();
    struct sleeper sleeper = {0};
    const struct hitop_timed operation = {sleep_by_rank, &sleeper, -1, size - 1};
    struct hitop_collective_time t;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    options.method = method;
    expect(hitop_collective_time(clock, &operation, &options, &t, &diag) == HITOP_OK, diag.message,
           0);
    expect(t.nsamples == 5, "samples", t.nsamples);
    expect(sleeper.calls >= t.nsamples + 1 + t.nlate, "repetitions", sleeper.calls);
    /* clocks of one host, and a machine that is not slower than a hundred naps */
    expect(t.seconds > (method->confirms ? 0 : 0.95 * known) && t.seconds < 100 * known,
           method->name, t.seconds);
    expect(t.method == method || method == &hitop_timing_window, "method", 0);
    expect(t.lo <= t.seconds && t.seconds <= t.hi, "interval", t.lo);
    if (rank == 0) {
        printf("%d ranks: %.3f ms of %.3f by %s, %d late\n", size, 1e3 * t.seconds, 1e3 * known,
               t.method->name, t.nlate);
    }
}

/* The time of one rank's call. */
static void end_at_a_rank(const struct hitop_common_clock *clock)
{
    const struct hitop_timing_options options = few();
    struct sleeper sleeper = {0};
    const struct hitop_timed operation = {sleep_by_rank, &sleeper, size / 2, size / 2};
    const double known = nap * (size / 2 + 1);
    struct hitop_collective_time t;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    expect(hitop_collective_time(clock, &operation, &options, &t, &diag) == HITOP_OK, diag.message,
           0);
    expect(t.seconds > 0.95 * known && t.seconds < 100 * known, "time of one rank", t.seconds);
}

static void stop_by_mean(const struct hitop_common_clock *clock)
{
    struct hitop_timing_options options = few();
    struct sleeper sleeper = {0};
    const struct hitop_timed operation = {sleep_by_rank, &sleeper, -1, 0};
    struct hitop_collective_time t;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    options.by_mean = 1;
    options.mean = (struct hitop_precision){3, 4, 0.95, 0};
    expect(hitop_collective_time(clock, &operation, &options, &t, &diag) == HITOP_OK, diag.message,
           0);
    expect(t.nsamples == 4 && sleeper.calls == 5 + t.nlate && !t.converged, "fixed repetitions",
           t.nsamples);
    expect(t.seconds > 0.95 * nap * size && fabs(t.lo + t.hi - 2 * t.seconds) < 1e-12, "mean",
           t.seconds);
    options.budget = 1e-9; /* over after the first repetition that counts */
    expect(hitop_collective_time(clock, &operation, &options, &t, &diag) == HITOP_OK, diag.message,
           0);
    expect(t.nsamples == 1 && !t.converged, "samples without time", t.nsamples);
}

/* If one rank fails, all ranks report it. */
static void fail(const struct hitop_common_clock *clock)
{
    const struct hitop_timing_options options = few();
    struct sleeper sleeper = {.fails_at = rank == size - 1 ? 3 : -1};
    const struct hitop_timed operation = {sleep_by_rank, &sleeper, -1, 0};
    struct hitop_collective_time t;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    expect(hitop_collective_time(clock, &operation, &options, &t, &diag) == HITOP_ERR_MPI,
           "an operation that fails", sleeper.calls);
    expect(sleeper.calls == 3 &&
               strcmp(diag.message, rank == size - 1 ? "timing: the operation failed with 4711"
                                                     : "timing: the operation failed "
                                                       "elsewhere") == 0,
           diag.message, sleeper.calls);
}

static void fan(const struct hitop_common_clock *clock)
{
    static const size_t sizes[] = {0, 100000};
    struct hitop_fan_request request = {.root = size / 2, .sizes = sizes, .nsizes = 2};
    struct hitop_point scatter[2], gather[2];
    int n = 0;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const enum hitop_status wanted = size > 1 ? HITOP_OK : HITOP_ERR_INVALID;

    request.timing = few();
    expect(hitop_fan_curves(clock, &request, scatter, gather, &n, &diag) == wanted, diag.message,
           0);
    expect(size == 1 || n == 2, "sizes", n);
    request.budget = 1e-9; /* over after the first size */
    expect(
        size == 1 ||
            (hitop_fan_curves(clock, &request, scatter, gather, &n, &diag) == HITOP_OK && n == 1),
        "sizes without time", n);
    for (int i = 0; i < 2 && size > 1; i++) {
        expect(scatter[i].bytes == sizes[i] && scatter[i].seconds > 0 && scatter[i].nsamples == 5,
               "scatter", scatter[i].seconds);
        expect(gather[i].bytes == sizes[i] && gather[i].seconds > 0 && gather[i].se > 0, "gather",
               gather[i].seconds);
    }
}

int main(int argc, char **argv)
{
    const struct hitop_clock_options quick = {.exchanges = 10, .moments = 5, .span = 0.05};
    const struct hitop_clock monotonic = hitop_clock_monotonic();
    struct hitop_common_clock *clock = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int worst;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (hitop_common_clock_create(MPI_COMM_WORLD, &monotonic, &quick, &clock, &diag) != HITOP_OK) {
        fprintf(stderr, "mpi_timing: %s\n", diag.message);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int i = 0; hitop_timings[i]; i++) {
        agree_on_sleep(clock, hitop_timings[i]);
    }
    end_at_a_rank(clock);
    stop_by_mean(clock);
    fan(clock);
    fail(clock);
    hitop_common_clock_free(clock);
    MPI_Allreduce(&bad, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return worst ? EXIT_FAILURE : EXIT_SUCCESS;
}
