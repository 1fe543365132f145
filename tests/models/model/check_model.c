/* SPDX-License-Identifier: BSD-3-Clause */
/* check_model.c - every pair gets the price of the group in which it meets. */
#include <config.h>

#include "hitop/sys/model.h"

#include "tests/support/example_hierarchy.h"
#include "tests/support/test_main.h"

#include <math.h>

/* Latencies of all pairs in microseconds, worked out by hand. */
static const double alpha_us[8][8] = {
    {0, 3, 60, 60, 1, 3, 60, 60},      {3, 0, 60, 60, 3, 1.2, 60, 60},
    {60, 60, 0, 2.5, 60, 60, .8, 2.5}, {60, 60, 2.5, 0, 60, 60, 2.5, .9},
    {1, 3, 60, 60, 0, 3, 60, 60},      {3, 1.2, 60, 60, 3, 0, 60, 60},
    {60, 60, .8, 2.5, 60, 60, 0, 2.5}, {60, 60, 2.5, .9, 60, 60, 2.5, 0},
};

/* Nanoseconds per byte. */
static const double beta_ns[8][8] = {
    {0, .4, 1.2, 1.2, .1, .4, 1.2, 1.2},    {.4, 0, 1.2, 1.2, .4, .11, 1.2, 1.2},
    {1.2, 1.2, 0, .35, 1.2, 1.2, .09, .35}, {1.2, 1.2, .35, 0, 1.2, 1.2, .35, .095},
    {.1, .4, 1.2, 1.2, 0, .4, 1.2, 1.2},    {.4, .11, 1.2, 1.2, .4, 0, 1.2, 1.2},
    {1.2, 1.2, .09, .35, 1.2, 1.2, 0, .35}, {1.2, 1.2, .35, .095, 1.2, 1.2, .35, 0},
};

START_TEST(prices_all_pairs_of_the_worked_example)
{
    struct hitop_model *model = example_model();
    double alpha_sum = 0, beta_sum = 0;

    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++) {
            const double latency = hitop_model_p2p(model, i, j, 0);
            ck_assert_double_eq_tol(latency, alpha_us[i][j] * 1e-6, 1e-18);
            alpha_sum += latency;
            ck_assert_double_eq_tol(hitop_model_p2p(model, i, j, 1000) - latency,
                                    beta_ns[i][j] * 1e-6, 1e-18);
            beta_sum += hitop_model_p2p(model, i, j, 1000) - latency;
        }
    }
    ck_assert_double_eq_tol(alpha_sum / 56, 35.210714286e-6, 1e-14);
    ck_assert_double_eq_tol(beta_sum / 56 / 1000, 0.806964286e-9, 1e-17);
    hitop_model_free(model);
}
END_TEST

/* The example with one capacity for all groups. */
static struct hitop_model *example_with(const char *capacity)
{
    const char *const value[EXAMPLE_CLASSES] = {capacity, capacity, capacity, capacity,
                                                capacity, capacity, capacity};
    struct hitop_hierarchy *h = example_hierarchy(), *other = NULL;
    struct hitop_class classes[EXAMPLE_CLASSES];
    struct hitop_model *model = NULL;

    ck_assert_int_eq(hitop_hierarchy_copy(h, "capacity", value, &other, NULL), HITOP_OK);
    example_classes(classes);
    ck_assert_int_eq(example_build("hockney", other, classes, EXAMPLE_CLASSES, NULL, &model, NULL),
                     HITOP_OK);
    hitop_hierarchy_free(other);
    hitop_hierarchy_free(h);
    return model;
}

START_TEST(offers_itself_as_a_cost)
{
    struct hitop_model *model = example_model();
    const struct hitop_cost cost = hitop_model_cost(model);
    double serial = 0, parallel = 0;

    ck_assert_int_eq(cost.nranks, 8);
    for (int rank = 1; rank < 8; rank++) { /* a flat scatter of 1000 bytes from rank 0 */
        serial += cost.p2p(cost.self, 0, rank, 1000);
        parallel = fmax(parallel, cost.p2p(cost.self, 0, rank, 1000));
        ck_assert_double_eq(cost.occupancy(cost.self, 0, rank, 1000),
                            cost.p2p(cost.self, 0, rank, 1000));
    }
    ck_assert_double_eq_tol(serial, 252.7e-6, 1e-16);
    ck_assert_double_eq_tol(parallel, 61.2e-6, 1e-16);
    ck_assert_double_eq(cost.p2p(cost.self, 3, 3, 1000), 0);
    hitop_model_free(model);
}
END_TEST

