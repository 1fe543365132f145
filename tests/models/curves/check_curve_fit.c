/* SPDX-License-Identifier: BSD-3-Clause */
/* check_curve_fit.c - formulas of collectives: what was put in comes out, and the sentence says how
 * sure that is. */
#include <config.h>

#include "models/curves/curves.h"

#include "tests/support/test_main.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MAX_TIMES = 512 };

struct times {
    struct hitop_rank_time t[MAX_TIMES];
    size_t n;
};

static gsl_rng *rng;

static void setup(void)
{
    rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 20161);
}

static void teardown(void)
{
    gsl_rng_free(rng);
}

/* A median with relative noise sigma, and its interval. */
static void add(struct times *times, int ranks, size_t bytes, double truth, double sigma)
{
    const double seconds = truth * exp(gsl_ran_gaussian(rng, sigma));

    times->t[times->n++] = (struct hitop_rank_time){
        ranks, bytes, seconds, seconds * (1 - 1.96 * sigma), seconds * (1 + 1.96 * sigma)};
}

/* 0, 1, 2, 4 ... 4 MiB. */
static size_t size_at(int i)
{
    return i == 0 ? 0 : (size_t)1 << (i - 1);
}

enum { SIZES = 24 };

static double two_protocols(size_t bytes)
{
    return bytes <= 8192 ? 1.25e-6 + 0.385e-9 * (double)bytes : 19.5e-6 + 0.0925e-9 * (double)bytes;
}

static const struct hitop_fit_coefficient *term_of(const struct hitop_fit_piece *piece,
                                                   const char *text)
{
    for (int i = 0; i < piece->nterms; i++) {
        if (strcmp(piece->term[i].term->text, text) == 0) {
            return &piece->term[i];
        }
    }
    ck_abort_msg("no term %s", text);
    return NULL;
}

static void expect_near(double value, double truth, double tolerance)
{
    ck_assert_msg(fabs(value / truth - 1) <= tolerance, "%g is not %g", value, truth);
}

static void expect_holds(const struct hitop_fit_coefficient *c, double truth)
{
    ck_assert_msg(c->lo <= truth && truth <= c->hi, "%s: [%g, %g] without %g", c->term->text, c->lo,
                  c->hi, truth);
}

static void expect_sentence(const struct hitop_curve_fit *fit)
{
    puts(fit->sentence);
    ck_assert_msg(fit->sentence[strlen(fit->sentence) - 1] == '.', "cut off: %s", fit->sentence);
}

static void fit_sizes(const struct times *times, double floor, struct hitop_curve_fit *fit)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_msg(hitop_fit_sizes(times->t, times->n, floor, 0.95, fit, &diag) == HITOP_OK, "%s",
                  diag.message);
    expect_sentence(fit);
}

static void fit_ranks(const char *operation, const struct times *times, double floor,
                      struct hitop_curve_fit *fit)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_msg(hitop_fit_ranks(hitop_fit_basis_find(operation), times->t, times->n, floor, 0.95,
                                  fit, &diag) == HITOP_OK,
                  "%s", diag.message);
    expect_sentence(fit);
}

START_TEST(finds_a_line)
{
    struct times times = {.n = 0};
    struct hitop_curve_fit fit;
    const struct hitop_fit_form *form;

    for (int i = 0; i < SIZES; i++) {
        add(&times, 4, size_at(i), 2.385e-6 + 0.137e-9 * (double)size_at(i), 0.01);
    }
    fit_sizes(&times, 0.01, &fit);
    ck_assert_int_eq(fit.chosen, HITOP_FIT_LINE);
    ck_assert_int_eq(fit.verdict, HITOP_FIT_SUPPORTED);
    form = &fit.form[HITOP_FIT_LINE];
    ck_assert_int_eq(form->sizes.n, SIZES - 2);
    ck_assert_int_eq(form->ranks.n, 0);
    ck_assert_double_le(form->sizes.q90, 0.03);
    expect_near(term_of(&form->piece[0], "1")->value, 2.385e-6, 0.01);
    expect_near(term_of(&form->piece[0], "m")->value, 0.137e-9, 0.01);
    expect_holds(term_of(&form->piece[0], "1"), 2.385e-6);
    expect_holds(term_of(&form->piece[0], "m"), 0.137e-9);
    ck_assert_ptr_nonnull(strstr(fit.sentence, "support one straight line"));
    ck_assert_ptr_nonnull(strstr(fit.sentence, "From 0 B to 4 MiB"));
    ck_assert_uint_eq(fit.max_bytes, 4 << 20);
}
END_TEST

