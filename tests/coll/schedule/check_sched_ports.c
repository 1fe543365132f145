/* SPDX-License-Identifier: BSD-3-Clause */
/* check_sched_ports.c - which ranks wait where several send to one rank, or over one link. */
#include <config.h>

#include "hitop/sched.h"

#include "tests/support/test_main.h"

enum { MAX = 4 };

static struct hitop_sched *sched[MAX];

static void setup(void)
{
    for (int r = 0; r < MAX; r++) {
        sched[r] = hitop_sched_new();
    }
}

static void teardown(void)
{
    for (int r = 0; r < MAX; r++) {
        hitop_sched_free(sched[r]);
    }
}

/* A message of n bytes takes 10 + 2 n us: the sender's share is 2 + n, the receiver's 3 + n. */
static double p2p(const void *self, int from, int to, size_t n)
{
    (void)self;
    (void)from;
    (void)to;
    return 10e-6 + 2e-6 * (double)n;
}

static double occupancy(const void *self, int from, int to, size_t n)
{
    (void)self;
    (void)from;
    (void)to;
    return 2e-6 + 1e-6 * (double)n;
}

static double reception(const void *self, int from, int to, size_t n)
{
    return 1e-6 + occupancy(self, from, to, n);
}

/* 7 + 1.5 n us: more than is left of a message of more than four bytes by its reception. */
static double long_occupancy(const void *self, int from, int to, size_t n)
{
    (void)self;
    (void)from;
    (void)to;
    return 7e-6 + 1.5e-6 * (double)n;
}

static double local(const void *self, int rank, size_t n)
{
    (void)self;
    (void)rank;
    return 1e-6 * (double)n;
}

static const struct hitop_cost shares = {
    .nranks = MAX, .p2p = p2p, .occupancy = occupancy, .reception = reception, .local = local};

static void assert_finish(const struct hitop_cost *cost, const double *expected_us)
{
    double finish[MAX];
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_msg(hitop_sched_predict(sched, MAX, cost, finish, &diag) == HITOP_OK, "%s",
                  diag.message);
    for (int r = 0; r < MAX; r++) {
        ck_assert_double_eq_tol(finish[r], expected_us[r] * 1e-6, 1e-18);
    }
}

static void assert_finish_under(enum hitop_ports ports, const double *expected_us)
{
    const struct hitop_cost cost = hitop_cost_ports(shares, ports);

    assert_finish(&cost, expected_us);
}

/* Ranks 1, 2 and 3 send to 0, which receives all in one phase; each copies some bytes before. */
static void plan_gather(const size_t *copied, const size_t *sent)
{
    for (int r = 1; r < MAX; r++) {
        hitop_sched_copy(sched[r], hitop_span_send(0, copied[r]), hitop_span_work(0, copied[r]));
        hitop_sched_send(sched[r], 0, hitop_span_send(0, sent[r]));
        hitop_sched_fence(sched[r]);
        hitop_sched_recv(sched[0], r, hitop_span_recv(8 * (size_t)r, sent[r]));
    }
    hitop_sched_fence(sched[0]);
}

START_TEST(a_receiver_that_is_busy_keeps_its_senders)
{
    plan_gather((const size_t[]){0, 5, 0, 3}, (const size_t[]){0, 4, 2, 1});
    /* 2 asks at 0 for 14, 3 at 3 for 12, 1 at 5 for 18 */
    assert_finish_under(HITOP_PORTS_BOTH, (const double[]){44, 44, 14, 26});
}
END_TEST

struct diary {
    struct hitop_activity activity[8];
    int n;
};

static void write_down(void *self, const struct hitop_activity *activity)
{
    struct diary *d = self;

    ck_assert_int_lt(d->n, 8);
    d->activity[d->n++] = *activity;
}

