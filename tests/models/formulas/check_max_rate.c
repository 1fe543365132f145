/* SPDX-License-Identifier: BSD-3-Clause */
/* check_max_rate.c - the rate of a pair of ranks apart from that of their hosts. */
#include <config.h>

#include "models/fit/estimate.h"

#include "tests/support/test_main.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include <math.h>
#include <stdio.h>

enum { NSETS = 5, NSIZES = 7 };

static const int pairs[NSETS] = {1, 2, 3, 4, 8};
static const size_t sizes[NSIZES] = {0, 65536, 131072, 262144, 524288, 1048576, 4194304};

struct truth {
    double latency, core, node;
};

/* What is measured, with its memory. */
struct pair_sets {
    struct hitop_pair_set of[NSETS];
    struct hitop_point points[NSETS][NSIZES];
};

static double seconds(const struct truth *t, double k, double bytes)
{
    return t->latency + k * bytes / fmin(t->node, k * t->core);
}

static void measure(const struct truth *t, double noise, gsl_rng *rng, struct pair_sets *out)
{
    for (int c = 0; c < NSETS; c++) {
        for (int i = 0; i < NSIZES; i++) {
            const double s = seconds(t, pairs[c], (double)sizes[i]);
            out->points[c][i] = (struct hitop_point){
                .bytes = sizes[i],
                .seconds = noise > 0 ? s * exp(gsl_ran_gaussian(rng, noise)) : s,
                .se = fmax(noise, 0.001) * s + 1e-12};
        }
        out->of[c] = (struct hitop_pair_set){.pairs = pairs[c], .curve = {out->points[c], NSIZES}};
    }
}

static struct hitop_max_rate fit(const struct pair_sets *c)
{
    struct hitop_max_rate found;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_msg(hitop_max_rate(c->of, NSETS, &found, &diag) == HITOP_OK, "%s", diag.message);
    return found;
}

START_TEST(gives_back_what_was_put_in)
{
    static const struct truth truths[] = {{2e-6, 5e9, 12e9},
                                          {2e-6, 3e9, 12e9},
                                          {1e-6, 4.9e9, 5e9},
                                          {30e-6, 1e9, 7.7e9},
                                          {0, 5e9, 12e9}};

    for (size_t i = 0; i < sizeof(truths) / sizeof(truths[0]); i++) {
        struct pair_sets c;
        struct hitop_max_rate found;
        measure(&truths[i], 0, NULL, &c);
        found = fit(&c);
        ck_assert_double_eq_tol(found.latency, truths[i].latency, 1e-12);
        ck_assert_double_eq_tol(found.core_rate / truths[i].core, 1, 1e-9);
        ck_assert_double_eq_tol(found.node_rate / truths[i].node, 1, 1e-9);
        ck_assert_double_eq_tol(found.pairs, truths[i].node / truths[i].core, 1e-8);
        ck_assert(found.latency_se >= 0 && found.core_se > 0 && found.node_se > 0 &&
                  found.pairs_se > 0);
    }
}
END_TEST

START_TEST(says_what_is_known_from_below_only)
{
    static const struct truth wide = {2e-6, 1e9, 20e9}, narrow = {2e-6, 30e9, 12e9};
    struct pair_sets c;
    struct hitop_max_rate found;

    measure(&wide, 0, NULL, &c); /* eight pairs do not fill it */
    found = fit(&c);
    ck_assert_double_eq_tol(found.core_rate, 1e9, 1);
    ck_assert_double_eq_tol(found.node_rate, 8e9, 8);
    ck_assert(found.core_se > 0 && isnan(found.node_se) && isnan(found.pairs_se));
    ck_assert_double_eq(found.pairs, 8);
    measure(&narrow, 0, NULL, &c); /* one pair fills it */
    found = fit(&c);
    ck_assert_double_eq_tol(found.node_rate, 12e9, 12);
    ck_assert_double_eq_tol(found.core_rate, 12e9, 12);
    ck_assert(found.node_se > 0 && isnan(found.core_se) && isnan(found.pairs_se));
    ck_assert_double_eq(found.pairs, 1);
}
END_TEST

