/* SPDX-License-Identifier: BSD-3-Clause */
/* check_lmo_refine.c - processors and links from all their times at once. */
#include <config.h>

#include "models/fit/estimate.h"

#include "tests/support/test_main.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Processors 0..NODES-1 in two halves: links within a half, and those between the halves, are
 * alike. */
enum { NODES = 12, LINKS = 2, TRIPLES = 6, MAX_TIMES = NODES * TRIPLES * 2 };

struct cluster {
    struct hitop_lmo_numbers processor[NODES], link[LINKS];
};

static int link_of(int i, int j)
{
    return (i < NODES / 2) != (j < NODES / 2);
}

static void make_cluster(gsl_rng *rng, struct cluster *c)
{
    *c = (struct cluster){
        .link = {{.fixed = 20e-6, .per_byte = 9e-9}, {.fixed = 45e-6, .per_byte = 12e-9}}};
    for (int i = 0; i < NODES; i++) {
        c->processor[i].fixed = 9e-6 + 6e-6 * gsl_rng_uniform(rng);
        c->processor[i].per_byte = 3e-9 + 3e-9 * gsl_rng_uniform(rng);
    }
}

static double one_way(const struct cluster *c, int i, int j, double m)
{
    const struct hitop_lmo_numbers *x = &c->processor[i], *y = &c->processor[j];
    const struct hitop_lmo_numbers *l = &c->link[link_of(i, j)];

    return x->fixed + l->fixed + y->fixed + m * (x->per_byte + l->per_byte + y->per_byte);
}

static double reply(const struct cluster *c, int i, int j, double m)
{
    return one_way(c, i, j, m) + one_way(c, j, i, 0);
}

/* The times measured so far. */
struct times {
    struct hitop_lmo_times of[MAX_TIMES];
    size_t n;
    double noise;
    double unlike; /* links are longer or shorter by up to this share */
    gsl_rng *rng;
};

static struct hitop_lmo_time seen(const struct times *t, double seconds)
{
    const double y = t->noise > 0 ? seconds * exp(gsl_ran_gaussian(t->rng, t->noise)) : seconds;

    return (struct hitop_lmo_time){.seconds = y, .se = fmax(t->noise, 1e-3) * y};
}

/* A share of its own for each link. */
static double stretch(const struct times *t, int i, int j)
{
    const int low = i < j ? i : j, high = i < j ? j : i;

    return 1 + t->unlike * ((low * 7 + high * 5) % 9 / 4.0 - 1);
}

/* Six triples for each processor. */
static void measure(const struct cluster *c, struct times *t)
{
    for (int i = 0; i < NODES; i++) {
        for (int r = 0; r < TRIPLES; r++) {
            const int j = (i + 1 + (int)gsl_rng_uniform_int(t->rng, NODES - 1)) % NODES;
            int k = j;
            while (k == i || k == j) {
                k = (int)gsl_rng_uniform_int(t->rng, NODES);
            }
            for (int s = 0; s < 2; s++) {
                const double m = s ? 65536 : 0;
                const double one = stretch(t, i, j) * reply(c, i, j, m);
                const double other = stretch(t, i, k) * reply(c, i, k, m);
                const double fan =
                    fmax(one, other) + 2 * c->processor[i].fixed + m * c->processor[i].per_byte;
                ck_assert_uint_lt(t->n, MAX_TIMES);
                t->of[t->n++] = (struct hitop_lmo_times){.from = i,
                                                         .to = {j, k},
                                                         .link = {link_of(i, j), link_of(i, k)},
                                                         .bytes = (size_t)m,
                                                         .fan = seen(t, fan),
                                                         .reply = {seen(t, one), seen(t, other)}};
            }
        }
    }
}

/* Means over the triples of what a fan takes longer than its last answer. */
static void average(const struct times *t, struct hitop_lmo_numbers *out)
{
    double sum[NODES][2] = {{0}};

    for (size_t i = 0; i < t->n; i++) {
        const struct hitop_lmo_times *x = &t->of[i];
        sum[x->from][x->bytes > 0] +=
            (x->fan.seconds - fmax(x->reply[0].seconds, x->reply[1].seconds)) / TRIPLES;
    }
    for (int i = 0; i < NODES; i++) {
        out[i] = (struct hitop_lmo_numbers){.fixed = sum[i][0] / 2,
                                            .per_byte = (sum[i][1] - sum[i][0]) / 65536};
    }
}

/* How unlike links were found to be. */
static double refine(const struct times *t, struct hitop_lmo_numbers *out)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    double unlike;

    ck_assert_msg(hitop_lmo_refine(t->of, t->n, out, NODES, LINKS, &unlike, &diag) == HITOP_OK,
                  "%s", diag.message);
    return unlike;
}