START_TEST(a_trace_contains_what_keeps_each_rank_busy)
{
    static const struct hitop_activity expected[] = {
        {HITOP_STEP_COPY, 1, 1, 5, 0, 5, 5, 5},    {HITOP_STEP_COPY, 3, 3, 3, 0, 3, 3, 3},
        {HITOP_STEP_SEND, 2, 0, 2, 0, 4, 9, 14},   {HITOP_STEP_SEND, 3, 0, 1, 3, 6, 14, 18},
        {HITOP_STEP_SEND, 1, 0, 4, 5, 11, 18, 25},
    };
    struct diary d = {.n = 0};
    double finish[MAX];

    plan_gather((const size_t[]){0, 5, 0, 3}, (const size_t[]){0, 4, 2, 1});
    ck_assert_int_eq(hitop_sched_trace(sched, MAX, &shares, finish, write_down, &d, NULL),
                     HITOP_OK);
    ck_assert_int_eq(d.n, 5);
    for (int i = 0; i < d.n; i++) {
        const struct hitop_activity *a = &d.activity[i], *e = &expected[i];
        ck_assert(a->kind == e->kind && a->from == e->from && a->to == e->to);
        ck_assert_uint_eq(a->bytes, e->bytes);
        ck_assert_double_eq_tol(a->begin, e->begin * 1e-6, 1e-18);
        ck_assert_double_eq_tol(a->sent, e->sent * 1e-6, 1e-18);
        ck_assert_double_eq_tol(a->reached, e->reached * 1e-6, 1e-18);
        ck_assert_double_eq_tol(a->end, e->end * 1e-6, 1e-18);
    }
}
END_TEST

START_TEST(a_receiver_without_a_port_delays_no_sender)
{
    plan_gather((const size_t[]){0, 5, 0, 3}, (const size_t[]){0, 4, 2, 1});
    assert_finish_under(HITOP_PORTS_SENDER, (const double[]){23, 11, 4, 6});
}
END_TEST

START_TEST(a_busy_receiver_takes_late_what_was_sent_in_time)
{
    plan_gather((const size_t[]){0, 5, 0, 3}, (const size_t[]){0, 4, 2, 1});
    /* 2 needs the port at 9 for 5, 3 at 11 for 4, 1 at 16 for 7; the second waits 3, the third 2 */
    assert_finish(&shares, (const double[]){25, 11, 4, 6});
}
END_TEST

START_TEST(the_first_message_to_arrive_is_received_first)
{
    /* that of 3 leaves last and is there first */
    plan_gather((const size_t[]){0, 0, 0, 1}, (const size_t[]){0, 6, 6, 0});
    /* 3 needs the port at 8 for 3, 1 and 2 at 13 for 9 */
    assert_finish(&shares, (const double[]){31, 8, 8, 3});
}
END_TEST

START_TEST(a_sender_is_kept_where_both_are_busy_at_once)
{
    struct hitop_cost cost = shares;

    cost.occupancy = long_occupancy;
    /*
     * 4 bytes take 18: their sender 13, their receiver 7, two of them together; needed at 11 by
     * both 1 and 2
     */
    plan_gather((const size_t[4]){0}, (const size_t[]){0, 4, 4, 0});
    /*
     * 3 needs the port at 7 for 3; then 1 from 11 to 18, and 2 from 18 to 25, with its sender until
     * 20
     */
    assert_finish(&cost, (const double[]){25, 13, 20, 7});
}
END_TEST

START_TEST(a_kept_sender_begins_its_next_message_late)
{
    plan_gather((const size_t[4]){0}, (const size_t[]){0, 1, 1, 0});
    hitop_sched_send(sched[2], 3, hitop_span_send(0, 1));
    hitop_sched_fence(sched[2]);
    hitop_sched_recv(sched[3], 2, hitop_span_recv(0, 1));
    hitop_sched_fence(sched[3]);
    /* 1 until 12, 2 until 24, 3 until 34, whose receive is posted then */
    assert_finish_under(HITOP_PORTS_BOTH, (const double[]){34, 12, 46, 46});
}
END_TEST

START_TEST(a_rank_sends_while_it_receives)
{
    for (int r = 0; r < 2; r++) {
        hitop_sched_recv(sched[r], 1 - r, hitop_span_recv(0, 5));
        hitop_sched_send(sched[r], 1 - r, hitop_span_send(0, 5));
        hitop_sched_fence(sched[r]);
    }
    assert_finish_under(HITOP_PORTS_BOTH, (const double[]){20, 20, 0, 0});
}
END_TEST

/*
 * A trunk out of the group of ranks 0 and 1, on which as many messages have room as *self says; one
 * into it.
 */
