/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FAN_IMPL_MPI_H
#define FAN_IMPL_MPI_H

/* fan_impl_mpi.h - the time that one rank with all others may take. */

#include "hitop/fan_mpi.h"

/* When it is over, by the clock of this rank; 0: never. */
double fan_deadline(const struct hitop_common_clock *clock,
                    const struct hitop_fan_request *request);

/* Whether it is, by the clock of rank 0. Collective. */
enum hitop_status fan_is_over(const struct hitop_common_clock *clock, double deadline, int *over,
                              struct hitop_diag *diag);

#endif /* FAN_IMPL_MPI_H */
