/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * curve_terms.c - what the times of each operation may be made of.
 *
 * To add an operation: one line in the table.
 *
 * Source:  R. Thakur, R. Rabenseifner and W. Gropp, Optimization of collective communication operations in MPICH,
 *          International Journal of High Performance Computing Applications 19 (2005): costs of the usual
 *          algorithms in latencies and bytes.
 */
#include <config.h>

#include "hitop/curve_fit.h"

#include "curve_terms.h"

#include <math.h>
#include <string.h>

static double rounds(int ranks)
{
    int n = 0;

    while (n < 31 && (1L << n) < ranks) {
        n++;
    }
    return n;
}

static double one(double bytes, int ranks)
{
    (void)bytes, (void)ranks;
    return 1;
}

static double per_round(double bytes, int ranks)
{
    (void)bytes;
    return rounds(ranks);
}

static double per_doubling(double bytes, int ranks)
{
    (void)bytes;
    return log2(ranks);
}

static double per_other(double bytes, int ranks)
{
    (void)bytes;
    return ranks - 1;
}

static double per_byte(double bytes, int ranks)
{
    (void)ranks;
    return bytes;
}

static double per_byte_square(double bytes, int ranks)
{
    (void)ranks;
    return bytes * bytes;
}

static double per_byte_round(double bytes, int ranks)
{
    return bytes * rounds(ranks);
}

static double per_byte_other(double bytes, int ranks)
{
    return bytes * (ranks - 1);
}

const struct hitop_fit_term term_one = {"1", 0, 0, 0, one};
const struct hitop_fit_term term_byte = {"m", 1, 0, 0, per_byte};
const struct hitop_fit_term term_byte_square = {"m^2", 1, 1, 0, per_byte_square};
static const struct hitop_fit_term term_round = {"ceil(log2 P)", 0, 0, 1, per_round};
static const struct hitop_fit_term term_doubling = {"log2 P", 0, 0, 1, per_doubling};
static const struct hitop_fit_term term_other = {"(P - 1)", 0, 0, 1, per_other};
static const struct hitop_fit_term term_byte_round = {"m ceil(log2 P)", 1, 0, 1, per_byte_round};
static const struct hitop_fit_term term_byte_other = {"m (P - 1)", 1, 0, 1, per_byte_other};

static const struct hitop_fit_basis bases[] = {
    {"allgather",
     {&term_one, &term_round, &term_other, &term_byte_other},
     "rounds of doubling, or a ring; every rank receives a block of each other rank"},
    {"allreduce",
     {&term_one, &term_round, &term_byte, &term_byte_round},
     "rounds of doubling that exchange the whole vector, or halves of it"},
    {"alltoall", {&term_one, &term_other, &term_byte_other}, "one exchange with each other rank"},
    {"barrier", {&term_one, &term_round}, "rounds of empty messages"},
    {"broadcast",
     {&term_one, &term_round, &term_byte, &term_byte_round},
     "a tree whose depth is that of a binomial one, or a scatter followed by an allgather"},
    {"gather",
     {&term_one, &term_doubling, &term_byte_other},
     "a tree; the root receives a block of each other rank"},
    {"reduce",
     {&term_one, &term_round, &term_byte, &term_byte_round},
     "a tree whose depth is that of a binomial one, or a reduce-scatter followed by a gather"},
    {"scatter",
     {&term_one, &term_doubling, &term_byte_other},
     "a tree; the root sends a block to each other rank"},
    {"sendreceive",
     {&term_one, &term_other, &term_byte, &term_byte_other},
     "one message to the next rank at the same time; terms with P if they share a link or a "
     "memory"},
};

const struct hitop_fit_basis *hitop_fit_basis(size_t index)
{
    return index < sizeof(bases) / sizeof(bases[0]) ? &bases[index] : NULL;
}

const struct hitop_fit_basis *hitop_fit_basis_find(const char *operation)
{
    for (size_t i = 0; i < sizeof(bases) / sizeof(bases[0]); i++) {
        if (strcmp(bases[i].operation, operation) == 0) {
            return &bases[i];
        }
    }
    return NULL;
}
