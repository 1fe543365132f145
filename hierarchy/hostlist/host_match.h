/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HOST_MATCH_H
#define HOST_MATCH_H

/*
 * host_match.h - which host of the job a file means by a name.
 *
 * Names are compared without regard to case. A short name means the host with that short name, and a full
 * name the host that is called by its first part only, if there is one such host and no more. The host that is
 * written like the name goes before all.
 */

#include "hitop/sys/source.h"

/* Opaque. */
struct host_match;

/* NULL when out of memory. */
struct host_match *hitop_host_match_new(const struct hitop_place *place, int nplaces);

/* Of the hosts of ranks, which are numbered by the first rank on each. */
struct host_match *hitop_host_match_ranks(const char *const *host, int nranks);

/* Release. NULL is allowed. */
void hitop_host_match_free(struct host_match *m);

/* Index of the place, or -1 when the job has no such host or more than one. */
int hitop_host_match_find(const struct host_match *m, const char *name);

#endif /* HOST_MATCH_H */
