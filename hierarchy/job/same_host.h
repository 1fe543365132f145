/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SAME_HOST_H
#define SAME_HOST_H

/*
 * same_host.h - find the ranks on one host, and give each host one name.
 *
 * Names are not reliable: one host may have several names, and containers or cloned images may have
 * the same one. Ranks that share memory are on one host. Ranks that do not share memory are on one
 * host if both names and identities agree: containers that serve as hosts have the identity of
 * their machine, but different names.
 */

#include "hitop/status.h"

#include "hierarchy/text/storage.h"

/*
 * Correct host[], one name per rank; group[r] is the smallest rank that shares memory with rank r.
 *
 * Names are related if they differ at most in case, in the name of a network interface, and in a
 * domain that one of them does not have. Groups with related names and equal identities are one
 * host; a short name that may belong to several domains belongs to none of them. A host gets the
 * best of its names: one with a domain before one without, then one without a network interface,
 * then the smallest. If several hosts have one name, "#2", "#3", ... is appended to all but the
 * first.
 *
 * identity  per rank with group[r] == r the identity of its host (host_identity.h); NULL: unknown
 * text      receives new names
 * warning   receives one line if names had to change, else ""
 */
enum hitop_status hitop_same_host_settle(const char **host, const int *group,
                                         const char *const *identity, int nranks,
                                         struct storage *text, struct hitop_diag *warning);

#endif /* SAME_HOST_H */
