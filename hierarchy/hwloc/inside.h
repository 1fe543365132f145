/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef INSIDE_H
#define INSIDE_H

/* inside.h - the parts of a host, from a file or a synthetic description. */

#include "hierarchy/text/storage.h"
#include "hitop/source.h"

/* A described host. It owns its arrays and texts. */
struct inside {
    int ncores;               /* 1 or more */
    struct hitop_place *core; /* [ncores], the parts that contain each core; host is NULL */
    int npackages;
    struct hitop_place *package; /* [npackages], likewise */
    int nfacts;
    struct hitop_fact fact[2]; /* the facts "binding" and "hardware" of the host */
    struct storage storage;
};

/*
 * Read what lstopo --of xml wrote, or a synthetic description such as "package:2 l3:4 core:8 pu:1".
 * spec is the name of a file if there is one of that name, or if it ends in .xml or has a '/'.
 *
 * HITOP_ERR_IO       the file cannot be read
 * HITOP_ERR_FORMAT   hwloc cannot read the file; the message begins with its name
 * HITOP_ERR_INVALID  the description is wrong, or has more than 4096 processors
 */
HITOP_MUST_CHECK enum hitop_status hitop_inside_read(const char *spec, struct inside *out,
                                                     struct hitop_diag *diag);

/* Release the arrays and texts; *inside is empty afterwards. */
void hitop_inside_clear(struct inside *inside);

#endif /* INSIDE_H */
