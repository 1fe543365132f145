/* SPDX-License-Identifier: BSD-3-Clause */
/* check_sched.c - replay and prediction of hand-made schedules. */
#include <config.h>

#include "hitop/sched.h"

#include "tests/support/costs.h"
#include "tests/support/replay.h"
#include "tests/support/test_main.h"

enum { MAX = 4 };

static struct hitop_sched *sched[MAX];
static unsigned char bytes[MAX][16];
static const struct hitop_replay_memory memory[MAX] = {{.recv = bytes[0], .recv_bytes = 16},
                                                       {.recv = bytes[1], .recv_bytes = 16},
                                                       {.recv = bytes[2], .recv_bytes = 16},
                                                       {.recv = bytes[3], .recv_bytes = 16}};

static void setup(void)
{
    for (int r = 0; r < MAX; r++) {
        sched[r] = hitop_sched_new();
        for (int i = 0; i < 16; i++) {
            bytes[r][i] = (unsigned char)(16 * r + i);
        }
    }
}

static void teardown(void)
{
    for (int r = 0; r < MAX; r++) {
        hitop_sched_free(sched[r]);
    }
}

static void assert_refused(int size, enum hitop_send_mode mode, const char *message)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_int_eq(hitop_sched_replay(sched, size, mode, memory, NULL, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, message);
}

