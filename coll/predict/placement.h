/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_PLACEMENT_H
#define HITOP_PLACEMENT_H

/*
 * placement.h - a model for the hosts of a running job.
 *
 * A model file describes the ranks of the job that measured it; the current job can place its
 * ranks differently. The hosts stay the same, so the model is transferred by host names. Uses no
 * MPI.
 */

#include "hitop/model.h"

/*
 * The part of `model` for the given hosts; host k becomes rank k. A host is found by its whole
 * name or else by the part before the first dot.
 *
 * Returns HITOP_ERR_NOTFOUND when a host is not in the model; the message names it.
 */
enum hitop_status hitop_placement_from_model(const struct hitop_model *model,
                                             const char *const *hosts, int nhosts,
                                             struct hitop_model **out, struct hitop_diag *diag);

/*
 * A model from the names of hosts alone: groups by name, and for each level parameters of the
 * usual order of magnitude. These are guesses, good enough to keep messages between near hosts.
 * With `oversubscribed`, ranks share processors: a rank that forwards a message first waits for
 * its turn.
 */
enum hitop_status hitop_placement_from_names(const char *const *hosts, int nhosts,
                                             int oversubscribed, struct hitop_model **out,
                                             struct hitop_diag *diag);

/*
 * Fill rank[k] with a rank of `h` that ran on hosts[k]: found by its whole name or else by the
 * part before the first dot. A host that occurs several times gets its ranks in turn, so that the
 * distances between them are those of the model.
 *
 * HITOP_ERR_NOTFOUND: a host is not in `h`; the message names it.
 */
enum hitop_status hitop_placement_ranks(const struct hitop_hierarchy *h, const char *const *hosts,
                                        int nhosts, int *rank, struct hitop_diag *diag);

#endif /* HITOP_PLACEMENT_H */