static int cross(const void *self, int from, int to, size_t n, struct hitop_crossing *out)
{
    const double *room = self;

    if (from / 2 == to / 2) {
        return 0;
    }
    *out = (struct hitop_crossing){from / 2 == 0 ? 0 : 1, 2e-6 * (double)n / *room};
    return 1;
}

static struct hitop_cost with_trunks(const double *room)
{
    struct hitop_cost cost = hitop_cost_ports(shares, HITOP_PORTS_BOTH);

    cost.self = room;
    cost.crossings = cross;
    cost.ntrunks = 2;
    cost.max_crossings = 1;
    return cost;
}

/* 0 and 1 exchange 5 bytes with 2 and 3, which take 20 us alone, 10 of them the latency. */
static void plan_exchange(void)
{
    for (int r = 0; r < MAX; r++) {
        hitop_sched_recv(sched[r], (r + 2) % 4, hitop_span_recv(0, 5));
        hitop_sched_send(sched[r], (r + 2) % 4, hitop_span_send(0, 5));
        hitop_sched_fence(sched[r]);
    }
}

START_TEST(messages_wait_for_their_trunk)
{
    static const double one = 1, half = 0.5, one_and_a_half = 1.5, two = 2;
    const struct hitop_cost free = with_trunks(&two), shared = with_trunks(&one),
                            slow = with_trunks(&half), wide = with_trunks(&one_and_a_half);

    plan_exchange(); /* the directions do not disturb each other */
    assert_finish(&free, (const double[]){20, 20, 20, 20});
    assert_finish(&shared, (const double[]){30, 30, 30, 30});
    assert_finish(&slow, (const double[]){50, 50, 50, 50});
    assert_finish(&wide, (const double[]){23 + 1. / 3, 23 + 1. / 3, 23 + 1. / 3, 23 + 1. / 3});
}
END_TEST

/* Before more than three bytes, 4 us of a handshake. */
static double handshake(const void *self, int from, int to, size_t n)
{
    (void)self;
    (void)from;
    (void)to;
    return n > 3 ? 4e-6 : 0;
}

static double longer_p2p(const void *self, int from, int to, size_t n)
{
    return p2p(self, from, to, n) + handshake(self, from, to, n);
}

START_TEST(a_handshake_comes_before_the_bytes)
{
    static const double one = 1, two = 2;
    struct hitop_cost free = with_trunks(&two), shared = with_trunks(&one), cost = shared;

    free.p2p = shared.p2p = longer_p2p;
    free.handshake = shared.handshake = handshake;
    free.occupancy = free.reception = shared.occupancy = shared.reception = longer_p2p;
    plan_exchange();
    assert_finish(&free, (const double[]){24, 24, 24, 24});
    assert_finish(&shared, (const double[]){34, 34, 34, 34}); /* both wait 4, then share 20 */
    shared.occupancy = occupancy; /* the same where the bytes move without the receiver's port */
    shared.reception = NULL;
    assert_finish(&shared, (const double[]){34, 34, 34, 34});
    cost.p2p = longer_p2p; /* no handshake: the trunk is taken at once */
    cost.occupancy = occupancy;
    cost.reception = NULL;
    assert_finish(&cost, (const double[]){30, 30, 30, 30});
}
END_TEST

/* Shares of 7 us, less than the latency, do not wait: what was sent lies before the trunk. */
START_TEST(only_a_rank_busy_with_the_bytes_waits_for_their_trunk)
{
    static const double one = 1;
    struct hitop_cost cost = with_trunks(&one);

    cost.occupancy = occupancy;
    cost.reception = NULL;
    hitop_sched_send(sched[0], 2, hitop_span_send(0, 5));
    hitop_sched_fence(sched[0]);
    hitop_sched_send(sched[1], 3, hitop_span_send(0, 5));
    hitop_sched_fence(sched[1]);
    for (int r = 2; r < 4; r++) {
        hitop_sched_recv(sched[r], r - 2, hitop_span_recv(0, 5));
        hitop_sched_fence(sched[r]);
    }
    assert_finish(&cost, (const double[]){7, 7, 30, 30});
}
END_TEST

/*
 * 0 and 1 send five bytes each to the others, 1 after it has copied some; shares of the ends as
 * given.
 */