/* Intervals of 95 % hold what was put in 19 times of 20. */
START_TEST(intervals_hold_the_truth)
{
    int held = 0;
    enum { RUNS = 200 };

    for (int r = 0; r < RUNS; r++) {
        struct times times = {.n = 0};
        struct hitop_curve_fit fit;
        const struct hitop_fit_coefficient *a, *b;
        for (int i = 0; i < SIZES; i++) {
            add(&times, 4, size_at(i), 2.385e-6 + 0.137e-9 * (double)size_at(i), 0.02);
        }
        ck_assert_int_eq(hitop_fit_sizes(times.t, times.n, 0, 0.95, &fit, NULL), HITOP_OK);
        a = term_of(&fit.form[HITOP_FIT_LINE].piece[0], "1");
        b = term_of(&fit.form[HITOP_FIT_LINE].piece[0], "m");
        held += (a->lo <= 2.385e-6 && 2.385e-6 <= a->hi) + (b->lo <= 0.137e-9 && 0.137e-9 <= b->hi);
    }
    printf("%d of %d intervals hold the truth\n", held, 2 * RUNS);
    ck_assert_int_ge(held, 2 * RUNS * 92 / 100);
}
END_TEST

/* Of times that a fit has not seen, 19 of 20 are where it expects them, and these intervals are no
 * wider than they must be. */
START_TEST(what_is_left_out_is_where_it_is_expected)
{
    int covered = 0, n = 0;
    double half = 0;
    enum { RUNS = 100 };

    for (int r = 0; r < RUNS; r++) {
        struct times times = {.n = 0};
        struct hitop_curve_fit fit;
        for (int i = 0; i < SIZES; i++) {
            add(&times, 4, size_at(i), 2.385e-6 + 0.137e-9 * (double)size_at(i), 0.03);
        }
        ck_assert_int_eq(hitop_fit_sizes(times.t, times.n, 1e-4, 0.95, &fit, NULL), HITOP_OK);
        covered += fit.form[HITOP_FIT_LINE].covered;
        n += fit.form[HITOP_FIT_LINE].unseen.n;
        half += fit.form[HITOP_FIT_LINE].half / RUNS;
    }
    printf("%d of %d times are within +- %.3f\n", covered, n, half);
    ck_assert_int_ge(n, RUNS * (SIZES - 3)); /* a false change of lines leaves some out */
    ck_assert_int_ge(covered, n * 92 / 100);
    ck_assert_int_le(covered, n * 99 / 100);
    ck_assert_double_ge(half, 1.96 * 0.03);
    ck_assert_double_le(half, 1.5 * 1.96 * 0.03);
}
END_TEST

/* Times that no neighbour foretells are outside of what their neighbours foretell. */
START_TEST(bad_points_are_not_covered)
{
    struct times times = {.n = 0};
    struct hitop_curve_fit fit;

    for (int i = 0; i < SIZES; i++) {
        const double truth = 2.385e-6 + 0.137e-9 * (double)size_at(i);
        add(&times, 4, size_at(i), i == 7 || i == 13 ? 3 * truth : truth, 0.01);
    }
    fit_sizes(&times, 0.01, &fit);
    ck_assert_int_le(fit.form[HITOP_FIT_LINE].covered, SIZES - 2 - 2);
    ck_assert_int_ge(fit.form[HITOP_FIT_LINE].covered, SIZES - 2 - 4);
}
END_TEST

