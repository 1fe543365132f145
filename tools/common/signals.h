/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIGNALS_H
#define SIGNALS_H

/* signals.h - signals that end a measurement early, with its results so far. */

/* Record SIGTERM, SIGINT and SIGUSR1 from now on; a second SIGTERM or SIGINT kills the process. */
void signals_catch(void);

/* The name of the last signal received, or NULL. */
const char *signals_caught(void);

#endif /* SIGNALS_H */