/* What the matching alone shows is refused in all three uses with the same words. */
static void assert_refused_always(int size, const char *message)
{
    const struct hitop_cost cost = random_cost(MAX);
    struct hitop_diag diag = HITOP_DIAG_INIT;
    double finish[MAX];

    assert_refused(size, HITOP_SEND_BUFFERED, message);
    assert_refused(size, HITOP_SEND_SYNCHRONOUS, message);
    ck_assert_int_eq(hitop_sched_predict(sched, size, &cost, finish, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, message);
}

START_TEST(ranks_exchange_in_one_phase)
{
    for (int mode = HITOP_SEND_BUFFERED; mode <= HITOP_SEND_SYNCHRONOUS; mode++) {
        teardown();
        setup();
        for (int r = 0; r < 2; r++) {
            hitop_sched_send(sched[r], 1 - r, hitop_span_recv(3, 2));
            hitop_sched_recv(sched[r], 1 - r, hitop_span_recv(5, 2));
            hitop_sched_fence(sched[r]);
        }
        ck_assert_int_eq(
            hitop_sched_replay(sched, 2, (enum hitop_send_mode)mode, memory, NULL, NULL), HITOP_OK);
        ck_assert_uint_eq(bytes[0][5], 16 + 3);
        ck_assert_uint_eq(bytes[0][6], 16 + 4);
        ck_assert_uint_eq(bytes[1][5], 3);
        ck_assert_uint_eq(bytes[1][6], 4);
        ck_assert_uint_eq(bytes[1][7], 16 + 7);
    }
}
END_TEST

START_TEST(messages_of_a_pair_do_not_overtake)
{
    hitop_sched_send(sched[0], 1, hitop_span_recv(1, 1));
    hitop_sched_send(sched[0], 1, hitop_span_recv(2, 1));
    hitop_sched_fence(sched[0]);
    hitop_sched_recv(sched[1], 0, hitop_span_recv(9, 1));
    hitop_sched_fence(sched[1]);
    hitop_sched_recv(sched[1], 0, hitop_span_recv(8, 1));
    hitop_sched_fence(sched[1]);
    ck_assert_int_eq(hitop_sched_replay(sched, 2, HITOP_SEND_SYNCHRONOUS, memory, NULL, NULL),
                     HITOP_OK);
    ck_assert_uint_eq(bytes[1][9], 1);
    ck_assert_uint_eq(bytes[1][8], 2);
}
END_TEST

START_TEST(what_was_sent_does_not_change_with_the_buffer)
{
    /* 0 sends byte 0, then receives over it; 1 takes its message late */
    hitop_sched_send(sched[0], 1, hitop_span_recv(0, 1));
    hitop_sched_fence(sched[0]);
    hitop_sched_recv(sched[0], 1, hitop_span_recv(0, 1));
    hitop_sched_fence(sched[0]);
    hitop_sched_send(sched[1], 0, hitop_span_recv(7, 1));
    hitop_sched_fence(sched[1]);
    hitop_sched_recv(sched[1], 0, hitop_span_recv(1, 1));
    hitop_sched_fence(sched[1]);
    ck_assert_int_eq(hitop_sched_replay(sched, 2, HITOP_SEND_BUFFERED, memory, NULL, NULL),
                     HITOP_OK);
    ck_assert_uint_eq(bytes[0][0], 16 + 7);
    ck_assert_uint_eq(bytes[1][1], 0);
}
END_TEST

START_TEST(sees_deadlocks_that_buffering_hides)
{
    for (int r = 0; r < 2; r++) {
        hitop_sched_send(sched[r], 1 - r, hitop_span_recv(0, 1));
        hitop_sched_fence(sched[r]);
        hitop_sched_recv(sched[r], 1 - r, hitop_span_recv(1, 1));
        hitop_sched_fence(sched[r]);
    }
    ck_assert_int_eq(hitop_sched_replay(sched, 2, HITOP_SEND_BUFFERED, memory, NULL, NULL),
                     HITOP_OK);
    assert_refused(2, HITOP_SEND_SYNCHRONOUS,
                   "deadlock: 2 of 2 ranks wait for each other, rank 0 to send to rank 1 (step 0)");
}
END_TEST

START_TEST(sees_deadlocks_of_sends_that_follow_each_other)
{
    /* 0 sends to 1, then to 2; 1 waits for 2 first, 2 for 0 */
    hitop_sched_send(sched[0], 1, hitop_span_recv(0, 1));
    hitop_sched_send(sched[0], 2, hitop_span_recv(0, 1));
    hitop_sched_fence(sched[0]);
    hitop_sched_recv(sched[1], 2, hitop_span_recv(1, 1));
    hitop_sched_fence(sched[1]);
    hitop_sched_recv(sched[1], 0, hitop_span_recv(0, 1));
    hitop_sched_fence(sched[1]);
    hitop_sched_recv(sched[2], 0, hitop_span_recv(0, 1));
    hitop_sched_fence(sched[2]);
    hitop_sched_send(sched[2], 1, hitop_span_recv(1, 1));
    hitop_sched_fence(sched[2]);
    ck_assert_int_eq(hitop_sched_replay(sched, 3, HITOP_SEND_BUFFERED, memory, NULL, NULL),
                     HITOP_OK);
    assert_refused(3, HITOP_SEND_SYNCHRONOUS,
                   "deadlock: 3 of 3 ranks wait for each other, rank 0 to send to rank 1 (step 0)");
}
END_TEST

START_TEST(sees_circular_waits)
{
    for (int r = 0; r < 3; r++) {
        hitop_sched_recv(sched[r], (r + 1) % 3, hitop_span_recv(0, 1));
        hitop_sched_fence(sched[r]);
        hitop_sched_send(sched[r], (r + 2) % 3, hitop_span_recv(0, 1));
        hitop_sched_fence(sched[r]);
    }
    assert_refused_always(
        3, "deadlock: 3 of 3 ranks wait for each other, rank 0 to receive from rank 1 (step 0)");
}
END_TEST

START_TEST(refuses_what_no_order_could_repair)
{
    hitop_sched_recv(sched[1], 0, hitop_span_recv(0, 5));
    hitop_sched_fence(sched[1]);
    assert_refused_always(2, "deadlock: rank 1 waits for 5 bytes that rank 0 never sends");

    hitop_sched_send(sched[0], 1, hitop_span_recv(0, 7));
    assert_refused_always(2, "rank 0 does not end with a fence");
    hitop_sched_fence(sched[0]);
    assert_refused_always(2, "rank 0 sends 7 bytes where rank 1 expects 5");

    hitop_sched_free(sched[1]);
    sched[1] = hitop_sched_new();
    assert_refused_always(2, "lost message: rank 0 sends 7 bytes that rank 1 never receives");

    hitop_sched_send(sched[1], 1, hitop_span_recv(0, 7));
    hitop_sched_fence(sched[1]);
    assert_refused_always(2, "step 0 of rank 1 names peer 1; it must be another rank in 0..1");
}
END_TEST

START_TEST(refuses_a_receive_into_bytes_that_are_being_sent)
{
    hitop_sched_recv(sched[1], 0, hitop_span_recv(0, 4));
    hitop_sched_send(sched[1], 2, hitop_span_recv(3, 4));
    hitop_sched_fence(sched[1]);
    hitop_sched_send(sched[0], 1, hitop_span_recv(0, 4));
    hitop_sched_fence(sched[0]);
    hitop_sched_recv(sched[2], 1, hitop_span_recv(3, 4));
    hitop_sched_fence(sched[2]);
    assert_refused(3, HITOP_SEND_BUFFERED,
                   "race: steps 0 and 1 of rank 1 use the same bytes in one phase");
}
END_TEST

/* 3 us per message for the receiver, 2 us of them for the sender, 1 us more per byte for both. */
static double p2p(const void *self, int from, int to, size_t n)
{
    (void)self;
    (void)from;
    (void)to;
    return 3e-6 + 1e-6 * (double)n;
}

static double occupancy(const void *self, int from, int to, size_t n)
{
    return p2p(self, from, to, n) - 1e-6;
}

static const struct hitop_cost simple = {.nranks = MAX, .p2p = p2p, .occupancy = occupancy};

static void assert_finish(int size, const double *expected)
{
    double finish[MAX];
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_msg(hitop_sched_predict(sched, size, &simple, finish, &diag) == HITOP_OK, "%s",
                  diag.message);
    for (int r = 0; r < size; r++) {
        ck_assert_double_eq_tol(finish[r], expected[r], 1e-18);
    }
}

START_TEST(sends_of_a_phase_leave_one_after_another)
{
    /* 0 sends 1 byte to 1 at 0, 2 bytes to 2 at 3; it is free at 7, they are there at 4 and 8 */
    hitop_sched_send(sched[0], 1, hitop_span_recv(0, 1));
    hitop_sched_send(sched[0], 2, hitop_span_recv(0, 2));
    hitop_sched_fence(sched[0]);
    hitop_sched_recv(sched[1], 0, hitop_span_recv(0, 1));
    hitop_sched_fence(sched[1]);
    hitop_sched_recv(sched[2], 0, hitop_span_recv(0, 2));
    hitop_sched_fence(sched[2]);
    assert_finish(4, (const double[]){7e-6, 4e-6, 8e-6, 0});
}
END_TEST

START_TEST(a_send_waits_for_its_receive)
{
    /* 1 receives from 2 first, until 5; only then does the send of 0 start, which ends at 9 */
    hitop_sched_send(sched[0], 1, hitop_span_recv(0, 1));
    hitop_sched_fence(sched[0]);
    hitop_sched_recv(sched[1], 2, hitop_span_recv(1, 2));
    hitop_sched_fence(sched[1]);
    hitop_sched_recv(sched[1], 0, hitop_span_recv(0, 1));
    hitop_sched_fence(sched[1]);
    hitop_sched_send(sched[2], 1, hitop_span_recv(1, 2));
    hitop_sched_fence(sched[2]);
    assert_finish(3, (const double[]){8e-6, 9e-6, 4e-6});
}
END_TEST

START_TEST(a_rank_receives_while_it_sends)
{
    /* 1 passes 2 bytes to 2 while it receives 4 from 0 */
    hitop_sched_send(sched[0], 1, hitop_span_recv(4, 4));
    hitop_sched_fence(sched[0]);
    hitop_sched_recv(sched[1], 0, hitop_span_recv(4, 4));
    hitop_sched_send(sched[1], 2, hitop_span_recv(0, 2));
    hitop_sched_fence(sched[1]);
    hitop_sched_recv(sched[2], 1, hitop_span_recv(0, 2));
    hitop_sched_fence(sched[2]);
    assert_finish(3, (const double[]){6e-6, 7e-6, 5e-6});
}
END_TEST

START_TEST(refuses_to_price_ranks_without_a_price)
{
    struct hitop_cost few = simple;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    double finish[MAX];

    few.nranks = 3;
    ck_assert_int_eq(hitop_sched_predict(sched, 4, &few, finish, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "prices for 3 ranks do not cover 4");
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, ranks_exchange_in_one_phase);
    tcase_add_test(tc, messages_of_a_pair_do_not_overtake);
    tcase_add_test(tc, what_was_sent_does_not_change_with_the_buffer);
    tcase_add_test(tc, sees_deadlocks_that_buffering_hides);
    tcase_add_test(tc, sees_deadlocks_of_sends_that_follow_each_other);
    tcase_add_test(tc, sees_circular_waits);
    tcase_add_test(tc, refuses_what_no_order_could_repair);
    tcase_add_test(tc, refuses_a_receive_into_bytes_that_are_being_sent);
    tcase_add_test(tc, sends_of_a_phase_leave_one_after_another);
    tcase_add_test(tc, a_send_waits_for_its_receive);
    tcase_add_test(tc, a_rank_receives_while_it_sends);
    tcase_add_test(tc, refuses_to_price_ranks_without_a_price);
}

TEST_MAIN("sched", add_tests)
