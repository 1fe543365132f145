/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_bcast_choice.c - the time of an internode broadcast, its tree and its segments; a slow link
 * is crossed once.
 */
#include <config.h>

#include "coll/predict/placement.h"
#include "coll/twolevel/bcast_choice.h"
#include "coll/twolevel/relay_predict.h"

#include "hitop/predict.h"
#include "hitop/sys/tree.h"

#include "tests/support/test_main.h"
#include "tests/support/worked_models.h"

#include <math.h>

static const double alpha = 2.385e-4, beta = 1.7e-9;

static double line_p2p(const void *self, int from, int to, size_t bytes)
{
    (void)self;
    return from == to ? 0 : alpha + beta * (double)bytes;
}

static double line_occupancy(const void *self, int from, int to, size_t bytes)
{
    (void)self;
    return from == to ? 0 : beta * (double)bytes;
}

static double relay_time(const char *shape, int size, size_t bytes, size_t segment)
{
    const struct hitop_cost cost = {.nranks = size, .p2p = line_p2p, .occupancy = line_occupancy};
    const struct hitop_tree_args args = {.size = size, .root = 0, .bytes = bytes, .cost = &cost};
    struct hitop_tree *tree = NULL;
    double seconds;

    ck_assert_int_eq(hitop_tree_build(shape, &args, NULL, &tree, NULL), HITOP_OK);
    seconds = hitop_relay_predict(&cost, tree, bytes, segment);
    hitop_tree_free(tree);
    return seconds;
}

START_TEST(pipelines_segments_down_a_chain)
{
    /* every hop adds a latency and a segment; the last node gets one segment after the other */
    ck_assert_double_eq_tol(relay_time("chain", 4, 8000, 1000), 3 * alpha + (8 + 2) * beta * 1000,
                            1e-12);
    ck_assert_double_eq_tol(relay_time("chain", 4, 8000, 8000), 3 * (alpha + beta * 8000), 1e-12);
}
END_TEST

START_TEST(lets_sends_of_one_node_follow_each_other)
{
    ck_assert_double_eq_tol(relay_time("flat", 5, 6000, 6000), alpha + 4 * beta * 6000, 1e-12);
    ck_assert_double_eq_tol(relay_time("flat", 5, 6000, 1000), alpha + 4 * beta * 6000, 1e-12);
}
END_TEST

START_TEST(counts_a_last_segment_that_is_shorter)
{
    ck_assert_double_eq_tol(relay_time("chain", 2, 2500, 1000), alpha + beta * 2500, 1e-12);
    ck_assert_double_eq(relay_time("chain", 1, 2500, 1000), 0);
}
END_TEST

/* Calls of 1 us at both ends, a latency of 2 us, and 0.5 us for 1000 bytes. */
static double calls_p2p(const void *self, int from, int to, size_t bytes)
{
    (void)self;
    return from == to ? 0 : 4e-6 + 0.5e-9 * (double)bytes;
}

static double calls_occupancy(const void *self, int from, int to, size_t bytes)
{
    (void)self;
    return from == to ? 0 : 1e-6 + 0.5e-9 * (double)bytes;
}

static double slow_copy(const void *self, int rank, size_t bytes)
{
    (void)self;
    (void)rank;
    (void)bytes;
    return 3e-6;
}

static const struct hitop_cost calls = {.nranks = 3,
                                        .grows = 1,
                                        .p2p = calls_p2p,
                                        .occupancy = calls_occupancy,
                                        .reception = calls_occupancy};