START_TEST(stands_noise_and_knows_it)
{
    enum { TRIALS = 300 };
    static const struct truth t = {2e-6, 5e9, 12e9}, wide = {2e-6, 1e9, 20e9},
                              narrow = {2e-6, 30e9, 12e9};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double error = 0;
    int held = 0, limited = 0;

    gsl_rng_set(rng, 36);
    for (int trial = 0; trial < TRIALS; trial++) {
        struct pair_sets c;
        struct hitop_max_rate found;
        measure(&t, 0.01, rng, &c);
        found = fit(&c);
        error += fabs(found.core_rate / t.core - 1) + fabs(found.node_rate / t.node - 1);
        held += fabs(found.core_rate - t.core) <= 1.96 * found.core_se;
        held += fabs(found.node_rate - t.node) <= 1.96 * found.node_se;
        held += fabs(found.pairs - t.node / t.core) <= 1.96 * found.pairs_se;
        measure(&wide, 0.01, rng, &c);
        limited += !isnan(fit(&c).node_se);
        measure(&narrow, 0.01, rng, &c);
        limited += !isnan(fit(&c).core_se);
    }
    gsl_rng_free(rng);
    printf("rates to %.2f %%, in the interval %.3f, false limits %d of %d\n",
           100 * error / (2 * TRIALS), (double)held / (3 * TRIALS), limited, 2 * TRIALS);
    ck_assert_double_le(error / (2 * TRIALS), 0.004);
    ck_assert_double_ge((double)held / (3 * TRIALS), 0.92);
    ck_assert_int_le(limited, 18);
}
END_TEST

static double deviations(const struct pair_sets *c, double a, double u, double v)
{
    double sum = 0;

    for (int k = 0; k < NSETS; k++) {
        for (int i = 0; i < NSIZES; i++) {
            const struct hitop_point *p = &c->points[k][i];
            const double d = (p->seconds - a - (double)p->bytes * fmax(u, pairs[k] * v)) / p->se;
            sum += d * d;
        }
    }
    return sum;
}

/* Nothing within reach is better. */
START_TEST(the_solution_is_the_best_one)
{
    /* between two numbers of pairs, and at one */
    static const struct truth truths[] = {{2e-6, 5e9, 14e9}, {2e-6, 5e9, 15e9}};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    gsl_rng_set(rng, 37);
    for (int trial = 0; trial < 40; trial++) {
        struct pair_sets c;
        struct hitop_max_rate f;
        double least;
        measure(&truths[trial % 2], 0.05, rng, &c);
        f = fit(&c);
        least = deviations(&c, f.latency, 1 / f.core_rate, 1 / f.node_rate);
        for (int k = 0; k < 3000; k++) {
            const double scale = pow(10, -1 - 4 * gsl_rng_uniform(rng));
            const double a = f.latency * (1 + gsl_ran_gaussian(rng, scale));
            const double u = (1 + gsl_ran_gaussian(rng, scale)) / f.core_rate;
            const double v = (1 + gsl_ran_gaussian(rng, scale)) / f.node_rate;
            ck_assert_double_ge(deviations(&c, fabs(a), u, v), least * (1 - 1e-9));
        }
    }
    gsl_rng_free(rng);
}
END_TEST

/* Two pairs are faster than either limit allows, so that both limits meet there. */
START_TEST(limits_meet_at_a_number_of_pairs)
{
    static const double slope[] = {1e-9, 0.9e-9, 2e-9};
    struct hitop_point points[3][2];
    struct hitop_pair_set set[3];
    struct hitop_max_rate found;

    for (int c = 0; c < 3; c++) {
        for (size_t i = 0; i < 2; i++) {
            const double s = 1e-6 + slope[c] * 1e6 * (double)i;
            points[c][i] = (struct hitop_point){.bytes = 1000000 * i, .seconds = s, .se = 0.01 * s};
        }
        set[c] = (struct hitop_pair_set){.pairs = 1 << c, .curve = {points[c], 2}};
    }
    ck_assert_int_eq(hitop_max_rate(set, 3, &found, NULL), HITOP_OK);
    ck_assert_double_eq_tol(found.pairs, 2, 1e-9);
    ck_assert(found.core_rate > 1e9 && found.core_rate < 1 / 0.9e-9);
}
END_TEST

