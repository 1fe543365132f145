/* SPDX-License-Identifier: BSD-3-Clause */
/* check_whatif.c - models from attributes of a hierarchy, and of regular shapes. */
#include <config.h>

#include "models/whatif/whatif.h"

#include "hitop/dot.h"
#include "hitop/sys/model.h"

#include "tests/support/example_hierarchy.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <stdio.h>

/* Two racks of two hosts. */
#define RACKS                                                                                      \
    "digraph { node [type=0]; a [model_data=a]; b [model_data=b]; c [model_data=c]; "              \
    "d [model_data=d]; node [type=1]; "

#define EDGES "a->r1; b->r1; c->r2; d->r2; r1->top; r2->top; }"

/* The model of a text, or NULL with the reason in diag. */
static struct hitop_model *model_of(const char *text, int ranks_per_host, struct hitop_diag *diag)
{
    struct hitop_hierarchy *h = NULL;
    struct hitop_model *model = NULL;
    enum hitop_status status;

    ck_assert_int_eq(hitop_dot_parse("t", text, strlen(text), NULL, &h, diag), HITOP_OK);
    status = hitop_whatif_priced(h, ranks_per_host, &model, diag);
    ck_assert_int_eq(status, model ? HITOP_OK : HITOP_ERR_FORMAT);
    hitop_hierarchy_free(h);
    return model;
}

START_TEST(prices_pairs_by_their_smallest_common_group)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_model *model = model_of(
        RACKS "r1 [latency=\"2us\", bandwidth=\"2GB/s\"]; r2 [latency_us=3, "
              "bandwidth=\"8 Gbit/s\"]; top [latency=\"0.05ms\", bandwidth_MBps=500]; " EDGES,
        0, &diag);

    ck_assert_msg(model, "%s", diag.message);
    ck_assert_int_eq(hitop_model_nranks(model), 4);
    ck_assert_str_eq(hitop_model_type_of(model)->name, "hockney");
    ck_assert_double_eq_tol(hitop_model_p2p(model, 0, 1, 2000), 2e-6 + 1e-6, 1e-15);
    ck_assert_double_eq_tol(hitop_model_p2p(model, 2, 3, 2000), 3e-6 + 2e-6, 1e-15);
    ck_assert_double_eq_tol(hitop_model_p2p(model, 3, 0, 2000), 50e-6 + 4e-6, 1e-15);
    ck_assert(!hitop_class_is_measured(hitop_model_class(model, 0)));
    hitop_model_free(model);
}
END_TEST

START_TEST(makes_ranks_of_hosts)
{
    static const char *const priced =
        "digraph { ranks_per_host=3; node [type=0, latency=\"1us\", bandwidth=\"4GB/s\"]; a "
        "[model_data=a]; b [model_data=b]; node [type=1]; top [latency=\"9us\", "
        "bandwidth=\"1GB/s\"]; a->top; b->top; }";
    static const char *const listed =
        "digraph { node [type=0]; a [model_data=a, rank=\"0,2-3\", latency=\"1us\", "
        "bandwidth=\"4GB/s\"]; b [model_data=b, rank=1]; node [type=1]; top [latency=\"9us\", "
        "bandwidth=\"1GB/s\"]; a->top; b->top; }";
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_model *model = model_of(priced, 0, &diag);

    ck_assert_msg(model, "%s", diag.message);
    ck_assert_int_eq(hitop_model_nranks(model), 6);
    ck_assert_str_eq(hitop_hierarchy_host(hitop_model_hierarchy(model), 3), "b");
    ck_assert_double_eq_tol(hitop_model_p2p(model, 3, 5, 0), 1e-6, 1e-15);
    ck_assert_double_eq_tol(hitop_model_p2p(model, 2, 3, 0), 9e-6, 1e-15);
    hitop_model_free(model);
    model = model_of(priced, 5, &diag);
    ck_assert_msg(model && hitop_model_nranks(model) == 10, "%s", diag.message);
    hitop_model_free(model);
    model = model_of(listed, 0, &diag);
    ck_assert_msg(model && hitop_model_nranks(model) == 4, "%s", diag.message);
    ck_assert_double_eq_tol(hitop_model_p2p(model, 0, 3, 0), 1e-6, 1e-15);
    ck_assert_double_eq_tol(hitop_model_p2p(model, 0, 1, 0), 9e-6, 1e-15);
    hitop_model_free(model);
}
END_TEST