static const int narrow_nodes[3] = {4, 7, 9};

/* Ranks 0 and 1 on host 4, which carries one message at once; hosts 4 and 5 at site 7; rank 3 far
 * away. */
static struct hitop_hierarchy *narrow_hierarchy(void)
{
    static const int parents[9] = {4, 4, 5, 6, 7, 7, 8, 9, 9};
    static const char *const host[4] = {"a", "a", "b", "c"};
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    struct hitop_hierarchy *h = NULL;

    for (int rank = 0; rank < 4; rank++) {
        (void)hitop_hierarchy_builder_leaf(b, rank, host[rank]);
    }
    for (int group = 4; group <= 9; group++) {
        (void)hitop_hierarchy_builder_group(b, "", "");
    }
    hitop_hierarchy_builder_attr(b, 4, "capacity", "1");
    for (int node = 0; node < 9; node++) {
        hitop_hierarchy_builder_edge(b, node, parents[node]);
    }
    ck_assert_int_eq(hitop_hierarchy_builder_finish(b, &h, NULL), HITOP_OK);
    hitop_hierarchy_builder_free(b);
    return h;
}

static struct hitop_model *narrow_model(const struct hitop_model_parts *given)
{
    struct hitop_hierarchy *h = narrow_hierarchy();
    struct hitop_model_parts parts = *given;
    struct hitop_model *model = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    parts.hierarchy = h;
    parts.nclasses = 3;
    ck_assert_msg(hitop_model_build(&parts, &model, &diag) == HITOP_OK, "%s", diag.message);
    hitop_hierarchy_free(h);
    return model;
}

static struct hitop_model *narrow_host(void)
{
    static const double params[3][2] = {{1e-6, 0.1e-9}, {3e-6, 0.4e-9}, {60e-6, 4e-9}};
    struct hitop_class classes[3];

    for (int i = 0; i < 3; i++) {
        classes[i] =
            (struct hitop_class){.node = narrow_nodes[i], .pair = {-1, -1}, .params = params[i]};
    }
    return narrow_model(&(struct hitop_model_parts){.type = "hockney", .classes = classes});
}

/* A way has the speed of the links that it was made for, whatever slower ones come behind it. */
START_TEST(a_message_takes_a_trunk_at_the_speed_of_the_trunk)
{
    struct hitop_model *model = narrow_host();
    const struct hitop_cost cost = hitop_model_cost(model);
    struct hitop_crossing c[6];

    ck_assert_int_eq(cost.crossings(cost.self, 0, 2, 1000, c), 1);
    ck_assert_double_eq_tol(c[0].seconds, 0.4e-6, 1e-18);
    ck_assert_int_eq(cost.crossings(cost.self, 0, 3, 1000, c), 1);
    ck_assert_double_eq_tol(c[0].seconds, 0.4e-6, 1e-18);
    ck_assert_int_eq(cost.crossings(cost.self, 3, 1, 1000, c), 1);
    ck_assert_double_eq_tol(c[0].seconds, 0.4e-6, 1e-18);
    ck_assert_int_eq(cost.crossings(cost.self, 3, 2, 1000, c), 0);
    hitop_model_free(model);
}
END_TEST

/* 60 us and 4 ns a byte; from 1000 bytes on, a round trip more: what asks first is not eager. */
static struct hitop_model *with_handshake(int has_eager)
{
    static const double lines[3][6] = {{0, 1e-6, 0.1e-9},
                                       {0, 3e-6, 0.4e-9, 1000, 4e-6, 0.4e-9},
                                       {0, 60e-6, 4e-9, 1000, 180e-6, 4e-9}};
    struct hitop_class classes[3];

    for (int i = 0; i < 3; i++) {
        classes[i] = (struct hitop_class){.node = narrow_nodes[i],
                                          .pair = {-1, -1},
                                          .table = lines[i],
                                          .nrows = i == 0 ? 1 : 2,
                                          .has_eager = has_eager,
                                          .eager = 77};
    }
    return narrow_model(&(struct hitop_model_parts){.type = "piecewise", .classes = classes});
}

