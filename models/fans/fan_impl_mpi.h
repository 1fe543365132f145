/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FAN_IMPL_MPI_H
#define FAN_IMPL_MPI_H

/* fan_impl_mpi.h - the points of one rank with all others, known or measured. */

#include "models/fans/fan_mpi.h"

/* Where the points come from. */
struct fan_source {
    /* Whether there is no time for another one; alike on all ranks. */
    enum hitop_status (*is_over)(void *data, int *over, struct hitop_diag *diag);
    /* One of them; HITOP_ERR_NOTFOUND when it is not to be had. */
    enum hitop_status (*point)(void *data, enum hitop_finding_kind kind, size_t bytes,
                               struct hitop_point *out, struct hitop_diag *diag);
    void *data;
};

/* Both curves from such points; as hitop_fan_curves(). */
enum hitop_status hitop_fan_curves_from(const struct fan_source *from,
                                        const struct hitop_fan_request *request,
                                        struct hitop_point *scatter, struct hitop_point *gather,
                                        int *nmeasured, struct hitop_diag *diag);

/* A point that the request knows, unless it was used before; 0 when there is none. A search asks
 * for some sizes more than once. used is [nknown], all 0 at first. */
int hitop_fan_recall_point(const struct hitop_fan_request *request, char *used,
                           enum hitop_finding_kind kind, size_t bytes, struct hitop_point *out);

/* Points that are measured, unless the request knows them. */
struct fan_state {
    const struct hitop_common_clock *clock;
    const struct hitop_fan_request *request;
    double deadline; /* by the clock of rank 0; 0: none */
    char *used;      /* [known] 1: used; for free() */
};

/* Collective. */
enum hitop_status hitop_fan_measured(struct fan_state *state,
                                     const struct hitop_common_clock *clock,
                                     const struct hitop_fan_request *request,
                                     struct fan_source *out, struct hitop_diag *diag);

#endif /* FAN_IMPL_MPI_H */