START_TEST(sends_while_other_messages_are_in_flight)
{
    const struct hitop_cost blocking = {.nranks = 3, .p2p = calls_p2p, .occupancy = calls_p2p};
    const struct hitop_cost cost = hitop_relay_cost(&calls, 0),
                            line = hitop_relay_cost(&blocking, 0);

    ck_assert_double_eq_tol(cost.p2p(cost.self, 0, 1, 4000), 6e-6, 1e-12);
    ck_assert_double_eq_tol(cost.occupancy(cost.self, 0, 1, 0), 1e-6, 1e-12);
    ck_assert_double_eq_tol(cost.occupancy(cost.self, 0, 1, 4000), 2e-6, 1e-12);
    ck_assert_double_eq_tol(cost.reception(cost.self, 0, 1, 0), 1e-6, 1e-12);
    ck_assert_int_eq(cost.local == NULL, 1);
    ck_assert_double_eq_tol(line.occupancy(line.self, 0, 1, 0), 0,
                            1e-12); /* the model has no time for calls */
    ck_assert_double_eq_tol(line.occupancy(line.self, 0, 1, 4000), 2e-6, 1e-12);
    ck_assert_double_eq_tol(line.reception(line.self, 0, 1, 0), 0, 1e-12);
}
END_TEST

START_TEST(counts_what_processors_do)
{
    struct hitop_cost cost = hitop_relay_cost(&calls, 0);
    const struct hitop_tree_args args = {.size = 3, .root = 0, .bytes = 8000, .cost = &cost};
    struct hitop_tree *chain = NULL;

    ck_assert_int_eq(hitop_tree_build("chain", &args, NULL, &chain, NULL), HITOP_OK);
    /*
     * The root has sent a header at 1. It sends segments at 1 and 3, the next node sends them at 7
     * and 9.
     */
    ck_assert_double_eq_tol(hitop_relay_predict(&cost, chain, 8000, 4000), 15e-6, 1e-12);
    /* the root sends a message in its header at 0, the next node at 4 */
    ck_assert_double_eq_tol(hitop_relay_predict(&cost, chain, 1000, 4000), 9e-6, 1e-12);
    /*
     * The middle node receives the second segment at 12, after it has copied the first one; the
     * last node has it at 18.
     */
    cost.local = slow_copy;
    ck_assert_double_eq_tol(hitop_relay_predict(&cost, chain, 8000, 4000), 21e-6, 1e-12);
    cost = hitop_relay_cost(&calls, 1);
    ck_assert_double_eq_tol(cost.local(cost.self, 0, 4000), 1e-6, 1e-12);
    hitop_tree_free(chain);
}
END_TEST

/* Node 0 reaches the others over a link that takes 6 us for 4000 bytes. */
static int behind_a_line(const void *self, int from, int to, size_t bytes,
                         struct hitop_crossing *out)
{
    (void)self;
    if ((from == 0) == (to == 0)) {
        return 0;
    }
    *out = (struct hitop_crossing){0, 1.5e-9 * (double)bytes};
    return 1;
}

START_TEST(segments_arrive_at_the_rate_of_a_shared_line)
{
    struct hitop_cost shared = calls, cost;
    const struct hitop_tree_args args = {.size = 3, .root = 0, .bytes = 8000, .cost = &calls};
    struct hitop_tree *chain = NULL;

    shared.crossings = behind_a_line;
    shared.ntrunks = shared.max_crossings = 1;
    cost = hitop_relay_cost(&shared, 0);
    ck_assert_int_eq(hitop_tree_build("chain", &args, NULL, &chain, NULL), HITOP_OK);
    /*
     * The middle node has the first segment at 7 and the second one 6 later; the last hop takes
     * another 6.
     */
    ck_assert_double_eq_tol(hitop_relay_predict(&cost, chain, 8000, 4000), 19e-6, 1e-12);
    hitop_tree_free(chain);
}
END_TEST

/* Two sites of three hosts each, in alternating order. */
static const char *const hosts[] = {"a1.alpha.org", "b1.beta.org",  "a2.alpha.org",
                                    "b2.beta.org",  "a3.alpha.org", "b3.beta.org"};
enum { NHOSTS = 6 };

static struct hitop_bcast_choices *two_sites(void)
{
    struct hitop_model *model = NULL;
    struct hitop_bcast_choices *choices = NULL;

