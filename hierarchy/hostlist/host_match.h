/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HOST_MATCH_H
#define HOST_MATCH_H

/*
 * host_match.h - find the host of the job that a file means by a name.
 *
 * The first of these matches:
 * - the host with exactly this name;
 * - the only host whose name differs in case only;
 * - the only host with the same short name, unless both names have a domain. Case does not matter.
 */

#include "hitop/sys/source.h"

/* Opaque. */
struct host_match;

/* NULL when out of memory. */
struct host_match *hitop_host_match_new(const struct hitop_place *place, int nplaces);

/* For the hosts of ranks; the index of a host is its first rank. */
struct host_match *hitop_host_match_ranks(const char *const *host, int nranks);

/* Release. NULL is allowed. */
void hitop_host_match_free(struct host_match *m);

/* Index of the place, or -1 when the job has no such host or more than one. */
int hitop_host_match_find(const struct host_match *m, const char *name);

/*
 * Find the first rank of a hierarchy of nranks ranks that it has on another host than host[rank].
 * *out: that rank, or nranks if there is none.
 */
HITOP_MUST_CHECK enum hitop_status hitop_host_match_stranger(const struct hitop_hierarchy *h,
                                                             const char *const *host, int *out,
                                                             struct hitop_diag *diag);

#endif /* HOST_MATCH_H */
