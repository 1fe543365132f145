/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LINKS_H
#define LINKS_H

/* links.h - functions that the selections of links and of triples share. */

#include "hitop/measure.h"

/* Sort links by round, then by node, then by rank. */
void hitop_links_sort(struct hitop_link *links, int n);

/* HITOP_ERR_UNSUPPORTED below three hosts, because processors and links cannot be distinguished. */
enum hitop_status hitop_triples_check_hosts(const struct hitop_hierarchy *h,
                                            struct hitop_diag *diag);

#endif /* LINKS_H */