static const struct {
    const char *text;
    int ranks_per_host;
    const char *message;
} refusals[] = {
    {RACKS "r1; r2; top; " EDGES, 0,
     "a hierarchy without times; hierarchical_model measures them, or write latency=\"12us\" and "
     "bandwidth=\"1.2GB/s\" at each group"},
    {RACKS "r1; r2; top [latency=\"1us\", bandwidth=\"1GB/s\"]; " EDGES, 0,
     "group \"r1\" needs latency, such as latency=\"12us\"; 1 more group has no price"},
    {RACKS "node [latency=\"1us\", bandwidth=\"1GB/s\"]; r1; r2; node [latency=\"\"]; top "
           "[latency=12]; " EDGES,
     0, "group \"top\": latency '12' is not a time: "},
    {RACKS "node [latency_us=1]; r1; r2; top; " EDGES, 0,
     "group \"top\" needs bandwidth, such as bandwidth=\"1.2GB/s\"; 2 more groups have no price"},
    {RACKS "node [latency=\"1us\", bandwidth=\"1GB\"]; r1; r2; top; " EDGES, 0,
     "group \"r1\": bandwidth '1GB' is not a rate: "},
    {RACKS "node [latency=\"1us\", bandwidth=\"1GB/s\"]; r1; r2; top [latency_us=1]; " EDGES, 0,
     "group \"top\" has both latency and latency_us"},
    {RACKS "node [latency=\"1h\", bandwidth_MBps=-1]; r1; r2; top; " EDGES, 0,
     "group \"r1\": latency '1h'"},
    {RACKS "node [latency=\"1us\", bandwidth_MBps=0]; r1; r2; top; " EDGES, 0,
     "allowed are at most 1000 s and at least 1 B/s"},
    {RACKS "node [latency=\"1us\", bandwidth=\"1GB/s\"]; r1; r2; top; " EDGES, 2,
     "group \"a\" needs latency"},
    {RACKS "ranks_per_host=0; node [latency=\"1us\", bandwidth=\"1GB/s\"]; r1; r2; top; " EDGES, 0,
     "graph: ranks_per_host '0' is not an integer in 1..65536"},
    {"digraph { node [type=0]; a [model_data=a, rank=\"0-1\"]; b [model_data=b, rank=2]; top "
     "[type=1, latency=\"1us\", bandwidth=\"1GB/s\"]; a->top; b->top; }",
     0, "host \"a\" has 2 ranks, so its leaf needs latency=\"12us\" and bandwidth=\"1.2GB/s\""},
    {"digraph { a [type=0, model_data=a, rank=\"0-1\"]; top [type=1, latency=\"1us\", "
     "bandwidth=\"1GB/s\"]; a->top; }",
     2, "host \"a\" has several ranks already"},
};

START_TEST(names_the_group_without_a_price)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_ptr_null(model_of(refusals[_i].text, refusals[_i].ranks_per_host, &diag));
    ck_assert_msg(strstr(diag.message, refusals[_i].message), "'%s' lacks '%s'", diag.message,
                  refusals[_i].message);
}
END_TEST

/* The model of a shape, or NULL with the reason in diag. */
static struct hitop_model *shape_of(const char *text, const char *prices,
                                    const struct hitop_model *base, struct whatif_shape *shape,
                                    struct hitop_diag *diag)
{
    struct hitop_model *model = NULL;
    enum hitop_status status = hitop_whatif_parse_shape(text, shape, diag);

    if (status == HITOP_OK && prices) {
        status = hitop_whatif_parse_prices(prices, shape, diag);
    }
    if (status == HITOP_OK) {
        status = hitop_whatif_shaped(shape, base, &model, diag);
    }
    ck_assert_int_eq(status != HITOP_OK, model == NULL);
    return model;
}

START_TEST(builds_a_shape_from_given_prices)
{
    struct whatif_shape shape;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_model *model =
        shape_of("rack:3,host:2 core:4", "root=50us,1GB/s rack=5us,2GB/s,0.5  host=1us,4GB/s", NULL,
                 &shape, &diag);
    const struct hitop_hierarchy *h;

    ck_assert_msg(model, "%s", diag.message);
    h = hitop_model_hierarchy(model);
    ck_assert(hitop_model_nranks(model) == 24 && shape.nlevels == 3 && shape.nranks == 24);
    ck_assert_double_eq_tol(hitop_model_p2p(model, 0, 3, 1000), 1.25e-6, 1e-15);
    ck_assert_double_eq_tol(hitop_model_p2p(model, 3, 4, 1000), 5.5e-6, 1e-15);
    ck_assert_double_eq_tol(hitop_model_p2p(model, 7, 8, 1000), 51e-6, 1e-15);
    ck_assert_int_eq(hitop_hierarchy_lca(h, 7, 8), hitop_hierarchy_root(h));
    ck_assert(hitop_hierarchy_share_host(h, 4, 7) && !hitop_hierarchy_share_host(h, 3, 4));
    ck_assert_double_eq(hitop_hierarchy_capacity(h, hitop_hierarchy_lca(h, 3, 4)), 0.5);
    ck_assert_str_eq(shape.level[1].origin, "given, 5 us and 2 GB/s");
    hitop_model_free(model);
}
END_TEST

