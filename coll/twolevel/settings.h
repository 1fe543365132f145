/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_SETTINGS_H
#define HITOP_SETTINGS_H

/*
 * settings.h - what the environment of one process asks of the two-level collectives.
 *
 * Processes of one job may have different environments, so that nothing here may steer a process
 * before all ranks of a communicator have agreed on it. Pure: no MPI.
 *
 * To add a variable: a member here, a row in settings.c, its name in variables.c and a paragraph in
 * hitop.7; tests/installed/check_variables.sh compares them.
 */

#include "coll/node/wait.h"
#include "coll/twolevel/style.h"

#include "hitop/status.h"

#include <stddef.h>

/*
 * Integers all, so that agreement is one maximum over the ranks: the larger value always has its
 * way.
 */
struct hitop_settings {
    int off;      /* HITOP_DISABLE=1, or something is wrong: everything goes to MPI */
    int lazy;     /* HITOP_LAZY: calls that go to MPI before a communicator is prepared */
    int per_node; /* HITOP_VNODE: this many ranks of a host make a node; 0: all of them */
    int ring;     /* HITOP_RING: bytes of a node's ring, a multiple of 4096 */
    int arena;    /* HITOP_ARENA: bytes that the communicators of a node share, likewise */
    int apart;    /* HITOP_SINGLE_COPY=off: no process reads another one's memory */
    int wait;     /* HITOP_WAIT: enum hitop_wait_mode */
    int trial;    /* HITOP_TRIAL: calls each way, at most, that are compared with MPI */
    int style;    /* HITOP_BCAST: enum hitop_style */
    int stats;    /* HITOP_STATS: neither missing, empty nor 0 */
    int verbose;  /* HITOP_VERBOSE: 1 which communicators are served, 2 also what they agreed on */
    int watchdog; /* HITOP_WATCHDOG: seconds after which a wait is told of; 0: never */
    int gpu;      /* HITOP_COLL=on: even where a GPU runtime is loaded (wire_mpi.c) */
};

enum { HITOP_NSETTINGS = sizeof(struct hitop_settings) / sizeof(int) };

/*
 * Read the environment. A wrong value is HITOP_ERR_INVALID, the message names variable, value and
 * what is allowed, and `out` has the defaults for this variable and those after it.
 */
enum hitop_status hitop_settings_read(struct hitop_settings *out, struct hitop_diag *diag);

/*
 * Append "HITOP_RING=64KiB HITOP_LAZY=0", what differs from the defaults, to `text` of `length`
 * bytes; but for HITOP_VERBOSE, without which nobody would read it.
 */
void hitop_settings_tell(const struct hitop_settings *settings, char *text, size_t length);

/* Names in the environment that look like ours and are not. Pure: no MPI. */

/*
 * The first of `environment`, "NAME=value" up to a NULL, from *next on, whose name begins with
 * HITOP_ and is none that this library reads; *next is set behind it. Its name is written to `name`
 * of `length` bytes, shortened where it is longer. Returns the name that may have been meant, ""
 * where none is like it, NULL at the end.
 */
const char *hitop_variables_stray(char *const *environment, size_t *next, char *name,
                                  size_t length);

#endif /* HITOP_SETTINGS_H */
