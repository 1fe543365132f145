/* SPDX-License-Identifier: BSD-3-Clause */
/* check_lmo_noise.c - how far noise takes the parameters of processors and links from the truth. */
#include <config.h>

#include "models/fit/estimate.h"

#include "tests/support/test_main.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include <math.h>
#include <stdio.h>

static const struct hitop_model_type *lmo(void)
{
    const struct hitop_model_type *type = NULL;

    ck_assert_int_eq(hitop_model_type_find("lmo", &type, NULL), HITOP_OK);
    return type;
}

static double error(double found, double wanted)
{
    return fabs(found / wanted - 1);
}

/*
 * 16 unlike processors, links of all lengths, medians known to 0.5 %, six triples for each
 * processor: the errors of published trials, with half as much to spare.
 */
enum { NODES = 16, TRIPLES = 6, NSIZES = 2, ECHOES = 9, TRIALS = 20 };

struct cluster {
    double C[NODES], t[NODES], L[NODES][NODES], beta[NODES][NODES];
};

static double between(gsl_rng *rng, double low, double high)
{
    return low + (high - low) * gsl_rng_uniform(rng);
}

static void make_cluster(gsl_rng *rng, struct cluster *c)
{
    for (int i = 0; i < NODES; i++) {
        c->C[i] = between(rng, 9e-6, 15e-6);
        c->t[i] = between(rng, 3e-9, 6e-9);
        for (int j = 0; j < i; j++) {
            c->L[i][j] = c->L[j][i] = between(rng, 20e-6, 25e-6);
            c->beta[i][j] = c->beta[j][i] = between(rng, 8e-9, 12e-9);
        }
    }
}

static struct hitop_point noisy(gsl_rng *rng, size_t bytes, double seconds)
{
    const double seen = seconds * exp(gsl_ran_gaussian(rng, 0.005));

    return (struct hitop_point){.bytes = bytes, .seconds = seen, .se = 0.005 * seen};
}

static double one_way(const struct cluster *c, int i, int j, double m)
{
    return c->C[i] + c->L[i][j] + c->C[j] + m * (c->t[i] + c->beta[i][j] + c->t[j]);
}

static double empty_reply(const struct cluster *c, int i, int j, double m)
{
    return one_way(c, i, j, m) + one_way(c, j, i, 0);
}

/* What processor i measures with random partners. */
static void fit_leader(gsl_rng *rng, const struct cluster *c, int i, double *value)
{
    static const size_t bytes[NSIZES] = {0, 65536};
    struct hitop_triple_evidence triples[TRIPLES];
    struct hitop_point points[TRIPLES][3][NSIZES];
    double se[2], lo[2], hi[2];
    struct hitop_fit out = {.params = value, .se = se, .lo = lo, .hi = hi};

    for (int r = 0; r < TRIPLES; r++) {
        const int j = (i + 1 + (int)gsl_rng_uniform_int(rng, NODES - 1)) % NODES;
        int k = j;
        while (k == i || k == j) {
            k = (int)gsl_rng_uniform_int(rng, NODES);
        }
        for (int s = 0; s < NSIZES; s++) {
            const double m = (double)bytes[s];
            const double one = empty_reply(c, i, j, m), other = empty_reply(c, i, k, m);
            points[r][0][s] = noisy(rng, bytes[s], fmax(one, other) + 2 * c->C[i] + m * c->t[i]);
            points[r][1][s] = noisy(rng, bytes[s], one);
            points[r][2][s] = noisy(rng, bytes[s], other);
        }
        triples[r] = (struct hitop_triple_evidence){
            .fan = {points[r][0], NSIZES},
            .reply = {{points[r][1], NSIZES}, {points[r][2], NSIZES}}};
    }
    ck_assert_int_eq(lmo()->fit_processor(triples, TRIPLES, 0.95, hitop_estimators(), &out, NULL),
                     HITOP_OK);
}

/* Mean relative errors. */
struct lmo_errors {
    double C, t, L, beta, p2p;
};

static void fit_pair(gsl_rng *rng, const struct cluster *c, int i, int j, double (*processor)[2],
                     struct lmo_errors *e)
{
    static const size_t bytes[ECHOES] = {0, 16, 256, 1024, 4096, 8192, 16384, 32768, 65536};
    const double share = 1.0 / (TRIALS * NODES * (NODES - 1) / 2);
    struct hitop_point points[ECHOES];
    struct hitop_evidence evidence = {.curve = {[HITOP_ECHO] = {points, ECHOES}},
                                      .confidence = 0.95,
                                      .from = processor[i],
                                      .to = processor[j]};
    double value[2], se[2], lo[2], hi[2];
    struct hitop_fit out = {.params = value, .se = se, .lo = lo, .hi = hi};
    const struct hitop_terms terms = {.link = value, .from = processor[i], .to = processor[j]};

    for (int s = 0; s < ECHOES; s++) {
        points[s] = noisy(rng, bytes[s], one_way(c, i, j, (double)bytes[s]));
    }
    ck_assert_int_eq(lmo()->fit(&evidence, hitop_estimators(), &out, NULL), HITOP_OK);
    e->L += share * error(value[0], c->L[i][j]);
    e->beta += share * error(value[1], c->beta[i][j]);
    for (int s = 0; s < ECHOES; s++) {
        e->p2p += share / ECHOES *
                  error(lmo()->p2p(&terms, bytes[s]), one_way(c, i, j, (double)bytes[s]));
    }
}

START_TEST(six_triples_for_each_processor_suffice)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct lmo_errors e = {0};

    gsl_rng_set(rng, 16);
    for (int trial = 0; trial < TRIALS; trial++) {
        static struct cluster c;
        double processor[NODES][2];
        make_cluster(rng, &c);
        for (int i = 0; i < NODES; i++) {
            fit_leader(rng, &c, i, processor[i]);
            e.C += error(processor[i][0], c.C[i]) / (TRIALS * NODES);
            e.t += error(processor[i][1], c.t[i]) / (TRIALS * NODES);
        }
        for (int i = 0; i < NODES; i++) {
            for (int j = i + 1; j < NODES; j++) {
                fit_pair(rng, &c, i, j, processor, &e);
            }
        }
    }
    gsl_rng_free(rng);
    printf("C %.2f t %.2f L %.2f beta %.2f p2p %.2f %%\n", 100 * e.C, 100 * e.t, 100 * e.L,
           100 * e.beta, 100 * e.p2p);
    ck_assert(e.C <= 0.026 && e.t <= 0.078 && e.L <= 0.015 && e.beta <= 0.023 && e.p2p <= 0.007);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, six_triples_for_each_processor_suffice);
}

TEST_MAIN("lmo and noise", add_tests)