/* Mean relative errors of C and of t; adds to how many intervals of 95 % hold the truth. */
static void compare(const struct hitop_lmo_numbers *found, const struct cluster *truth,
                    double *error, int *held)
{
    for (int i = 0; i < NODES; i++) {
        const struct hitop_lmo_numbers *p = &found[i], *wanted = &truth->processor[i];
        error[0] += fabs(p->fixed / wanted->fixed - 1) / NODES;
        error[1] += fabs(p->per_byte / wanted->per_byte - 1) / NODES;
        *held += fabs(p->fixed - wanted->fixed) <= 1.96 * p->fixed_se;
        *held += fabs(p->per_byte - wanted->per_byte) <= 1.96 * p->per_byte_se;
    }
}

START_TEST(exact_times_give_exact_numbers)
{
    struct times t = {.rng = gsl_rng_alloc(gsl_rng_mt19937)};
    struct hitop_lmo_numbers found[NODES];
    struct cluster truth;

    make_cluster(t.rng, &truth);
    measure(&truth, &t);
    ck_assert_double_le(refine(&t, found), 1e-5);
    for (int i = 0; i < NODES; i++) {
        ck_assert_double_eq_tol(found[i].fixed, truth.processor[i].fixed, 1e-12);
        ck_assert_double_eq_tol(found[i].per_byte, truth.processor[i].per_byte, 1e-16);
    }
    gsl_rng_free(t.rng);
}
END_TEST

/* Whether links are alike or not. */
START_TEST(all_times_together_are_more_precise_than_each_triple)
{
    enum { TRIALS = 20 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    gsl_rng_set(rng, 61);
    for (int k = 0; k < 2; k++) {
        const double unlike = k * 0.05;
        double before[2] = {0}, after[2] = {0}, found_unlike = 0;
        int held = 0, none = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            struct times t = {.noise = 0.005, .unlike = unlike, .rng = rng};
            struct hitop_lmo_numbers found[NODES];
            struct cluster truth;
            make_cluster(rng, &truth);
            measure(&truth, &t);
            average(&t, found);
            compare(found, &truth, before, &none);
            found_unlike += refine(&t, found) / TRIALS;
            compare(found, &truth, after, &held);
        }
        printf(
            "C %.2f -> %.2f %%, t %.2f -> %.2f %%, in the interval %.3f, links unlike by %.2f %%\n",
            100 * before[0] / TRIALS, 100 * after[0] / TRIALS, 100 * before[1] / TRIALS,
            100 * after[1] / TRIALS, (double)held / (2 * NODES * TRIALS), 100 * found_unlike);
        ck_assert_double_le(after[0], (k ? 0.95 : 0.8) * before[0]);
        ck_assert_double_le(after[1], (k ? 0.95 : 0.8) * before[1]);
        ck_assert_double_ge((double)held / (2 * NODES * TRIALS), 0.92);
        ck_assert_double_le(found_unlike, 0.002 + 1.2 * unlike);
        ck_assert_double_ge(found_unlike, 0.4 * unlike);
    }
    gsl_rng_free(rng);
}
END_TEST

/* Where noise is ten times what processors differ by, they are said to be alike. */
START_TEST(processors_that_noise_hides_are_like_the_others)
{
    struct times t = {.noise = 0.03, .unlike = 0.05, .rng = gsl_rng_alloc(gsl_rng_mt19937)};
    struct hitop_lmo_numbers apart[NODES], found[NODES];
    struct cluster truth;
    double width[2] = {0};

    gsl_rng_set(t.rng, 63);
    make_cluster(t.rng, &truth);
    for (int i = 0; i < NODES; i++) {
        truth.processor[i].fixed = 10e-6 + 1e-7 * i;
    }
    measure(&truth, &t);
    average(&t, apart);
    (void)refine(&t, found);
    for (int i = 0; i < NODES; i++) {
        width[0] = fmax(width[0], fabs(apart[i].fixed - apart[0].fixed));
        width[1] = fmax(width[1], fabs(found[i].fixed - found[0].fixed));
    }
    printf("apart by %.2g us, not %.2g us\n", 1e6 * width[1], 1e6 * width[0]);
    ck_assert_double_le(width[1], 0.3 * width[0]);
    gsl_rng_free(t.rng);
}
END_TEST

START_TEST(no_number_becomes_negative)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int zeros = 0;

    gsl_rng_set(rng, 62);
    for (int trial = 0; trial < 5; trial++) {
        struct times t = {.noise = 0.02, .rng = rng};
        struct hitop_lmo_numbers found[NODES];
        struct cluster truth;
        make_cluster(rng, &truth);
        for (int i = 0; i < NODES; i += 2) { /* next to nothing, so that noise decides the sign */
            truth.processor[i].fixed = 1e-9;
            truth.processor[i].per_byte = 1e-13;
        }
        measure(&truth, &t);
        (void)refine(&t, found);
        for (int i = 0; i < NODES; i++) {
            ck_assert(found[i].fixed >= 0 && found[i].per_byte >= 0);
            ck_assert(isfinite(found[i].fixed) && isfinite(found[i].per_byte));
            ck_assert(found[i].fixed_se > 0 && (i % 2 || found[i].fixed < 2e-6));
            zeros += (found[i].fixed == 0) + (found[i].per_byte == 0);
        }
    }
    ck_assert_int_gt(zeros, 0);
    gsl_rng_free(rng);
}
END_TEST

