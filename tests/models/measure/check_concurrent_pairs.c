/* SPDX-License-Identifier: BSD-3-Clause */
/* check_concurrent_pairs.c - which pairs of ranks exchange at once, and their times. */
#include <config.h>

#include "models/measure/concurrent_pairs.h"

#include "tests/support/example_hierarchy.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <stdlib.h>

/* nranks ranks dealt round robin on nhosts hosts, directly below the root. */
static struct hitop_hierarchy *flat(int nranks, int nhosts)
{
    static const char *const name[] = {"n0", "n1", "n2", "n3"};
    const char *host[64];
    struct hitop_hierarchy *h = NULL;

    for (int rank = 0; rank < nranks; rank++) {
        host[rank] = name[rank % nhosts];
    }
    ck_assert_int_eq(hitop_hierarchy_flat(host, nranks, &h, NULL), HITOP_OK);
    return h;
}

/*
 * Pair sets of one link, whose sizes are expected; no rank twice in a pair set, each pair between
 * the link's hosts.
 */
static void expect_sets(int nranks, int nhosts, int a, int b, const int *sizes, int n)
{
    struct hitop_hierarchy *h = flat(nranks, nhosts);
    const struct hitop_link link = {.node = hitop_hierarchy_root(h), .rank = {a, b}};
    struct hitop_pair_plan plan;

    ck_assert_int_eq(hitop_pair_sets_choose(h, &link, 1, &plan, NULL), HITOP_OK);
    ck_assert_int_eq(plan.nsets, n);
    for (int c = 0; c < n; c++) {
        char busy[64] = {0};
        ck_assert_int_eq(plan.begin[c + 1] - plan.begin[c], sizes[c]);
        ck_assert(plan.pairs[plan.begin[c]].rank[0] == a && plan.pairs[plan.begin[c]].rank[1] == b);
        for (int i = plan.begin[c]; i < plan.begin[c + 1]; i++) {
            const int *rank = plan.pairs[i].rank;
            ck_assert_int_eq(plan.pairs[i].node, 0);
            ck_assert(rank[0] % nhosts == a % nhosts && rank[1] % nhosts == b % nhosts);
            ck_assert(rank[0] != rank[1] && !busy[rank[0]]++ && !busy[rank[1]]++);
        }
    }
    hitop_pair_plan_clear(&plan);
    hitop_hierarchy_free(h);
}

START_TEST(chooses_powers_of_two_and_all)
{
    expect_sets(20, 2, 0, 1, (const int[]){1, 2, 4, 8, 10}, 5); /* ten ranks on each host */
    expect_sets(9, 2, 2, 1, (const int[]){1, 2, 4}, 3);         /* five and four */
    expect_sets(6, 1, 1, 4, (const int[]){1, 2, 3}, 3);         /* three pairs inside a host */
    expect_sets(4, 4, 0, 3, NULL, 0);                           /* a rank each */
    expect_sets(2, 1, 0, 1, NULL, 0);
}
END_TEST

static double line(const void *self, int from, int to, size_t bytes)
{
    (void)self;
    (void)from;
    (void)to;
    return 2e-6 + 1e-9 * (double)bytes;
}

/*
 * The simulated network slows each pair by a tenth for each further one; its clock may be slower
 * than a message.
 */
