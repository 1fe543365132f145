/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_clock.c - wrong clocks of the processes of a host are found out.
 *
 * They are seconds apart, so that a slow machine, on which offsets are bad, cannot make the test
 * fail.
 */
#include <config.h>

#include "models/clock/clocks_mpi.h"
#include "tests/support/fake_clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct hitop_clock_options quick = {.exchanges = 10, .moments = 5, .span = 0.05};

static int rank, size, bad;
static int leader; /* the first rank of this host */

/* All processes of a kernel see the same, whatever MPI_Wtime() begins with. */
static double truth(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void expect(int condition, const char *what, double value)
{
    if (!condition) {
        fprintf(stderr, "mpi_clock: rank %d: %s: %.12g\n", rank, what, value);
        bad = 1;
    }
}

/* Each two ranks read one clock. */
static struct fake_clock clock_of(int r)
{
    return (struct fake_clock){.truth = truth,
                               .offset = -17.385 * (r / 2),
                               .drift = 5e-6 * (r / 2),
                               .kink_at = 1e300,
                               .step = 25e-9};
}

static void find_leader(void)
{
    MPI_Comm host;

    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host);
    MPI_Allreduce(&rank, &leader, 1, MPI_INT, MPI_MIN, host);
    MPI_Comm_free(&host);
}

/* What a rank should know its line from, if it has the clock of the first rank of its host or not.
 */
static enum hitop_clock_source source_of(int has_clock_of_leader)
{
    return rank == 0                               ? HITOP_CLOCK_FIRST
           : rank != leader && has_clock_of_leader ? HITOP_CLOCK_COPIED
                                                   : HITOP_CLOCK_LEARNT;
}

