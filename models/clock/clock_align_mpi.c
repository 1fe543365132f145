/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock_align_mpi.c - small differences between the clocks of one host.
 *
 * Idea:  the first rank of the host stamps each request that another rank writes to a cache line of
 *        shared memory, which takes less time than a message, and a more constant one. Ranks take
 *        turns; waiting ranks sleep, because threads of one core slow each other. The first rank
 *        waits for each rank for a limited time.
 */
#include <config.h>

#include "models/clock/clock_impl_mpi.h"
#include "models/clock/shared_lines_mpi.h"
#include "models/transport/agree_mpi.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

#ifndef SMPI_H /* which mpi.h has defined */

enum { EXCHANGES = 200, ENOUGH = 50, POLLS = 8192 };

/* Seconds for the exchanges of one rank, which take less than a tenth of this. */
static const double patience = 0.001;

/* Seconds. A larger error means that one of the two ranks did not poll all the time. */
static const double most_off = 1e-6;

static const struct timespec nap = {.tv_nsec = 20000};

/*
 * Exchanges are numbered from call to call. In each call the first rank writes the first number to
 * begin and the last number to end.
 */
enum { TURN = EXCHANGES + 2 };

/* Two cache lines: the rank that asks writes one, the first rank the other. */
struct clock_line_pair {
    _Alignas(SHARED_LINE) _Atomic int64_t asked;
    _Alignas(SHARED_LINE) _Atomic int64_t answered;
    double stamp;
};

/* Wait for the answer. 0: the first rank has given up, or is in a later call. */
static int wait_for(const struct clock_line_pair *pair, int64_t number, int64_t end)
{
    for (int polls = 1;; polls++) {
        const int64_t seen = atomic_load_explicit(&pair->answered, memory_order_acquire);
        if (seen == number || seen >= end) {
            return seen == number;
        }
        if (polls % POLLS == 0) {
            (void)sched_yield();
        }
    }
}

/* The first rank: answer one rank until its last request, or until the time limit. */
static void answer(const struct clock_reader *r, struct clock_line_pair *pair, int64_t begin)
{
    const double give_up = hitop_clock_read(r) + patience;
    int64_t number = begin + 1;

    atomic_store_explicit(&pair->answered, begin, memory_order_release);
    for (int polls = 1; number <= begin + EXCHANGES; polls++) {
        if (atomic_load_explicit(&pair->asked, memory_order_acquire) == number) {
            pair->stamp = hitop_clock_read(r);
            atomic_store_explicit(&pair->answered, number, memory_order_release);
            number++;
        } else if (polls % POLLS == 0) {
            if (hitop_clock_read(r) > give_up) {
                atomic_store_explicit(&pair->answered, begin + TURN - 1, memory_order_release);
                return;
            }
            (void)sched_yield();
        }
    }
}

/*
 * Wait some nanoseconds, a different number in each exchange. A rank that asks at once after each
 * answer falls into step with a clock that has steps, and all middles are off to one side.
 */
static void dither(int exchange)
{
    for (volatile int i = exchange * 7 % 32; i > 0; i--) {
    }
}

/* Another rank: returns the number of exchanges, at most EXCHANGES. */
static int ask(const struct clock_reader *r, struct clock_line_pair *pair, int64_t begin,
               struct hitop_clock_exchange *x)
{
    const int64_t end = begin + TURN - 1;
    int n = 0;

    while (atomic_load_explicit(&pair->answered, memory_order_acquire) < begin) {
        (void)nanosleep(&nap, NULL);
    }
    for (; n < EXCHANGES; n++) {
        dither(n);
        x[n].sent = hitop_clock_read(r);
        atomic_store_explicit(&pair->asked, begin + 1 + n, memory_order_release);
        if (!wait_for(pair, begin + 1 + n, end)) {
            break;
        }
        x[n].received = hitop_clock_read(r);
        x[n].stamp = pair->stamp;
    }
    return n;
}

/* Open lines for the first rank of the host and the ranks that copied its clock line. */
static enum hitop_status open_pairs(struct hitop_common_clock *c, struct hitop_diag *diag)
{
    struct clock_alignment *a = &c->alignment;
    int rank, size = 1, is_near;
    int code;

    (void)MPI_Comm_rank(c->host, &rank);
    is_near = rank == 0 || c->source == HITOP_CLOCK_COPIED || c->source == HITOP_CLOCK_GLOBAL;
    code = MPI_Comm_split(c->host, is_near ? 0 : MPI_UNDEFINED, rank, &a->near);
    if (code == MPI_SUCCESS && a->near != MPI_COMM_NULL) {
        (void)MPI_Comm_size(a->near, &size);
    }
    if (size > 1) {
        a->pairs =
            hitop_shared_lines_open(a->near, (size_t)(size - 1) * sizeof(*a->pairs), &a->window);
    }
    a->is_open = 1;
    return hitop_transport_check(code, "splitting the communicator", diag);
}

/* Add the offset of these exchanges to the line of this rank. */
static void shift(struct hitop_common_clock *c, struct hitop_clock_exchange *x, int n)
{
    struct hitop_clock_offset found;

    if (n >= ENOUGH && hitop_clock_offset_mean(x, n, &found, NULL) == HITOP_OK &&
        found.error < most_off) {
        c->reader.line.offset += found.offset;
        c->alignment.shift += found.offset;
    }
}

enum hitop_status hitop_common_clock_align(struct hitop_common_clock *c, struct hitop_diag *diag)
{
    struct clock_alignment *a = &c->alignment;
    const enum hitop_status status = a->is_open ? HITOP_OK : open_pairs(c, diag);
    struct hitop_clock_exchange x[EXCHANGES];
    int rank, size;

    if (status != HITOP_OK || !a->pairs) {
        return status;
    }
    (void)MPI_Comm_rank(a->near, &rank);
    (void)MPI_Comm_size(a->near, &size);
    a->turn += TURN;
    if (rank > 0) {
        shift(c, x, ask(&c->reader, &a->pairs[rank - 1], a->turn, x));
    }
    for (int k = 1; rank == 0 && k < size; k++) {
        answer(&c->reader, &a->pairs[k - 1], a->turn);
    }
    return HITOP_OK;
}

#else

/* Simulated ranks share one exact clock. */
enum hitop_status hitop_common_clock_align(struct hitop_common_clock *c, struct hitop_diag *diag)
{
    (void)c;
    (void)diag;
    return HITOP_OK;
}

#endif

void hitop_clock_alignment_free(struct clock_alignment *a)
{
    hitop_shared_lines_close(&a->window);
    clock_free_comm(&a->near);
}
