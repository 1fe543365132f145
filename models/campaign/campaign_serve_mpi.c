/* SPDX-License-Identifier: BSD-3-Clause */
/* campaign_serve_mpi.c - run a campaign on the ranks of a communicator. */
#include <config.h>

#include "models/campaign/campaign_mpi.h"

#include "models/transport/agree_mpi.h"
#include "models/transport/measure_mpi.h"

/* Measure everything; with prices only these. */
static enum hitop_status measure(MPI_Comm comm, struct hitop_transport *t,
                                 const struct hitop_campaign_serving *how,
                                 struct hitop_payload *payload, struct hitop_campaign *c,
                                 struct hitop_diag *diag)
{
    enum hitop_status status;

    if (how->opened) {
        how->opened(how->data, t);
    }
    if (how->prices) {
        return hitop_prices_time(t, c, how->prices, diag);
    }
    status = hitop_campaign_measure(t, c, diag);
    return status == HITOP_OK && c->request->scatter_gather && t->nranks > 1
               ? hitop_campaign_fans(comm, t, payload, c, diag)
               : status;
}

/* All ranks open it, or none. */
static enum hitop_status open_all(MPI_Comm comm, struct hitop_payload *payload,
                                  struct hitop_transport *out, struct hitop_diag *diag)
{
    const enum hitop_status own = hitop_transport_mpi(comm, payload, out, diag);
    const enum hitop_status status = hitop_agree_on_local(comm, own, diag);

    if (own == HITOP_OK && status != HITOP_OK) {
        out->close(out->self);
    }
    return status;
}

enum hitop_status hitop_campaign_serve(MPI_Comm comm, const struct hitop_campaign_serving *how,
                                       struct hitop_campaign *c, struct hitop_diag *diag)
{
    struct hitop_payload *payload = NULL;
    struct hitop_transport transport;
    enum hitop_status status =
        hitop_agree_mpi(comm, hitop_payload_new(how->cache, how->last_level, &payload, diag), diag);

    if (status == HITOP_OK) {
        status = open_all(comm, payload, &transport, diag);
    }
    if (status == HITOP_OK) {
        status = measure(comm, &transport, how, payload, c, diag);
        transport.close(transport.self);
    }
    hitop_payload_free(payload);
    return status;
}
