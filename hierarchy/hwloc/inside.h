/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef INSIDE_H
#define INSIDE_H

/* inside.h - what a host is made of, as a file or a few words describe it. */

#include "hitop/source.h"

/* Owns what its members point to. */
struct inside {
    int ncores;               /* 1 or more */
    struct hitop_place *core; /* [ncores], the parts that hold each; their hosts are NULL */
    int npackages;
    struct hitop_place *package; /* [npackages], likewise */
    int nfacts;
    struct hitop_fact fact[2]; /* what the host would tell to "binding" and to "hardware" */
    char *text[2];             /* behind the facts */
};

/*
 * Read what lstopo --of xml wrote, or a synthetic description such as "package:2 l3:4 core:8 pu:1".
 * spec is the name of a file if there is one of that name, or if it ends in .xml or has a '/'.
 *
 * HITOP_ERR_IO       the file cannot be read
 * HITOP_ERR_FORMAT   hwloc does not know what it is; the message begins with its name
 * HITOP_ERR_INVALID  a description that is none, or one of more than 4096 processors
 */
HITOP_MUST_CHECK enum hitop_status hitop_inside_read(const char *spec, struct inside *out,
                                                     struct hitop_diag *diag);

/* Release what it holds; it is empty afterwards. */
void hitop_inside_clear(struct inside *inside);

#endif /* INSIDE_H */
