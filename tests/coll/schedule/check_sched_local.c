/* SPDX-License-Identifier: BSD-3-Clause */
/* check_sched_local.c - copies and reductions of a rank, and the memory that steps may use. */
#include <config.h>

#include "hitop/sched.h"

#include "tests/support/replay.h"
#include "tests/support/test_main.h"

enum { N = 8 };

static struct hitop_sched *sched[2];
static unsigned char brought[2][N], taken[2][N];
static const struct hitop_replay_memory memory[2] = {{brought[0], N, taken[0], N},
                                                     {brought[1], N, taken[1], N}};

static void setup(void)
{
    for (int r = 0; r < 2; r++) {
        sched[r] = hitop_sched_new();
        for (int i = 0; i < N; i++) {
            brought[r][i] = (unsigned char)(10 * (r + 1) + i);
            taken[r][i] = 0;
        }
    }
}

static void teardown(void)
{
    hitop_sched_free(sched[0]);
    hitop_sched_free(sched[1]);
}

/* Neither commutes nor forgets: 2 left + right. */
static void combine(void *self, const unsigned char *source, unsigned char *inout, size_t n)
{
    int *calls = self;

    for (size_t i = 0; i < n; i++) {
        inout[i] = (unsigned char)(2 * source[i] + inout[i]);
    }
    *calls += 1;
}

static enum hitop_status replay(int size, int *calls, struct hitop_diag *diag)
{
    const struct hitop_replay_op op = {combine, calls};

    return hitop_sched_replay(sched, size, HITOP_SEND_SYNCHRONOUS, memory, calls ? &op : NULL,
                              diag);
}

static void assert_refused(int size, const char *message)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_int_eq(replay(size, NULL, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, message);
}

/* 1 brings its bytes to 0, which puts its own to their left. */
START_TEST(reduces_what_it_has_received)
{
    int calls = 0;

    hitop_sched_recv(sched[0], 1, hitop_span_recv(0, 4));
    hitop_sched_fence(sched[0]);
    hitop_sched_reduce(sched[0], hitop_span_send(0, 4), hitop_span_recv(0, 4));
    hitop_sched_fence(sched[0]);
    hitop_sched_send(sched[1], 0, hitop_span_send(2, 4));
    hitop_sched_fence(sched[1]);
    ck_assert_int_eq(replay(2, &calls, NULL), HITOP_OK);
    ck_assert_int_eq(calls, 1);
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(taken[0][i], 2 * (10 + i) + 20 + 2 + i);
    }
    ck_assert_uint_eq(taken[0][4], 0);
}
END_TEST

/* Within a phase copies, reductions and sends follow one another. */
START_TEST(keeps_the_order_of_a_phase)
{
    int calls = 0;

    hitop_sched_copy(sched[0], hitop_span_send(0, 2), hitop_span_work(1, 2));
    hitop_sched_send(sched[0], 1, hitop_span_work(1, 2));
    hitop_sched_reduce(sched[0], hitop_span_send(2, 2), hitop_span_work(1, 2));
    hitop_sched_send(sched[0], 1, hitop_span_work(1, 2));
    hitop_sched_fence(sched[0]);
    hitop_sched_recv(sched[1], 0, hitop_span_recv(0, 2));
    hitop_sched_recv(sched[1], 0, hitop_span_recv(2, 2));
    hitop_sched_fence(sched[1]);
    ck_assert_uint_eq(hitop_sched_work(sched[0]), 3);
    ck_assert_uint_eq(hitop_sched_work(sched[1]), 0);
    ck_assert_int_eq(replay(2, &calls, NULL), HITOP_OK);
    ck_assert_uint_eq(taken[1][0], 10);
    ck_assert_uint_eq(taken[1][1], 11);
    ck_assert_uint_eq(taken[1][2], 2 * 12 + 10);
    ck_assert_uint_eq(taken[1][3], 2 * 13 + 11);
}
END_TEST

START_TEST(does_nothing_for_no_bytes)
{
    size_t count;

    hitop_sched_copy(sched[0], hitop_span_send(5, 0), hitop_span_recv(2, 0));
    hitop_sched_reduce(sched[0], hitop_span_send(5, 0), hitop_span_recv(2, 0));
    (void)hitop_sched_steps(sched[0], &count);
    ck_assert_uint_eq(count, 0);
    ck_assert_int_eq(hitop_sched_status(sched[0]), HITOP_OK);
}
END_TEST

