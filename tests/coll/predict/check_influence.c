/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_influence.c - what links that are not well known change, and which formula the measurements
 * ask for.
 */
#include <config.h>

#include "coll/predict/influence.h"
#include "models/fit/validation.h"

#include "hitop/measure.h"

#include "tests/support/example_hierarchy.h"
#include "tests/support/test_main.h"

#include <math.h>

/* Times known to a third. */
static const struct hitop_time third[] = {{0, 3e-6, 2e-6, 4e-6}, {1 << 20, 3e-4, 2e-4, 4e-4}};

/*
 * The outermost link of eight ranks has this latency, those inside 3 us. Links of some nodes are
 * known to a third, by their standard errors or, where those are unknown, by the times.
 */
static struct measure_influence find(double outermost, int first, int last, int has_errors)
{
    static const double errors[] = {0.17 * 3e-6, 0.17 * 1e-10}, exact[] = {0, 0};
    struct hitop_hierarchy *h = example_hierarchy();
    struct hitop_class classes[EXAMPLE_CLASSES];
    double params[EXAMPLE_CLASSES][2];
    struct hitop_model *model = NULL;
    struct measure_influence influence;

    example_classes(classes);
    for (int i = 0; i < EXAMPLE_CLASSES; i++) {
        const int is_rough = i >= first && i < last;
        params[i][0] = i == EXAMPLE_CLASSES - 1 ? outermost : 3e-6;
        params[i][1] = params[i][0] > 1e-3 ? 1e-8 : 1e-10;
        classes[i].params = params[i];
        classes[i].converged = !is_rough;
        classes[i].se = !has_errors ? NULL : is_rough ? errors : exact;
        classes[i].times = third;
        classes[i].ntimes = 2;
        classes[i].lo = classes[i].hi = NULL;
    }
    ck_assert_int_eq(example_build("hockney", h, classes, EXAMPLE_CLASSES, NULL, &model, NULL),
                     HITOP_OK);
    ck_assert_int_eq(hitop_measure_influence_find(model, &influence, NULL), HITOP_OK);
    hitop_model_free(model);
    hitop_hierarchy_free(h);
    return influence;
}

START_TEST(settled_links_change_nothing)
{
    struct measure_influence i = find(2e-3, 0, 0, _i);

    ck_assert_int_eq(i.nunsettled, 0);
    ck_assert_double_eq(i.all, 0);
    hitop_measure_influence_clear(&i);
}
END_TEST

START_TEST(short_links_below_a_long_one_change_little)
{
    struct measure_influence i = find(2e-3, 0, EXAMPLE_CLASSES - 1, _i);

    ck_assert_int_eq(i.nunsettled, EXAMPLE_CLASSES - 1);
    ck_assert_double_gt(i.all, 0);
    ck_assert_double_lt(i.all, 0.05);
    hitop_measure_influence_clear(&i);
}
END_TEST

START_TEST(the_same_links_matter_where_all_are_short)
{
    struct measure_influence i = find(3e-6, 0, EXAMPLE_CLASSES - 1, _i);

    ck_assert_double_gt(i.all, 0.15);
    ck_assert_ptr_nonnull(i.operation);
    for (int c = 0; c < EXAMPLE_CLASSES; c++) {
        ck_assert_double_le(i.of[c], i.all + 1e-12);
    }
    hitop_measure_influence_clear(&i);
}
END_TEST

START_TEST(a_long_link_matters_by_its_own_uncertainty)
{
    struct measure_influence i = find(2e-3, EXAMPLE_CLASSES - 1, EXAMPLE_CLASSES, 0);

    ck_assert_int_eq(i.nunsettled, 1);
    ck_assert_double_gt(i.all, 0.3);
    ck_assert_double_lt(i.all, 0.34);
    ck_assert_double_eq(i.of[EXAMPLE_CLASSES - 1], i.all);
    hitop_measure_influence_clear(&i);
}
END_TEST

enum { NPOINTS = 13, NLINKS = EXAMPLE_CLASSES };

/* One line; or two, as where the protocol changes at 32 KiB. */
static double time_of(size_t bytes, int has_switch)
{
    return 200e-6 + 8e-9 * (double)bytes + (has_switch && bytes > 32768 ? 400e-6 : 0);
}

/*
 * Links of which those above the quiet ones are noisy: their medians are that far off, to and fro.
 */
static struct hitop_preference prefer(int has_switch, int nquiet, double noise)
{
    struct hitop_hierarchy *h = example_hierarchy();
    struct hitop_point points[NLINKS][NPOINTS] = {0};
    struct hitop_curve curves[NLINKS * HITOP_NEXPERIMENTS] = {0};
    const struct hitop_model_type *simpler, *richer;
    struct hitop_findings findings = {.hierarchy = h};
    struct hitop_preference out;
    struct hitop_link *links;
    int nlinks;

    ck_assert_int_eq(hitop_links_choose(h, &links, &nlinks, NULL), HITOP_OK);
    ck_assert_int_eq(nlinks, NLINKS);
    for (int i = 0; i < NLINKS; i++) {
        const double rough = i < nquiet ? 0.005 : noise;
        for (int k = 0; k < NPOINTS; k++) {
            struct hitop_point *p = &points[i][k];
            const double off = rough * sin(1.7 + 2.9 * i + 1.3 * k * k);
            p->bytes = k == 0 ? 0 : (size_t)256 << k;
            p->seconds = time_of(p->bytes, has_switch) * exp(off);
            p->se = rough * p->seconds;
            p->lo = p->seconds * (1 - 2 * rough);
            p->hi = p->seconds * (1 + 2 * rough);
            p->nsamples = 100;
        }
        curves[i * HITOP_NEXPERIMENTS + HITOP_ECHO] = (struct hitop_curve){points[i], NPOINTS};
    }
    findings.links = (struct hitop_measured){
        .links = links, .nlinks = nlinks, .confidence = 0.95, .curves = curves};
    ck_assert_int_eq(hitop_model_type_find("hockney", &simpler, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_model_type_find("piecewise", &richer, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_prefer_type(simpler, richer, &findings, &out, NULL), HITOP_OK);
    free(links);
    hitop_hierarchy_free(h);
    return out;
}

static const double noises[] = {0.01, 0.05, 0.2, 0.9};

START_TEST(one_line_is_left_to_the_simpler_formula)
{
    const struct hitop_preference p = prefer(0, _i, noises[_i % 4]);

    ck_assert_int_gt(p.n, 0);
    ck_assert_int_eq(p.is_richer, 0);
}
END_TEST

/* Three links of seven are known; what the others do hides nothing. */
START_TEST(a_change_of_protocol_asks_for_the_richer_formula)
{
    const struct hitop_preference p = prefer(1, 3, noises[_i]);

    ck_assert_int_eq(p.is_richer, 1);
    ck_assert_double_gt(p.gain, 0);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, settled_links_change_nothing, 0, 2);
    tcase_add_loop_test(tc, short_links_below_a_long_one_change_little, 0, 2);
    tcase_add_loop_test(tc, the_same_links_matter_where_all_are_short, 0, 2);
    tcase_add_test(tc, a_long_link_matters_by_its_own_uncertainty);
    tcase_add_loop_test(tc, one_line_is_left_to_the_simpler_formula, 0, 8);
    tcase_add_loop_test(tc, a_change_of_protocol_asks_for_the_richer_formula, 0, 4);
}

TEST_MAIN("influence of links", add_tests)
