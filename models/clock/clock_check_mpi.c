/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock_check_mpi.c - how far the common time of a rank is from the clock of rank 0.
 *
 * Idea:  a parent subtracts the difference that it has found from the time that it sends to its
 *        children, so that differences do not add up down the tree.
 */
#include <config.h>

#include "models/clock/clock_impl_mpi.h"
#include "models/transport/agree_mpi.h"

#include <math.h>

enum hitop_status hitop_clock_find_residual(struct hitop_common_clock *c, MPI_Comm local,
                                            struct hitop_clock_offset *found,
                                            struct hitop_diag *diag)
{
    struct hitop_clock_offset of_first = {0};
    enum hitop_status first = HITOP_OK, status;
    double offset;

    *found = of_first;
    c->reader.correction = 0;
    if (c->leaders != MPI_COMM_NULL) {
        first = hitop_clock_tree_offset(c->leaders, &c->reader, 1, &of_first, diag);
    }
    offset = of_first.offset;
    c->reader.correction = 0;
    if (first == HITOP_ERR_MPI) {
        return first;
    }
    status = hitop_transport_check(MPI_Bcast(&offset, 1, MPI_DOUBLE, 0, c->host),
                                   "passing clocks on", diag);
    if (status == HITOP_OK && local != MPI_COMM_NULL) {
        status = hitop_clock_star_offset(local, &c->reader, found, diag);
    }
    if (c->leaders != MPI_COMM_NULL) {
        *found = of_first;
    } else {
        found->offset += offset;
    }
    return status == HITOP_OK ? first : status;
}

enum hitop_status hitop_common_clock_check(struct hitop_common_clock *clock, double *residual,
                                           double *mine, struct hitop_diag *diag)
{
    struct hitop_clock_offset own;
    enum hitop_status status;
    double magnitude;
    int code;

    *residual = 0;
    if (clock->source == HITOP_CLOCK_NONE) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "clock: clocks have not been compared");
    }
    status = hitop_clock_find_residual(clock, clock->host, &own, diag);
    if (status != HITOP_ERR_MPI) {
        status = hitop_agree_mpi(clock->comm, status, diag);
    }
    if (status != HITOP_OK) {
        return status;
    }
    magnitude = fabs(own.offset);
    code = MPI_Allreduce(&magnitude, residual, 1, MPI_DOUBLE, MPI_MAX, clock->comm);
    if (mine) {
        *mine = own.offset;
    }
    return hitop_transport_check(code, "agreeing on clocks", diag);
}