START_TEST(refuses_spans_of_different_length)
{
    hitop_sched_copy(sched[0], hitop_span_send(0, 2), hitop_span_recv(0, 3));
    ck_assert_int_eq(hitop_sched_status(sched[0]), HITOP_ERR_INVALID);
}
END_TEST

START_TEST(refuses_to_leave_its_memory)
{
    hitop_sched_copy(sched[0], hitop_span_send(0, 2), hitop_span_recv(7, 2));
    hitop_sched_fence(sched[0]);
    assert_refused(1, "step 0 of rank 0: bytes 7..9 of a receive buffer of 8");
    teardown();
    setup();
    hitop_sched_copy(sched[0], hitop_span_send(6, 3), hitop_span_work(7, 3));
    hitop_sched_fence(sched[0]);
    assert_refused(1, "step 0 of rank 0: bytes 6..9 of a send buffer of 8");
}
END_TEST

START_TEST(refuses_to_write_what_a_rank_brings)
{
    hitop_sched_copy(sched[0], hitop_span_recv(0, 2), hitop_span_send(0, 2));
    hitop_sched_fence(sched[0]);
    assert_refused(1, "step 0 of rank 0 writes the send buffer");
}
END_TEST

START_TEST(refuses_to_reduce_without_an_op)
{
    hitop_sched_reduce(sched[0], hitop_span_send(0, 2), hitop_span_recv(0, 2));
    hitop_sched_fence(sched[0]);
    assert_refused(1, "step 0 of rank 0 reduces without an op");
}
END_TEST

/* Neither as the source nor as what is written, whatever comes first in the schedule. */
START_TEST(refuses_to_use_what_the_phase_receives)
{
    for (int as_source = 0; as_source < 2; as_source++) {
        teardown();
        setup();
        hitop_sched_recv(sched[0], 1, hitop_span_work(0, 4));
        hitop_sched_copy(sched[0], as_source ? hitop_span_work(3, 1) : hitop_span_send(0, 1),
                         as_source ? hitop_span_recv(3, 1) : hitop_span_work(3, 1));
        hitop_sched_fence(sched[0]);
        hitop_sched_send(sched[1], 0, hitop_span_send(0, 4));
        hitop_sched_fence(sched[1]);
        assert_refused(2, "race: steps 0 and 1 of rank 0 use the same bytes in one phase");
    }
}
END_TEST

static double p2p(const void *self, int from, int to, size_t n)
{
    (void)self;
    (void)from;
    (void)to;
    return 3e-6 + 1e-6 * (double)n;
}

static double local(const void *self, int rank, size_t n)
{
    (void)self;
    return (rank + 1) * 0.5e-6 * (double)n;
}

/* 1 copies 4 bytes in 4 us, then sends them in 7; 0 receives meanwhile and combines them in 2. */
START_TEST(copies_and_reductions_take_time)
{
    const struct hitop_cost cost = {.nranks = 2, .p2p = p2p, .occupancy = p2p, .local = local};
    double finish[2];

    hitop_sched_recv(sched[0], 1, hitop_span_recv(0, 4));
    hitop_sched_fence(sched[0]);
    hitop_sched_reduce(sched[0], hitop_span_send(0, 4), hitop_span_recv(0, 4));
    hitop_sched_fence(sched[0]);
    hitop_sched_copy(sched[1], hitop_span_send(0, 4), hitop_span_work(0, 4));
    hitop_sched_send(sched[1], 0, hitop_span_work(0, 4));
    hitop_sched_fence(sched[1]);
    ck_assert_int_eq(hitop_sched_predict(sched, 2, &cost, finish, NULL), HITOP_OK);
    ck_assert_double_eq_tol(finish[1], 11e-6, 1e-18);
    ck_assert_double_eq_tol(finish[0], 13e-6, 1e-18);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, reduces_what_it_has_received);
    tcase_add_test(tc, keeps_the_order_of_a_phase);
    tcase_add_test(tc, does_nothing_for_no_bytes);
    tcase_add_test(tc, refuses_spans_of_different_length);
    tcase_add_test(tc, refuses_to_leave_its_memory);
    tcase_add_test(tc, refuses_to_write_what_a_rank_brings);
    tcase_add_test(tc, refuses_to_reduce_without_an_op);
    tcase_add_test(tc, refuses_to_use_what_the_phase_receives);
    tcase_add_test(tc, copies_and_reductions_take_time);
}

TEST_MAIN("local steps", add_tests)
