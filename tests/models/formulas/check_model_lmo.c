/* SPDX-License-Identifier: BSD-3-Clause */
/* check_model_lmo.c - costs of processors apart from those of the network, by hand and end to end.
 */
#include <config.h>

#include "models/fit/estimate.h"

#include "hitop/measure.h"

#include "tests/support/example_hierarchy.h"
#include "tests/support/test_main.h"

#include <math.h>

enum { NRANKS = 4, M = 1000, NSIZES = 2 };

/* Worked example: microseconds, and nanoseconds per byte. */
static const double C[NRANKS] = {10, 12, 9, 15}, t[NRANKS] = {4, 5, 3, 6};
static const double L[NRANKS][NRANKS] = {
    {0, 20, 22, 25}, {20, 0, 21, 24}, {22, 21, 0, 23}, {25, 24, 23, 0}};
static const double beta[NRANKS][NRANKS] = {
    {0, 9, 8, 11}, {9, 0, 10, 12}, {8, 10, 0, 9.5}, {11, 12, 9.5, 0}};

static const struct hitop_model_type *lmo(void)
{
    const struct hitop_model_type *type = NULL;

    ck_assert_int_eq(hitop_model_type_find("lmo", &type, NULL), HITOP_OK);
    return type;
}

/* m bytes from i to j, an empty message back; in microseconds. */
static double reply(int i, int j, double m)
{
    return 2 * (C[i] + L[i][j] + C[j]) + m * 1e-3 * (t[i] + beta[i][j] + t[j]);
}

static double fan(int i, int j, int k, double m)
{
    return fmax(reply(i, j, m), reply(i, k, m)) + 2 * C[i] + m * 1e-3 * t[i];
}

static struct hitop_point point(size_t bytes, double us)
{
    return (struct hitop_point){.bytes = bytes,
                                .seconds = us * 1e-6,
                                .se = us * 1e-9,
                                .lo = us * 1e-6,
                                .hi = us * 1e-6,
                                .nsamples = 1,
                                .converged = 1};
}

START_TEST(gives_the_numbers_of_the_worked_example)
{
    for (int i = 0; i < NRANKS; i++) {
        struct hitop_triple_evidence triples[3];
        struct hitop_point points[3][3][NSIZES];
        double value[2], se[2], lo[2], hi[2];
        struct hitop_fit out = {.params = value, .se = se, .lo = lo, .hi = hi};
        size_t n = 0;
        for (int j = 0; j < NRANKS; j++) {
            for (int k = j + 1; k < NRANKS; k++) {
                struct hitop_point(*p)[NSIZES] = points[n];
                if (j == i || k == i) {
                    continue;
                }
                for (int s = 0; s < NSIZES; s++) {
                    p[0][s] = point(s ? M : 0, fan(i, j, k, s ? M : 0));
                    p[1][s] = point(s ? M : 0, reply(i, j, s ? M : 0));
                    p[2][s] = point(s ? M : 0, reply(i, k, s ? M : 0));
                }
                triples[n++] = (struct hitop_triple_evidence){
                    .fan = {p[0], NSIZES}, .reply = {{p[1], NSIZES}, {p[2], NSIZES}}};
            }
        }
        ck_assert_int_eq(lmo()->fit_processor(triples, n, 0.95, hitop_estimators(), &out, NULL),
                         HITOP_OK);
        ck_assert_double_eq_tol(value[0], C[i] * 1e-6, 1e-15);
        ck_assert_double_eq_tol(value[1], t[i] * 1e-9, 1e-18);
        ck_assert(lo[0] <= value[0] && value[0] <= hi[0] && lo[1] <= value[1] && value[1] <= hi[1]);
    }
}
END_TEST

START_TEST(prices_the_worked_message)
{
    const double link[] = {20e-6, 9e-9}, from[] = {10e-6, 4e-9}, to[] = {12e-6, 5e-9};
    const struct hitop_terms terms = {.link = link, .from = from, .to = to};

    ck_assert_double_eq_tol(lmo()->p2p(&terms, M), 60e-6, 1e-15);
    ck_assert_double_eq_tol(lmo()->occupancy(&terms, M), 14e-6, 1e-15);
    ck_assert_double_eq_tol(lmo()->reception(&terms, M), 17e-6, 1e-15);
}
END_TEST

