/* SPDX-License-Identifier: BSD-3-Clause */
/* check_placement.c - a model is placed on the hosts of a job, whatever hosts its own ranks had. */
#include <config.h>

#include "coll/predict/placement.h"
#include "coll/twolevel/bcast_choice.h"

#include "hitop/model.h"
#include "hitop/sys/model.h"

#include "tests/support/comma.h"
#include "tests/support/example_hierarchy.h"
#include "tests/support/test_main.h"
#include "tests/support/worked_models.h"

#include <math.h>
#include <stdio.h>

static const double host_params[] = {1.1e-6, 0.9e-10};
static const double cluster_params[] = {31e-6, 2.3e-9};
static const double root_params[] = {2.7e-3, 4.1e-8};

/* Two sites of two hosts with two ranks each, ranks round robin over the hosts. */
static struct hitop_model *make_model(void)
{
    static const char *const hosts[] = {"a1.alpha.org", "a2.alpha.org", "b1.beta.org",
                                        "b2.beta.org"};
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    const int root = hitop_hierarchy_builder_group(b, "root", NULL);
    struct hitop_hierarchy *h = NULL;
    struct hitop_model *model = NULL;
    struct hitop_class classes[7];
    int site[2], host[4], n = 0;

    for (int s = 0; s < 2; s++) {
        site[s] = hitop_hierarchy_builder_group(b, "cluster", s ? "beta" : "alpha");
        hitop_hierarchy_builder_edge(b, site[s], root);
    }
    for (int k = 0; k < 4; k++) {
        host[k] = hitop_hierarchy_builder_group(b, "host", hosts[k]);
        hitop_hierarchy_builder_edge(b, host[k], site[k / 2]);
    }
    for (int r = 0; r < 8; r++) {
        hitop_hierarchy_builder_edge(b, hitop_hierarchy_builder_leaf(b, r, hosts[r % 4]),
                                     host[r % 4]);
    }
    ck_assert_int_eq(hitop_hierarchy_builder_finish(b, &h, NULL), HITOP_OK);
    for (int node = 8; node < hitop_hierarchy_nnodes(h); node++) {
        const int height = hitop_hierarchy_height(h, node);
        classes[n++] = (struct hitop_class){.node = node,
                                            .pair = {HITOP_NO_RANK, HITOP_NO_RANK},
                                            .params = height == 1   ? host_params
                                                      : height == 2 ? cluster_params
                                                                    : root_params};
    }
    ck_assert_int_eq(example_build("hockney", h, classes, n, NULL, &model, NULL), HITOP_OK);
    hitop_hierarchy_free(h);
    hitop_hierarchy_builder_free(b);
    return model;
}

static double latency(const struct hitop_model *model, int i, int j)
{
    return hitop_model_p2p(model, i, j, 0);
}