START_TEST(a_rise_of_a_formula_is_a_handshake)
{
    struct hitop_model *model = with_handshake(0), *measured = with_handshake(1),
                       *line = narrow_host();
    const struct hitop_cost cost = hitop_model_cost(model);

    ck_assert_uint_eq(cost.eager(cost.self, 0, 1), HITOP_ALL_SIZES);
    ck_assert_uint_eq(cost.eager(cost.self, 0, 2),
                      HITOP_ALL_SIZES); /* a third of a latency is none */
    ck_assert_uint_eq(cost.eager(cost.self, 3, 0), 999);
    ck_assert_double_eq_tol(cost.handshake(cost.self, 0, 3, 999), 0, 1e-15);
    ck_assert_double_eq_tol(cost.handshake(cost.self, 0, 3, 1000), 120e-6, 1e-15);
    ck_assert_double_eq_tol(cost.handshake(cost.self, 0, 3, 1 << 20), 120e-6, 1e-15);
    ck_assert_double_eq(cost.handshake(cost.self, 3, 3, 1000), 0);
    ck_assert_uint_eq(hitop_model_cost(measured).eager(measured, 3, 0), 77);
    ck_assert(!hitop_model_cost(line).eager);
    ck_assert(!hitop_model_cost(line).handshake);
    hitop_model_free(line);
    hitop_model_free(measured);
    hitop_model_free(model);
}
END_TEST

/* From 0 to 2 and back; 0 shares the way of its host, 2 has a card of its own. */
static void assert_ends(const struct hitop_model *model, const double *there, const double *back)
{
    const struct hitop_cost cost = hitop_model_cost(model);

    ck_assert_double_eq_tol(cost.occupancy(cost.self, 0, 2, 1001), there[0] * 1e-6, 1e-15);
    ck_assert_double_eq_tol(cost.reception(cost.self, 0, 2, 1001), there[1] * 1e-6, 1e-15);
    ck_assert_double_eq_tol(cost.occupancy(cost.self, 2, 0, 1001), back[0] * 1e-6, 1e-15);
    ck_assert_double_eq_tol(cost.reception(cost.self, 2, 0, 1001), back[1] * 1e-6, 1e-15);
}

START_TEST(a_shared_way_parts_messages)
{
    static const double loggp[] = {20e-6, 1e-6, 2e-6, 3e-6, 1e-9}; /* L, os, or, g, G */
    static const double latency[] = {20e-6}, tables[2][4] = {{0, 1e-6, 2e-6, 3e-6}, /* os, or, g */
                                                             {2002, 9e-6, 8e-6, 43e-6}};
    static const double link[] = {5e-6, 1e-9}, processor[] = {2e-6, 3e-9}; /* LMO */
    static const int processor_of[4] = {0, 0, 0, 0};
    const struct hitop_processor alike = {.params = processor};
    struct hitop_class classes[3];
    struct hitop_model *model;

    for (int i = 0; i < 3; i++) {
        classes[i] =
            (struct hitop_class){.node = narrow_nodes[i], .pair = {-1, -1}, .params = loggp};
    }
    model = narrow_model(&(struct hitop_model_parts){.type = "loggp", .classes = classes});
    assert_ends(model, (const double[]){3, 4}, (const double[]){4, 3});
    hitop_model_free(model);
    for (int i = 0; i < 3; i++) {
        classes[i].params = latency;
        classes[i].table = tables[0];
        classes[i].nrows = 2;
    }
    model = narrow_model(&(struct hitop_model_parts){.type = "plogp", .classes = classes});
    assert_ends(model, (const double[]){5, 23}, (const double[]){23, 5});
    hitop_model_free(model);
    for (int i = 0; i < 3; i++) {
        classes[i] =
            (struct hitop_class){.node = narrow_nodes[i], .pair = {-1, -1}, .params = link};
    }
    model = narrow_model(&(struct hitop_model_parts){.type = "lmo",
                                                     .classes = classes,
                                                     .processors = &alike,
                                                     .nprocessors = 1,
                                                     .processor_of = processor_of});
    assert_ends(model, (const double[]){5.003, 5.003}, (const double[]){5.003, 5.003});
    hitop_model_free(model);
    model = narrow_host();
    assert_ends(model, (const double[]){1.5, 3.4004}, (const double[]){3.4004, 1.5});
    hitop_model_free(model);
}
END_TEST