/* Gather of the old reports: a parabola is nearer than a line, and wrong. */
START_TEST(a_switch_of_protocol_is_no_curvature)
{
    struct times times = {.n = 0};
    struct hitop_curve_fit fit;
    const struct hitop_fit_form *form = &fit.form[HITOP_FIT_PIECES];

    for (int i = 0; i < SIZES; i++) {
        add(&times, 4, size_at(i), two_protocols(size_at(i)), 0.02);
    }
    fit_sizes(&times, 0.02, &fit);
    ck_assert_int_eq(fit.chosen, HITOP_FIT_PIECES);
    ck_assert_int_eq(form->npieces, 2);
    ck_assert_uint_eq(form->piece[0].max_bytes, 8192);
    ck_assert_uint_eq(form->piece[1].min_bytes, 16384);
    expect_near(term_of(&form->piece[0], "1")->value, 1.25e-6, 0.03);
    expect_near(term_of(&form->piece[0], "m")->value, 0.385e-9, 0.05);
    expect_near(term_of(&form->piece[1], "1")->value, 19.5e-6, 0.05);
    expect_near(term_of(&form->piece[1], "m")->value, 0.0925e-9, 0.02);
    ck_assert_double_gt(fit.form[HITOP_FIT_PARABOLA].unseen.q90, 2 * form->unseen.q90);
    ck_assert_double_gt(fit.form[HITOP_FIT_LINE].unseen.q90, 2 * form->unseen.q90);
    ck_assert_ptr_nonnull(
        strstr(fit.sentence, "2 straight lines that change between 8 KiB and 16 KiB"));
    ck_assert_ptr_nonnull(strstr(fit.sentence, "with a parabola: "));
}
END_TEST

START_TEST(does_not_depend_on_size)
{
    struct times times = {.n = 0};
    struct hitop_curve_fit fit;

    for (int i = 0; i < 12; i++) {
        add(&times, 2, size_at(i), 3.275e-6, 0.01);
    }
    fit_sizes(&times, 0.01, &fit);
    ck_assert_int_eq(fit.chosen, HITOP_FIT_CONSTANT);
    expect_near(fit.form[0].piece[0].term[0].value, 3.275e-6, 0.02);
    ck_assert_ptr_nonnull(strstr(fit.sentence, "support a constant"));
}
END_TEST

/* The largest size is never left out; its error is reported nevertheless. */
START_TEST(the_last_size_is_an_exception)
{
    struct times times = {.n = 0};
    struct hitop_curve_fit fit;

    for (int i = 1; i < 14; i++) {
        add(&times, 2, size_at(i), i == 13 ? 5.17e-6 : 2.45e-6, 0.01);
    }
    fit_sizes(&times, 0.01, &fit);
    ck_assert_int_eq(fit.chosen, HITOP_FIT_CONSTANT);
    ck_assert_ptr_nonnull(strstr(fit.sentence, "support, with exceptions, a constant"));
}
END_TEST

/* One point in eight takes five times as long. */
START_TEST(stands_bad_points)
{
    struct times times = {.n = 0};
    struct hitop_curve_fit fit;

    for (int i = 0; i < SIZES; i++) {
        add(&times, 4, size_at(i), 2.385e-6 + 0.137e-9 * (double)size_at(i), 0.01);
    }
    for (size_t i = 5; i < SIZES; i += 8) {
        times.t[i].seconds *= 5;
        times.t[i].lo *= 5;
        times.t[i].hi *= 5;
    }
    fit_sizes(&times, 0.01, &fit);
    ck_assert_int_eq(fit.verdict, HITOP_FIT_SUPPORTED);
    ck_assert_ptr_nonnull(strstr(fit.sentence, "support, with exceptions, one straight line"));
    expect_near(term_of(&fit.form[HITOP_FIT_LINE].piece[0], "1")->value, 2.385e-6, 0.05);
    expect_near(term_of(&fit.form[HITOP_FIT_LINE].piece[0], "m")->value, 0.137e-9, 0.05);
}
END_TEST

/* No cost falls with the size, so a fall is no line, and no lines with changes, whatever they
 * happen to meet. */
