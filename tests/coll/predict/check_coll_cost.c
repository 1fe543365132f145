/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_coll_cost.c - predictions of algorithms are their closed forms where all links are alike.
 *
 * A message of m bytes takes a + m b seconds, and its sender for as long; so the time of an
 * algorithm is a number of latencies and a number of bytes on the longest way, which its header
 * states.
 */
#include <config.h>

#include "hitop/predict.h"

#include "tests/support/test_main.h"

#include <math.h>

/* Seconds, seconds per byte sent, seconds per byte copied or combined. */
static const double a = 3.1875e-6, b = 1.953e-9, g = 0.871e-9;

enum { M = 4800 }; /* divides into 15, 16 and more whole elements of 4 bytes */

static double p2p(const void *self, int from, int to, size_t bytes)
{
    (void)self;
    (void)from;
    (void)to;
    return a + b * (double)bytes;
}

static double local(const void *self, int rank, size_t bytes)
{
    (void)self;
    (void)rank;
    return g * (double)bytes;
}

/* An algorithm on the longest way: latencies, bytes sent, bytes copied or combined. */
struct form {
    const char *operation, *algorithm;
    int size, root;
    double segment; /* or piece; 0: whole */
    double latencies, sent, moved;
};

static void assert_form(const struct form *f, int with_local)
{
    const struct hitop_cost cost = {
        .nranks = f->size, .p2p = p2p, .occupancy = p2p, .local = with_local ? local : NULL};
    const double params[] = {f->segment};
    const struct hitop_predict_args args = {.operation = f->operation,
                                            .algorithm = f->algorithm,
                                            .params = f->segment > 0 ? params : NULL,
                                            .size = f->size,
                                            .root = f->root,
                                            .bytes = M,
                                            .unit = 4,
                                            .cost = &cost};
    const double expected = f->latencies * a + f->sent * b + (with_local ? f->moved * g : 0);
    struct hitop_diag diag = HITOP_DIAG_INIT;
    double seconds = NAN;

    ck_assert_msg(hitop_predict(&args, &seconds, &diag) == HITOP_OK, "%s", diag.message);
    ck_assert_msg(fabs(seconds - expected) <= 1e-9 * expected,
                  "%s/%s, %d ranks: %.6f us instead of %.6f", f->operation, f->algorithm, f->size,
                  seconds * 1e6, expected * 1e6);
}

/* Also with what is copied or combined, unless a message arrives meanwhile. */
static const struct form moving[] = {
    {"allgather", "ring", 16, 0, 0, 15, 15 * M, M},
    {"allgather", "recursive_doubling", 16, 0, 0, 4, 15 * M, M},
    {"allreduce", "recursive_doubling", 16, 0, 0, 4, 4 * M, 5 * M},
    {"allreduce", "recursive_doubling", 12, 0, 0, 5, 5 * M, 4 * M},
    {"allreduce", "rabenseifner", 16, 0, 0, 8, 30 / 16. * M, 31 / 16. * M},
    {"allreduce", "ring", 16, 0, 0, 30, 30 / 16. * M, M},
    {"allreduce", "chain", 16, 0, 0, 30, 30 * M, 16 * M},
    {"alltoall", "pairwise", 16, 0, 0, 15, 15 * M, M},
    {"alltoall", "linear", 16, 0, 0, 15, 15 * M, M},
    {"reduce", "in_order_binomial", 16, 0, 0, 4, 4 * M, 5 * M},
    {"reduce", "in_order_binomial", 16, 3, 0, 5, 5 * M, 4 * M},
    {"reduce", "rabenseifner", 16, 5, 0, 8, 30 / 16. * M, 31 / 16. * M},
    {"scan", "linear", 16, 0, 0, 15, 15 * M, 16 * M},
    {"scan", "recursive_doubling", 16, 0, 0, 4, 4 * M, 5 * M},
};

static const struct form sending[] = {
    {"allgather", "bruck", 16, 0, 0, 4, 15 * M, 0},
    {"allgather", "bruck", 11, 0, 0, 4, 10 * M, 0},
    {"allgather", "neighbor_exchange", 16, 0, 0, 8, 15 * M, 0},
    {"allgather", "recursive_doubling", 12, 0, 0, 5, (1 + 2 + 4 + 8 + 12) * M, 0},
    {"alltoall", "bruck", 16, 0, 0, 4, 32 * M, 0},
    {"barrier", "dissemination", 16, 0, 0, 4, 0, 0},
    {"barrier", "dissemination", 17, 0, 0, 5, 0, 0},
    {"barrier", "binomial", 16, 0, 0, 8, 0, 0},
    {"bcast", "scatter_doubling", 16, 7, 0, 8, 30 / 16. * M, 0},
    {"bcast", "scatter_ring", 16, 7, 0, 19, 30 / 16. * M, 0},
    {"exscan", "linear", 16, 0, 0, 15, 15 * M, 0},
    {"exscan", "recursive_doubling", 16, 0, 0, 4, 4 * M, 0},
    {"gather", "split", 16, 0, M / 4., 4, M, 0},
    {"reduce_scatter_block", "pairwise", 16, 0, 0, 15, 15 * M, 0},
    {"reduce_scatter_block", "recursive_halving", 16, 0, 0, 4, 15 * M, 0},
    {"reduce_scatter_block", "ring", 16, 0, 0, 15, 15 * M, 0},
    {"reduce_scatter_block", "ring", 16, 0, M / 4., 60, 15 * M, 0},
    {"scan", "linear", 16, 0, M / 8., 14 + 8, (14 + 8) / 8. * M, 0},
    {"scatter", "split", 16, 3, M / 4., 60, 15 * M, 0},
};

START_TEST(takes_latencies_bytes_and_combinations)
{
    assert_form(&moving[_i], 1);
    assert_form(&moving[_i], 0);
}
END_TEST

START_TEST(takes_latencies_and_bytes)
{
    assert_form(&sending[_i], 0);
}
END_TEST

/*
 * The two trees carry half the bytes each; one binary tree has its inner ranks send all of them
 * twice.
 */
START_TEST(two_trees_take_little_more_than_the_bytes_once)
{
    const struct hitop_cost cost = {.nranks = 63, .p2p = p2p, .occupancy = p2p};
    struct hitop_predict_args args = {.operation = "bcast",
                                      .size = 63,
                                      .bytes = (size_t)1 << 26,
                                      .segment = 1 << 17,
                                      .cost = &cost};
    const double bytes = (double)args.bytes * b;
    double pair = NAN, one = NAN;

    args.algorithm = "double_binary";
    ck_assert_int_eq(hitop_predict(&args, &pair, NULL), HITOP_OK);
    args.algorithm = "binary";
    ck_assert_int_eq(hitop_predict(&args, &one, NULL), HITOP_OK);
    ck_assert_msg(pair > bytes && pair < 1.1 * bytes, "%.3f times the bytes", pair / bytes);
    ck_assert_msg(one > 2 * bytes && one < 2.1 * bytes, "%.3f times the bytes", one / bytes);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, takes_latencies_bytes_and_combinations, 0,
                        sizeof(moving) / sizeof(moving[0]));
    tcase_add_loop_test(tc, takes_latencies_and_bytes, 0, sizeof(sending) / sizeof(sending[0]));
    tcase_add_test(tc, two_trees_take_little_more_than_the_bytes_once);
}

TEST_MAIN("costs of collectives", add_tests)
