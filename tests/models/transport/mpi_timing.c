/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_timing.c - an operation that sleeps takes what the one who sleeps longest takes, by all methods.
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

static struct hitop_timing_options few(enum hitop_timing method)
{
    struct hitop_timing_options options;

    hitop_timing_defaults(&options);
    options.method = method;
    options.median.min_samples = 5;
    options.median.max_samples = 5;
    return options;
}

static void agree_on_sleep(const struct hitop_common_clock *clock)
{
    const double known = nap * size;

    for (int m = 0; m < HITOP_NTIMINGS; m++) {
        const struct hitop_timing_options options = few((enum hitop_timing)m);
        const char *name = hitop_timing_name(options.method);
        struct sleeper sleeper = {0};
        const struct hitop_timed operation = {sleep_by_rank, &sleeper, size - 1, 0};
        struct hitop_collective_time t;
        struct hitop_diag diag = HITOP_DIAG_INIT;
        expect(hitop_collective_time(clock, &operation, &options, &t, &diag) == HITOP_OK,
               diag.message, m);
        expect(t.nsamples == 5, name, t.nsamples);
        expect(sleeper.calls >= t.nsamples + 1 + t.nlate, "repetitions", sleeper.calls);
        /* clocks of one host, and a machine that is not slower than a hundred naps */
        expect(t.seconds + t.barrier > 0.95 * known && t.seconds < 100 * known, name, t.seconds);
        expect(t.lo <= t.seconds && t.seconds <= t.hi, "interval", t.lo);
        for (int i = 0; i < t.nsamples; i++) {
            expect(t.own[i] > 0.95 * nap * (rank + 1), "own time", t.own[i]);
            expect(t.samples[i] + t.barrier > 0.95 * known, "sample", t.samples[i]);
        }
        if (rank == 0) {
            printf("%d ranks, %-10s %.3f ms of %.3f, %d late%s\n", size, name, 1e3 * t.seconds,
                   1e3 * known, t.nlate, t.after_barrier ? ", after a barrier" : "");
        }
        hitop_collective_time_fini(&t);
    }
}

static void stop_by_mean(const struct hitop_common_clock *clock)
{
    struct hitop_timing_options options = few(HITOP_TIMING_MAX);
    struct sleeper sleeper = {0};
    const struct hitop_timed operation = {sleep_by_rank, &sleeper, 0, 0};
    struct hitop_collective_time t;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    double sum = 0;

    options.by_mean = 1;
    options.mean = (struct hitop_precision){3, 4, 0.95, 0};
    expect(hitop_collective_time(clock, &operation, &options, &t, &diag) == HITOP_OK, diag.message,
           0);
    expect(t.nsamples == 4 && sleeper.calls == 5 && !t.converged, "fixed repetitions", t.nsamples);
    for (int i = 0; i < t.nsamples; i++) {
        sum += t.samples[i] / t.nsamples;
    }
    expect(fabs(t.seconds - sum) < 1e-12 && fabs(t.lo + t.hi - 2 * sum) < 1e-12, "mean", t.seconds);
    hitop_collective_time_fini(&t);
    options.budget = 1e-9; /* over after the first repetition that counts */
    expect(hitop_collective_time(clock, &operation, &options, &t, &diag) == HITOP_OK, diag.message,
           0);
    expect(t.nsamples == 1 && !t.converged, "samples without time", t.nsamples);
    hitop_collective_time_fini(&t);
}

static void refuse(const struct hitop_common_clock *clock, struct hitop_timing_options options,
                   int root, const char *message)
{
    struct sleeper sleeper = {0};
    const struct hitop_timed operation = {sleep_by_rank, &sleeper, root, 0};
    struct hitop_collective_time t;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    expect(hitop_collective_time(clock, &operation, &options, &t, &diag) == HITOP_ERR_INVALID,
           message, 0);
    expect(sleeper.calls == 0 && strcmp(diag.message, message) == 0, diag.message, sleeper.calls);
    hitop_collective_time_fini(&t);
}

static void refuse_nonsense(const struct hitop_common_clock *clock)
{
    struct hitop_timing_options o = few(HITOP_TIMING_ROUND);
    const struct hitop_clock_options none = {.exchanges = 1};
    struct hitop_common_clock *unknown = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_timing method;

    expect(hitop_common_clock_create(MPI_COMM_WORLD, NULL, &none, &unknown, &diag) == HITOP_OK,
           diag.message, 0);
    refuse(unknown, o, 0, "timing: method round-time needs clocks that have been compared");
    hitop_common_clock_free(unknown);
    o.budget = 0;
    refuse(clock, o, 0, "timing: a budget of 0 s; more than 0");
    o = few(HITOP_TIMING_MAX);
    o.median.max_samples = 4;
    refuse(clock, o, 0, "timing: 5 to 4 repetitions; at least 1, and no more than the maximum");
    o = few(HITOP_TIMING_MAX);
    o.median.confidence = 1;
    refuse(clock, o, 0, "timing: level 1 must be between 0 and 1, error 0.01 must be >= 0");
    refuse(clock, few(HITOP_NTIMINGS), 0, "timing: no method 4");
    refuse(clock, few(HITOP_TIMING_MAX), -1,
           size == 1   ? "timing: root -1; 0 to 0"
           : size == 3 ? "timing: root -1; 0 to 2"
                       : "timing: root -1; 0 to 3");
    expect(hitop_timing_find("root", &method, &diag) == HITOP_OK && method == HITOP_TIMING_ROOT,
           "root", method);
    expect(hitop_timing_find("roots", &method, &diag) == HITOP_ERR_NOTFOUND &&
               !strcmp(diag.message,
                       "'roots' is no method of timing; there are round-time, global, "
                       "max and root"),
           diag.message, 0);
}

/* One rank fails; all learn it. */
static void fail(const struct hitop_common_clock *clock)
{
    const struct hitop_timing_options options = few(HITOP_TIMING_GLOBAL);
    struct sleeper sleeper = {.fails_at = rank == size - 1 ? 3 : -1};
    const struct hitop_timed operation = {sleep_by_rank, &sleeper, 0, 0};
    struct hitop_collective_time t;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    expect(hitop_collective_time(clock, &operation, &options, &t, &diag) == HITOP_ERR_MPI,
           "an operation that fails", sleeper.calls);
    expect(sleeper.calls == 3 &&
               strcmp(diag.message, rank == size - 1 ? "timing: the operation failed with 4711"
                                                     : "timing: the operation failed "
                                                       "elsewhere") == 0,
           diag.message, sleeper.calls);
    hitop_collective_time_fini(&t);
}

static void fan(const struct hitop_common_clock *clock)
{
    static const size_t sizes[] = {0, 100000};
    struct hitop_fan_request request = {.root = size / 2, .sizes = sizes, .nsizes = 2};
    struct hitop_point scatter[2], gather[2];
    int n = 0;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const enum hitop_status wanted = size > 1 ? HITOP_OK : HITOP_ERR_INVALID;

    request.timing = few(HITOP_TIMING_ROUND);
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
    agree_on_sleep(clock);
    stop_by_mean(clock);
    refuse_nonsense(clock);
    fan(clock);
    fail(clock);
    hitop_common_clock_free(clock);
    MPI_Allreduce(&bad, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return worst ? EXIT_FAILURE : EXIT_SUCCESS;
}
