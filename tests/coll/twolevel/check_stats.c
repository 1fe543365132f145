/* SPDX-License-Identifier: BSD-3-Clause */
/* check_stats.c - the statistics of a communicator, and their report. */
#include "coll/twolevel/stats.h"

#include "tests/support/test_main.h"

#include <stdlib.h>

START_TEST(keeps_every_arrival_while_they_are_few)
{
    static struct hitop_arrival_times a;

    hitop_arrival_times_init(&a);
    for (uint64_t seq = 1; seq <= HITOP_ARRIVAL_TIMES; seq++) {
        hitop_arrival_times_note(&a, seq, 7 * seq);
    }
    ck_assert_int_eq(a.n, HITOP_ARRIVAL_TIMES);
    ck_assert_uint_eq(a.stride, 1);
    ck_assert_uint_eq(a.at[0], 7);
    ck_assert_uint_eq(a.at[HITOP_ARRIVAL_TIMES - 1], 7 * HITOP_ARRIVAL_TIMES);
}
END_TEST

START_TEST(keeps_arrivals_at_the_same_distance_once_they_are_many)
{
    static struct hitop_arrival_times a;

    hitop_arrival_times_init(&a);
    for (uint64_t seq = 1; seq <= 100000; seq++) {
        hitop_arrival_times_note(&a, seq, 3 * seq);
        for (int i = 0; seq % 997 == 0 && i < a.n; i++) {
            ck_assert_uint_eq(a.at[i], 3 * a.stride * (uint64_t)(i + 1));
        }
        ck_assert_uint_le((uint64_t)a.n * a.stride, seq);
        ck_assert_uint_gt((uint64_t)(a.n + 1) * a.stride, seq);
    }
    ck_assert_uint_eq(a.stride, 64);
}
END_TEST

START_TEST(sorts_differences_by_powers_of_two_of_a_microsecond)
{
    ck_assert_int_eq(hitop_skew_bucket(0), 0);
    ck_assert_int_eq(hitop_skew_bucket(999), 0);
    ck_assert_int_eq(hitop_skew_bucket(1000), 1);
    ck_assert_int_eq(hitop_skew_bucket(1999), 1);
    ck_assert_int_eq(hitop_skew_bucket(2000), 2);
    ck_assert_int_eq(hitop_skew_bucket(1023999), 10);
    ck_assert_int_eq(hitop_skew_bucket(1024000), 11);
    ck_assert_int_eq(hitop_skew_bucket(UINT64_MAX), HITOP_SKEWS - 1);
}
END_TEST

static struct compare_result compared[] = {
    {.operation = HITOP_BCAST,
     .place = 1,
     .size_class = 21,
     .algorithm = "twolevel",
     .calls = 5,
     .ns = {[COMPARE_HITOP] = 124000000, [COMPARE_MPI] = 65250400},
     .is_left = 1},
    {.operation = HITOP_GATHER,
     .place = COMPARE_PLACES,
     .size_class = 1,
     .algorithm = "binomial",
     .calls = 2,
     .ns = {[COMPARE_HITOP] = 1500, [COMPARE_MPI] = 3000}},
    {.operation = HITOP_ALLTOALLV,
     .algorithm = "pairwise",
     .calls = 2,
     .ns = {[COMPARE_HITOP] = 1500, [COMPARE_MPI] = 3000},
     .is_unlike = 1}};

static const struct hitop_stats_report report = {
    .name = "grid \"rows\"",
    .nranks = 8,
    .nnodes = 2,
    .sum = {.served = {[HITOP_BCAST] = 997, [HITOP_GATHER] = 12},
            .left = {[HITOP_BCAST] = 3, [HITOP_SCAN] = 5},
            .counts[HITOP_COUNT_ELECTIONS] = 71,
            .counts[HITOP_COUNT_PUSH_HITS] = 13,
            .counts[HITOP_COUNT_PUSH_MISSES] = 1,
            .pending_most = 4,
            .counts[HITOP_COUNT_WAITS] = 345,
            .counts[HITOP_COUNT_WAITS_ROOM] = 6},
    .skew = {[0] = 1, [5] = 3},
    .stride = 2,
    .compared = {compared, sizeof(compared) / sizeof(compared[0])}};

