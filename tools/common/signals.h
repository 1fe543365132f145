/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIGNALS_H
#define SIGNALS_H

/* signals.h - signals that end a measurement in good order. */

/* From now on SIGTERM, SIGINT and SIGUSR1 are only noted; a second SIGTERM or SIGINT kills. */
void signals_catch(void);

/* The name of the last one that came, or NULL. */
const char *signals_caught(void);

#endif /* SIGNALS_H */
