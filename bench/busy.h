/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BUSY_H
#define BUSY_H

/* busy.h - a delay that computes, as a program does between two collectives. */

/*
 * How fast this processor goes through a chain of divisions, each of which waits for the one before; all ranks together,
 * because that is how they will compute. Call it on all ranks at about the same time.
 */
void busy_calibrate(void);

/* Compute for that long, as calibrated. */
void busy_for(double seconds);

#endif /* BUSY_H */
