/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAMPAIGN_MPI_H
#define CAMPAIGN_MPI_H

/* campaign_mpi.h - a campaign on the ranks of a communicator, and its phase that needs MPI itself.
 */

#include "models/campaign/prices.h"

#include <mpi.h>

/*
 * Find at which sizes linear scatter and gather change, after hitop_campaign_measure(); an
 * interruption or the time limit leaves it out, or ends it between two sizes. All ranks of comm
 * call it, with a transport and a payload of it.
 */
HITOP_MUST_CHECK enum hitop_status
hitop_campaign_fans(MPI_Comm comm, const struct hitop_transport *t, struct hitop_payload *payload,
                    struct hitop_campaign *c, struct hitop_diag *diag);

/* How the ranks of a communicator measure. */
struct hitop_campaign_serving {
    enum hitop_cache cache;
    size_t last_level; /* bytes of the last-level cache; not used for HITOP_CACHE_HOT */
    void (*opened)(void *data, struct hitop_transport *t); /* before the first message; or NULL */
    void *data;
    struct hitop_prices *prices; /* time only a few messages of the plan; or NULL */
};

/*
 * Measure on the ranks of comm, which all call it, after hitop_campaign_choose() at rank 0. Returns
 * the same status on all ranks, unless MPI itself fails.
 */
HITOP_MUST_CHECK enum hitop_status hitop_campaign_serve(MPI_Comm comm,
                                                        const struct hitop_campaign_serving *how,
                                                        struct hitop_campaign *c,
                                                        struct hitop_diag *diag);

#endif /* CAMPAIGN_MPI_H */