START_TEST(prices_hosts_in_any_order)
{
    static const char *const hosts[] = {"b2.beta.org", "a1.alpha.org", "b1.beta.org",
                                        "a2.alpha.org"};
    struct hitop_model *model = make_model(), *placed = NULL;

    ck_assert_int_eq(hitop_placement_from_model(model, hosts, 4, &placed, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_model_nranks(placed), 4);
    ck_assert_double_eq(latency(placed, 0, 2), 31e-6);
    ck_assert_double_eq(latency(placed, 1, 3), 31e-6);
    ck_assert_double_eq(latency(placed, 0, 1), 2.7e-3);
    ck_assert_double_eq(latency(placed, 3, 2), 2.7e-3);
    hitop_model_free(placed);
    hitop_model_free(model);
}
END_TEST

START_TEST(leaves_out_levels_without_messages)
{
    static const char *const hosts[] = {"a1.alpha.org", "b1.beta.org"};
    struct hitop_model *model = make_model(), *placed = NULL;

    ck_assert_int_eq(hitop_placement_from_model(model, hosts, 2, &placed, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_model_nclasses(placed), 1);
    ck_assert_double_eq(latency(placed, 0, 1), 2.7e-3);
    hitop_model_free(placed);
    hitop_model_free(model);
}
END_TEST

START_TEST(finds_hosts_by_their_short_names)
{
    static const char *const hosts[] = {"a2", "a1"}, *const other[] = {"a2.gamma.org", "a1"};
    struct hitop_model *model = make_model(), *placed = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_int_eq(hitop_placement_from_model(model, hosts, 2, &placed, NULL), HITOP_OK);
    ck_assert_double_eq(latency(placed, 0, 1), 31e-6);
    hitop_model_free(placed);
    ck_assert_int_eq(hitop_placement_from_model(model, other, 2, &placed, &diag),
                     HITOP_ERR_NOTFOUND);
    ck_assert_str_eq(diag.message, "host a2.gamma.org is not in the model");
    ck_assert_ptr_null(placed);
    hitop_model_free(model);
}
END_TEST

START_TEST(takes_several_nodes_of_one_host)
{
    static const char *const hosts[] = {"a1", "a1", "b1"};
    struct hitop_model *model = make_model(), *placed = NULL;

    ck_assert_int_eq(hitop_placement_from_model(model, hosts, 3, &placed, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_model_nranks(placed), 3);
    ck_assert_double_gt(latency(placed, 0, 1), 0);
    ck_assert_double_lt(latency(placed, 0, 1), 2.7e-3);
    ck_assert_double_eq(latency(placed, 0, 2), 2.7e-3);
    hitop_model_free(placed);
    hitop_model_free(model);
}
END_TEST

START_TEST(takes_the_ranks_of_a_host_in_turn)
{
    static const char *const hosts[] = {"a1", "b1", "a1", "a1.alpha.org", "b1", "a2"};
    struct hitop_model *model = make_model(), *placed = NULL;

    ck_assert_int_eq(hitop_placement_from_model(model, hosts, 6, &placed, NULL), HITOP_OK);
    ck_assert_double_eq(latency(placed, 0, 2), host_params[0]);
    ck_assert_double_eq(latency(placed, 2, 3), host_params[0]);
    ck_assert_double_eq(latency(placed, 0, 3), host_params[0]); /* more ranks than the model has */
    ck_assert_double_eq(latency(placed, 1, 4), host_params[0]);
    ck_assert_double_eq(latency(placed, 3, 5), cluster_params[0]);
    ck_assert_double_eq(latency(placed, 0, 1), root_params[0]);
    hitop_model_free(placed);
    hitop_model_free(model);
}
END_TEST

START_TEST(keeps_the_narrowest_of_the_links_that_become_one)
{
    static const char *const both[] = {"a0", "b0", "a1", "b1"}, *const first[] = {"a1", "a0"};
    struct hitop_model *model = example_racks(), *placed = NULL;
    const struct hitop_hierarchy *h;

    ck_assert_int_eq(hitop_placement_from_model(model, both, 4, &placed, NULL), HITOP_OK);
    h = hitop_model_hierarchy(placed);
    ck_assert_double_eq(hitop_hierarchy_capacity(h, hitop_hierarchy_parent(h, 0)), 0.5);
    ck_assert_double_eq(hitop_hierarchy_capacity(h, hitop_hierarchy_parent(h, 1)), 4);
    hitop_model_free(placed);
    ck_assert_int_eq(hitop_placement_from_model(model, first, 2, &placed, NULL), HITOP_OK);
    h = hitop_model_hierarchy(placed); /* a root without links to other groups */
    ck_assert_int_eq(hitop_hierarchy_nnodes(h), 3);
    ck_assert_double_eq(hitop_hierarchy_capacity(h, 2), 0.25);
    hitop_model_free(placed);
    hitop_model_free(model);
}
END_TEST

/* The decimal point of a locale, after setlocale(), has no influence. */
START_TEST(keeps_capacities_whatever_the_locale)
{
    static const char *const both[] = {"a0", "b0", "a1", "b1"};
    struct hitop_model *model = example_racks(), *placed = NULL;

    (void)comma_begin();
    ck_assert_int_eq(hitop_placement_from_model(model, both, 4, &placed, NULL), HITOP_OK);
    ck_assert_double_eq(
        hitop_hierarchy_capacity(hitop_model_hierarchy(placed),
                                 hitop_hierarchy_parent(hitop_model_hierarchy(placed), 0)),
        0.5);
    comma_end();
    hitop_model_free(placed);
    hitop_model_free(model);
}
END_TEST

START_TEST(carries_what_several_messages_at_once_take)
{
    double thresholds[HITOP_NTHRESHOLDS];
    struct hitop_model *model, *job = NULL;
    const char *host[3];
    struct hitop_diag diag = HITOP_DIAG_INIT;

    for (int i = 0; i < HITOP_NTHRESHOLDS; i++) {
        thresholds[i] = NAN;
    }
    thresholds[HITOP_S] = 2385;
    thresholds[HITOP_SCATTER_LARGE_A] = 324e-6; /* to three other hosts */
    model = worked_lmo(thresholds);
    for (int k = 0; k < 3; k++) {
        host[k] = hitop_hierarchy_host(hitop_model_hierarchy(model), k);
    }
    ck_assert_msg(hitop_placement_from_model(model, host, 3, &job, &diag) == HITOP_OK, "%s",
                  diag.message);
    ck_assert_double_eq(hitop_model_collective(job)[HITOP_S], 2385);
    ck_assert_double_eq_tol(hitop_model_collective(job)[HITOP_SCATTER_LARGE_A], 216e-6, 1e-15);
    ck_assert(isnan(hitop_model_collective(job)[HITOP_M1]));
    hitop_model_free(job);
    hitop_model_free(model);
}
END_TEST

START_TEST(guesses_from_names_that_near_is_cheaper)
{
    static const char *const hosts[] = {"a1.alpha.org", "b1.beta.org", "a2.alpha.org",
                                        "b2.beta.org"};
    struct hitop_model *placed = NULL;

    ck_assert_int_eq(hitop_placement_from_names(hosts, 4, 0, &placed, NULL), HITOP_OK);
    ck_assert_double_lt(latency(placed, 0, 2), latency(placed, 0, 1));
    ck_assert_double_lt(latency(placed, 1, 3), latency(placed, 2, 3));
    hitop_model_free(placed);
}
END_TEST

/*
 * A rank that shares its processor forwards a message late: the root serves several hosts itself.
 */
START_TEST(guesses_that_turns_of_others_cost_time)
{
    static const char *const hosts[] = {"n1", "n2", "n3", "n4"};
    double quiet = 0;
    int served[2];

    for (int shared = 0; shared < 2; shared++) {
        struct hitop_model *placed = NULL;
        struct hitop_bcast_choices *route = NULL;
        struct hitop_bcast_choice choice;
        int is_complete;

        ck_assert_int_eq(hitop_placement_from_names(hosts, 4, shared, &placed, NULL), HITOP_OK);
        ck_assert(!shared || latency(placed, 0, 1) > quiet + 1e-4);
        quiet = latency(placed, 0, 1);
        ck_assert_int_eq(hitop_bcast_choices_create(placed, 0, 0, &route, NULL), HITOP_OK);
        choice = hitop_bcast_choose(route, 0, 65536, SIZE_MAX, &is_complete);
        (void)hitop_tree_children(hitop_bcast_choice_tree(route, choice.algorithm, 0, 65536), 0,
                                  &served[shared]);
        hitop_bcast_choices_free(route);
    }
    ck_assert_int_lt(served[0], 3);
    ck_assert_int_eq(served[1], 3);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, prices_hosts_in_any_order);
    tcase_add_test(tc, leaves_out_levels_without_messages);
    tcase_add_test(tc, finds_hosts_by_their_short_names);
    tcase_add_test(tc, takes_several_nodes_of_one_host);
    tcase_add_test(tc, takes_the_ranks_of_a_host_in_turn);
    tcase_add_test(tc, keeps_the_narrowest_of_the_links_that_become_one);
    tcase_add_test(tc, keeps_capacities_whatever_the_locale);
    tcase_add_test(tc, carries_what_several_messages_at_once_take);
    tcase_add_test(tc, guesses_from_names_that_near_is_cheaper);
    tcase_add_test(tc, guesses_that_turns_of_others_cost_time);
}

TEST_MAIN("placement", add_tests)