START_TEST(falling_times_are_called_so)
{
    for (int k = 0; k < 3; k++) {
        struct times times = {.n = 0};
        struct hitop_curve_fit fit;
        for (int i = 1; i < 20; i++) {
            const double m = (double)size_at(i);
            add(&times, 4, k < 2 ? (size_t)i * 1024 : size_at(i),
                k == 0   ? (100 - 4 * i) * 1e-6
                : k == 1 ? (100 - i) * 1e-6
                         : 1e-6 + 1e-9 * m * (m < 1e4 ? 1 : 0.1),
                0.001);
        }
        fit_sizes(&times, 0.001, &fit);
        ck_assert_int_eq(strstr(fit.sentence, "Times fall") != NULL, k < 2);
        ck_assert_ptr_null(strstr(fit.sentence, "more sizes would show"));
    }
}
END_TEST

/* Long sizes and many changes: all of it is said to its end. */
START_TEST(the_longest_sentence_ends)
{
    struct times times = {.n = 0};
    struct hitop_curve_fit fit;

    for (int i = 0; i < 90; i++) {
        add(&times, 4, (size_t)(i + 1) * 100000000000000001u, pow(5, i / 15) * (1 + 1e-3 * i),
            1e-4);
    }
    fit_sizes(&times, 1e-4, &fit);
    ck_assert_int_eq(fit.form[fit.chosen].npieces, HITOP_MAX_SEGMENTS);
    ck_assert_uint_gt(strlen(fit.sentence), 640);
}
END_TEST

/* What a simulation repeats to the last bit or but one is no unit to measure errors by, nor weights
 * of points. */
START_TEST(next_to_no_noise_is_no_unit)
{
    static const double floors[] = {1e-5, 1e-15, 1e-170};

    for (size_t k = 0; k < sizeof(floors) / sizeof(floors[0]); k++) {
        struct times times = {.n = 0};
        struct hitop_curve_fit fit;
        for (int i = 0; i < SIZES; i++) {
            add(&times, 4, size_at(i), 2.385e-6 + 0.137e-9 * (double)size_at(i), 0);
        }
        fit_sizes(&times, floors[k], &fit);
        ck_assert_int_eq(fit.chosen, HITOP_FIT_LINE);
        ck_assert_ptr_null(strstr(fit.sentence, "times the noise"));
        ck_assert_ptr_nonnull(strstr(fit.sentence, "There is next to no noise"));
    }
}
END_TEST

/* If measurements differ by more than half, no form can be chosen. */
START_TEST(much_noise_does_not_decide)
{
    struct times times = {.n = 0};
    struct hitop_curve_fit fit;

    for (int i = 0; i < SIZES; i++) {
        add(&times, 4, size_at(i), 2.385e-6 + 0.137e-9 * (double)size_at(i), 0.4);
    }
    fit_sizes(&times, 0.6, &fit);
    ck_assert_int_eq(fit.verdict, HITOP_FIT_UNDECIDED);
    ck_assert_ptr_nonnull(strstr(fit.sentence, "the data do not decide: the noise alone is 60 %"));
}
END_TEST

/* Launches may differ while the sizes of each are on a line: that noise does not make a constant of
 * it. */
START_TEST(noise_of_launches_hides_no_line)
{
    struct times times = {.n = 0};
    struct hitop_curve_fit fit;

    for (int i = 1; i < 20; i++) {
        add(&times, 4, 200 * (size_t)i, 5e-6 + 0.65e-9 * 200 * i, 0.005);
    }
    fit_sizes(&times, 0.3, &fit);
    ck_assert_double_le(fit.form[HITOP_FIT_CONSTANT].unseen.q90, 0.3);
    ck_assert_int_eq(fit.chosen, HITOP_FIT_LINE);
}
END_TEST

START_TEST(noise_without_form_is_called_so)
{
    struct times times = {.n = 0};
    struct hitop_curve_fit fit;

    for (int i = 0; i < SIZES; i++) {
        add(&times, 4, size_at(i), (i % 2 ? 1 : 9) * 1.735e-6, 0.01);
    }
    fit_sizes(&times, 0.01, &fit);
    ck_assert_int_eq(fit.verdict, HITOP_FIT_NONE);
    ck_assert_ptr_nonnull(strstr(fit.sentence, "no form describes the data"));
}
END_TEST

