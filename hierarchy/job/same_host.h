/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SAME_HOST_H
#define SAME_HOST_H

/*
 * same_host.h - one name per host, settled between what hosts are called and who shares memory.
 *
 * Names lie in both directions: one host may answer to several names, and containers or cloned
 * images may share one. Sharing memory decides. Where memory is not shared, ranks are taken to be
 * on one host when both their names and their identities agree: containers that serve as hosts have
 * the identity of the machine that they run on, but names of their own.
 */

#include "hitop/status.h"

#include "hierarchy/text/text_pool.h"

/*
 * Settle host[], one name per rank; rank r shares memory with all ranks of equal group[r], which is
 * the smallest of them.
 *
 * Names are related when they are equal but for case, for the name of a network interface, and for
 * a domain that one of them lacks. Groups with related names whose identities agree are one host;
 * a short name that may belong to several domains belongs to none of them. Of the names of a host a
 * full one counts before a short one, then the smallest. When several hosts have one name, all but
 * the first get "#2", "#3", ... behind it.
 *
 * identity  per rank what its host tells about itself (host_identity.h), asked for ranks with
 *           group[r] == r only; NULL when nobody tells
 * text      receives new names
 * warning   receives one line when names had to change, else ""
 */
enum hitop_status hitop_same_host_settle(const char **host, const int *group,
                                         const char *const *identity, int nranks,
                                         struct text_pool *text, struct hitop_diag *warning);

#endif /* SAME_HOST_H */