START_TEST(needs_two_sizes)
{
    struct hitop_point one = point(0, 1);
    const struct hitop_triple_evidence triple = {.fan = {&one, 1}, .reply = {{&one, 1}, {&one, 1}}};
    double value[2], se[2], lo[2], hi[2];
    struct hitop_fit out = {.params = value, .se = se, .lo = lo, .hi = hi};

    ck_assert_int_eq(lmo()->fit_processor(&triple, 1, 0.95, hitop_estimators(), &out, NULL),
                     HITOP_ERR_INVALID);
}
END_TEST

/* 12 hosts with one rank each, on two switches; every third host is slow. */
enum { HOSTS = 12 };

static const double link_params[3][2] = {{5e-6, 1e-9}, {7e-6, 1.3e-9}, {40e-6, 2.5e-9}};
static const double fast[2] = {2e-6, 0.4e-9}, slow[2] = {5e-6, 1.1e-9};

static struct hitop_model *make_truth(void)
{
    const struct hitop_processor processors[] = {{.rank = 0, .params = fast},
                                                 {.rank = 2, .params = slow}};
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    const int root = hitop_hierarchy_builder_group(b, "root", "");
    const int sw[2] = {hitop_hierarchy_builder_group(b, "switch", "a"),
                       hitop_hierarchy_builder_group(b, "switch", "b")};
    struct hitop_hierarchy *h = NULL;
    struct hitop_model *model = NULL;
    struct hitop_class classes[3];
    int processor_of[HOSTS];

    for (int rank = 0; rank < HOSTS; rank++) {
        char host[16];
        (void)snprintf(host, sizeof(host), "n%02d", rank);
        hitop_hierarchy_builder_edge(b, hitop_hierarchy_builder_leaf(b, rank, host),
                                     sw[rank >= HOSTS / 2]);
        processor_of[rank] = rank % 3 == 2;
    }
    hitop_hierarchy_builder_edge(b, sw[0], root);
    hitop_hierarchy_builder_edge(b, sw[1], root);
    ck_assert_int_eq(hitop_hierarchy_builder_finish(b, &h, NULL), HITOP_OK);
    hitop_hierarchy_builder_free(b);
    for (int i = 0; i < 3; i++) {
        classes[i] = (struct hitop_class){
            .node = HOSTS + i, .pair = {HITOP_NO_RANK, HITOP_NO_RANK}, .params = link_params[i]};
    }
    ck_assert_int_eq(hitop_model_build(&(struct hitop_model_parts){.type = "lmo",
                                                                   .hierarchy = h,
                                                                   .classes = classes,
                                                                   .nclasses = 3,
                                                                   .processors = processors,
                                                                   .nprocessors = 2,
                                                                   .processor_of = processor_of},
                                       &model, NULL),
                     HITOP_OK);
    hitop_hierarchy_free(h);
    return model;
}

/* Links and triples of a hierarchy, measured on a simulated network; no passes: all triples. */
static struct hitop_model *estimate(const struct hitop_model *truth, double noise, int passes)
{
    static const size_t sizes[] = {0, 1, 64, 1024, 4096, 16384, 65536, 262144, 1048576};
    static const size_t triple_sizes[] = {0, 16384};
    const struct hitop_hierarchy *h = hitop_model_hierarchy(truth);
    const struct hitop_simulation what = {
        .truth = hitop_model_cost(truth), .noise = noise, .seed = 71};
    struct hitop_measure_options options, triple_options;
    struct hitop_measured links = {.confidence = 0.95}, triples = {.confidence = 0.95};
    struct hitop_measurement of_links, of_triples;
    struct hitop_link *link = NULL, *triple = NULL;
    struct hitop_transport transport;
    struct hitop_model *model = NULL;

