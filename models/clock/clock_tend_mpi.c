/* SPDX-License-Identifier: BSD-3-Clause */
/* clock_tend_mpi.c - when it is time to align a clock, or to renew it. */
#include <config.h>

#include "models/clock/clock_impl_mpi.h"
#include "models/transport/agree_mpi.h"

#include <math.h>

/* Seconds from one time to the next, at least, and so many times what it takes. */
static const double align_every = 0.1, renew_every = 1, share = 20;

/* When that is done again which has taken since a moment. */
static double again(double begin, double every)
{
    const double end = MPI_Wtime();

    return end + fmax(every, share * (end - begin));
}

enum hitop_status hitop_common_clock_tend(struct hitop_common_clock *c, struct hitop_diag *diag)
{
    const double now = MPI_Wtime();
    int is_due[] = {now >= c->renew_at, now >= c->align_at}; /* as rank 0 says */
    enum hitop_status status = hitop_transport_check(MPI_Bcast(is_due, 2, MPI_INT, 0, c->comm),
                                                     "agreeing on what is due for clocks", diag);

    if (status == HITOP_OK && is_due[0]) {
        const double begin = MPI_Wtime();
        status = hitop_common_clock_renew(c, diag);
        c->renew_at = again(begin, renew_every);
    }
    if (status == HITOP_OK && is_due[1]) {
        const double begin = MPI_Wtime();
        status = hitop_common_clock_align(c, diag);
        c->align_at = again(begin, align_every);
    }
    return status;
}
