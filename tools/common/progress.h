/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PROGRESS_H
#define PROGRESS_H

/* progress.h - when a line of progress is due. */

/*
 * 1: a line is due. On a terminal, or if the user asks for progress, one line a second is due;
 * else, as under mpirun, one line every PROGRESS_INTERVAL seconds, beginning as long after the
 * first call.
 */
int progress_is_due(int is_asked_for);

enum { PROGRESS_INTERVAL = 5 };

#endif /* PROGRESS_H */