START_TEST(few_points_do_not_decide)
{
    for (int n = 1; n <= 4; n++) {
        struct times times = {.n = 0};
        struct hitop_curve_fit fit;
        for (int i = 0; i < n; i++) {
            add(&times, 4, size_at(6 * i), two_protocols(size_at(6 * i)), 0.01);
        }
        fit_sizes(&times, 0, &fit);
        ck_assert_int_eq(fit.verdict, HITOP_FIT_UNDECIDED);
        ck_assert_int_ge(fit.chosen, 0);
        ck_assert_ptr_nonnull(strstr(fit.sentence, n == 1 ? "one size only" : "do not decide"));
        ck_assert_int_eq(strstr(fit.sentence, "no point could be left out") != NULL, n == 2);
    }
}
END_TEST

static const int ranks_list[] = {2, 3, 4, 6, 8, 13};
enum { NRANKS = sizeof(ranks_list) / sizeof(ranks_list[0]) };

static double depth(int ranks)
{
    return ceil(log2(ranks));
}

/* A binomial tree: nothing but m ceil(log2 P) and ceil(log2 P). */
START_TEST(finds_the_terms_of_a_tree)
{
    struct times times = {.n = 0};
    struct hitop_curve_fit fit;
    const struct hitop_fit_piece *piece;

    for (int r = 0; r < NRANKS; r++) {
        for (int i = 1; i < SIZES; i++) {
            add(&times, ranks_list[r], size_at(i),
                (1.375e-6 + 0.285e-9 * (double)size_at(i)) * depth(ranks_list[r]), 0.01);
        }
    }
    fit_ranks("broadcast", &times, 0.01, &fit);
    ck_assert_int_eq(fit.chosen, HITOP_FIT_LINE);
    ck_assert_int_eq(fit.verdict, HITOP_FIT_SUPPORTED);
    piece = &fit.form[HITOP_FIT_LINE].piece[0];
    ck_assert_int_eq(piece->nterms, 2);
    expect_near(term_of(piece, "ceil(log2 P)")->value, 1.375e-6, 0.01);
    expect_near(term_of(piece, "m ceil(log2 P)")->value, 0.285e-9, 0.01);
    ck_assert_int_eq(fit.form[HITOP_FIT_LINE].ranks.n, NRANKS * (SIZES - 1));
    ck_assert_int_eq(fit.form[HITOP_FIT_LINE].sizes.n, NRANKS * (SIZES - 3));
    ck_assert_double_le(fit.form[HITOP_FIT_LINE].ranks.q90, 0.03);
    ck_assert_ptr_nonnull(strstr(fit.sentence, "from 2 to 13 ranks"));
}
END_TEST

/* Short vectors over a tree, long ones by scatter and allgather: other terms on both sides. */
START_TEST(finds_other_terms_beyond_a_switch)
{
    struct times times = {.n = 0};
    struct hitop_curve_fit fit;
    const struct hitop_fit_form *form = &fit.form[HITOP_FIT_PIECES];

    for (int r = 0; r < NRANKS; r++) {
        for (int i = 1; i < SIZES; i++) {
            const double m = (double)size_at(i);
            add(&times, ranks_list[r], size_at(i),
                size_at(i) <= 32768 ? (1.375e-6 + 0.785e-9 * m) * depth(ranks_list[r])
                                    : 33.5e-6 + 0.635e-9 * m,
                0.01);
        }
    }
    fit_ranks("reduce", &times, 0.01, &fit);
    ck_assert_int_eq(fit.chosen, HITOP_FIT_PIECES);
    ck_assert_int_eq(form->npieces, 2);
    ck_assert_uint_eq(form->piece[0].max_bytes, 32768);
    ck_assert_int_eq(form->piece[0].nterms, 2);
    ck_assert_int_eq(form->piece[1].nterms, 2);
    expect_near(term_of(&form->piece[0], "m ceil(log2 P)")->value, 0.785e-9, 0.02);
    expect_near(term_of(&form->piece[1], "1")->value, 33.5e-6, 0.05);
    expect_near(term_of(&form->piece[1], "m")->value, 0.635e-9, 0.02);
}
END_TEST

