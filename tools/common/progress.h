/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PROGRESS_H
#define PROGRESS_H

/* progress.h - when a line of progress is due. */

/*
 * 1 when a line is due: on a terminal, or where the user asks for it, one a second; else, as under
 * mpirun, one every PROGRESS_INTERVAL seconds, the first so long after the first call.
 */
int progress_is_due(int is_asked_for);

enum { PROGRESS_INTERVAL = 5 };

#endif /* PROGRESS_H */