    ck_assert_int_eq(hitop_placement_from_names(hosts, NHOSTS, 0, &model, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_bcast_choices_create(model, 0, 0, &choices, NULL), HITOP_OK);
    return choices;
}

/* Predict all trees and segments. */
static struct hitop_bcast_choice choose(struct hitop_bcast_choices *choices, int root, size_t bytes)
{
    int is_complete = 0;
    const struct hitop_bcast_choice choice =
        hitop_bcast_choose(choices, root, bytes, SIZE_MAX, &is_complete);

    ck_assert_int_eq(is_complete, 1);
    return choice;
}

START_TEST(crosses_the_slow_link_once)
{
    static const size_t sizes[] = {65536, 1048576, 8388608};
    struct hitop_bcast_choices *choices = two_sites();

    for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
        for (int root = 0; root < NHOSTS; root++) {
            const struct hitop_bcast_choice choice = choose(choices, root, sizes[s]);
            const struct hitop_tree *tree =
                hitop_bcast_choice_tree(choices, choice.algorithm, root, sizes[s]);
            int crossings = 0;
            ck_assert_ptr_nonnull(tree);
            ck_assert_int_eq(hitop_tree_root(tree), root);
            for (int node = 0; node < NHOSTS; node++) {
                const int parent = hitop_tree_parent(tree, node);
                crossings += parent != HITOP_NO_RANK && parent % 2 != node % 2;
            }
            ck_assert_msg(crossings == 1, "%zu B from %d: %d crossings", sizes[s], root, crossings);
        }
    }
    hitop_bcast_choices_free(choices);
}
END_TEST

/*
 * Candidates that cannot win are not predicted; of all candidates none is faster than the choice.
 */
START_TEST(misses_no_faster_choice)
{
    struct hitop_bcast_choices *choices = two_sites();

    for (size_t bytes = 96; bytes < (size_t)64 << 20; bytes *= 4) { /* the middle of a class */
        for (int root = 0; root < NHOSTS; root++) {
            const struct hitop_bcast_choice best = choose(choices, root, bytes);
            const double least = hitop_bcast_predict(choices, best, root, bytes) +
                                 hitop_bcast_segment_cost(choices, best, root, bytes);

            for (unsigned a = 0; hitop_tree_builders()[a]; a++) {
                const struct hitop_bcast_choice other = {a, HITOP_BCAST_SEGMENT};
                const double seconds = hitop_bcast_predict(choices, other, root, bytes);

                ck_assert(seconds < 0 || hitop_bcast_bound(choices, a, root, bytes) <= seconds);
                ck_assert(seconds < 0 || hitop_tree_builders()[a]->by_name ||
                          least <= seconds + hitop_bcast_segment_cost(choices, other, root, bytes));
            }
        }
    }
    hitop_bcast_choices_free(choices);
}
END_TEST

/* Each call takes a choice at least as fast as the one before, and the last one the fastest. */
START_TEST(improves_from_call_to_call)
{
    struct hitop_bcast_choices *whole = two_sites(), *choices = two_sites();

    for (size_t bytes = 96; bytes < (size_t)1 << 20; bytes *= 16) {
        const struct hitop_bcast_choice best = choose(whole, 1, bytes);
        struct hitop_bcast_choice choice;
        double before = INFINITY;
        int is_complete, ncalls = 0;

        do {
            double seconds;
            choice = hitop_bcast_choose(choices, 1, bytes, 1, &is_complete);
            seconds = hitop_bcast_predict(choices, choice, 1, bytes) +
                      hitop_bcast_segment_cost(choices, choice, 1, bytes);
            ck_assert(seconds <= before);
            before = seconds;
            ncalls++;
        } while (!is_complete);
        ck_assert_uint_eq(choice.algorithm, best.algorithm);
        ck_assert_uint_eq(choice.segment, best.segment);
        ck_assert_int_gt(ncalls, 10);
    }
    hitop_bcast_choices_free(choices);
    hitop_bcast_choices_free(whole);
}
END_TEST