static void plan_two(size_t copied, int to_0, int to_1)
{
    hitop_sched_send(sched[0], to_0, hitop_span_send(0, 5));
    hitop_sched_fence(sched[0]);
    hitop_sched_recv(sched[to_0], 0, hitop_span_recv(0, 5));
    hitop_sched_copy(sched[1], hitop_span_send(0, copied), hitop_span_work(0, copied));
    hitop_sched_send(sched[1], to_1, hitop_span_send(0, 5));
    hitop_sched_fence(sched[1]);
    hitop_sched_recv(sched[to_1], 1, hitop_span_recv(5, 5));
    hitop_sched_fence(sched[2]);
    hitop_sched_fence(sched[3]);
}

START_TEST(messages_share_a_trunk_while_they_are_on_it)
{
    static const double one = 1;
    struct hitop_cost cost = with_trunks(&one);

    cost.reception = NULL;
    /*
     * the first is alone until 5, then both have half of it until 15, then the second is alone
     * until 20
     */
    plan_two(5, 2, 3);
    assert_finish(&cost, (const double[]){25, 30, 25, 30});
}
END_TEST

START_TEST(ports_are_kept_until_shared_messages_are_there)
{
    static const double one = 1;
    const struct hitop_cost cost = with_trunks(&one);

    plan_two(
        0, 2,
        2); /* the second does not move before the first is there; nor does one from next door */
    hitop_sched_send(sched[3], 2, hitop_span_send(0, 5));
    hitop_sched_fence(sched[3]);
    hitop_sched_recv(sched[2], 3, hitop_span_recv(0, 5));
    hitop_sched_fence(sched[2]);
    assert_finish(&cost, (const double[]){20, 40, 60, 60});
}
END_TEST

START_TEST(shares_of_receivers_come_behind_the_trunk)
{
    static const double one = 1;
    struct hitop_cost cost = with_trunks(&one);

    cost.occupancy = occupancy;
    cost.reception = reception;
    /* both are through at 20, need the port 2 before they would arrive at 30, and take it for 8 */
    plan_two(0, 2, 2);
    assert_finish(&cost, (const double[]){7, 7, 38, 0});
}
END_TEST

static size_t up_to_eight(const void *self, int from, int to)
{
    (void)self;
    (void)from;
    (void)to;
    return 8;
}

static const struct hitop_cost protocols = {
    .nranks = MAX, .p2p = p2p, .occupancy = occupancy, .local = local, .eager = up_to_eight};

/* Rank 2 wants 1's message after that of 0, which comes later: the processor takes it then. */
static void plan_early(void)
{
    hitop_sched_copy(sched[0], hitop_span_send(0, 50), hitop_span_work(0, 50));
    for (int r = 0; r < 2; r++) {
        hitop_sched_send(sched[r], 2, hitop_span_send(0, 5));
        hitop_sched_fence(sched[r]);
        hitop_sched_recv(sched[2], r, hitop_span_recv(5 * (size_t)r, 5));
        hitop_sched_fence(sched[2]);
    }
}

START_TEST(an_early_message_is_received_when_it_is_wanted)
{
    static const double two = 2;
    struct hitop_cost cost = with_trunks(&two);

    cost.occupancy = occupancy;
    cost.reception = reception;
    cost.local = local;
    cost.eager = up_to_eight;
    plan_early(); /* the share of the receiver, 8 us, begins 12 us after the send */
    assert_finish(&cost, (const double[MAX]){57, 7, 78, 0});
    cost.crossings = NULL;
    assert_finish(&cost, (const double[MAX]){57, 7, 78, 0});
}
END_TEST

/* Rank 1 works for 100 us before it receives 4 bytes; so does rank 2 without having worked. */
START_TEST(a_short_message_does_not_wait_for_its_receiver)
{
    struct hitop_cost patient = protocols;

    hitop_sched_send(sched[0], 1, hitop_span_send(0, 4));
    hitop_sched_send(sched[0], 2, hitop_span_send(0, 4));
    hitop_sched_fence(sched[0]);
    hitop_sched_copy(sched[1], hitop_span_send(0, 100), hitop_span_recv(0, 100));
    hitop_sched_fence(sched[1]);
    for (int r = 1; r < 3; r++) {
        hitop_sched_recv(sched[r], 0, hitop_span_work(0, 4));
        hitop_sched_fence(sched[r]);
    }
    assert_finish(&protocols, (const double[MAX]){12, 100, 24, 0});
    patient.eager = NULL;
    assert_finish(&patient, (const double[MAX]){112, 118, 124, 0});
}
END_TEST

