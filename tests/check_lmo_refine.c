/* SPDX-License-Identifier: BSD-3-Clause */
/* check_lmo_refine.c - processors and links from all their times at once. */
#include <config.h>

#include "hitop/estimate.h"

#include "test_main.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include <math.h>
#include <stdio.h>

/* Processors 0..NODES-1 in two halves: links within a half, and those between the halves, are alike. */
enum { NODES = 12, LINKS = 2, TRIPLES = 6, MAX_ROWS = NODES * TRIPLES * 6 + 64 };

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

static double fan(const struct cluster *c, int i, int j, int k, double m)
{
    return fmax(reply(c, i, j, m), reply(c, i, k, m)) + 2 * c->processor[i].fixed +
           m * c->processor[i].per_byte;
}

/* The times measured so far. */
struct times {
    struct hitop_lmo_row row[MAX_ROWS];
    size_t n;
    double noise;
    gsl_rng *rng;
};

static double add(struct times *t, enum hitop_experiment what, int i, int j, int k, size_t bytes,
                  double seconds)
{
    const double seen = t->noise > 0 ? seconds * exp(gsl_ran_gaussian(t->rng, t->noise)) : seconds;

    ck_assert_uint_lt(t->n, MAX_ROWS);
    t->row[t->n++] = (struct hitop_lmo_row){.what = what,
                                            .from = i,
                                            .to = {j, k},
                                            .link = {link_of(i, j), link_of(i, k)},
                                            .bytes = bytes,
                                            .seconds = seen,
                                            .se = fmax(t->noise, 1e-3) * seen};
    return seen;
}

/* Six triples for each processor, and the echo of one pair of each kind. The first estimates of C and t are means
 * over the triples of what a fan takes longer than its slower answer. */
static void measure(const struct cluster *c, struct times *t, struct cluster *first)
{
    static const size_t bytes[] = {0, 1024, 16384, 65536};

    *first = *c; /* of links: something not far off */
    for (int l = 0; l < LINKS; l++) {
        first->link[l].fixed *= 1.2;
        first->link[l].per_byte *= 0.9;
    }
    for (int i = 0; i < NODES; i++) {
        double sum[2] = {0};
        for (int r = 0; r < TRIPLES; r++) {
            const int j = (i + 1 + (int)gsl_rng_uniform_int(t->rng, NODES - 1)) % NODES;
            int k = j;
            while (k == i || k == j) {
                k = (int)gsl_rng_uniform_int(t->rng, NODES);
            }
            for (int s = 0; s < 2; s++) {
                const size_t m = s ? 65536 : 0;
                const double mm = (double)m;
                const double one = add(t, HITOP_REPLY, i, j, j, m, reply(c, i, j, mm));
                const double other = add(t, HITOP_REPLY, i, k, k, m, reply(c, i, k, mm));
                sum[s] += add(t, HITOP_FAN, i, j, k, m, fan(c, i, j, k, mm)) - fmax(one, other);
            }
        }
        first->processor[i].fixed = fmax(0, sum[0] / TRIPLES / 2);
        first->processor[i].per_byte =
            fmax(0, (sum[1] / TRIPLES - 2 * first->processor[i].fixed) / 65536);
    }
    for (int s = 0; s < 4; s++) {
        (void)add(t, HITOP_ECHO, 0, 1, 1, bytes[s], one_way(c, 0, 1, (double)bytes[s]));
        (void)add(t, HITOP_ECHO, 0, NODES - 1, NODES - 1, bytes[s],
                  one_way(c, 0, NODES - 1, (double)bytes[s]));
    }
}

static void refine(const struct times *t, struct cluster *c)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    double misfit;

    ck_assert_msg(hitop_lmo_refine(t->row, t->n, c->processor, NODES, c->link, LINKS, &misfit,
                                   &diag) == HITOP_OK,
                  "%s", diag.message);
    ck_assert_double_le(misfit, 1.5);
}

/* Mean relative errors of C and of t; adds to how many intervals of 95 % hold the truth. */
static void compare(const struct cluster *c, const struct cluster *truth, double *error, int *held)
{
    for (int i = 0; i < NODES; i++) {
        const struct hitop_lmo_numbers *found = &c->processor[i], *wanted = &truth->processor[i];
        error[0] += fabs(found->fixed / wanted->fixed - 1) / NODES;
        error[1] += fabs(found->per_byte / wanted->per_byte - 1) / NODES;
        *held += fabs(found->fixed - wanted->fixed) <= 1.96 * found->fixed_se;
        *held += fabs(found->per_byte - wanted->per_byte) <= 1.96 * found->per_byte_se;
    }
}

START_TEST(exact_times_give_exact_numbers)
{
    struct times t = {.rng = gsl_rng_alloc(gsl_rng_mt19937)};
    struct cluster truth, found;

    make_cluster(t.rng, &truth);
    measure(&truth, &t, &found);
    for (int i = 0; i < NODES; i++) { /* far off, so that some answers come in another order */
        found.processor[i] = (struct hitop_lmo_numbers){.fixed = 5e-6 * (1 + i % 3)};
    }
    refine(&t, &found);
    for (int i = 0; i < NODES; i++) {
        ck_assert_double_eq_tol(found.processor[i].fixed, truth.processor[i].fixed, 1e-13);
        ck_assert_double_eq_tol(found.processor[i].per_byte, truth.processor[i].per_byte, 1e-17);
    }
    for (int l = 0; l < LINKS; l++) {
        ck_assert_double_eq_tol(found.link[l].fixed, truth.link[l].fixed, 1e-13);
        ck_assert_double_eq_tol(found.link[l].per_byte, truth.link[l].per_byte, 1e-17);
    }
    gsl_rng_free(t.rng);
}
END_TEST

