/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_SETTINGS_H
#define HITOP_SETTINGS_H

/*
 * settings.h - settings of the two-level collectives from the environment of one process.
 *
 * Processes of one job may have different environments, so no setting may influence a process
 * before all ranks of a communicator have agreed on it. Pure: no MPI.
 *
 * To add a variable: a member here, a row and a name in settings.c, and a paragraph in hitop.7;
 * tests/installed/check_variables.sh compares them.
 */

#include "coll/node/wait.h"
#include "coll/twolevel/bcast_algorithm.h"

#include "hitop/status.h"

#include <stddef.h>

/* All members are integers, so that ranks agree by one maximum: the larger value wins. */
struct hitop_settings {
    int off;            /* HITOP_DISABLE=1, or an error: MPI serves all calls */
    int lazy;           /* HITOP_LAZY: calls that go to MPI before a communicator is prepared */
    int per_node;       /* HITOP_VNODE: this many ranks of a host make a node; 0: all of them */
    int ring;           /* HITOP_RING: bytes of a node's ring, a multiple of 4096 */
    int arena;          /* HITOP_ARENA: bytes that the communicators of a node share, likewise */
    int no_single_copy; /* HITOP_SINGLE_COPY=off: no process reads the memory of another one */
    int wait;           /* HITOP_WAIT: enum hitop_wait_mode */
    int trial;          /* HITOP_TRIAL: most calls by which each algorithm is compared with MPI */
    int algorithm;      /* HITOP_BCAST: enum hitop_bcast_algorithm */
    int stats;          /* HITOP_STATS is set, and neither empty nor 0 */
    /* HITOP_VERBOSE: 1 report which communicators are served, 2 also their settings */
    int verbose;
    int watchdog; /* HITOP_WATCHDOG: seconds after which a wait is reported; 0: never */
    int gpu;      /* HITOP_COLL=on: serve calls even where a GPU runtime is loaded (wire_mpi.c) */
};

enum { HITOP_NSETTINGS = sizeof(struct hitop_settings) / sizeof(int) };

/*
 * Read the environment. A wrong value returns HITOP_ERR_INVALID; the message contains the variable,
 * the value and what is allowed, and `out` has the defaults for this variable and those after it.
 */
enum hitop_status hitop_settings_read(struct hitop_settings *out, struct hitop_diag *diag);

/*
 * Append the settings that differ from the defaults, such as "HITOP_RING=64KiB HITOP_LAZY=0", to
 * `text` of `length` bytes. HITOP_VERBOSE is left out, because it is always set where they are
 * printed.
 */
void hitop_settings_print(const struct hitop_settings *settings, char *text, size_t length);

/*
 * Find the first entry of `environment`, from *next on, whose name begins with HITOP_ and is not
 * read by this library. `environment` has entries "NAME=value" and ends with NULL. Writes the name
 * to `name` of `length` bytes, truncated if necessary; *next becomes the entry after it. Returns
 * the name that is probably meant, "" if none is similar, NULL if there is no such entry.
 */
const char *hitop_variables_stray(char *const *environment, size_t *next, char *name,
                                  size_t length);

#endif /* HITOP_SETTINGS_H */
