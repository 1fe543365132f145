/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_HOSTS_H
#define SIM_HOSTS_H

/*
 * sim_hosts.h - the hosts of a SimGrid platform: the ranks of a group on one host whose links are
 * all alike share a simulated host; any other rank has its own.
 */

#include "hitop/model.h"

#include <stdio.h>

/* Whether a group, or a rank, is a simulated host. */
int sim_is_host(const struct hitop_model *model, int node);

/* The simulated host of a rank. */
int sim_host_of(const struct hitop_model *model, int rank);

/*
 * Print its name: that of the host, with ".rN" behind it, N its first rank, if that is not the
 * first rank on the host. `put` prints a text, escaped or as it is.
 */
void sim_put_host(const struct hitop_model *model, int node, FILE *to,
                  void (*put)(FILE *to, const char *text));

#endif /* SIM_HOSTS_H */
