/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAMPAIGN_MPI_H
#define CAMPAIGN_MPI_H

/* campaign_mpi.h - the phase of a campaign that needs MPI itself. */

#include "models/campaign/campaign.h"

#include <mpi.h>

/*
 * Find at which sizes linear scatter and gather change, after hitop_campaign_measure(); an
 * interruption or the time limit leaves it out. All ranks of comm call it, with a transport and a
 * payload of it.
 */
HITOP_MUST_CHECK enum hitop_status
hitop_campaign_fans(MPI_Comm comm, const struct hitop_transport *t, struct hitop_payload *payload,
                    struct hitop_campaign *c, struct hitop_diag *diag);

#endif /* CAMPAIGN_MPI_H */
