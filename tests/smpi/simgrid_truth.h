/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMGRID_TRUTH_H
#define SIMGRID_TRUTH_H

/* simgrid_truth.h - the true prices of a simulated machine, from its host and truth files. */

#include "hitop/cost.h"

/*
 * Read both files (see testdata/simgrid/README). The cost keeps its tables until
 * simgrid_truth_free().
 */
enum hitop_status simgrid_truth_read(const char *hosts_path, const char *truth_path,
                                     struct hitop_cost *out, struct hitop_diag *diag);

/* Let messages between hosts share the hosts' cables. */
void simgrid_truth_share(struct hitop_cost *cost);

void simgrid_truth_free(struct hitop_cost *cost);

#endif /* SIMGRID_TRUTH_H */
