/* SPDX-License-Identifier: BSD-3-Clause */
/* machine.c - see machine.h. */
#include <config.h>

#include "tests/support/machine.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t state;

void machine_seed(void)
{
    const char *given = getenv("HITOP_TEST_SEED");

    state = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
    printf("HITOP_TEST_SEED=%llu\n", (unsigned long long)state);
    (void)fflush(stdout);
}

int machine_draw(int below)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((state >> 33) % (uint64_t)below);
}

/* Between low and high; small and large factors are as likely. */
static double draw_between(double low, double high)
{
    return low * pow(high / low, machine_draw(1000) / 1000.0);
}

static int host_of(const struct machine *m, int rank)
{
    const int hosts = (m->nranks + m->ranks_per_host - 1) / m->ranks_per_host;

    return m->scattered ? rank % hosts : rank / m->ranks_per_host;
}

static double p2p(const void *self, int from, int to, size_t bytes)
{
    const struct machine *m = self;
    const int a = host_of(m, from), b = host_of(m, to);
    const int level = a == b ? 0 : a / m->hosts_per_site == b / m->hosts_per_site ? 1 : 2;

    return m->latency[level] + m->per_byte[level] * (double)bytes;
}

static double occupancy(const void *self, int from, int to, size_t bytes)
{
    return ((const struct machine *)self)->busy * p2p(self, from, to, bytes);
}

static double local(const void *self, int rank, size_t bytes)
{
    (void)rank;
    return ((const struct machine *)self)->combine * (double)bytes;
}

static int kind(const void *self, int rank)
{
    return host_of(self, rank);
}

struct machine machine_random(int max_ranks)
{
    struct machine m = {.nranks = 2 + machine_draw(max_ranks - 1),
                        .ranks_per_host = 1 + machine_draw(8),
                        .hosts_per_site = 1 + machine_draw(8),
                        .scattered = machine_draw(2),
                        .busy = draw_between(0.2, 1),
                        .two_ports = machine_draw(2),
                        .combine = draw_between(1e-11, 1e-9)};

    m.latency[0] = draw_between(1e-7, 1e-6);
    m.per_byte[0] = draw_between(5e-11, 5e-10);
    for (int i = 1; i < 3; i++) {
        m.latency[i] = m.latency[i - 1] * draw_between(1, 30);
        m.per_byte[i] = m.per_byte[i - 1] * draw_between(1, 30);
    }
    return m;
}

struct hitop_cost machine_cost(const struct machine *machine)
{
    return (struct hitop_cost){.self = machine,
                               .nranks = machine->nranks,
                               .p2p = p2p,
                               .occupancy = occupancy,
                               .reception = machine->two_ports ? occupancy : NULL,
                               .local = local,
                               .kind = kind};
}