/* One time of a hundred is ten times too long. */
START_TEST(a_bad_time_does_little_harm)
{
    struct times t = {.noise = 0.005, .rng = gsl_rng_alloc(gsl_rng_mt19937)};
    struct hitop_lmo_numbers found[NODES];
    struct cluster truth;
    double error[2] = {0};
    int held = 0;

    gsl_rng_set(t.rng, 64);
    make_cluster(t.rng, &truth);
    measure(&truth, &t);
    for (size_t i = 0; i < t.n; i += 97) {
        t.of[i].fan.seconds *= 10;
    }
    (void)refine(&t, found);
    compare(found, &truth, error, &held);
    printf("C %.2f %%, t %.2f %%\n", 100 * error[0], 100 * error[1]);
    ck_assert(error[0] < 0.02 && error[1] < 0.04);
    gsl_rng_free(t.rng);
}
END_TEST

START_TEST(refuses_too_few_times)
{
    struct times t = {.rng = gsl_rng_alloc(gsl_rng_mt19937)};
    struct hitop_lmo_numbers found[NODES] = {{.fixed = 1}}, before[NODES];
    struct cluster truth;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    double unlike;

    memcpy(before, found, sizeof(before));
    make_cluster(t.rng, &truth);
    measure(&truth, &t);
    ck_assert_int_eq(hitop_lmo_refine(t.of, 9, found, NODES, LINKS, &unlike, &diag),
                     HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "lmo: 27 times do not determine 30 numbers");
    t.of[5].fan.se = 0;
    ck_assert_int_eq(hitop_lmo_refine(t.of, t.n, found, NODES, LINKS, &unlike, &diag),
                     HITOP_ERR_INVALID);
    ck_assert_mem_eq(before, found, sizeof(found));
    gsl_rng_free(t.rng);
}
END_TEST

/* Both scatter about 100 us by 3 us: the later one of them comes later than either does. */
START_TEST(the_later_one_of_two_is_later_than_either)
{
    struct hitop_point a = {.seconds = 100e-6, .se = 0.376e-6, .nsamples = 100}, b;
    double error;

    a.lo = a.seconds - 2 * a.se;
    a.hi = a.seconds + 2 * a.se;
    b = a;
    ck_assert_double_eq_tol(hitop_estimators()->later(&a, &b, &error), 101.635e-6, 0.005e-6);
    ck_assert_double_eq_tol(error, hypot(0.376e-6, 0.5 * 1.635e-6), 0.005e-6);
    b.seconds = 80e-6;
    ck_assert_double_eq_tol(hitop_estimators()->later(&b, &a, &error), 100e-6, 1e-9);
    a.lo = a.hi = b.lo = b.hi = a.seconds; /* exact */
    ck_assert_double_eq(hitop_estimators()->later(&a, &b, &error), 100e-6);
    ck_assert_double_eq(error, a.se);
}
END_TEST

/* Whatever the times are: numbers, none negative, and no end of the program. */
START_TEST(stands_times_that_no_network_takes)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    gsl_rng_set(rng, 5);
    for (int round = 0; round < 60; round++) {
        struct hitop_lmo_numbers found[NODES];
        struct times t = {.rng = rng};
        struct cluster c;
        make_cluster(rng, &c);
        measure(&c, &t);
        for (size_t i = 0; i < t.n; i++) {
            struct hitop_lmo_time *all[] = {&t.of[i].fan, &t.of[i].reply[0], &t.of[i].reply[1]};
            for (size_t k = 0; k < 3; k++) {
                all[k]->seconds = round % 3 == 0 ? 0 : pow(10, -12 + 15 * gsl_rng_uniform(rng));
                all[k]->se = pow(10, -18 + 20 * gsl_rng_uniform(rng));
            }
        }
        (void)refine(&t, found);
        for (int i = 0; i < NODES; i++) {
            ck_assert_msg(found[i].fixed >= 0 && isfinite(found[i].fixed), "%g", found[i].fixed);
            ck_assert_msg(found[i].per_byte >= 0 && isfinite(found[i].per_byte), "%g",
                          found[i].per_byte);
            ck_assert(!(found[i].fixed_se < 0) && !(found[i].per_byte_se < 0));
        }
    }
    gsl_rng_free(rng);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, exact_times_give_exact_numbers);
    tcase_add_test(tc, all_times_together_are_more_precise_than_each_triple);
    tcase_add_test(tc, processors_that_noise_hides_are_like_the_others);
    tcase_add_test(tc, no_number_becomes_negative);
    tcase_add_test(tc, a_bad_time_does_little_harm);
    tcase_add_test(tc, refuses_too_few_times);
    tcase_add_test(tc, the_later_one_of_two_is_later_than_either);
    tcase_add_test(tc, stands_times_that_no_network_takes);
}

TEST_MAIN("lmo refined", add_tests)
