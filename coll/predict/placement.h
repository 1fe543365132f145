/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_PLACEMENT_H
#define HITOP_PLACEMENT_H

/*
 * placement.h - the model between the nodes of a running job.
 *
 * A model file speaks of the ranks of the job that measured it; the job at hand may place its ranks
 * differently. What stays is the hosts, so the model is carried over by host names. Pure: no MPI.
 */

#include "hitop/model.h"

/*
 * The part of `model` that prices the given hosts, with host k as its "rank" k. A host is found by
 * its whole name or, failing that, by the part before the first dot.
 *
 * Returns HITOP_ERR_NOTFOUND when a host is not in the model; the message names it.
 */
enum hitop_status hitop_placement_from_model(const struct hitop_model *model,
                                             const char *const *hosts, int nhosts,
                                             struct hitop_model **out, struct hitop_diag *diag);

/*
 * A model from nothing but the hosts' names: groups by name, and for each level of groups
 * parameters of the usual order of magnitude. They are guesses, good enough to keep messages near.
 * Where ranks share processors, `oversubscribed`, a rank that passes a message on waits for its
 * turn.
 */
enum hitop_status hitop_placement_from_names(const char *const *hosts, int nhosts,
                                             int oversubscribed, struct hitop_model **out,
                                             struct hitop_diag *diag);

/*
 * Fill rank[k] with a rank of `h` that ran on hosts[k]: its whole name or, failing that, what is
 * before the first dot. A host that comes more than once gets its ranks in turn, so that they are
 * as near to each other as they were.
 *
 * HITOP_ERR_NOTFOUND  a host is not there; the message names it
 */
enum hitop_status hitop_placement_ranks(const struct hitop_hierarchy *h, const char *const *hosts,
                                        int nhosts, int *rank, struct hitop_diag *diag);

#endif /* HITOP_PLACEMENT_H */