static void send_twenty_bytes_to_two(void (*send)(struct hitop_sched *, int, struct hitop_span))
{
    for (int r = 1; r < 3; r++) {
        send(sched[0], r, hitop_span_send(0, 20));
        hitop_sched_recv(sched[r], 0, hitop_span_recv(0, 20));
        hitop_sched_fence(sched[r]);
    }
    hitop_sched_fence(sched[0]);
}

START_TEST(a_long_message_keeps_its_sender)
{
    send_twenty_bytes_to_two(hitop_sched_send);
    assert_finish(&protocols, (const double[MAX]){100, 50, 100, 0});
}
END_TEST

START_TEST(deliveries_keep_only_the_port)
{
    send_twenty_bytes_to_two(hitop_sched_deliver);
    assert_finish(&protocols, (const double[MAX]){44, 50, 72, 0});
}
END_TEST

START_TEST(names_the_receive_without_a_send)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    double finish[MAX];

    for (int r = 0; r < 2;
         r++) { /* both receive before they send; 0 meanwhile gets something from 2 */
        if (r == 0) {
            hitop_sched_send(sched[2], 0, hitop_span_send(0, 1));
            hitop_sched_fence(sched[2]);
            hitop_sched_recv(sched[0], 2, hitop_span_recv(1, 1));
        }
        hitop_sched_recv(sched[r], 1 - r, hitop_span_recv(0, 1));
        hitop_sched_fence(sched[r]);
        hitop_sched_send(sched[r], 1 - r, hitop_span_send(0, 1));
        hitop_sched_fence(sched[r]);
    }
    ck_assert_int_eq(hitop_sched_predict(sched, MAX, &shares, finish, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "deadlock: 2 of 4 ranks wait for each other, rank 0 to receive "
                                   "from rank 1 (step 1)");
}
END_TEST

START_TEST(names_the_send_without_a_receive)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    double finish[MAX];

    for (int r = 1; r < 4; r++) { /* each sends to the next one before it receives */
        hitop_sched_send(sched[r], r % 3 + 1, hitop_span_send(0, 1));
        hitop_sched_fence(sched[r]);
        hitop_sched_recv(sched[r], (r + 1) % 3 + 1, hitop_span_recv(0, 1));
        hitop_sched_fence(sched[r]);
    }
    ck_assert_int_eq(hitop_sched_predict(sched, MAX, &shares, finish, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "deadlock: 3 of 4 ranks wait for each other, rank 1 to send "
                                   "to rank 2 (step 0)");
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_receiver_that_is_busy_keeps_its_senders);
    tcase_add_test(tc, a_trace_contains_what_keeps_each_rank_busy);
    tcase_add_test(tc, a_receiver_without_a_port_delays_no_sender);
    tcase_add_test(tc, a_busy_receiver_takes_late_what_was_sent_in_time);
    tcase_add_test(tc, the_first_message_to_arrive_is_received_first);
    tcase_add_test(tc, a_sender_is_kept_where_both_are_busy_at_once);
    tcase_add_test(tc, a_kept_sender_begins_its_next_message_late);
    tcase_add_test(tc, a_rank_sends_while_it_receives);
    tcase_add_test(tc, messages_wait_for_their_trunk);
    tcase_add_test(tc, a_handshake_comes_before_the_bytes);
    tcase_add_test(tc, only_a_rank_busy_with_the_bytes_waits_for_their_trunk);
    tcase_add_test(tc, a_short_message_does_not_wait_for_its_receiver);
    tcase_add_test(tc, an_early_message_is_received_when_it_is_wanted);
    tcase_add_test(tc, a_long_message_keeps_its_sender);
    tcase_add_test(tc, deliveries_keep_only_the_port);
    tcase_add_test(tc, messages_share_a_trunk_while_they_are_on_it);
    tcase_add_test(tc, ports_are_kept_until_shared_messages_are_there);
    tcase_add_test(tc, shares_of_receivers_come_behind_the_trunk);
    tcase_add_test(tc, names_the_receive_without_a_send);
    tcase_add_test(tc, names_the_send_without_a_receive);
}

TEST_MAIN("sched ports", add_tests)