/* 1000 bytes take 8 us of a way of their speed. */
START_TEST(messages_between_groups_with_capacities_cross_trunks)
{
    struct hitop_model *model = example_racks(), *unlimited = example_with("unlimited");
    const struct hitop_cost cost = hitop_model_cost(model);
    struct hitop_crossing c[4];

    ck_assert_int_ge(cost.ntrunks, 4);
    ck_assert_int_ge(cost.max_crossings, 2);
    ck_assert_int_eq(cost.crossings(cost.self, 0, 1, 1000, c), 0);
    ck_assert_int_eq(cost.crossings(cost.self, 3, 3, 1000, c), 0);
    ck_assert_int_eq(cost.crossings(cost.self, 0, 3, 1000, c), 2);
    ck_assert_double_eq_tol(c[0].seconds, 16e-6, 1e-18); /* out of A, where half of it has room */
    ck_assert_double_eq_tol(c[1].seconds, 2e-6, 1e-18);  /* into B, where four have */
    ck_assert_int_eq(cost.crossings(cost.self, 2, 1, 1000, c + 2), 2);
    ck_assert_double_eq_tol(c[2].seconds, 2e-6, 1e-18); /* out of B */
    ck_assert_double_eq_tol(c[3].seconds, 16e-6, 1e-18);
    for (int i = 0; i < 4; i++) { /* four different ones */
        ck_assert(c[i].trunk >= 0 && c[i].trunk < cost.ntrunks);
        for (int j = 0; j < i; j++) {
            ck_assert_int_ne(c[i].trunk, c[j].trunk);
        }
    }
    ck_assert(!hitop_model_cost(unlimited).crossings);
    hitop_model_free(unlimited);
    hitop_model_free(model);
}
END_TEST

/* Latency of the link keeps no processor: it is busy for no longer than over the shortest link. */
START_TEST(a_far_message_keeps_its_sender_no_longer_than_a_near_one)
{
    struct hitop_model *model = example_with("1");
    const struct hitop_cost cost = hitop_model_cost(model);

    /* 2.5 us between the hosts of a site, the shortest between hosts, for two ends; 60 us between
     * sites */
    ck_assert_double_eq_tol(cost.occupancy(cost.self, 0, 2, 1000), 1.25e-6, 1e-15);
    ck_assert_double_eq_tol(cost.reception(cost.self, 0, 2, 1000), 1.25e-6, 1e-15);
    ck_assert_double_eq_tol(cost.occupancy(cost.self, 2, 3, 1000), 1.25e-6, 1e-15);
    ck_assert_double_eq_tol(cost.p2p(cost.self, 0, 2, 1000), 61.2e-6, 1e-15);
    ck_assert_double_eq_tol(cost.occupancy(cost.self, 0, 2, 0), 1.25e-6, 1e-15);
    ck_assert_double_eq_tol(cost.reception(cost.self, 0, 2, 0), 1.25e-6, 1e-15);
    hitop_model_free(model);
}
END_TEST

/* Where nothing is known, predictions are those of capacity 1 between hosts, and the model
 * counts them. */
START_TEST(unknown_capacities_are_taken_to_be_one)
{
    struct hitop_model *unknown = example_model(), *one = example_with("1");
    const struct hitop_cost a = hitop_model_cost(unknown), b = hitop_model_cost(one);
    struct hitop_crossing c[8], d[8];

    ck_assert_int_eq(hitop_model_unknown_capacities(unknown), 6); /* hosts and sites */
    ck_assert_int_eq(hitop_model_unknown_capacities(one), 0);
    for (int from = 0; from < 8; from++) {
        for (int to = 0; to < 8; to++) {
            const int n = a.crossings(a.self, from, to, 1000, c);
            ck_assert_int_eq(b.crossings(b.self, from, to, 1000, d), n);
            ck_assert_int_eq(n, from % 4 == to % 4 ? 0 : from % 4 / 2 == to % 4 / 2 ? 2 : 4);
            for (int i = 0; i < n; i++) {
                ck_assert_int_eq(c[i].trunk, d[i].trunk);
                ck_assert_double_eq(c[i].seconds, d[i].seconds);
            }
        }
    }
    hitop_model_free(one);
    hitop_model_free(unknown);
}
END_TEST