/* The fastest segment of the chosen tree, from 32 KiB down to 4 KiB. */
static size_t fastest_segment(struct hitop_bcast_choices *choices, struct hitop_bcast_choice choice,
                              int root, size_t bytes)
{
    size_t fastest = HITOP_BCAST_SEGMENT;
    double least = INFINITY;

    for (choice.segment = HITOP_BCAST_SEGMENT; choice.segment >= 4096; choice.segment /= 2) {
        const double seconds = hitop_bcast_predict(choices, choice, root, bytes) +
                               hitop_bcast_segment_cost(choices, choice, root, bytes);

        if (seconds < least) {
            least = seconds;
            fastest = choice.segment;
        }
    }
    return fastest;
}

/* A measured model chooses among segments of 4 to 32 KiB, a guessed one takes 32 KiB. */
START_TEST(shortens_segments_of_a_measured_model)
{
    struct hitop_bcast_choices *guessed = NULL, *measured = NULL;
    int shorter = 0;

    ck_assert_int_eq(hitop_bcast_choices_create(worked_hockney(NHOSTS), 0, 0, &guessed, NULL),
                     HITOP_OK);
    ck_assert_int_eq(hitop_bcast_choices_create(worked_hockney(NHOSTS), 1, 0, &measured, NULL),
                     HITOP_OK);
    for (size_t bytes = 48 * 1024; bytes <= 192 * 1024; bytes *= 2) { /* the middle of a class */
        for (int root = 0; root < NHOSTS; root++) {
            const struct hitop_bcast_choice choice = choose(measured, root, bytes);

            ck_assert_uint_eq(choose(guessed, root, bytes).segment, HITOP_BCAST_SEGMENT);
            ck_assert_uint_eq(choice.segment, fastest_segment(measured, choice, root, bytes));
            shorter += choice.segment < HITOP_BCAST_SEGMENT;
        }
    }
    ck_assert_int_gt(shorter, 0);
    hitop_bcast_choices_free(measured);
    hitop_bcast_choices_free(guessed);
}
END_TEST

/* The nodes whose bits are set, `root` first; returns their number. */
static int choose_nodes(unsigned bits, int root, int *nodes)
{
    int n = 0;

    nodes[n++] = root;
    for (int node = 0; node < NHOSTS; node++) {
        if (node != root && (bits >> node & 1)) {
            nodes[n++] = node;
        }
    }
    return n;
}

START_TEST(crosses_the_slow_link_once_to_the_leaders_that_are_there)
{
    struct hitop_bcast_choices *choices = two_sites();

    for (unsigned bits = 1; bits < 1u << NHOSTS; bits++) {
        for (int root = 0; root < NHOSTS; root++) {
            const unsigned builder = choose(choices, root, 100000).algorithm;
            const unsigned far = bits & (root % 2 ? 0x15u : 0x2au);
            int nodes[NHOSTS], crossings = 0;
            const int n = choose_nodes(bits, root, nodes);
            struct hitop_tree *tree = hitop_bcast_part_tree(choices, builder, nodes, n, 100000);

            ck_assert_ptr_nonnull(tree);
            ck_assert_int_eq(hitop_tree_size(tree), n);
            ck_assert_int_eq(hitop_tree_root(tree), 0);
            for (int i = 1; i < n; i++) {
                crossings += nodes[hitop_tree_parent(tree, i)] % 2 != nodes[i] % 2;
            }
            ck_assert_int_eq(crossings, far != 0);
            hitop_tree_free(tree);
        }
    }
    hitop_bcast_choices_free(choices);
}
END_TEST

/* Pass the list on as the ranks do; sets parent[rank] of all ranks in it. */
static void hand_out(const struct hitop_branch *list, int n, int from, int *parent)
{
    for (int i = 0; i < n; i += 1 + list[i].below) {
        parent[list[i].rank] = from;
        hand_out(&list[i + 1], list[i].below, list[i].rank, parent);
    }
}

