/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ESTIMATE_IMPL_MPI_H
#define ESTIMATE_IMPL_MPI_H

/* estimate_impl_mpi.h - what the files of hitop_estimate() share. */

#include "models/campaign/campaign.h"

#include "hitop/measure_mpi.h"

enum { ESTIMATE_TYPE = 64 };

/* What rank 0 makes of the options, and all ranks get. The request borrows type and sizes. */
struct hitop_estimate_plan {
    struct hitop_campaign_request request;
    enum hitop_estimate_tree tree; /* to be found; HITOP_TREE_FLAT with an earlier model */
    enum hitop_cache cache;
    char type[ESTIMATE_TYPE];
    size_t *sizes; /* owned */
};

/*
 * Check options and make a plan of them. The sizes of the plan are to be freed, also on failure.
 */
HITOP_MUST_CHECK enum hitop_status hitop_estimate_plan(const struct hitop_estimate_options *options,
                                                       struct hitop_estimate_plan *out,
                                                       struct hitop_diag *diag);

/* The options of a caller, perhaps of an earlier version; size 0 or too large is an error. */
HITOP_MUST_CHECK enum hitop_status hitop_estimate_adopt(const struct hitop_estimate_options *given,
                                                        struct hitop_estimate_options *out,
                                                        struct hitop_diag *diag);

/* All ranks return the status of rank 0, with its message. */
enum hitop_status hitop_estimate_follow(MPI_Comm comm, enum hitop_status own,
                                        struct hitop_diag *diag);

/* All ranks get the plan of rank 0. */
HITOP_MUST_CHECK enum hitop_status
hitop_estimate_share_plan(MPI_Comm comm, struct hitop_estimate_plan *plan, struct hitop_diag *diag);

/* All ranks get the model of rank 0, which keeps its own. *model is NULL elsewhere before. */
HITOP_MUST_CHECK enum hitop_status
hitop_estimate_share_model(MPI_Comm comm, struct hitop_model **model, struct hitop_diag *diag);

#endif /* ESTIMATE_IMPL_MPI_H */
