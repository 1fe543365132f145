/* SPDX-License-Identifier: BSD-3-Clause */
/* quiet.c - see quiet.h. */
#include <config.h>

#include "bench/quiet.h"

#include "bench/one_clock.h"
#include "models/fit/quantile.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 300, TRIALS = 401 };

/* Seconds of a round trip, alike on all ranks. */
static double sing(struct quiet *q)
{
    const int me = q->ranks->rank;
    _Atomic unsigned long *mine = together_line(q->ranks, me);
    const _Atomic unsigned long *theirs = together_line(q->ranks, me == 0);
    double seconds = one_clock_now();

    for (int i = 0; i < ROUNDS && me < 2; i++) {
        q->rounds++;
        if (me == 0) {
            atomic_store_explicit(mine, q->rounds, memory_order_release);
        }
        while (atomic_load_explicit(theirs, memory_order_acquire) < q->rounds) {
        }
        if (me == 1) {
            atomic_store_explicit(mine, q->rounds, memory_order_release);
        }
    }
    seconds = (one_clock_now() - seconds) / ROUNDS;
    PMPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, q->ranks->comm);
    return seconds;
}

static double usual_time(struct quiet *q)
{
    static double seconds[TRIALS];

    for (int i = 0; i < TRIALS; i++) {
        quiet_begin(q);
        (void)together_start(q->ranks, 0);
        seconds[i] = sing(q);
        quiet_end(q, 2e-3);
    }
    return quantile(seconds, TRIALS, 0.5);
}

void quiet_init(struct quiet *q, struct together *ranks, int alone, double usual)
{
    memset(q, 0, sizeof(*q));
    q->ranks = ranks;
    q->alone = alone;
    if (ranks->base && ranks->size > 1 && !ranks->oversubscribed && usual >= 0) {
        q->is_given = usual > 0;
        q->usual = q->is_given ? usual : usual_time(q);
    }
}

void quiet_learn(struct quiet *q)
{
    if (q->usual > 0 && !q->is_given) {
        q->usual = usual_time(q);
    }
}

void quiet_begin(const struct quiet *q)
{
    const struct sched_param high = {.sched_priority = 1};
    int failed = 0;

    if (q->alone) {
        failed = q->ranks->oversubscribed ? setpriority(PRIO_PROCESS, 0, -20)
                                          : sched_setscheduler(0, SCHED_FIFO, &high);
    }
    if (failed) {
        fprintf(stderr, "rank %d: --alone is not allowed here\n", q->ranks->rank);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

void quiet_end(const struct quiet *q, double seconds)
{
    const struct sched_param normal = {.sched_priority = 0};
    const double nap = seconds < 0.2 ? seconds : 0.2;
    const struct timespec pause = {0, (long)(1e9 * nap)};

    if (q->alone) {
        (void)(q->ranks->oversubscribed ? setpriority(PRIO_PROCESS, 0, 0)
                                        : sched_setscheduler(0, SCHED_OTHER, &normal));
        (void)nanosleep(&pause, NULL);
    }
}

int quiet_is(struct quiet *q)
{
    if (q->usual == 0) {
        return 1;
    }
    (void)together_start(q->ranks, 0);
    q->last = sing(q);
    return q->last > 0.7 * q->usual && q->last < 1.35 * q->usual;
}

/* Seconds that the machine's processors have been busy, of all of them together. */
static double machine_seconds(void)
{
    double user = 0, nice = 0, system = 0, idle, wait, irq = 0, soft = 0;
    FILE *stat = fopen("/proc/stat", "r");

    if (stat) {
        if (fscanf(stat, "cpu %lf %lf %lf %lf %lf %lf %lf", &user, &nice, &system, &idle, &wait,
                   &irq, &soft) != 7) {
            user = nice = system = irq = soft = 0;
        }
        (void)fclose(stat);
    }
    return (user + nice + system + irq + soft) / (double)sysconf(_SC_CLK_TCK);
}

static double own_seconds(const struct quiet *q)
{
    struct rusage u;
    double sum;

    (void)getrusage(RUSAGE_SELF, &u);
    sum = (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
          1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
    PMPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, q->ranks->comm);
    return sum;
}

void quiet_watch(struct quiet *q)
{
    q->own = own_seconds(q);
    q->busy = machine_seconds();
    q->since = one_clock_now();
}

double quiet_foreign(struct quiet *q)
{
    const double own = own_seconds(q) - q->own, busy = machine_seconds() - q->busy;
    const double all = (one_clock_now() - q->since) * (double)sysconf(_SC_NPROCESSORS_ONLN);

    return busy > own && all > 0 ? (busy - own) / all : 0;
}
