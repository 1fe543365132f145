/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FLUX_H
#define FLUX_H

/* flux.h - the hosts of a Flux instance or job: their cores, and the groups that contain them. */

#include "hierarchy/text/text_pool.h"
#include "hitop/status.h"

/* More hosts are most likely a mistake in a range. */
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

/* It owns its strings. All zero is empty. */
struct flux {
    struct flux_host *host; /* in the order of ranks */
    int n, max;
    struct text_pool text;
};

/*
 * HITOP_ERR_FORMAT: the message has the file, and line or JSON path. Clear in any case; the text is
 * destroyed.
 */
HITOP_MUST_CHECK enum hitop_status hitop_flux_read_table(const char *file, char *text,
                                                         struct flux *out, struct hitop_diag *diag);

/* Read a JSON document. */
HITOP_MUST_CHECK enum hitop_status hitop_flux_read_json(const char *file, const char *text,
                                                        size_t length, struct flux *out,
                                                        struct hitop_diag *diag);

/* Add a host with a name only; NULL when out of memory. Valid until the next call. */
struct flux_host *hitop_flux_add(struct flux *flux, const char *name);

void hitop_flux_clear(struct flux *flux);

#endif /* FLUX_H */