    hitop_measure_defaults(&options);
    options.sizes = sizes;
    options.nsizes = sizeof(sizes) / sizeof(sizes[0]);
    options.eps = 0.005;
    options.budget = 1000;
    triple_options = options;
    triple_options.experiments = HITOP_TRIPLE_SET;
    triple_options.sizes = triple_sizes;
    triple_options.nsizes = 2;
    ck_assert_int_eq(hitop_transport_simulated(&what, &transport, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_links_choose(h, &link, &links.nlinks, NULL), HITOP_OK);
    ck_assert_int_eq(passes > 0 ? hitop_triples_choose(h, passes, 1, &triple, &triples.nlinks, NULL)
                                : hitop_triples_choose_all(h, &triple, &triples.nlinks, NULL),
                     HITOP_OK);
    ck_assert_int_eq(triples.nlinks, (passes > 0 ? passes : (HOSTS - 1) * (HOSTS - 2) / 2) * HOSTS);
    ck_assert_int_eq(hitop_measure(&transport, link, links.nlinks, &options, &of_links, NULL),
                     HITOP_OK);
    ck_assert_int_eq(
        hitop_measure(&transport, triple, triples.nlinks, &triple_options, &of_triples, NULL),
        HITOP_OK);
    links.links = link;
    links.curves = of_links.curves;
    triples.links = triple;
    triples.curves = of_triples.curves;
    ck_assert_int_eq(hitop_measure_fit("lmo", h, &links, NULL, NULL, &model, NULL),
                     HITOP_ERR_UNSUPPORTED);
    ck_assert_int_eq(hitop_measure_fit("lmo", h, &links, &triples, NULL, &model, NULL), HITOP_OK);
    transport.close(transport.self);
    hitop_measurement_clear(&of_triples);
    hitop_measurement_clear(&of_links);
    free(triple);
    free(link);
    return model;
}

static double error(double found, double wanted)
{
    return fabs(found / wanted - 1);
}

static void expect_truth(double noise, int passes, double for_C, double for_t, double for_p2p)
{
    struct hitop_model *truth = make_truth(), *model = estimate(truth, noise, passes);

    ck_assert_int_eq(hitop_model_nprocessors(model), HOSTS);
    for (int rank = 0; rank < HOSTS; rank++) {
        const double *wanted = rank % 3 == 2 ? slow : fast;
        const struct hitop_processor *p =
            hitop_model_processor(model, hitop_model_processor_of(model, rank));
        ck_assert_int_eq(p->rank, rank);
        ck_assert_msg(error(p->params[0], wanted[0]) <= for_C, "C of %d: %g", rank, p->params[0]);
        ck_assert_msg(error(p->params[1], wanted[1]) <= for_t, "t of %d: %g", rank, p->params[1]);
    }
    for (int i = 0; i < HOSTS; i++) {
        for (int j = 0; j < HOSTS; j++) {
            for (size_t bytes = 0; i != j && bytes <= 1048576; bytes = 4 * bytes + 1) {
                const double e =
                    error(hitop_model_p2p(model, i, j, bytes), hitop_model_p2p(truth, i, j, bytes));
                ck_assert_msg(e <= for_p2p, "%d to %d, %zu bytes: %g", i, j, bytes, e);
            }
        }
    }
    hitop_model_free(model);
    hitop_model_free(truth);
}

START_TEST(a_quiet_network_gives_back_all_parameters)
{
    expect_truth(0, 6, 1e-6, 1e-6, 1e-6);
    expect_truth(0, 0, 1e-6, 1e-6, 1e-6);
}
END_TEST

START_TEST(a_noisy_network_gives_back_what_it_costs)
{
    expect_truth(0.02, 6, 0.03, 0.05, 0.02);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, gives_the_numbers_of_the_worked_example);
    tcase_add_test(tc, prices_the_worked_message);
    tcase_add_test(tc, needs_two_sizes);
    tcase_add_test(tc, a_quiet_network_gives_back_all_parameters);
    tcase_add_test(tc, a_noisy_network_gives_back_what_it_costs);
}

TEST_MAIN("lmo", add_tests)