START_TEST(refuses_too_few_times)
{
    static const struct truth t = {2e-6, 5e9, 12e9};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_max_rate found;
    struct pair_sets c;

    measure(&t, 0, NULL, &c);
    ck_assert_int_eq(hitop_max_rate(c.of, 1, &found, &diag), HITOP_ERR_INVALID);
    ck_assert_ptr_nonnull(strstr(diag.message, "needs times of two numbers of pairs"));
    c.of[2].pairs = 2;
    ck_assert_int_eq(hitop_max_rate(c.of, NSETS, &found, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message,
                     "max_rate: 2 pairs; numbers of pairs must ascend from 1 or more");
    measure(&t, 0, NULL, &c);
    c.points[1][1].se = 0;
    ck_assert_int_eq(hitop_max_rate(c.of, NSETS, &found, &diag), HITOP_ERR_INVALID);
    measure(&t, 0, NULL, &c);
    for (int k = 0; k < NSETS; k++) {
        for (int i = 0; i < NSIZES; i++) {
            c.points[k][i].seconds = 0;
        }
    }
    ck_assert_int_eq(hitop_max_rate(c.of, NSETS, &found, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "max_rate: times do not rise with sizes");
}
END_TEST

START_TEST(the_model_prices_one_message)
{
    static const struct truth t = {2e-6, 5e9, 12e9}, wide = {2e-6, 1e9, 20e9};
    const struct hitop_model_type *type = NULL;
    double params[3], se[3], lo[3], hi[3];
    struct hitop_fit out = {.params = params, .se = se, .lo = lo, .hi = hi};
    struct pair_sets c;
    struct hitop_evidence e = {.pair_sets = c.of, .nsets = NSETS, .confidence = 0.95};
    const struct hitop_terms terms = {.link = params};
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_int_eq(hitop_model_type_find("max_rate", &type, NULL), HITOP_OK);
    measure(&t, 0, NULL, &c);
    ck_assert_int_eq(type->fit(&e, hitop_estimators(), &out, NULL), HITOP_OK);
    ck_assert_double_eq_tol(type->p2p(&terms, 1000000), 202e-6, 1e-12);
    for (int p = 0; p < 3; p++) {
        ck_assert(lo[p] <= params[p] && params[p] <= hi[p] && se[p] >= 0);
    }
    measure(&wide, 0, NULL, &c);
    ck_assert_int_eq(type->fit(&e, hitop_estimators(), &out, NULL), HITOP_OK);
    ck_assert(isnan(se[2]) && lo[2] == params[2] && hi[2] == 1e15);
    /* hosts with one rank each: a line, and no more than that is known of the hosts */
    measure(&t, 0, NULL, &c);
    e.nsets = 0;
    e.curve[HITOP_ECHO] = c.of[0].curve;
    ck_assert_int_eq(type->fit(&e, hitop_estimators(), &out, &diag), HITOP_OK);
    ck_assert_double_eq_tol(params[0], t.latency, 1e-9);
    ck_assert_double_eq_tol(params[1] / t.core, 1, 1e-3);
    ck_assert(params[2] == params[1] && isnan(se[2]) && hi[2] == 1e15);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, gives_back_what_was_put_in);
    tcase_add_test(tc, says_what_is_known_from_below_only);
    tcase_add_test(tc, stands_noise_and_knows_it);
    tcase_add_test(tc, the_solution_is_the_best_one);
    tcase_add_test(tc, limits_meet_at_a_number_of_pairs);
    tcase_add_test(tc, refuses_too_few_times);
    tcase_add_test(tc, the_model_prices_one_message);
}

TEST_MAIN("max rate", add_tests)