START_TEST(finds_exchanges_with_all_others)
{
    struct times times = {.n = 0};
    struct hitop_curve_fit fit;

    for (int r = 0; r < NRANKS; r++) {
        for (int i = 1; i < SIZES; i++) {
            add(&times, ranks_list[r], size_at(i),
                (ranks_list[r] - 1) * (0.975e-6 + 0.235e-9 * (double)size_at(i)), 0.02);
        }
    }
    fit_ranks("alltoall", &times, 0.02, &fit);
    ck_assert_int_eq(fit.chosen, HITOP_FIT_LINE);
    ck_assert_int_eq(fit.form[HITOP_FIT_LINE].piece[0].nterms, 2);
    expect_near(term_of(&fit.form[HITOP_FIT_LINE].piece[0], "(P - 1)")->value, 0.975e-6, 0.02);
    expect_near(term_of(&fit.form[HITOP_FIT_LINE].piece[0], "m (P - 1)")->value, 0.235e-9, 0.02);
}
END_TEST

/* The sentence says what a formula does not depend on. */
START_TEST(says_what_does_not_count)
{
    for (int k = 0; k < 4; k++) {
        struct times times = {.n = 0};
        struct hitop_curve_fit fit;
        for (int r = 0; r < NRANKS; r++) {
            for (int i = 1; i < 12; i++) {
                add(&times, ranks_list[r], size_at(i),
                    2.5e-6 * (k & 1 ? depth(ranks_list[r]) : 1) *
                        (k & 2 ? 1 + 0.01 * (double)size_at(i) : 1),
                    0.002);
            }
        }
        fit_ranks("broadcast", &times, 0.002, &fit);
        ck_assert_int_eq(fit.chosen, HITOP_FIT_LINE);
        ck_assert_int_eq(
            strstr(fit.sentence, ", in which neither size nor number of ranks counts") != NULL,
            k == 0);
        ck_assert_int_eq(strstr(fit.sentence, ", in which the size does not count") != NULL,
                         k == 1);
        ck_assert_int_eq(
            strstr(fit.sentence, ", in which the number of ranks does not count") != NULL, k == 2);
    }
}
END_TEST

START_TEST(a_barrier_has_one_size)
{
    struct times times = {.n = 0};
    struct hitop_curve_fit fit;

    for (int r = 0; r < NRANKS; r++) {
        add(&times, ranks_list[r], 0, 0.35e-6 + 2.175e-6 * depth(ranks_list[r]), 0.005);
    }
    fit_ranks("barrier", &times, 0.005, &fit);
    ck_assert_int_eq(fit.verdict, HITOP_FIT_SUPPORTED);
    expect_near(term_of(&fit.form[fit.chosen].piece[0], "ceil(log2 P)")->value, 2.175e-6, 0.15);
    ck_assert_ptr_nonnull(strstr(fit.sentence, "From 2 to 13 ranks"));
    ck_assert_int_eq(fit.form[fit.chosen].ranks.n, NRANKS);
}
END_TEST

START_TEST(two_numbers_of_ranks_say_that_they_are_two)
{
    struct times times = {.n = 0};
    struct hitop_curve_fit fit;

    for (int p = 2; p <= 4; p += 2) {
        for (int i = 1; i < SIZES; i++) {
            add(&times, p, size_at(i), (1.375e-6 + 0.285e-9 * (double)size_at(i)) * p, 0.01);
        }
    }
    add(&times, 4, 3, 1e-6, 0.01); /* a size that 2 ranks lack */
    fit_ranks("scatter", &times, 0.01, &fit);
    ck_assert_int_eq(fit.left_out, 1);
    ck_assert_int_eq(fit.form[fit.chosen].ranks.n, 0);
    ck_assert_ptr_nonnull(strstr(fit.sentence, "Two numbers of ranks do not show"));
}
END_TEST

