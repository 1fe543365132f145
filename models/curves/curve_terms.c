/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * curve_terms.c - the terms of the cost of each operation, and the time that a fitted form gives.
 *
 * To add an operation, add one line to the table.
 *
 * Source:  R. Thakur, R. Rabenseifner and W. Gropp, Optimization of collective communication
 *          operations in MPICH, International Journal of High Performance Computing Applications 19
 *          (2005): costs of the usual algorithms in latencies and bytes.
 */
#include <config.h>

#include "models/curves/curve_fit.h"

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

const struct hitop_fit_term hitop_term_one = {"1", 0, 0, 0, one};
const struct hitop_fit_term hitop_term_byte = {"m", 1, 0, 0, per_byte};
const struct hitop_fit_term hitop_term_byte_square = {"m^2", 1, 1, 0, per_byte_square};
static const struct hitop_fit_term term_round = {"ceil(log2 P)", 0, 0, 1, per_round};
static const struct hitop_fit_term term_doubling = {"log2 P", 0, 0, 1, per_doubling};
static const struct hitop_fit_term term_other = {"(P - 1)", 0, 0, 1, per_other};
static const struct hitop_fit_term term_byte_round = {"m ceil(log2 P)", 1, 0, 1, per_byte_round};
static const struct hitop_fit_term term_byte_other = {"m (P - 1)", 1, 0, 1, per_byte_other};

/* Terms of operations that are alike. */
#define BLOCKS_OF_ALL &hitop_term_one, &term_round, &term_other, &term_byte_other
#define VECTOR &hitop_term_one, &term_round, &hitop_term_byte, &term_byte_round
#define EXCHANGE &hitop_term_one, &term_other, &term_byte_other
#define BLOCKS_OF_ROOT &hitop_term_one, &term_doubling, &term_byte_other
#define NEIGHBOURS &hitop_term_one, &term_other, &hitop_term_byte, &term_byte_other

static const char blocks_of_all[] =
    "rounds of doubling, or a ring; every rank receives a block of each other rank";
static const char exchange[] = "one exchange with each other rank";
static const char from_all[] = "a tree; the root receives a block of each other rank";
static const char to_all[] = "a tree; the root sends a block to each other rank";
static const char neighbours[] =
    "messages to neighbours, all at the same time; terms with P if they share a link or a memory";

static const struct hitop_fit_basis bases[] = {
    {"allgather", {BLOCKS_OF_ALL}, blocks_of_all},
    {"allgatherv", {BLOCKS_OF_ALL}, blocks_of_all},
    {"allreduce", {VECTOR}, "rounds of doubling that exchange the whole vector, or halves of it"},
    {"alltoall", {EXCHANGE}, exchange},
    {"alltoallv", {EXCHANGE}, exchange},
    {"barrier", {&hitop_term_one, &term_round}, "rounds of empty messages"},
    {"broadcast",
     {VECTOR},
     "a tree as deep as a binomial one, or a scatter followed by an allgather"},
    {"exchange", {NEIGHBOURS}, neighbours},
    {"gather", {BLOCKS_OF_ROOT}, from_all},
    {"gatherv", {BLOCKS_OF_ROOT}, from_all},
    {"pairs", {NEIGHBOURS}, neighbours},
    {"reduce",
     {VECTOR},
     "a tree as deep as a binomial one, or a reduce-scatter followed by a gather"},
    {"scatter", {BLOCKS_OF_ROOT}, to_all},
    {"scatterv", {BLOCKS_OF_ROOT}, to_all},
    {"sendreceive", {NEIGHBOURS}, neighbours},
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

static double sum_terms(const struct hitop_fit_piece *piece, int ranks, size_t bytes)
{
    double sum = 0;

    for (int i = 0; i < piece->nterms; i++) {
        sum += piece->term[i].value * piece->term[i].term->value((double)bytes, ranks);
    }
    return sum;
}

/* Sizes on an axis that has a place for 0. */
static double place(size_t bytes)
{
    return log((double)bytes + 1);
}

double hitop_fit_time(const struct hitop_fit_form *form, int ranks, size_t bytes)
{
    const struct hitop_fit_piece *left, *right;
    double from, to, share;
    int i = 0;

    while (i + 1 < form->npieces && bytes >= form->piece[i + 1].min_bytes) {
        i++;
    }
    left = &form->piece[i];
    if (bytes <= left->max_bytes || i + 1 == form->npieces) {
        return sum_terms(left, ranks, bytes);
    }
    right = &form->piece[i + 1];
    from = sum_terms(left, ranks, left->max_bytes);
    to = sum_terms(right, ranks, right->min_bytes);
    share = (place(bytes) - place(left->max_bytes)) /
            (place(right->min_bytes) - place(left->max_bytes));
    return from > 0 && to > 0 ? from * pow(to / from, share) : from + share * (to - from);
}