START_TEST(shows_how_they_slow_each_other)
{
    static const size_t sizes[] = {1024, 65536, 1048576};
    struct hitop_hierarchy *h = flat(16, 2);
    const struct hitop_link link = {.node = hitop_hierarchy_root(h), .rank = {0, 1}};
    const struct hitop_simulation what = {.truth = {.nranks = 16, .p2p = line, .occupancy = line},
                                          .contention = 0.1,
                                          .clock_step = _i * 20e-6,
                                          .noise = 0.01,
                                          .seed = 3};
    struct hitop_measure_options o;
    struct hitop_pair_plan plan;
    struct hitop_pair_sets found;
    struct hitop_transport t;

    hitop_measure_defaults(&o);
    o.sizes = sizes;
    o.nsizes = 3;
    ck_assert_int_eq(hitop_pair_sets_choose(h, &link, 1, &plan, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_transport_simulated(&what, &t, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_pair_sets_measure(&t, &plan, 1, &o, &found, NULL), HITOP_OK);
    ck_assert_uint_eq(found.list->n, 4);
    for (size_t c = 0; c < 4; c++) {
        const struct hitop_pair_set *set = &found.list->set[c];
        ck_assert_int_eq(set->pairs, 1 << c);
        ck_assert_uint_eq(set->curve.npoints, 3);
        for (size_t i = 0; i < 3; i++) {
            const struct hitop_point *p = &set->curve.points[i];
            const double expected = line(NULL, 0, 1, sizes[i]) * (1 + 0.1 * (set->pairs - 1));
            ck_assert_uint_eq(p->bytes, sizes[i]);
            ck_assert_double_eq_tol(p->seconds / expected, 1, 0.02);
            ck_assert(p->lo <= p->seconds && p->seconds <= p->hi && p->se > 0);
        }
    }
    hitop_pair_sets_clear(&found);
    t.close(t.self);
    hitop_pair_plan_clear(&plan);
    hitop_hierarchy_free(h);
}
END_TEST

static double slow_line(const void *self, int from, int to, size_t bytes)
{
    (void)self;
    (void)from;
    (void)to;
    return 2e-3 + 40e-9 * (double)bytes;
}

/*
 * One pass over all sizes of all pair sets takes several times the budget: two sizes of each
 * suffice.
 */
START_TEST(leaves_sizes_out_for_want_of_time)
{
    static const size_t sizes[] = {0,     1024,   4096,   8192,   16384,
                                   65536, 131072, 262144, 524288, 1048576};
    struct hitop_hierarchy *h = flat(16, 4);
    const struct hitop_simulation what = {
        .truth = {.nranks = 16, .p2p = slow_line, .occupancy = slow_line},
        .noise = 0.01,
        .seed = 3};
    struct hitop_measure_options o;
    struct hitop_pair_plan plan;
    struct hitop_pair_sets found;
    struct hitop_link *links;
    struct hitop_transport t;
    int nlinks, nleft = 0;

    hitop_measure_defaults(&o);
    o.sizes = sizes;
    o.nsizes = 10;
    o.budget = 30;
    o.seed = (unsigned long long)_i;
    ck_assert_int_eq(hitop_links_choose_pairs(h, &links, &nlinks, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_pair_sets_choose(h, links, nlinks, &plan, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_transport_simulated(&what, &t, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_pair_sets_measure(&t, &plan, nlinks, &o, &found, NULL), HITOP_OK);
    ck_assert_double_lt(t.now(t.self), 1.2 * o.budget);
    for (int i = 0; i < nlinks; i++) {
        for (size_t c = 0; c < found.list[i].n; c++) {
            const struct hitop_curve *curve = &found.list[i].set[c].curve;
            ck_assert_uint_ge(curve->npoints, 2);
            ck_assert_uint_eq(curve->points[0].bytes, 0);
            ck_assert_uint_ge(curve->points[curve->npoints - 1].bytes, 8192);
            nleft += curve->npoints < 10;
        }
    }
    ck_assert_int_gt(nleft, 0);
    hitop_pair_sets_clear(&found);
    t.close(t.self);
    hitop_pair_plan_clear(&plan);
    free(links);
    hitop_hierarchy_free(h);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, chooses_powers_of_two_and_all);
    tcase_add_loop_test(tc, shows_how_they_slow_each_other, 0, 2);
    tcase_add_loop_test(tc, leaves_sizes_out_for_want_of_time, 1, 4);
}

TEST_MAIN("concurrent pairs", add_tests)
