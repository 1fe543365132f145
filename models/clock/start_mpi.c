/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * start_mpi.c - all ranks begin at one moment.
 *
 * Idea:    ranks leave a barrier one after the other. With a common clock rank 0 broadcasts a start
 *          time in the near future and all ranks wait for it. Its distance is three times the upper
 *          quartile of earlier broadcasts. After a late rank the distance doubles; each start in
 *          time makes it a tenth shorter. If no start is in time for long, e.g. because ranks share
 *          processors, a barrier replaces start times for all users of this clock. Other timing
 *          methods begin after barriers anyway.
 *
 * A rank notices the start time with a delay that depends on the phase of its polling loop, which
 * begins when the message with the start time arrives. Without a random shift this phase would be
 * the same in all starts of one job and different in the next job; so each start time is shifted at
 * random.
 *
 * Source:  the round-time scheme; S. Hunold, A. Carpen-Amarie, Hierarchical clock synchronization
 *          in MPI, IEEE Cluster 2018.
 */
#include <config.h>

#include "models/clock/clock_impl_mpi.h"
#include "models/clock/start_mpi.h"
#include "models/fit/quantile.h"
#include "models/transport/transport_impl_mpi.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>

enum { TRIALS = 20, PATIENCE = 30, FEWEST_BARRIERS = 20, MOST_BARRIERS = 100 };

/* Least distance of a start time in seconds: several readings of the clock. */
static const double nearest = 1e-6;

/* Most distance in seconds, unless ten times the least one is longer. */
static const double far_ahead = 0.1;

#ifndef SMPI_H /* which mpi.h has defined */
/* Seconds before the start in which no call of MPI would end in time. */
static const double close_by = 2e-6;

/* Most seconds of the random shift: several polls. */
static const double most_put_off = 500e-9;
#endif

enum hitop_status hitop_clock_time_broadcast(struct hitop_common_clock *c, struct hitop_diag *diag)
{
    double seconds[TRIALS] = {0};
    int code = MPI_SUCCESS;

    for (int i = -1; i < TRIALS && code == MPI_SUCCESS; i++) { /* the first one does not count */
        double sent = hitop_clock_read(&c->reader), arrived, last = 0;
        code = MPI_Bcast(&sent, 1, MPI_DOUBLE, 0, c->comm);
        arrived = hitop_clock_read(&c->reader);
        if (code == MPI_SUCCESS) {
            code = MPI_Reduce(&arrived, &last, 1, MPI_DOUBLE, MPI_MAX, 0, c->comm);
        }
        /* at most the time by this clock until all ranks have it, if other clocks are wrong */
        seconds[i < 0 ? 0 : i] = fmin(last, hitop_clock_read(&c->reader)) - sent;
    }
    qsort(seconds, TRIALS, sizeof(seconds[0]), quantile_by_value);
    c->broadcast = fmax(seconds[TRIALS * 3 / 4], 0);
    return hitop_transport_check(code, "timing broadcasts", diag);
}

void hitop_starter_prepare(struct starter *s, const struct hitop_common_clock *clock,
                           const struct hitop_timing *method)
{
    const int replaced = method->barriers == 0 && *clock->gave_up;

    *s = (struct starter){.clock = clock,
                          .method = replaced ? &hitop_timing_one_barrier : method,
                          .least = fmax(3 * clock->broadcast, nearest)};
    s->margin = s->least;
}

enum hitop_status hitop_starter_time_barrier(struct starter *s, int n, struct hitop_diag *diag)
{
    const struct hitop_clock *local = &s->clock->reader.clock;
    double seconds[MOST_BARRIERS] = {0};
    int code = MPI_SUCCESS;

