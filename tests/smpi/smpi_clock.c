/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * smpi_clock.c - wrong clocks on a simulated machine, whose right time is known exactly.
 *
 * usage: smpi_clock, under smpi-run.sh with two ranks per host. Lines must be right to the step of
 * the clocks, also ten seconds later; a clock that changes its speed must be noticed.
 */
#include <config.h>

#include "models/clock/clocks_mpi.h"
#include "tests/support/fake_clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const double step = 25e-9;
static const double kink_at = 30, kink = 3e-6;

static int rank, size, bad;

static double truth(void)
{
    return MPI_Wtime();
}

static void expect(int condition, const char *what, double value)
{
    if (!condition) {
        fprintf(stderr, "smpi_clock: rank %d: %s: %.12g\n", rank, what, value);
        bad = 1;
    }
}

static void sleep_until(double when)
{
    const double left = when - truth();
    const struct timespec t = {(time_t)left, (long)((left - floor(left)) * 1e9)};

    (void)nanosleep(&t, NULL);
}

/* Both ranks of an even host read one clock. The clocks of ranks 8 and 9, which other hosts use,
 * and that of rank 11, which no rank uses, will change their speed. */
static struct fake_clock clock_of(int r)
{
    const int host = r / 2, own = host % 2;
    const int seed = own ? 100 + r : host;

    return (struct fake_clock){.truth = truth,
                               .offset = 1000 * sin(seed),
                               .drift = 40e-6 * sin(3 * seed),
                               .kink_at = kink_at,
                               .kink = r == 8 || r == 9 || r == 11 ? kink : 0,
                               .step = step};
}

/* How wrong the line of this rank is now. */
static double error_of(const struct hitop_common_clock *clock, const struct fake_clock *mine,
                       const struct fake_clock *first)
{
    const double now = truth();

    return hitop_clock_line_apply(hitop_common_clock_line(clock), fake_clock_at(mine, now)) -
           fake_clock_at(first, now);
}

static void learn_and_check(void)
{
    struct fake_clock mine = clock_of(rank), first = clock_of(0);
    const struct hitop_clock fake = fake_clock(&mine);
    const struct hitop_clock_options options = {.exchanges = 30, .moments = 50, .span = 5};
    const int copied = rank % 2 == 1 && rank / 2 % 2 == 0;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_common_clock *clock = NULL;
    double residual, own, worst, error;

    expect(hitop_common_clock_create(MPI_COMM_WORLD, &fake, &options, &clock, &diag) == HITOP_OK,
           diag.message, 0);
    expect((int)hitop_common_clock_source(clock) == (rank == 0 ? HITOP_CLOCK_FIRST
                                                     : copied  ? HITOP_CLOCK_COPIED
                                                               : HITOP_CLOCK_LEARNT),
           "source of the line", hitop_common_clock_source(clock));
    error = fabs(error_of(clock, &mine, &first));
    expect(error <= step, "error at once", error);
    sleep_until(16);
    error = fmax(error, fabs(error_of(clock, &mine, &first)));
    expect(error <= step, "error ten seconds later", error);
    MPI_Reduce(&error, &worst, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    expect(hitop_common_clock_check(clock, &residual, &own, &diag) == HITOP_OK, diag.message, 0);
    expect(residual <= 2 * step, "residual of good clocks", residual);
    if (rank == 0) {
        printf("%d ranks, clocks up to 1000 s and 40 us/s apart: off by at most %.1f ns, residual "
               "%.1f ns\n",
               size, 1e9 * worst, 1e9 * residual);
    }
    sleep_until(40);
    expect(hitop_common_clock_check(clock, &residual, &own, &diag) == HITOP_OK, diag.message, 0);
    error = error_of(clock, &mine, &first);
    /* the comparison took less than a second, that of neighbours less than a tenth */
    expect(fabs(own + error) <= 2 * step + (mine.kink > 0 ? 1 : 0.1) * kink,
           "residual that is not the error", own + error);
    expect(mine.kink == 0 || fabs(error) > 25e-6, "error of a clock with a kink", error);
    expect(fabs(residual - 30e-6) < 1e-6, "residual of a clock with a kink", residual);
    for (int second = 41; second <= 64;
         second++) { /* lines follow: all points are behind the kink in the end */
        sleep_until(second);
        expect(hitop_common_clock_renew(clock, &diag) == HITOP_OK, diag.message, 0);
        error = error_of(clock, &mine, &first);
        expect(fabs(error) < 15e-6, "error of a line between the old speed and the new one", error);
    }
    sleep_until(65);
    error = fabs(error_of(clock, &mine, &first));
    expect(error <= 2 * step, "error of a line that was renewed", error);
    MPI_Reduce(&error, &worst, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("a clock that changed its speed: off by at most %.1f ns in the end\n", 1e9 * worst);
    }
    hitop_common_clock_free(clock);
}

static void believe_mpi(void)
{
    const struct hitop_clock_options options = {.exchanges = 3, .moments = 3, .span = 1};
    const double begin = truth();
    struct hitop_common_clock *clock = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    double residual = -1;

    expect(hitop_common_clock_create(MPI_COMM_WORLD, NULL, &options, &clock, &diag) == HITOP_OK,
           diag.message, 0);
    expect(hitop_common_clock_source(clock) == (rank == 0 ? HITOP_CLOCK_FIRST : HITOP_CLOCK_GLOBAL),
           "source of MPI's clock", hitop_common_clock_source(clock));
    expect(hitop_common_clock_now(clock) == truth(), "MPI's clock", hitop_common_clock_now(clock));
    expect(truth() < begin + 0.5, "time for nothing", truth() - begin);
    expect(hitop_common_clock_check(clock, &residual, NULL, &diag) == HITOP_OK, diag.message, 0);
    expect(residual == 0, "residual of MPI's clock", residual);
    expect(hitop_common_clock_renew(clock, &diag) == HITOP_OK, diag.message, 0);
    expect(hitop_common_clock_now(clock) == truth(), "MPI's clock again",
           hitop_common_clock_now(clock));
    hitop_common_clock_free(clock);
}

/* One rank's clock is useless: all ranks return an error. */
static void refuse(double drift)
{
    struct fake_clock mine = clock_of(rank);
    const struct hitop_clock fake = fake_clock(&mine);
    const struct hitop_clock_options options = {.exchanges = 3, .moments = 3, .span = 1};
    struct hitop_common_clock *clock = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    mine.drift = rank == size - 1 ? drift : 0;
    expect(hitop_common_clock_create(MPI_COMM_WORLD, &fake, &options, &clock, &diag) ==
               HITOP_ERR_INVALID,
           "status of a useless clock", drift);
    expect(!clock && diag.message[0], "a useless clock", drift);
}

int main(int argc, char **argv)
{
    int worst;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    learn_and_check();
    believe_mpi();
    refuse(-1); /* stands still */
    refuse(-2); /* goes back */
    refuse(2);
    MPI_Allreduce(&bad, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return worst ? EXIT_FAILURE : EXIT_SUCCESS;
}