/* Hosts inside of which there are packages, and ranks that are hosts. */
START_TEST(finds_the_hosts_of_a_shape)
{
    struct whatif_shape shape;
    struct hitop_model *model =
        shape_of("node:2 package:2 core:3", "root=9us,1GB/s node=2us,1GB/s package=1us,1GB/s", NULL,
                 &shape, NULL);
    const struct hitop_hierarchy *h = hitop_model_hierarchy(model);

    ck_assert(hitop_hierarchy_share_host(h, 0, 5) && !hitop_hierarchy_share_host(h, 5, 6));
    hitop_model_free(model);
    model = shape_of("rack:2 host:3", "root=9us,1GB/s rack=2us,1GB/s", NULL, &shape, NULL);
    h = hitop_model_hierarchy(model);
    ck_assert(hitop_model_nranks(model) == 6 && !hitop_hierarchy_share_host(h, 0, 1));
    hitop_model_free(model);
}
END_TEST

START_TEST(takes_the_median_group_of_a_measured_level)
{
    struct whatif_shape shape;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_model *base = example_model();
    struct hitop_model *model =
        shape_of("domain:4 host:8 core:16", "domain=7us,1GB/s", base, &shape, &diag);

    ck_assert_msg(model, "%s", diag.message);
    ck_assert_int_eq(hitop_model_nranks(model), 512);
    ck_assert_double_eq(hitop_model_p2p(model, 0, 511, 0), 60e-6);
    ck_assert_double_eq(hitop_model_p2p(model, 0, 127, 0), 7e-6);
    ck_assert_double_eq(hitop_model_p2p(model, 0, 15, 0), 0.9e-6); /* of .8, .9, 1 and 1.2 */
    ck_assert_str_eq(shape.level[0].origin, "the one class of level root");
    ck_assert_str_eq(shape.level[2].origin, "median of 4 classes of level host; the times of the "
                                            "others are 0.889 to 1.33 of it");
    hitop_model_free(model);
    model = shape_of("island:2 host:2 core:2", "island=domain", base, &shape, &diag);
    ck_assert_msg(model, "%s", diag.message);
    ck_assert_double_eq(hitop_model_p2p(model, 0, 2, 0), 2.5e-6);
    hitop_model_free(model);
    hitop_model_free(base);
}
END_TEST

/* A shape like the model, with the same parameters everywhere, is the model. */
START_TEST(is_the_model_where_all_groups_are_alike)
{
    static const char *const types[] = {"hockney", "lmo", "loggp", "max_rate"};
    struct hitop_hierarchy *h = example_hierarchy();
    double params[8] = {3e-6, 1e-9, 2e-6, 1e-6, 1e-9, 0, 0, 0}, processor[2] = {1e-6, 1e-10};
    const struct hitop_processor processors[] = {
        {.rank = HITOP_NO_RANK, .params = processor, .converged = 1}};
    struct hitop_model *base = NULL, *model;
    struct whatif_shape shape;
    struct hitop_class classes[EXAMPLE_CLASSES];
    struct hitop_model_parts parts = {
        .type = types[_i], .hierarchy = h, .classes = classes, .nclasses = EXAMPLE_CLASSES};

    if (strcmp(types[_i], "max_rate") == 0) {
        params[1] = params[2] = 1e9;
    }
    parts.processors = strcmp(types[_i], "lmo") == 0 ? processors : NULL;
    parts.nprocessors = parts.processors ? 1 : 0;
    for (int i = 0; i < EXAMPLE_CLASSES; i++) {
        classes[i] = (struct hitop_class){.node = 8 + i,
                                          .pair = {HITOP_NO_RANK, HITOP_NO_RANK},
                                          .params = params,
                                          .converged = 1};
    }
    ck_assert_int_eq(hitop_model_build(&parts, &base, NULL), HITOP_OK);
    model = shape_of("domain:2 host:2 core:2", NULL, base, &shape, NULL);
    for (size_t bytes = 0; bytes < 1 << 20; bytes = 8 * bytes + 1) {
        /* ranks 0 and 4 of the example are on its first host, 1 is in the same domain */
        ck_assert_double_eq(hitop_model_p2p(model, 0, 1, bytes),
                            hitop_model_p2p(base, 0, 4, bytes));
        ck_assert_double_eq(hitop_model_p2p(model, 0, 2, bytes),
                            hitop_model_p2p(base, 0, 1, bytes));
        ck_assert_double_eq(hitop_model_p2p(model, 0, 7, bytes),
                            hitop_model_p2p(base, 0, 3, bytes));
        ck_assert_double_eq(hitop_model_occupancy(model, 0, 7, bytes),
                            hitop_model_occupancy(base, 0, 3, bytes));
    }
    hitop_model_free(model);
    hitop_model_free(base);
    hitop_hierarchy_free(h);
}
END_TEST

