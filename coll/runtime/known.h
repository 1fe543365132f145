/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef KNOWN_H
#define KNOWN_H

/*
 * known.h - choices of earlier runs, from a file in the folder that HITOP_RULES_CACHE names.
 *
 * A file is for one machine: the release of Hitop and its algorithms, the contents of HITOP_MODEL,
 * and the host of each rank. Its name has a number that is made of these. After a line
 * "hitop-choices 1 <number>" each line is a choice, such as
 *
 *     bcast root=0 bytes=65536 exact=0 unit=1 ordered=0 uneven=0 chain segment=8KiB
 *
 * or "MPI" instead of an algorithm; the last line "end <lines>" shows that the file is complete.
 * Pure: no MPI.
 */

#include "coll/runtime/cache.h"

#include <stdio.h>

struct known_choice {
    struct choice_key key;
    struct hitop_choice what; /* algorithm.type NULL: leave it to MPI */
};

/* All zero: nothing is known, and nothing is kept. */
struct known {
    char *path; /* of the file; NULL: there is none */
    unsigned long long machine;
    struct known_choice *choices; /* [count] */
    int count, room;
    int has_new; /* 1: choices have been added */
};

/*
 * Find the choices for ranks on these hosts, if HITOP_RULES_CACHE is set. A folder or a file that
 * cannot be used is reported on standard error, and nothing is known.
 */
void hitop_known_open(struct known *known, const char *const *hosts, int nranks);

/* NULL if it is not known. Valid until the next call with `known`. */
const struct hitop_choice *hitop_known_find(const struct known *known,
                                            const struct choice_key *key);

/*
 * Keep a choice, if there is a file and memory for it. One for lengths that only some ranks know is
 * not kept: it depends on those of its first call.
 */
void hitop_known_add(struct known *known, const struct choice_key *key,
                     const struct hitop_choice *what);

/*
 * Write the file if choices have been added, with those that others have written meanwhile, and
 * forget all. Of two writers at the same time one can lose the other's: locks of files do not work
 * on all file systems of clusters.
 */
void hitop_known_close(struct known *known);

/*
 * Read the text of a file. HITOP_ERR_FORMAT: it is damaged or of another machine; the message
 * begins with `name` and has the line.
 */
enum hitop_status hitop_known_parse(struct known *known, const char *name, const char *text,
                                    struct hitop_diag *diag);

/* Write the text of a file. */
void hitop_known_write(const struct known *known, FILE *out);

#endif /* KNOWN_H */
