/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_report.c - results of a benchmark are read as they are, fitted in series, and become a
 * whole page.
 */
#include <config.h>

#include "models/results/merge_impl.h"
#include "tools/report/report.h"

#include "tests/support/balanced.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <stdio.h>

/* A curve of a broadcast with 8 sizes on a line. */
static void put_curve(FILE *to, const char *implementation, int ranks, const char *after)
{
    fprintf(to,
            "{\"operation\":\"broadcast\",\"implementation\":\"%s\",\"ranks\":%d,\"hosts\":1,"
            "\"root\":\"fixed\","
            "\"points\":[",
            implementation, ranks);
    for (int i = 7; i >= 0; i--) { /* the order does not matter */
        const double us = ranks * (1.375 + 0.000285 * (double)(1 << (2 * i)));
        fprintf(to,
                "{\"size_B\":%d,\"repetitions\":20,\"state\":\"converged\",\"time_us\":{\"median\":"
                "%.9g,\"lo\":%.9g,"
                "\"hi\":%.9g,\"max\":%.9g,\"mean\":%.9g},\"bandwidth_MBps\":null}%s",
                1 << (2 * i), us, 0.99 * us, 1.01 * us, 30 * us, 2 * us, i > 0 ? "," : "");
    }
    fprintf(to, "]}%s", after);
}

static char *results(size_t *length)
{
    char *text = NULL;
    FILE *to = open_memstream(&text, length);

    fputs("{\"format\":\"hitop-benchmark\",\"version\":1,\"provenance\":{\"tool\":\"t\",\"hosts\":["
          "\"a\",\"b\"],"
          "\"host\":{\"cores\":2,\"name\":\"<x> & 'y'\"},\"none\":null},\"warnings\":[\"a < b & c "
          "> d\"],"
          "\"noise_floor\":null,\"unknown\":1,\"curves\":[",
          to);
    put_curve(to, "mpi", 8, ",");
    put_curve(to, "hitop", 2, ",");
    put_curve(to, "mpi", 2, ",");
    put_curve(to, "mpi", 4, "]}");
    (void)fclose(to);
    return text;
}

static struct results *parse(void)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct results *report = NULL;
    size_t length;
    char *text = results(&length);

    ck_assert_msg(hitop_results_parse("f", text, length, &report, &diag) == HITOP_OK, "%s",
                  diag.message);
    free(text);
    return report;
}

START_TEST(reads_what_is_there)
{
    struct results *r = parse();

    ck_assert_int_eq(r->ncurves, 4);
    ck_assert_int_eq(r->nwarnings, 1);
    ck_assert(isnan(r->noise_floor));
    ck_assert_int_eq(r->nfacts, 4);
    ck_assert_str_eq(r->facts[1].value, "a, b");
    ck_assert_str_eq(r->facts[2].key, "host.cores");
    ck_assert_str_eq(r->facts[3].value, "<x> & 'y'");
    ck_assert_int_eq(r->curves[0].ranks, 8);
    ck_assert_int_eq(r->curves[0].npoints, 8);
    ck_assert_uint_eq(r->curves[0].points[0].bytes, 1);
    ck_assert_uint_eq(r->curves[0].points[7].bytes, 16384);
    ck_assert_double_eq_tol(r->curves[0].points[0].time.median, 8 * 1.375285e-6, 1e-12);
    ck_assert(isnan(r->curves[0].points[0].time.q90));
    ck_assert(isnan(r->curves[0].points[0].one_way));
    ck_assert_int_eq(r->curves[0].points[0].slowest_rank, -1);
    ck_assert_int_eq(r->curves[0].points[0].checked, -1);
    ck_assert_ptr_null(r->curves[0].cache);
    hitop_results_free(r);
}
END_TEST

/* One series for each implementation, by ranks; each with its formulas. */
START_TEST(puts_curves_in_series)
{
    struct results *r = parse();

    ck_assert_int_eq(hitop_results_fit(r, NULL), HITOP_OK);
    ck_assert_int_eq(r->nseries, 2);
    ck_assert_int_eq(r->series[0].n, 1);
    ck_assert_str_eq(r->curves[0].implementation, "hitop");
    ck_assert_int_eq(r->series[0].has_fit, 0);
    ck_assert_int_eq(r->series[1].n, 3);
    ck_assert_int_eq(r->curves[1].ranks, 2);
    ck_assert_int_eq(r->curves[3].ranks, 8);
    ck_assert_int_eq(r->series[1].has_fit, 1);
    ck_assert_int_eq(r->curves[3].fit.chosen, HITOP_FIT_LINE);
    ck_assert_double_eq_tol(r->curves[3].fit.form[HITOP_FIT_LINE].piece[0].term[0].value / 11e-6, 1,
                            1e-6);
    hitop_results_free(r);
}
END_TEST

/* What is written in a format, to be freed. */
static char *written(enum report_format format)
{
    struct results *r = parse();
    size_t length;
    char *text = NULL;
    FILE *to = open_memstream(&text, &length);

    ck_assert_int_eq(hitop_results_fit(r, NULL), HITOP_OK);
    ck_assert_int_eq(report_write(r, format, 0, to, NULL), HITOP_OK);
    (void)fclose(to);
    hitop_results_free(r);
    return text;
}

/* -1 to 1, the sum of some of which is about normal. */
static double noise(unsigned *state)
{
    double sum = 0;

    for (int i = 0; i < 12; i++) {
        *state = 1664525u * *state + 1013904223u;
        sum += (double)(*state >> 8) / (1 << 24) - 0.5;
    }
    return sum;
}

