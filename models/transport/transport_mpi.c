/* SPDX-License-Identifier: BSD-3-Clause */
/* transport_mpi.c - open the MPI transport: duplicate the communicator and measure the clock. */
#include <config.h>

#include "models/transport/transport_impl_mpi.h"

#include <limits.h>
#include <stdlib.h>

static double now(void *self)
{
    (void)self;
    return MPI_Wtime();
}

static void close_mpi(void *self)
{
    struct mpi_state *s = self;

    (void)MPI_Comm_free(&s->comm);
    hitop_payload_free(s->own);
    free(s);
}

/*
 * Measure the smallest step of the clock; MPI_Wtick() if no reading differs from another one. The
 * clock of SMPI is exact and does not advance between readings.
 */
static double measure_step(void)
{
#ifdef SMPI_H
    return 0;
#else
    double step = 0;
    double before = MPI_Wtime();

    for (int i = 0; i < 20000; i++) {
        const double after = MPI_Wtime();
        if (after > before && (step == 0 || after - before < step)) {
            step = after - before;
        }
        before = after;
    }
    return step > 0 ? step : MPI_Wtick();
#endif
}

/* Measure the seconds that one reading of the clock takes. */
static double measure_clock_cost(void)
{
    enum { READINGS = 1000 };
    const double start = MPI_Wtime();
    double last = start;

    for (int i = 0; i < READINGS; i++) {
        last = MPI_Wtime();
    }
    return (last - start) / READINGS;
}

/* With cold caches a batch is one exchange, because a second one would find warm caches. */
static struct hitop_transport table_of(struct mpi_state *s)
{
    const enum hitop_cache cache = hitop_payload_cache(s->payload);

    return (struct hitop_transport){.self = s,
                                    .name = "mpi",
                                    .rank = s->rank,
                                    .nranks = s->size,
                                    .clock_step = measure_step(),
                                    .max_bytes = INT_MAX,
                                    .max_batch = cache == HITOP_CACHE_COLD,
                                    .pause = hitop_payload_pause(s->payload),
                                    .now = now,
                                    .exchange = hitop_series_exchange,
                                    .release = hitop_series_release,
                                    .answer = hitop_series_answer,
                                    .completes = hitop_eager_completes,
                                    .agree = hitop_together_agree,
                                    .gather = hitop_together_gather,
                                    .collect = hitop_together_collect,
                                    .share = hitop_together_share,
                                    .close = close_mpi};
}

enum hitop_status hitop_transport_mpi(MPI_Comm comm, struct hitop_payload *payload,
                                      struct hitop_transport *out, struct hitop_diag *diag)
{
    struct mpi_state *s = calloc(1, sizeof(*s));
    enum hitop_status status = HITOP_OK;

    *out = (struct hitop_transport){0};
    if (!s) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "MPI transport: out of memory");
    }
    s->payload = payload;
    if (!payload) {
        status = hitop_payload_new(HITOP_CACHE_HOT, 0, &s->own, diag);
        s->payload = s->own;
    }
    if (status == HITOP_OK) {
        status = hitop_transport_check(MPI_Comm_dup(comm, &s->comm), "duplicating the communicator",
                                       diag);
    }
    if (status != HITOP_OK) {
        hitop_payload_free(s->own);
        free(s);
        return status;
    }
    (void)MPI_Comm_set_errhandler(s->comm, MPI_ERRORS_RETURN);
    (void)MPI_Comm_rank(s->comm, &s->rank);
    (void)MPI_Comm_size(s->comm, &s->size);
    s->clock_cost = measure_clock_cost();
    *out = table_of(s);
    return HITOP_OK;
}