START_TEST(keeps_copies_of_all_it_was_given)
{
    static const char *const hosts[] = {"alpha01.site1.org", "alpha02.site1.org"};
    char tool[] = "tool";
    double params[2] = {3.385e-6, 2.71e-9};
    double se[2] = {1e-8, NAN};
    struct hitop_class classes[EXAMPLE_CLASSES];
    struct hitop_provenance provenance = {.tool = tool, .seed = 17, .confidence = 0.95};
    struct hitop_hierarchy *h = example_hierarchy();
    struct hitop_model *model = NULL;
    const struct hitop_class *c;

    example_classes(classes);
    classes[4].params = params;
    classes[4].se = se;
    ck_assert_int_eq(
        example_build("hockney", h, classes, EXAMPLE_CLASSES, &provenance, &model, NULL), HITOP_OK);
    hitop_hierarchy_free(h);
    tool[0] = 'p';
    params[0] = se[0] = 4;
    c = hitop_model_class_of(model, 5, 4);
    ck_assert_int_eq(c->node, 12);
    ck_assert_double_eq(c->params[0], 3.385e-6);
    ck_assert_double_eq(c->se[0], 1e-8);
    ck_assert(isnan(c->se[1]) && !c->lo && !c->hi);
    ck_assert_str_eq(hitop_model_provenance(model)->tool, "tool");
    ck_assert_ptr_null(hitop_model_provenance(model)->date);
    ck_assert_str_eq(hitop_hierarchy_host(hitop_model_hierarchy(model), 5), hosts[1]);
    ck_assert_str_eq(hitop_hierarchy_attr(hitop_model_hierarchy(model), 14, "zone"), "eu");
    ck_assert_ptr_null(hitop_model_class_of(model, 6, 6));
    ck_assert_int_eq(hitop_model_class(model, 6)->node, 14);
    hitop_model_free(model);
}
END_TEST

START_TEST(takes_classes_in_any_order)
{
    struct hitop_class classes[EXAMPLE_CLASSES], first;
    struct hitop_hierarchy *h = example_hierarchy();
    struct hitop_model *model = NULL;

    example_classes(classes);
    first = classes[0];
    classes[0] = classes[6];
    classes[6] = first;
    ck_assert_int_eq(example_build("hockney", h, classes, EXAMPLE_CLASSES, NULL, &model, NULL),
                     HITOP_OK);
    for (int i = 0; i < EXAMPLE_CLASSES; i++) {
        ck_assert_int_eq(hitop_model_class(model, i)->node, 8 + i);
    }
    hitop_model_free(model);
    hitop_hierarchy_free(h);
}
END_TEST

/* Spoil one thing and expect the reason. */
static void expect_refusal(struct hitop_class *classes, int nclasses, const char *reason)
{
    struct hitop_hierarchy *h = example_hierarchy();
    struct hitop_model *model = (struct hitop_model *)classes;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_int_eq(example_build("hockney", h, classes, nclasses, NULL, &model, &diag),
                     HITOP_ERR_INVALID);
    ck_assert_ptr_null(model);
    ck_assert_msg(strstr(diag.message, reason), "'%s' lacks '%s'", diag.message, reason);
    example_classes(classes);
    hitop_hierarchy_free(h);
}