START_TEST(each_operation_has_a_basis)
{
    static const char *const names[] = {"barrier",    "broadcast", "reduce",      "scatter",
                                        "gather",     "alltoall",  "sendreceive", "allgather",
                                        "scatterv",   "gatherv",   "alltoallv",   "exchange",
                                        "allgatherv", "allreduce", "pairs"};
    size_t n = 0;

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        ck_assert_ptr_nonnull(hitop_fit_basis_find(names[i]));
    }
    ck_assert_ptr_null(hitop_fit_basis_find("pingpong")); /* two ranks always */
    for (; hitop_fit_basis(n); n++) {
        const struct hitop_fit_basis *b = hitop_fit_basis(n);
        ck_assert_str_eq(b->term[0]->text, "1");
        for (int k = 0; k < HITOP_FIT_MAX_TERMS && b->term[k]; k++) {
            const struct hitop_fit_term *t = b->term[k];
            ck_assert_int_eq(t->has_size, t->value(3e6, 8) != t->value(1e3, 8));
            ck_assert_int_eq(t->has_ranks, t->value(1e3, 8) != t->value(1e3, 3));
            ck_assert_double_gt(t->value(1, 2), 0);
        }
    }
    ck_assert_uint_eq(n, sizeof(names) / sizeof(names[0]));
}
END_TEST

static void expect_refused(const struct hitop_rank_time *t, size_t n, const char *why)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_curve_fit fit;

    ck_assert_int_eq(hitop_fit_sizes(t, n, 0.01, 0.95, &fit, &diag), HITOP_ERR_INVALID);
    ck_assert_msg(strstr(diag.message, why) != NULL, "%s", diag.message);
    ck_assert_int_eq(fit.chosen, -1);
}

START_TEST(refuses_what_is_no_time)
{
    const struct hitop_rank_time good = {4, 8, 1e-6, 1e-6, 1e-6};
    const struct hitop_rank_time wrong[] = {
        {4, 16, 0, 0, 1},          {4, 16, -1e-6, -1e-6, 0},       {4, 16, NAN, NAN, NAN},
        {4, 16, INFINITY, 1, 1e9}, {4, 16, 1e-6, 2e-6, 3e-6},      {4, 16, 1e-6, 0, NAN},
        {0, 16, 1e-6, 1e-6, 1e-6}, {4, 16, 1e-300, 1e-300, 1e-300}};
    struct hitop_rank_time t[2] = {good, good};
    struct hitop_curve_fit fit;

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        t[1] = wrong[i];
        expect_refused(t, 2, i == 6 ? "a time of 0 ranks" : "16 bytes among 4 ranks take");
    }
    t[1] = good;
    expect_refused(t, 2, "8 bytes among 4 ranks twice");
    expect_refused(t, 0, "0 times");
    t[1].ranks = 8;
    expect_refused(t, 2, "2 numbers of ranks in one curve");
    ck_assert_int_eq(hitop_fit_sizes(&good, 1, NAN, 0.95, &fit, NULL), HITOP_ERR_INVALID);
    ck_assert_int_eq(hitop_fit_sizes(&good, 1, 0, 1, &fit, NULL), HITOP_ERR_INVALID);
    ck_assert_int_eq(
        hitop_fit_ranks(hitop_fit_basis_find("barrier"), &good, 1, 0, 0.95, &fit, NULL),
        HITOP_ERR_INVALID);
    t[1].bytes = 9;
    ck_assert_int_eq(hitop_fit_ranks(hitop_fit_basis_find("barrier"), t, 2, 0, 0.95, &fit, NULL),
                     HITOP_ERR_INVALID);
}
END_TEST

