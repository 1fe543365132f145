/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LATE_H
#define LATE_H

/*
 * late.h - ranks of a simulated machine that come to an operation at different times.
 *
 * The times are drawn: once in each of n equal parts of the interval, in random order, so that
 * fewer operations give the same precision. HITOP_TEST_SEED draws others. The clock is the
 * simulated one, which is the same for all ranks.
 *
 * Source: the benchmark of Liu, Song et al., Journal of Software 22 (2011), figure 11.
 */

/*
 * When this rank of MPI_COMM_WORLD comes to each of n operations, as shares of the interval,
 * 0 <= share < 1. The caller frees the array; a lack of memory aborts the program.
 */
double *late_draw(int n);

/* All ranks of MPI_COMM_WORLD: returns `delay_us` microseconds after an instant equal on all. */
void late_begin(double delay_us);

/* Wait so many microseconds of simulated time. */
void late_sleep(double us);

#endif /* LATE_H */
