/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LINKS_H
#define LINKS_H

/* links.h - what the selections of links and triples share. */

#include "hitop/measure.h"

/* By round, then by node, then by rank. */
void hitop_links_sort(struct hitop_link *links, int n);

/* Whether processors can be distinguished from links: three hosts or more. */
enum hitop_status hitop_triples_check_hosts(const struct hitop_hierarchy *h,
                                            struct hitop_diag *diag);

#endif /* LINKS_H */
