/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_SETTINGS_H
#define HITOP_SETTINGS_H

/*
 * settings.h - what the environment of one process asks of the two-level collectives.
 *
 * Processes of one job may have different environments, so that nothing here may steer a process before
 * all ranks of a communicator have agreed on it. Pure: no MPI.
 */

#include "../node/wait.h"
#include "hitop/status.h"

struct hitop_settings {
    int off;      /* HITOP_COLL=off; what on means is wire_mpi.c's business */
    int lazy;     /* HITOP_LAZY: calls that go to MPI before a communicator is prepared */
    int per_node; /* HITOP_VNODE: this many ranks of a host make a node; 0: all of them */
    int ring;     /* HITOP_RING: bytes of a node's ring, a multiple of 4096 */
    enum hitop_wait_mode wait; /* HITOP_WAIT */
    int single_copy;           /* HITOP_SINGLE_COPY: not off */
    int verbose;               /* HITOP_VERBOSE: neither missing, empty nor 0 */
};

/*
 * Read the environment. A wrong value is HITOP_ERR_INVALID, the message names variable, value and what is
 * allowed, and `out` has the defaults for this variable and those after it.
 */
enum hitop_status hitop_settings_read(struct hitop_settings *out, struct hitop_diag *diag);

#endif /* HITOP_SETTINGS_H */