START_TEST(all_times_together_tell_more_than_each_triple)
{
    enum { TRIALS = 40 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double before[2] = {0}, after[2] = {0};
    int held = 0, none = 0;

    gsl_rng_set(rng, 61);
    for (int trial = 0; trial < TRIALS; trial++) {
        struct times t = {.noise = 0.005, .rng = rng};
        struct cluster truth, found;
        make_cluster(rng, &truth);
        measure(&truth, &t, &found);
        compare(&found, &truth, before, &none);
        refine(&t, &found);
        compare(&found, &truth, after, &held);
    }
    gsl_rng_free(rng);
    printf("C %.2f -> %.2f %%, t %.2f -> %.2f %%, in the interval %.3f\n", 100 * before[0] / TRIALS,
           100 * after[0] / TRIALS, 100 * before[1] / TRIALS, 100 * after[1] / TRIALS,
           (double)held / (2 * NODES * TRIALS));
    ck_assert_double_le(after[0], 0.8 * before[0]);
    ck_assert_double_le(after[1], 0.8 * before[1]);
    ck_assert_double_ge((double)held / (2 * NODES * TRIALS), 0.92);
}
END_TEST

START_TEST(no_number_becomes_negative)
{
    struct times t = {.noise = 0.02, .rng = gsl_rng_alloc(gsl_rng_mt19937)};
    struct cluster truth, found;
    int zeros = 0;

    gsl_rng_set(t.rng, 62);
    make_cluster(t.rng, &truth);
    for (int i = 0; i < NODES; i++) { /* next to nothing, so that noise decides the sign */
        truth.processor[i].fixed = 1e-9;
        truth.processor[i].per_byte = 1e-13;
    }
    measure(&truth, &t, &found);
    refine(&t, &found);
    for (int i = 0; i < NODES; i++) {
        const struct hitop_lmo_numbers *p = &found.processor[i];
        ck_assert(p->fixed >= 0 && p->per_byte >= 0 && isfinite(p->fixed) && isfinite(p->per_byte));
        zeros += (p->fixed == 0) + (p->per_byte == 0);
    }
    ck_assert_int_gt(zeros, 0);
    ck_assert_double_eq_tol(found.link[0].fixed / truth.link[0].fixed, 1, 0.05);
    gsl_rng_free(t.rng);
}
END_TEST

START_TEST(refuses_too_few_times)
{
    struct times t = {.rng = gsl_rng_alloc(gsl_rng_mt19937)};
    struct cluster truth, found;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    double misfit;

    make_cluster(t.rng, &truth);
    measure(&truth, &t, &found);
    ck_assert_int_eq(
        hitop_lmo_refine(t.row, 27, found.processor, NODES, found.link, LINKS, &misfit, &diag),
        HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "lmo: 27 times do not determine 28 numbers");
    t.row[5].se = 0;
    truth = found;
    ck_assert_int_eq(
        hitop_lmo_refine(t.row, t.n, found.processor, NODES, found.link, LINKS, &misfit, &diag),
        HITOP_ERR_INVALID);
    ck_assert_mem_eq(&truth, &found, sizeof(found));
    gsl_rng_free(t.rng);
}
END_TEST

/* The type takes what all times say of its processors, unless the links of a group are too unlike: then each
 * triple, which compares a fan with replies over the same links, knows better. */
START_TEST(the_type_refines_where_links_are_alike)
{
    const struct hitop_model_type *lmo = NULL;

    ck_assert_int_eq(hitop_model_type_find("lmo", &lmo, NULL), HITOP_OK);
    for (int unlike = 0; unlike < 2; unlike++) {
        struct times t = {.noise = 0.005, .rng = gsl_rng_alloc(gsl_rng_mt19937)};
        struct cluster truth, first;
        struct hitop_fit fit[NODES];
        double numbers[NODES][4][2] = {{{0}}};
        make_cluster(t.rng, &truth);
        measure(&truth, &t, &first);
        for (size_t i = 0; unlike && i < t.n; i++) {
            const double share = (t.row[i].from * 7 + t.row[i].to[0] * 5) % 9 / 9.0 - 0.5;
            t.row[i].seconds *= 1 + 0.1 * share;
        }
        for (int i = 0; i < NODES; i++) {
            numbers[i][0][0] = first.processor[i].fixed;
            numbers[i][0][1] = first.processor[i].per_byte;
            fit[i] = (struct hitop_fit){.params = numbers[i][0],
                                        .se = numbers[i][1],
                                        .lo = numbers[i][2],
                                        .hi = numbers[i][3]};
        }
        ck_assert_int_eq(
            lmo->refine_processors(t.row, t.n, LINKS, 0.95, hitop_estimators(), fit, NODES, NULL),
            HITOP_OK);
        for (int i = 0; i < NODES; i++) {
            const double *n = numbers[i][0];
            ck_assert((n[0] == first.processor[i].fixed) == unlike);
            ck_assert((n[1] == first.processor[i].per_byte) == unlike);
            ck_assert(unlike || (numbers[i][2][0] <= n[0] && n[0] <= numbers[i][3][0]));
            ck_assert(unlike || fabs(n[0] / truth.processor[i].fixed - 1) < 0.03);
        }
        gsl_rng_free(t.rng);
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, exact_times_give_exact_numbers);
    tcase_add_test(tc, all_times_together_tell_more_than_each_triple);
    tcase_add_test(tc, no_number_becomes_negative);
    tcase_add_test(tc, refuses_too_few_times);
    tcase_add_test(tc, the_type_refines_where_links_are_alike);
}

TEST_MAIN("lmo refined", add_tests)
