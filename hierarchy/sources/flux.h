/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FLUX_H
#define FLUX_H

/* flux.h - the hosts of a Flux instance or job: their cores, and the groups that contain them. */

#include "hierarchy/text/storage.h"

/* More than FLUX_HOSTS hosts are most likely a mistake in a range. */
enum { FLUX_STEPS = 8, FLUX_HOSTS = 1000000 };

struct flux_step {
    const char *level, *name;
};

struct flux_host {
    const char *name;
    long rank;  /* of its broker; -1: not in the file */
    int ncores; /* 0: not in the file */
    int is_down;
    struct flux_step step[FLUX_STEPS]; /* groups that contain it, from the outside inwards */
    int nsteps;
};

/* All zero is empty. */
struct flux {
    struct flux_host *host; /* in the order of ranks; without ranks in the order of the file */
    int n, max;
    struct storage text;
};

/*
 * Add a host that has a name only; returns it, valid until the next call, or NULL when out of
 * memory.
 */
struct flux_host *hitop_flux_add(struct flux *flux, const char *name);

/* Read a JSON document. HITOP_ERR_FORMAT: the message has the file and the JSON path. */
HITOP_MUST_CHECK enum hitop_status hitop_flux_read_json(const char *file, const char *text,
                                                        size_t length, struct flux *out,
                                                        struct hitop_diag *diag);

#endif /* FLUX_H */