/* Whatever is accepted has finite positive numbers and a whole sentence. */
static void expect_sane(const struct hitop_curve_fit *fit)
{
    ck_assert_int_ge(fit->chosen, 0);
    ck_assert_int_eq(fit->sentence[strlen(fit->sentence) - 1], '.');
    for (int f = 0; f < HITOP_FIT_NFORMS; f++) {
        for (int i = 0; i < fit->form[f].npieces; i++) {
            const struct hitop_fit_piece *p = &fit->form[f].piece[i];
            ck_assert_int_gt(p->nterms, 0);
            ck_assert_uint_le(p->min_bytes, p->max_bytes);
            for (int k = 0; k < p->nterms; k++) {
                const struct hitop_fit_coefficient *c = &p->term[k];
                ck_assert(isfinite(c->value) && isfinite(c->lo) && isfinite(c->hi));
                ck_assert(c->lo <= c->value && c->value <= c->hi);
                ck_assert(f == HITOP_FIT_PARABOLA || (c->value > 0 && c->lo >= 0));
            }
        }
    }
}

START_TEST(stands_odd_times)
{
    for (int run = 0; run < 24; run++) {
        struct times times = {.n = 0};
        struct hitop_curve_fit fit;
        const size_t n = 1 + gsl_rng_uniform_int(rng, 18);
        const int nranks = 1 + (int)gsl_rng_uniform_int(rng, 4);
        const double spreads[] = {0.1, 30, 55}; /* 55: times from 1e-12 to 1e12 */
        const double spread = spreads[run % 3];
        size_t bytes = gsl_rng_uniform_int(rng, 2);
        for (size_t i = 0; i < n; i++) {
            for (int r = 0; r < nranks; r++) {
                const double seconds = exp(spread * (gsl_rng_uniform(rng) - 0.5));
                const double wide = gsl_rng_uniform_int(rng, 2) ? 0 : gsl_rng_uniform(rng);
                times.t[times.n++] =
                    (struct hitop_rank_time){1 + r, bytes, seconds, seconds * (1 - wide),
                                             fmin(seconds * (1 + 9 * wide), 9e11)};
            }
            bytes += 1 + (gsl_rng_uniform_int(rng, 3) ? gsl_rng_uniform_int(rng, 9)
                                                      : (size_t)1 << gsl_rng_uniform_int(rng, 40));
        }
        if (nranks == 1) {
            ck_assert_int_eq(hitop_fit_sizes(times.t, times.n, 0, 0.95, &fit, NULL), HITOP_OK);
            expect_sane(&fit);
        } else {
            for (size_t b = 0; hitop_fit_basis(b); b++) {
                ck_assert_int_eq(
                    hitop_fit_ranks(hitop_fit_basis(b), times.t, times.n, 0.02, 0.95, &fit, NULL),
                    HITOP_OK);
                expect_sane(&fit);
            }
        }
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, finds_a_line);
    tcase_add_test(tc, intervals_hold_the_truth);
    tcase_add_test(tc, what_is_left_out_is_where_it_is_expected);
    tcase_add_test(tc, bad_points_are_not_covered);
    tcase_add_test(tc, a_switch_of_protocol_is_no_curvature);
    tcase_add_test(tc, does_not_depend_on_size);
    tcase_add_test(tc, the_last_size_is_an_exception);
    tcase_add_test(tc, stands_bad_points);
    tcase_add_test(tc, falling_times_are_called_so);
    tcase_add_test(tc, the_longest_sentence_ends);
    tcase_add_test(tc, next_to_no_noise_is_no_unit);
    tcase_add_test(tc, much_noise_does_not_decide);
    tcase_add_test(tc, noise_of_launches_hides_no_line);
    tcase_add_test(tc, noise_without_form_is_called_so);
    tcase_add_test(tc, few_points_do_not_decide);
    tcase_add_test(tc, finds_the_terms_of_a_tree);
    tcase_add_test(tc, finds_other_terms_beyond_a_switch);
    tcase_add_test(tc, finds_exchanges_with_all_others);
    tcase_add_test(tc, says_what_does_not_count);
    tcase_add_test(tc, a_barrier_has_one_size);
    tcase_add_test(tc, two_numbers_of_ranks_say_that_they_are_two);
    tcase_add_test(tc, each_operation_has_a_basis);
    tcase_add_test(tc, refuses_what_is_no_time);
    tcase_add_test(tc, stands_odd_times);
}

TEST_MAIN("curve_fit", add_tests)