/* How often of 1000 the interval of n launches holds what all launches have in the middle. */
static int count_held(int n, double between, double within, int *excessive)
{
    unsigned state = 20161;
    int held = 0;

    *excessive = 0;
    for (int run = 0; run < 1000; run++) {
        struct results_point launch[RESULTS_MAX_LAUNCHES], pooled;
        const struct results_point *each[RESULTS_MAX_LAUNCHES];
        for (int i = 0; i < n; i++) {
            const double t = 2.385e-6 * exp(between * noise(&state) + within * noise(&state));
            launch[i] =
                (struct results_point){.repetitions = 10, .state = "converged", .slowest_rank = -1};
            launch[i].time = (struct results_times){
                .median = t, .lo = t * exp(-1.96 * within), .hi = t * exp(1.96 * within)};
            each[i] = &launch[i];
        }
        hitop_results_pool(each, n, 0.95, &pooled);
        held += pooled.time.lo <= 2.385e-6 && 2.385e-6 <= pooled.time.hi;
        *excessive += pooled.excess > 2;
    }
    return held;
}

START_TEST(intervals_of_launches_hold_the_median_of_all)
{
    int excessive;

    ck_assert_int_eq(hitop_results_pool_rank(5, 0.95), 0);
    ck_assert_int_eq(hitop_results_pool_rank(6, 0.95), 1);
    ck_assert_int_eq(hitop_results_pool_rank(8, 0.95), 1);
    ck_assert_int_eq(hitop_results_pool_rank(9, 0.95), 2);
    ck_assert_int_eq(hitop_results_pool_rank(20, 0.95), 6); /* as in tables of the sign test */
    ck_assert_double_eq_tol(hitop_results_pool_level(3, 0.95), 0.75, 1e-9);
    ck_assert_double_eq_tol(hitop_results_pool_level(2, 0.95), 0.5, 1e-9);
    ck_assert_double_eq_tol(hitop_results_pool_level(7, 0.95), 0.95, 1e-9);
    /* where launches differ far more than their repetitions do a single one shows nothing */
    ck_assert_int_ge(count_held(3, 0.1, 0.001, &excessive), 740);
    ck_assert_int_ge(excessive, 990);
    ck_assert_int_ge(count_held(5, 0.1, 0.001, &excessive), 925);
    ck_assert_int_ge(count_held(6, 0.1, 0.001, &excessive), 955);
    ck_assert_int_ge(count_held(20, 0.1, 0.001, &excessive), 945);
    ck_assert_int_le(count_held(20, 0.1, 0.001, &excessive), 980);
}
END_TEST

START_TEST(launches_that_do_not_differ_are_not_called_different)
{
    int excessive;

    ck_assert_int_ge(count_held(3, 0, 0.02, &excessive), 980);
    ck_assert_int_le(excessive, 40);
    ck_assert_int_ge(count_held(2, 0, 0.02, &excessive), 950);
    ck_assert_int_le(excessive, 60);
}
END_TEST

START_TEST(the_page_is_well_formed)
{
    char *html = written(REPORT_HTML);
    const char *wrong = find_imbalance(html);

    ck_assert_msg(wrong == NULL, "%s", wrong);
    ck_assert_ptr_nonnull(strstr(html, "a &lt; b &amp; c &gt; d"));
    ck_assert_ptr_nonnull(strstr(html, "T(m) = 11.0 µs + 2.28 ns/B · m"));
    ck_assert_ptr_nonnull(strstr(html, "Broadcast, by hitop"));
    free(html);
}
END_TEST

START_TEST(the_check_for_pages_finds_mistakes)
{
    ck_assert_ptr_null(find_imbalance("<!DOCTYPE html><a b=\"x > y\"><c/>&lt;</a>"));
    ck_assert_ptr_nonnull(find_imbalance("<a><b></a></b>"));
    ck_assert_ptr_nonnull(find_imbalance("<a>"));
    ck_assert_ptr_nonnull(find_imbalance("</a>"));
    ck_assert_ptr_nonnull(find_imbalance("<a>x & y</a>"));
    ck_assert_ptr_nonnull(find_imbalance("<a>x < y</a>"));
}
END_TEST

START_TEST(reports_means_beside_medians)
{
    char *md = written(REPORT_MARKDOWN);

    ck_assert_ptr_nonnull(strstr(md, "| Broadcast, by mpi | 8 | 2.00 | 2.00 |"));
    free(md);
}
END_TEST

START_TEST(formats_go_by_names)
{
    ck_assert_int_eq(report_format_of("html"), REPORT_HTML);
    ck_assert_int_eq(report_format_of_file("a.b/guide.md"), REPORT_MARKDOWN);
    ck_assert_int_eq(report_format_of_file("guide"), -1);
    ck_assert_int_eq(report_format_of_file("guide.txt"), -1);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, reads_what_is_there);
    tcase_add_test(tc, puts_curves_in_series);
    tcase_add_test(tc, intervals_of_launches_hold_the_median_of_all);
    tcase_add_test(tc, launches_that_do_not_differ_are_not_called_different);
    tcase_add_test(tc, the_page_is_well_formed);
    tcase_add_test(tc, the_check_for_pages_finds_mistakes);
    tcase_add_test(tc, reports_means_beside_medians);
    tcase_add_test(tc, formats_go_by_names);
}

TEST_MAIN("report", add_tests)
