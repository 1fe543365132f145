/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wait_simulated.c - waiting and copying where time is simulated.
 *
 * All ranks are in one process and take turns: a rank that polls a word must let time pass, or the
 * writer never runs. No rank sleeps until it is woken. Copies take as long as on an ordinary node.
 */
#include <config.h>

#include "coll/node/wait.h"

#include <time.h>

enum { SHORTEST_NAP = 100, LONGEST_NAP = 1600 }; /* ns */

/* The transfer of a line, then 4 GB/s. */
static const double copy_latency_ns = 200, copy_ns_per_byte = 0.25;

static void pass(long ns)
{
    const struct timespec t = {.tv_nsec = ns};

    nanosleep(&t, NULL);
}

/* Polls without a pause take no simulated time. */
unsigned hitop_wait_spins(int alone)
{
    (void)alone;
    return 1;
}

void hitop_wait_register(void)
{
}

void hitop_wait_attach(struct hitop_wait *wait, struct hitop_eventcount *eventcount)
{
    (void)eventcount;
    wait->eventcount = NULL;
}

uint64_t hitop_wait_clock(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void hitop_wait_longer(struct hitop_wait *wait, unsigned looks)
{
    wait->is_long = 1; /* every poll calls MPI, because the poll itself takes no time */
    pass(looks < 4 ? SHORTEST_NAP << looks : LONGEST_NAP);
}

void hitop_wait_wake(struct hitop_wait *wait)
{
    (void)wait;
}

void hitop_wait_charge(size_t bytes)
{
    pass((long)(copy_latency_ns + copy_ns_per_byte * (double)bytes));
}