static const struct {
    const char *shape, *prices, *message;
} wrong[] = {
    {"", NULL, "no levels; such as 'rack:8 host:16 core:64'"},
    {"rack", NULL, "'rack' is not a level with a number, such as rack:8"},
    {":8", NULL, "'' is not a level with a number"},
    {"8:rack", NULL, "'8' is not a level"},
    {"rack:0", NULL, "rack: '0' is not an integer in 1..100000000"},
    {"rack:2 rack:2", NULL, "level rack twice"},
    {"root:2", NULL, "level root twice; all others are in the root"},
    {"a:10000 b:10001", NULL, "more than 100000000 ranks"},
    {"a:1 b:1 c:1 d:1 e:1 f:1 g:1 h:1 i:1 j:1 k:1 l:1 m:1 n:1 o:1 p:1 q:1", NULL,
     "more than 16 levels"},
    {"rack:2 core:2", "", "no price, such as rack=50us,1GB/s"},
    {"rack:2 core:2", "rack", "'rack' is not LEVEL=PRICE"},
    {"rack:2 core:2", "core=1us,1GB/s",
     "a core is a rank, so it has no links inside; levels with "
     "prices: root, rack"},
    {"rack:2 core:2", "host=1us,1GB/s", "the shape has no level 'host'; levels: root, rack"},
    {"rack:2 core:2", "rack=1us", "rack: '1us': a price is LATENCY,BANDWIDTH"},
    {"rack:2 core:2", "rack=1,1GB/s", "rack: '1' is not a time"},
    {"rack:2 core:2", "rack=1us,1GB", "rack: '1GB' is not a rate"},
    {"rack:2 core:2", "rack=1us,1GB/s,x", "rack: 'x' is neither a number nor a fraction"},
    {"rack:2 core:2", "rack=1us,1GB/s,2,3", "a price is"},
    {"rack:2 core:2", "root=1us,1GB/s,2", "root: no link leads out of it"},
    {"rack:2 core:2", "rack=1us,1GB/s rack=root", "two prices of level rack"},
    {"rack:2 core:2", "rack=2000s,1GB/s", "allowed are at most 1000 s"},
    {"rack:2 core:2", NULL, "the model has no level 'rack'; its levels: root, domain, host"},
    {"rack:2 core:2", "rack=cabinet", "the model has no level 'cabinet'; its levels: root, "},
};

START_TEST(explains_what_is_wrong_with_a_shape)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_model *base = example_model();
    struct whatif_shape shape;

    ck_assert_ptr_null(shape_of(wrong[_i].shape, wrong[_i].prices, base, &shape, &diag));
    ck_assert_msg(strstr(diag.message, wrong[_i].message), "'%s' lacks '%s'", diag.message,
                  wrong[_i].message);
    hitop_model_free(base);
}
END_TEST

START_TEST(needs_prices_without_a_model)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct whatif_shape shape;

    ck_assert_ptr_null(shape_of("rack:2 core:2", "root=1us,1GB/s", NULL, &shape, &diag));
    ck_assert_str_eq(diag.message,
                     "level rack has no price; give one, such as rack=50us,1GB/s, or a model");
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, prices_pairs_by_their_smallest_common_group);
    tcase_add_test(tc, makes_ranks_of_hosts);
    tcase_add_loop_test(tc, names_the_group_without_a_price, 0,
                        (int)(sizeof(refusals) / sizeof(refusals[0])));
    tcase_add_test(tc, builds_a_shape_from_given_prices);
    tcase_add_test(tc, finds_the_hosts_of_a_shape);
    tcase_add_test(tc, takes_the_median_group_of_a_measured_level);
    tcase_add_loop_test(tc, is_the_model_where_all_groups_are_alike, 0, 4);
    tcase_add_loop_test(tc, explains_what_is_wrong_with_a_shape, 0,
                        (int)(sizeof(wrong) / sizeof(wrong[0])));
    tcase_add_test(tc, needs_prices_without_a_model);
}

TEST_MAIN("models of what is not measured", add_tests)