    if (!s->method->confirms) {
        return HITOP_OK;
    }
    n = n < FEWEST_BARRIERS ? FEWEST_BARRIERS : n < MOST_BARRIERS ? n : MOST_BARRIERS;
    for (int i = -1; i < n && code == MPI_SUCCESS; i++) { /* the first one does not count */
        const double called = local->now(local->self);
        code = MPI_Barrier(s->clock->comm);
        seconds[i < 0 ? 0 : i] = local->now(local->self) - called;
    }
    s->barrier = quantile(seconds, n, 0.5);
    return hitop_transport_check(code, "timing barriers", diag);
}

/*
 * Wait for a moment. Far from it other processes may have the processor; nearer to it MPI_Iprobe()
 * lets the MPI library make progress. In a simulation time passes in calls only, and sleep ends
 * exactly in time.
 */
static int wait_until(const struct hitop_clock *clock, double when, MPI_Comm comm)
{
    int code = MPI_SUCCESS;

    for (double left = when - clock->now(clock->self); left > 0 && code == MPI_SUCCESS;
         left = when - clock->now(clock->self)) {
#ifdef SMPI_H
        (void)comm;
        if (left < 1e-9) {
            break;
        }
        sleep_seconds(left > 1e-6 ? 0.999 * left : left); /* this clock may be slow */
#else
        int is_there;
        if (left < close_by) {
            continue;
        }
        if (left > 500e-6) {
            sleep_seconds(left / 2);
        } else if (left > 20e-6) {
            (void)sched_yield();
        }
        code = MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &is_there, MPI_STATUS_IGNORE);
#endif
    }
    return code;
}

/*
 * The random shift in seconds, at rank 0: the same sequence in each job, and 0 in a simulation,
 * where all ranks start exactly in time.
 */
static double put_off(struct starter *s)
{
#ifdef SMPI_H
    (void)s;
    return 0;
#else
    s->random = s->random * 6364136223846793005ULL + 1442695040888963407ULL; /* Knuth, MMIX */
    return most_put_off * ldexp((double)(s->random >> 11), -53);
#endif
}

enum hitop_status hitop_starter_begin(struct starter *s, int *late, struct hitop_diag *diag)
{
    const struct hitop_clock *local = &s->clock->reader.clock;
    const MPI_Comm comm = s->clock->comm;
    struct {
        double when, margin;
    } appointment = {hitop_clock_read(&s->clock->reader) + s->margin + put_off(s), s->margin};
    double when, left;
    int code = MPI_SUCCESS;

    *late = 0;
    if (s->method->barriers > 0) {
        for (int i = 0; i < s->method->barriers && code == MPI_SUCCESS; i++) {
            code = MPI_Barrier(comm);
        }
        return hitop_transport_check(code, "starting", diag);
    }
    code = MPI_Bcast(&appointment, 2, MPI_DOUBLE, 0, comm);
    if (code == MPI_SUCCESS) {
        when = hitop_clock_line_invert(&s->clock->reader.line, appointment.when);
        left = when - local->now(local->self);
        /* too early: the clock is wrong, and no rank should wait for it */
        *late = left < 0 || left > 2 * appointment.margin;
        code = *late ? MPI_SUCCESS : wait_until(local, when, comm);
    }
    return hitop_transport_check(code, "starting", diag);
}

enum hitop_status hitop_starter_confirm(struct starter *s, struct hitop_diag *diag)
{
    return s->method->confirms
               ? hitop_transport_check(MPI_Barrier(s->clock->comm), "confirming", diag)
               : HITOP_OK;
}

int hitop_starter_learn(struct starter *s, int was_late)
{
    const double wanted = (was_late ? 2 : 0.9) * s->margin;

    s->margin = fmin(fmax(wanted, s->least), fmax(far_ahead, 10 * s->least));
    s->late_in_a_row = was_late ? s->late_in_a_row + 1 : 0;
    if (s->method->barriers > 0 || s->late_in_a_row < PATIENCE) {
        return 0;
    }
    s->method = &hitop_timing_one_barrier;
    *s->clock->gave_up = 1;
    return 1;
}
