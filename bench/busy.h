/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BUSY_H
#define BUSY_H

/* busy.h - a delay, such as a program has between two collectives. */

/*
 * How fast this processor goes through a chain of divisions, each of which waits for the one
 * before; all ranks together, because that is how they will compute. Call it on all ranks at about
 * the same time.
 */
void busy_calibrate(void);

/*
 * Compute for that long, as calibrated, or sleep until so long after `start`; without MPI, which a
 * program that computes does not help on.
 */
void busy_delay(double start, double seconds, int compute);

#endif /* BUSY_H */