START_TEST(lists_a_tree_for_those_below)
{
    static const char *const shapes[] = {"binomial", "chain", "flat", "binary"};
    enum { MOST = 40 };

    for (int size = 1; size <= MOST; size++) {
        const struct hitop_tree_args args = {.size = size, .root = size / 3};
        struct hitop_tree *tree = NULL;
        struct hitop_branch list[MOST];
        int rank[MOST], parent[2 * MOST] = {0};

        for (int i = 0; i < size; i++) {
            rank[i] = 2 * MOST - 1 - i;
        }
        ck_assert_int_eq(hitop_tree_build(shapes[size % 4], &args, NULL, &tree, NULL), HITOP_OK);
        ck_assert_int_eq(hitop_branch_list(tree, rank, list), size - 1);
        hand_out(list, size - 1, rank[args.root], parent);
        for (int i = 0; i < size; i++) {
            if (i != args.root) {
                ck_assert_int_eq(parent[rank[i]], rank[hitop_tree_parent(tree, i)]);
            }
        }
        hitop_tree_free(tree);
    }
}
END_TEST

START_TEST(decides_alike_in_every_process)
{
    struct hitop_bcast_choices *one = two_sites(), *other = two_sites();

    for (size_t bytes = 1; bytes < (size_t)1 << 24; bytes = bytes * 3 + 1) {
        /* the other process has a cache with other sizes */
        const struct hitop_bcast_choice later = choose(other, 1, bytes);
        const struct hitop_bcast_choice choice = choose(one, 2, bytes);
        const struct hitop_tree *a = hitop_bcast_choice_tree(one, choice.algorithm, 2, bytes);
        const struct hitop_tree *b = hitop_bcast_choice_tree(other, choice.algorithm, 2, bytes);
        (void)later;
        for (int node = 0; node < NHOSTS; node++) {
            ck_assert_int_eq(hitop_tree_parent(a, node), hitop_tree_parent(b, node));
        }
    }
    ck_assert_ptr_null(hitop_bcast_choice_tree(one, 9999, 0, 1));
    hitop_bcast_choices_free(other);
    hitop_bcast_choices_free(one);
}
END_TEST

START_TEST(predicts_the_two_level_broadcast)
{
    struct hitop_model *model = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const char *tree = NULL;
    double near_root, nothing = -1, seconds = -1;

    ck_assert_int_eq(hitop_placement_from_names(hosts, NHOSTS, 0, &model, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_predict_twolevel(model, 0, 1024, &seconds, &tree, NULL), HITOP_OK);
    ck_assert_str_ne(tree, "");
    near_root = hitop_model_p2p(model, 0, 1, 1024); /* at least one message to the other site */
    ck_assert_double_ge(seconds, near_root);
    ck_assert_double_le(seconds, 2 * near_root);
    ck_assert_int_eq(hitop_predict_twolevel(model, 0, 0, &nothing, NULL, NULL), HITOP_OK);
    ck_assert_double_eq(nothing, 0);
    ck_assert_int_eq(hitop_predict_twolevel(model, NHOSTS, 1, &seconds, NULL, &diag),
                     HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "root 6 is not a rank of the model (0..5)");
    hitop_model_free(model);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, pipelines_segments_down_a_chain);
    tcase_add_test(tc, lets_sends_of_one_node_follow_each_other);
    tcase_add_test(tc, counts_a_last_segment_that_is_shorter);
    tcase_add_test(tc, sends_while_other_messages_are_in_flight);
    tcase_add_test(tc, counts_what_processors_do);
    tcase_add_test(tc, segments_arrive_at_the_rate_of_a_shared_line);
    tcase_add_test(tc, crosses_the_slow_link_once);
    tcase_add_test(tc, misses_no_faster_choice);
    tcase_add_test(tc, improves_from_call_to_call);
    tcase_add_test(tc, shortens_segments_of_a_measured_model);
    tcase_add_test(tc, crosses_the_slow_link_once_to_the_leaders_that_are_there);
    tcase_add_test(tc, lists_a_tree_for_those_below);
    tcase_add_test(tc, decides_alike_in_every_process);
    tcase_add_test(tc, predicts_the_two_level_broadcast);
}

TEST_MAIN("choices", add_tests)