START_TEST(refuses_classes_that_do_not_fit)
{
    static const double negative[] = {-1e-9, 1e-9}, nan[] = {1e-6, NAN}, huge[] = {1e-6, 1.5};
    static const double one[] = {1, 1}, two[] = {2, 2};
    struct hitop_class c[EXAMPLE_CLASSES];

    example_classes(c);
    expect_refusal(c, EXAMPLE_CLASSES - 1, "node 14 (root '') has no class");
    c[5].node = 12;
    c[5].pair[0] = c[5].pair[1] = HITOP_NO_RANK;
    expect_refusal(c, EXAMPLE_CLASSES, "node 12 (domain 'site1.org') has more than one class");
    c[0].node = 3;
    expect_refusal(c, EXAMPLE_CLASSES, "node 3 is not a group with two or more children");
    c[0].node = 15;
    expect_refusal(c, EXAMPLE_CLASSES, "node 15 is not");
    c[4].pair[1] = 8;
    expect_refusal(c, EXAMPLE_CLASSES, "pair 0, 8 has a rank outside 0..7");
    c[4].pair[1] = 2;
    expect_refusal(c, EXAMPLE_CLASSES, "ranks 0 and 2 do not meet in node 12");
    c[2].params = negative;
    expect_refusal(c, EXAMPLE_CLASSES, "hockney: alpha=-1e-09 is outside [0, 1000]");
    c[2].params = nan;
    expect_refusal(c, EXAMPLE_CLASSES, "beta=nan is outside");
    c[2].params = huge;
    expect_refusal(c, EXAMPLE_CLASSES, "beta=1.5 is outside [0, 1]");
    c[1].se = negative;
    expect_refusal(c, EXAMPLE_CLASSES, "standard error -1e-09 of alpha");
    c[1].lo = one;
    expect_refusal(c, EXAMPLE_CLASSES, "one end only");
    c[1].lo = two;
    c[1].hi = one;
    expect_refusal(c, EXAMPLE_CLASSES, "[2, 1] is not an interval of alpha");
    c[1].has_eager = 1;
    c[1].eager = (size_t)1 << 63;
    expect_refusal(c, EXAMPLE_CLASSES, "eager size 9223372036854775808 is not below 2^63");
    c[1].residual = NAN;
    expect_refusal(c, EXAMPLE_CLASSES, "residual nan");
    c[1].nsamples = -1;
    expect_refusal(c, EXAMPLE_CLASSES, "negative");
}
END_TEST

START_TEST(names_the_valid_models)
{
    struct hitop_hierarchy *h = example_hierarchy();
    struct hitop_model *model = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_int_eq(example_build("hokney", h, NULL, 0, NULL, &model, &diag), HITOP_ERR_NOTFOUND);
    ck_assert_ptr_nonnull(strstr(diag.message, "no model is called 'hokney'; valid: hockney"));
    for (const struct hitop_model_type *const *type = hitop_model_types(); *type; type++) {
        ck_assert_ptr_nonnull(strstr(diag.message, (*type)->name));
    }
    hitop_hierarchy_free(h);
}
END_TEST

START_TEST(needs_no_class_for_one_rank)
{
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    struct hitop_hierarchy *h = NULL;
    struct hitop_model *model = NULL;

    hitop_hierarchy_builder_edge(b, hitop_hierarchy_builder_leaf(b, 0, "alone"),
                                 hitop_hierarchy_builder_group(b, "root", ""));
    ck_assert_int_eq(hitop_hierarchy_builder_finish(b, &h, NULL), HITOP_OK);
    hitop_hierarchy_builder_free(b);
    ck_assert_int_eq(example_build("hockney", h, NULL, 0, NULL, &model, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_model_nclasses(model), 0);
    ck_assert_double_eq(hitop_model_p2p(model, 0, 0, 1000), 0);
    hitop_model_free(model);
    hitop_hierarchy_free(h);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, prices_all_pairs_of_the_worked_example);
    tcase_add_test(tc, offers_itself_as_a_cost);
    tcase_add_test(tc, messages_between_groups_with_capacities_cross_trunks);
    tcase_add_test(tc, unknown_capacities_are_taken_to_be_one);
    tcase_add_test(tc, a_far_message_keeps_its_sender_no_longer_than_a_near_one);
    tcase_add_test(tc, a_message_takes_a_trunk_at_the_speed_of_the_trunk);
    tcase_add_test(tc, a_rise_of_a_formula_is_a_handshake);
    tcase_add_test(tc, a_shared_way_parts_messages);
    tcase_add_test(tc, keeps_copies_of_all_it_was_given);
    tcase_add_test(tc, takes_classes_in_any_order);
    tcase_add_test(tc, refuses_classes_that_do_not_fit);
    tcase_add_test(tc, names_the_valid_models);
    tcase_add_test(tc, needs_no_class_for_one_rank);
}

TEST_MAIN("model", add_tests)
