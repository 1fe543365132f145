/* SPDX-License-Identifier: BSD-3-Clause */
/* clock_tend_mpi.c - when it is time to align a clock, or to renew it. */
#include <config.h>

#include "clock_impl_mpi.h"

#include <math.h>

/* Seconds from one time to the next, at least, and so many times what it takes. */
static const double align_every = 0.1, renew_every = 1, share = 20;

int hitop_common_clock_due(const struct hitop_common_clock *c)
{
    const double now = MPI_Wtime();

    return c->source != HITOP_CLOCK_FIRST ? 0
                                          : (now >= c->align_at ? HITOP_CLOCK_ALIGN : 0) |
                                                (now >= c->renew_at ? HITOP_CLOCK_RENEW : 0);
}

/* When that is done again which has taken since a moment. */
static double again(double begin, double every)
{
    const double end = MPI_Wtime();

    return end + fmax(every, share * (end - begin));
}

enum hitop_status hitop_common_clock_tend(struct hitop_common_clock *c, int due,
                                          struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    if (due & HITOP_CLOCK_RENEW) {
        const double begin = MPI_Wtime();
        status = hitop_common_clock_renew(c, diag);
        c->renew_at = again(begin, renew_every);
    }
    if (due & HITOP_CLOCK_ALIGN && status == HITOP_OK) {
        const double begin = MPI_Wtime();
        status = hitop_common_clock_align(c, diag);
        c->align_at = again(begin, align_every);
    }
    return status;
}