static void expect(int (*put)(const struct hitop_stats_report *, FILE *),
                   const struct hitop_stats_report *r, const char *wanted)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    ck_assert_ptr_nonnull(out);
    ck_assert_int_eq(put(r, out), 0);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_str_eq(text, wanted);
    free(text);
}

static int put_text(const struct hitop_stats_report *r, FILE *out)
{
    hitop_stats_put_text(r, out);
    return 0;
}

START_TEST(prints_text)
{
    struct hitop_stats_report unserved = report;

    expect(
        put_text, &report,
        "hitop statistics of 'grid \"rows\"', 8 ranks on 2 nodes\n"
        "  calls                         Hitop          MPI\n"
        "  bcast                           997            3\n"
        "  gather                           12            0\n"
        "  scan                              0            5\n"
        "  Hitop compared with MPI: both served calls in turns, then the faster one (median of "
        "the slowest rank)\n"
        "  operation               root                  size_B   Hitop_us     MPI_us  calls  "
        "served_by\n"
        "  bcast                 node 1         1048576-2097151   124000.0    65250.4      5  "
        "MPI\n"
        "  gather               rank 16...                     1-1        1.5        3.0      2  "
        "binomial\n"
        "  alltoallv                  -                     any        1.5        3.0      2  "
        "pairwise (lengths differed)\n"
        "  ranks waited for other ranks of their node 345 times\n"
        "  ... of these for free buffer space 6 times\n"
        "  first arriver led its node 71 times\n"
        "  root sent before the leader was known, to the rank that became it 13 times\n"
        "  root sent before the leader was known, to another rank 1 time\n"
        "  announcements of leaders that a root was still to receive: at most 4\n"
        "  time from the first to the last arrival of a node's ranks, in one operation of 2\n"
        "  below_us                 operations      share_%\n"
        "  1                                 1         25.0\n"
        "  32                                3         75.0\n");
    unserved.nnodes = 0;
    unserved.compared.n = 0;
    memset(unserved.sum.served, 0, sizeof(unserved.sum.served));
    expect(put_text, &unserved,
           "hitop statistics of 'grid \"rows\"', 8 ranks, never prepared for Hitop\n"
           "  calls                         Hitop          MPI\n"
           "  bcast                             0            3\n"
           "  scan                              0            5\n");
}
END_TEST

START_TEST(writes_json)
{
    expect(hitop_stats_put_json, &report,
           "{\"format\":\"hitop-stats\",\"name\":\"grid \\\"rows\\\"\",\"ranks\":8,\"nodes\":2,"
           "\"calls\":{\"bcast\":{\"hitop\":997,\"mpi\":3},\"gather\":{\"hitop\":12,\"mpi\":0},"
           "\"scan\":{\"hitop\":0,\"mpi\":5}},"
           "\"compared\":[{\"operation\":\"bcast\",\"algorithm\":\"twolevel\","
           "\"hitop_us\":124000.0,\"mpi_us\":65250.400000000001,\"calls\":5,"
           "\"lengths_differed\":false,\"served_by\":\"mpi\",\"root_node\":1,"
           "\"from_B\":1048576,\"to_B\":2097151},"
           "{\"operation\":\"gather\",\"algorithm\":\"binomial\",\"hitop_us\":1.5,"
           "\"mpi_us\":3.0,\"calls\":2,\"lengths_differed\":false,\"served_by\":\"hitop\","
           "\"root_rank\":16,\"from_B\":1,\"to_B\":1},"
           "{\"operation\":\"alltoallv\",\"algorithm\":\"pairwise\",\"hitop_us\":1.5,"
           "\"mpi_us\":3.0,\"calls\":2,\"lengths_differed\":true,\"served_by\":\"hitop\"}],"
           "\"waits\":345,\"waits_for_room\":6,"
           "\"elections\":71,"
           "\"push_hits\":13,\"push_misses\":1,\"owed_most\":4,\"skew_stride\":2," /* old name */
           "\"skew\":[{\"below_us\":1,\"operations\":1},{\"below_us\":32,\"operations\":3}]}\n");
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, keeps_every_arrival_while_they_are_few);
    tcase_add_test(tc, keeps_arrivals_at_the_same_distance_once_they_are_many);
    tcase_add_test(tc, sorts_differences_by_powers_of_two_of_a_microsecond);
    tcase_add_test(tc, prints_text);
    tcase_add_test(tc, writes_json);
}

TEST_MAIN("stats", add_tests)