static void learn_and_check(void)
{
    struct fake_clock mine = clock_of(rank), first = clock_of(0);
    const struct hitop_clock fake = fake_clock(&mine);
    struct hitop_common_clock *clock = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    double residual = -1, own = NAN, worst, error, now;
    int same;

    expect(hitop_common_clock_create(MPI_COMM_WORLD, &fake, &quick, &clock, &diag) == HITOP_OK,
           diag.message, 0);
    expect(hitop_common_clock_source(clock) == source_of(rank / 2 == leader / 2),
           "source of the line", hitop_common_clock_source(clock));
    (void)MPI_Comm_compare(hitop_common_clock_comm(clock), MPI_COMM_WORLD, &same);
    expect(same == MPI_CONGRUENT, "the communicator is not a private one", same);
    now = truth();
    error = hitop_clock_line_apply(hitop_common_clock_line(clock), fake_clock_at(&mine, now)) -
            fake_clock_at(&first, now);
    expect(fabs(error) < 1, "error", error);
    error = hitop_common_clock_now(clock) - fake_clock_at(&first, truth());
    expect(fabs(error) < 1, "error now", error);
    expect(hitop_common_clock_check(clock, &residual, &own, &diag) == HITOP_OK, diag.message, 0);
    expect(residual >= fabs(own) && residual < 1, "residual", residual);
    expect(rank != 0 || own == 0, "rank 0 differs from itself", own);
    MPI_Allreduce(&residual, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    expect(worst == residual, "residuals are not alike", residual);
    if (rank == 0) {
        printf("%d ranks: residual %.3g us\n", size, 1e6 * residual);
    }
    hitop_common_clock_free(clock);
}

/* A clock that all processes of the kernel read, so that the offset is none, on a virtual cluster,
 * too. */
static void copy_monotonic_clock(void)
{
    const struct hitop_clock monotonic = hitop_clock_monotonic();
    struct hitop_common_clock *clock = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    double residual, worst, error, now;

    expect(hitop_common_clock_create(MPI_COMM_WORLD, &monotonic, &quick, &clock, &diag) == HITOP_OK,
           diag.message, 0);
    expect(hitop_common_clock_source(clock) == source_of(1), "source of the monotonic clock",
           hitop_common_clock_source(clock));
    expect(leader > 0 || hitop_common_clock_line(clock)->offset == 0,
           "offset on the host of rank 0", hitop_common_clock_line(clock)->offset);
    now = hitop_common_clock_local(clock)->now(hitop_common_clock_local(clock)->self);
    error = fabs(hitop_clock_line_apply(hitop_common_clock_line(clock), now) - now);
    MPI_Allreduce(&error, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    expect(hitop_common_clock_check(clock, &residual, NULL, &diag) == HITOP_OK, diag.message, 0);
    expect(worst < 1 && residual < 1, "error of the monotonic clock", worst);
    if (rank == 0) {
        printf("monotonic clock: off by %.3g us, residual %.3g us\n", 1e6 * worst, 1e6 * residual);
    }
    hitop_common_clock_free(clock);
}

/*
 * A clock that was equal to that of the first rank jumps, as if processors had been moved. Two
 * ranks align it; more ranks may share processors, where the first rank does not wait for slow
 * ranks.
 */
static void align_clocks(void)
{
    enum { TRIALS = 300 };
    const double moved = rank % 2 == 0 ? 0.25 : -0.5;
    struct fake_clock mine = {.truth = truth, .kink_at = 1e300};
    const struct hitop_clock fake = fake_clock(&mine);
    struct hitop_common_clock *clock = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    double before, shift = 0;
    int copied, done, all = 0;

    expect(hitop_common_clock_create(MPI_COMM_WORLD, &fake, &quick, &clock, &diag) == HITOP_OK,
           diag.message, 0);
    copied = hitop_common_clock_source(clock) == HITOP_CLOCK_COPIED;
    expect(copied == (rank != leader), "source of one clock", copied);
    before = hitop_common_clock_line(clock)->offset;
    mine.offset = copied ? moved : 0;
    for (int i = 0; i < TRIALS && !all; i++) {
        expect(hitop_common_clock_align(clock, &diag) == HITOP_OK, diag.message, 0);
        shift = hitop_common_clock_line(clock)->offset - before;
        done = fabs(shift + mine.offset) < 0.001;
        expect(done || shift == 0, "a clock was shifted", shift);
        MPI_Allreduce(&done, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    }
    expect(all || size > 2, "clocks were not aligned", shift);
    if (all) {
        const double error = hitop_common_clock_now(clock) - (truth() + before);
        expect(fabs(error) < 1, "error of aligned clocks", error);
    }
    if (rank == size - 1) {
        printf("a clock %g s off was shifted by %.9f s\n", mine.offset, shift);
    }
    hitop_common_clock_free(clock);
}

/* Clocks that run faster from some moment on: lines follow, in the time of the whole test a tenth
 * of a second. */
static void renew(void)
{
    enum { TIMES = 30 };
    struct fake_clock mine = clock_of(rank);
    const struct hitop_clock fake = fake_clock(&mine);
    const struct timespec pause = {.tv_nsec = 20000000};
    struct hitop_common_clock *clock = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    double before, residual = -1;

    expect(hitop_common_clock_create(MPI_COMM_WORLD, &fake, &quick, &clock, &diag) == HITOP_OK,
           diag.message, 0);
    mine.kink_at = truth();
    mine.kink = 0.2 * (rank / 2 % 2);
    (void)nanosleep(&(struct timespec){.tv_nsec = 500000000}, NULL);
    expect(hitop_common_clock_check(clock, &before, NULL, &diag) == HITOP_OK, diag.message, 0);
    for (int i = 0; i < TIMES; i++) {
        (void)nanosleep(&pause, NULL);
        expect(hitop_common_clock_renew(clock, &diag) == HITOP_OK, diag.message, 0);
    }
    expect(hitop_common_clock_check(clock, &residual, NULL, &diag) == HITOP_OK, diag.message, 0);
    expect(size < 3 || (before > 0.09 && residual < 0.05), "residual of clocks that run faster",
           residual);
    if (rank == 0) {
        printf("%d ranks, clocks that run faster: residual %.3g s, renewed %.3g us\n", size, before,
               1e6 * residual);
    }
    hitop_common_clock_free(clock);
}

/* What MPI has. */
static void learn_clock_of_mpi(void)
{
    struct hitop_common_clock *clock = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    double residual;
    int source;

    expect(hitop_common_clock_create(MPI_COMM_WORLD, NULL, &quick, &clock, &diag) == HITOP_OK,
           diag.message, 0);
    expect(hitop_common_clock_check(clock, &residual, NULL, &diag) == HITOP_OK, diag.message, 0);
    expect(residual < 1, "residual of MPI_Wtime()", residual);
    source = (int)hitop_common_clock_source(clock);
    if (rank == size - 1) {
        printf("MPI_Wtime() of rank %d: source %d, residual %.3g us\n", rank, source,
               1e6 * residual);
    }
    hitop_common_clock_free(clock);
}

int main(int argc, char **argv)
{
    int worst;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    find_leader();
    learn_and_check();
    copy_monotonic_clock();
    align_clocks();
    renew();
    learn_clock_of_mpi();
    hitop_common_clock_free(NULL);
    MPI_Allreduce(&bad, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return worst ? EXIT_FAILURE : EXIT_SUCCESS;
}
