/* SPDX-License-Identifier: BSD-3-Clause */
/* together.c - see together.h. */
#include <config.h>

#include "bench/together.h"

#include "bench/one_clock.h"
#include "models/fit/quantile.h"

#include "hierarchy/job/oversubscription_mpi.h"

#include <sched.h>
#include <string.h>

enum { LINE = 128, SPINS = 20000, SPINS_OVERSUBSCRIBED = 20, POKE = 64 };

/* What a rank writes, in lines of its own. */
struct line {
    _Atomic unsigned long mark;  /* the caller's */
    _Atomic unsigned long count; /* starts that it has come to; of rank 0: that all have */
    double when;                 /* of rank 0 */
};

static struct line *line_of(const struct together *t, int rank)
{
    return (struct line *)(void *)((unsigned char *)t->base + (size_t)rank * LINE);
}

void together_init(struct together *t, MPI_Comm comm)
{
    struct oversubscription worst = {.nranks = 0};
    MPI_Comm host;
    MPI_Aint bytes;
    int unit, here;

    memset(t, 0, sizeof(*t));
    t->comm = comm;
    PMPI_Comm_rank(comm, &t->rank);
    PMPI_Comm_size(comm, &t->size);
    PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    PMPI_Comm_size(host, &here);
    (void)hitop_oversubscription_find_worst(comm, &worst);
    t->oversubscribed = worst.nranks > worst.nprocessors;
    if (here == t->size) {
        const size_t all = (size_t)t->size * LINE;
        PMPI_Win_allocate_shared(t->rank == 0 ? (MPI_Aint)all : 0, 1, MPI_INFO_NULL, host, &t->base,
                                 &t->window);
        PMPI_Win_shared_query(t->window, 0, &bytes, &unit, &t->base);
        if (t->rank == 0) {
            memset(t->base, 0, all);
        }
        PMPI_Barrier(comm);
    }
    PMPI_Comm_free(&host);
}

void together_fini(struct together *t)
{
    if (t->base) {
        PMPI_Win_free(&t->window);
    }
}

_Atomic unsigned long *together_line(const struct together *t, int rank)
{
    return &line_of(t, rank)->mark;
}

/* The measured operation may need MPI progress of the ranks that wait here. */
static void wait_for(const struct together *t, int rank)
{
    const int spins = t->oversubscribed ? SPINS_OVERSUBSCRIBED : SPINS;
    const struct line *line = line_of(t, rank);

    for (int i = 0; atomic_load_explicit(&line->count, memory_order_acquire) < t->count; i++) {
        if (i > spins) {
            (void)sched_yield();
        }
        if (i > spins && i % POKE == 0) {
            int flag;
            (void)PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, t->comm, &flag, MPI_STATUS_IGNORE);
        }
    }
}

static double start_by_message(const struct together *t, double lead)
{
    double when;

    PMPI_Barrier(t->comm);
    when = one_clock_now() + lead;
    PMPI_Allreduce(MPI_IN_PLACE, &when, 1, MPI_DOUBLE, MPI_MAX, t->comm);
    return when + lead;
}

double together_start(struct together *t, double lead)
{
    if (!t->base) {
        return start_by_message(t, lead);
    }
    t->count++;
    if (t->rank == 0) {
        struct line *mine = line_of(t, 0);
        for (int r = 1; r < t->size; r++) {
            wait_for(t, r);
        }
        mine->when = one_clock_now() + lead;
        atomic_store_explicit(&mine->count, t->count, memory_order_release);
    } else {
        atomic_store_explicit(&line_of(t, t->rank)->count, t->count, memory_order_release);
        wait_for(t, 0);
    }
    return line_of(t, 0)->when;
}

double together_lead(struct together *t)
{
    enum { TRIALS = 9 };
    double seconds[TRIALS];

    for (int i = 0; i < TRIALS; i++) {
        seconds[i] = one_clock_now();
        (void)together_start(t, 0);
        seconds[i] = one_clock_now() - seconds[i];
    }
    seconds[0] = t->oversubscribed ? 200e-6 : 2e-6;
    if (!t->base) {
        seconds[0] += quantile(seconds + 1, TRIALS - 1, 0.9);
    }
    PMPI_Bcast(seconds, 1, MPI_DOUBLE, 0, t->comm);
    return seconds[0];
}
