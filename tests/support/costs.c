/* SPDX-License-Identifier: BSD-3-Clause */
/* costs.c - made-up machines for tests. */
#include <config.h>

#include "tests/support/costs.h"

#include <stdint.h>

int costs_asked;

/* splitmix64: a well mixed number from any number. */
static uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static double unit(uint64_t x)
{
    return (double)(mix(x) >> 11) * 0x1p-53;
}

static double random_p2p(const void *self, int from, int to, size_t bytes)
{
    const uint64_t pair = (uint64_t)from << 32 | (uint32_t)to;

    (void)self;
    costs_asked++;
    return 1e-6 + 50e-6 * unit(2 * pair) + (1e-10 + 1e-8 * unit(2 * pair + 1)) * (double)bytes;
}

struct hitop_cost random_cost(int nranks)
{
    return (struct hitop_cost){.nranks = nranks, .p2p = random_p2p, .occupancy = random_p2p};
}

/* So many ranks a cost that points to its own number has. */
static int sizes[LAYERED_MAX + 1];

static int host_of(const void *self, int rank)
{
    (void)self;
    return rank % 64;
}

/* Sets of layered_cost(): behind the ranks come 64 hosts, 8 racks and the whole. */
static int layered_enclosing(const void *self, int set)
{
    const int *nranks = self;
    const int hosts = *nranks, racks = hosts + 64, whole = racks + 8;

    if (set < hosts) {
        return hosts + host_of(self, set);
    }
    return set < racks ? racks + (set - hosts) % 8 : set < whole ? whole : -1;
}

/* Multiples of powers of two: sums of them are exact, so that equal times are equal numbers. */
static double layered_p2p(const void *self, int from, int to, size_t bytes)
{
    const int a = host_of(self, from), b = host_of(self, to);
    const double n = (double)bytes;

    costs_asked++;
    if (a == b) {
        return 3 * 0x1p-22 + 1 * 0x1p-32 * n; /* 0.7 us, 0.2 ns per byte */
    }
    return a % 8 == b % 8 ? 13 * 0x1p-22 + 4 * 0x1p-32 * n  /* 3.1 us, 0.9 ns */
                          : 35 * 0x1p-22 + 9 * 0x1p-32 * n; /* 8.3 us, 2.1 ns */
}

static double layered_occupancy(const void *self, int from, int to, size_t bytes)
{
    return 0.75 * layered_p2p(self, from, to, bytes);
}

struct hitop_cost layered_cost(int nranks)
{
    sizes[nranks] = nranks;
    return (struct hitop_cost){.self = &sizes[nranks],
                               .nranks = nranks,
                               .p2p = layered_p2p,
                               .occupancy = layered_occupancy,
                               .enclosing = layered_enclosing,
                               .nsets = nranks + 64 + 8 + 1};
}

struct hitop_cost hosts_cost(int nranks)
{
    return (struct hitop_cost){
        .nranks = nranks, .p2p = layered_p2p, .occupancy = layered_occupancy, .kind = host_of};
}

static double worked_p2p(const void *self, int from, int to, size_t bytes)
{
    static const unsigned char alpha[8][8] = {
        {0, 49, 40, 17, 44, 23, 32, 47}, {49, 0, 50, 21, 19, 59, 24, 12},
        {40, 50, 0, 13, 33, 31, 46, 55}, {17, 21, 13, 0, 18, 28, 10, 58},
        {44, 19, 33, 18, 0, 11, 57, 20}, {23, 59, 31, 28, 11, 0, 38, 14},
        {32, 24, 46, 10, 57, 38, 0, 51}, {47, 12, 55, 58, 20, 14, 51, 0},
    };
    static const unsigned char beta[8][8] = {
        {0, 3, 4, 5, 7, 6, 9, 2}, {3, 0, 8, 6, 9, 9, 6, 1}, {4, 8, 0, 1, 3, 7, 6, 7},
        {5, 6, 1, 0, 2, 3, 1, 9}, {7, 9, 3, 2, 0, 4, 9, 4}, {6, 9, 7, 3, 4, 0, 5, 8},
        {9, 6, 6, 1, 9, 5, 0, 4}, {2, 1, 7, 9, 4, 8, 4, 0},
    };

    (void)self;
    costs_asked++;
    return alpha[from][to] * 1e-6 + beta[from][to] * 1e-9 * (double)bytes;
}

struct hitop_cost worked_cost(void)
{
    return (struct hitop_cost){.nranks = 8, .p2p = worked_p2p, .occupancy = worked_p2p};
}
