/* SPDX-License-Identifier: BSD-3-Clause */
/* check_model_tables.c - models whose numbers depend on the size: interpolation, PLogP, LogGP. */
#include <config.h>

#include "models/fit/estimate.h"

#include "tests/support/test_main.h"

#include <math.h>

enum { MAX_ROWS = 16, MAX_COLUMNS = 4 };

static const struct hitop_model_type *find(const char *name)
{
    const struct hitop_model_type *type = NULL;

    ck_assert_int_eq(hitop_model_type_find(name, &type, NULL), HITOP_OK);
    return type;
}

/* A fit and what prices a message after it. */
struct result {
    double params[8], se[8], lo[8], hi[8], table[MAX_ROWS * MAX_COLUMNS];
    struct hitop_terms terms;
};

static enum hitop_status fit(const char *name, const struct hitop_evidence *e, struct result *r)
{
    struct hitop_fit out = {.params = r->params,
                            .se = r->se,
                            .lo = r->lo,
                            .hi = r->hi,
                            .table = r->table,
                            .max_rows = MAX_ROWS};
    const enum hitop_status status = find(name)->fit(e, hitop_estimators(), &out, NULL);

    r->terms = (struct hitop_terms){.link = r->params, .table = r->table, .nrows = out.nrows};
    return status;
}

static double us(const char *name, const struct result *r, size_t bytes)
{
    return 1e6 * find(name)->p2p(&r->terms, bytes);
}

/* Points in microseconds. */
static struct hitop_curve curve(const size_t *bytes, const double *microseconds, size_t n,
                                struct hitop_point *points)
{
    for (size_t i = 0; i < n; i++) {
        const double t = microseconds[i] * 1e-6;
        points[i] = (struct hitop_point){
            .bytes = bytes[i], .seconds = t, .se = 1e-3 * t, .lo = t, .hi = t, .nsamples = 1};
    }
    return (struct hitop_curve){.points = points, .npoints = n};
}

/*
 * Round trips, calls of sender and receiver at n sizes, and a train of empty messages;
 * points[3 n + 1].
 */
static struct hitop_evidence evidence(const size_t *bytes, size_t n, const double *trips,
                                      double train, const double *send, const double *receive,
                                      struct hitop_point *points)
{
    static const size_t empty[] = {0};
    struct hitop_evidence e = {.confidence = 0.95};

    e.curve[HITOP_REPLY] = curve(bytes, trips, n, points);
    e.curve[HITOP_GAP] = curve(empty, &train, 1, points + n);
    e.curve[HITOP_SEND_CALL] = curve(bytes, send, n, points + n + 1);
    e.curve[HITOP_RECEIVE_CALL] = curve(bytes, receive, n, points + 2 * n + 1);
    return e;
}

START_TEST(lininterp_joins_the_points)
{
    static const size_t bytes[] = {0, 1024, 2048, 4096, 8192};
    static const double times[] = {20.3, 31.0, 40.2, 61.9, 101.6};
    struct hitop_point points[5];
    struct hitop_evidence e = {.confidence = 0.95};
    struct result r;

    e.curve[HITOP_ECHO] = curve(bytes, times, 5, points);
    ck_assert_int_eq(fit("lininterp", &e, &r), HITOP_OK);
    ck_assert_double_eq_tol(us("lininterp", &r, 512), 25.65, 1e-9);
    ck_assert_double_eq_tol(us("lininterp", &r, 3000), 50.287109375, 1e-9);
    ck_assert_double_eq_tol(us("lininterp", &r, 16384), 181.0, 1e-9);
    ck_assert_double_eq_tol(us("lininterp", &r, 1024), 31.0, 1e-9);
}
END_TEST

START_TEST(lininterp_makes_noise_ascend)
{
    static const size_t bytes[] = {0, 1, 16, 64, 256};
    static const double times[] = {2.0, 2.4, 2.2, 2.0, 3.0};
    struct hitop_point points[5];
    struct hitop_evidence e = {.confidence = 0.95};
    struct result r;

    e.curve[HITOP_ECHO] = curve(bytes, times, 5, points);
    ck_assert_int_eq(fit("lininterp", &e, &r), HITOP_OK);
    ck_assert_double_eq_tol(us("lininterp", &r, 0), 2.0, 1e-9);
    for (size_t i = 1; i < 4; i++) { /* the mean of the three that descend */
        ck_assert_double_eq_tol(us("lininterp", &r, bytes[i]), 2.2, 1e-9);
    }
    ck_assert_double_eq_tol(us("lininterp", &r, 256), 3.0, 1e-9);
    e.curve[HITOP_ECHO].npoints = 0;
    ck_assert_int_eq(fit("lininterp", &e, &r), HITOP_ERR_INVALID);
}
END_TEST

/* The worked example of PLogP, in microseconds: g(0) = 5 and five round trips. */
static void plogp_example(struct hitop_evidence *e, struct hitop_point *points)
{
    static const size_t bytes[] = {0, 1, 1024, 4096, 65536};
    static const double trips[] = {50, 50.5, 62, 95, 720};
    static const double send[] = {2, 2, 2, 2, 2}, receive[] = {2.6, 2.6, 2.6, 2.6, 2.6};

    *e = evidence(bytes, 5, trips, 5, send, receive, points);
}

START_TEST(plogp_gives_the_worked_numbers)
{
    static const double gaps[] = {5, 5.5, 17, 50, 675};
    struct hitop_point points[16];
    struct hitop_evidence e;
    struct result r;

    plogp_example(&e, points);
    ck_assert_int_eq(fit("plogp", &e, &r), HITOP_OK);
    ck_assert_double_eq_tol(r.params[0], 20e-6, 1e-15);
    ck_assert_uint_eq(r.terms.nrows, 5);
    for (size_t i = 0; i < 5; i++) {
        ck_assert_double_eq_tol(r.table[4 * i + 1], 2e-6, 1e-15);
        ck_assert_double_eq_tol(r.table[4 * i + 2], 2.6e-6, 1e-15);
        ck_assert_double_eq_tol(r.table[4 * i + 3], gaps[i] * 1e-6, 1e-15);
    }
    ck_assert_double_eq_tol(us("plogp", &r, 4096), 70, 1e-9);
    ck_assert_double_eq_tol(us("plogp", &r, 2048), 48, 1e-9);
    ck_assert_double_eq_tol(1e6 * find("plogp")->occupancy(&r.terms, 2048), 28, 1e-9);
    e.curve[HITOP_GAP].npoints = 0;
    ck_assert_int_eq(fit("plogp", &e, &r), HITOP_ERR_INVALID);
    e.curve[HITOP_REPLY].points++;
    ck_assert_int_eq(fit("plogp", &e, &r), HITOP_ERR_INVALID);
}
END_TEST

START_TEST(plogp_never_has_a_negative_latency)
{
    static const size_t bytes[] = {0};
    static const double train[] = {40};
    struct hitop_point points[16], slow[1];
    struct hitop_evidence e;
    struct result r;

    plogp_example(&e, points);
    e.curve[HITOP_GAP] = curve(bytes, train, 1, slow); /* longer than half a round trip */
    ck_assert_int_eq(fit("plogp", &e, &r), HITOP_OK);
    ck_assert_double_eq(r.params[0], 0);
    ck_assert_double_eq_tol(us("plogp", &r, 0), 25, 1e-9);
}
END_TEST

START_TEST(loggp_separates_overheads_from_latency)
{
    static const size_t bytes[] = {0, 1024, 4096, 16384, 65536};
    static const double send[] = {3, 3, 3, 3, 3}, receive[] = {4, 4, 4, 4, 4};
    double trips[5];
    struct hitop_point points[16];
    struct hitop_evidence e;
    struct result r;

    for (size_t i = 0; i < 5; i++) {
        trips[i] = 40 + 1e-3 * (double)bytes[i];
    }
    e = evidence(bytes, 5, trips, 5, send, receive, points);
    ck_assert_int_eq(fit("loggp", &e, &r), HITOP_OK);
    ck_assert_double_eq_tol(r.params[0], 13e-6, 1e-12); /* L = 40 / 2 - 3 - 4 */
    ck_assert_double_eq_tol(r.params[1], 3e-6, 1e-12);
    ck_assert_double_eq_tol(r.params[2], 4e-6, 1e-12);
    ck_assert_double_eq_tol(r.params[3], 5e-6, 1e-10);
    ck_assert_double_eq_tol(r.params[4], 1e-9, 1e-14);
    ck_assert_double_eq_tol(us("loggp", &r, 0), 20, 1e-6);
    ck_assert_double_eq_tol(us("loggp", &r, 1001), 21, 1e-6);
    e.curve[HITOP_SEND_CALL].npoints = 0;
    ck_assert_int_eq(fit("loggp", &e, &r), HITOP_ERR_INVALID);
}
END_TEST

/* Calls that last as long as the message, as where sends wait for their receivers. */
START_TEST(calls_that_overlap_do_not_lengthen_a_message)
{
    static const size_t bytes[] = {0, 1000, 100000};
    static const double trips[] = {40, 41, 140}, call[] = {20, 21, 120};
    struct hitop_point points[16];
    struct hitop_evidence e;
    struct result r;

    e = evidence(bytes, 3, trips, 20, call, call, points);
    ck_assert_int_eq(fit("loggp", &e, &r), HITOP_OK);
    ck_assert_double_eq_tol(r.params[0], -20e-6, 1e-12); /* L = 40 / 2 - 20 - 20 */
    for (size_t i = 0; i < 3; i++) {
        const double whole = 20 + 1e-3 * (double)bytes[i];
        ck_assert_double_eq_tol(us("loggp", &r, bytes[i]), whole, 0.01);
        ck_assert_double_eq_tol(1e6 * find("loggp")->occupancy(&r.terms, bytes[i]), whole, 0.01);
    }
    ck_assert_int_eq(fit("plogp", &e, &r), HITOP_OK);
    for (size_t i = 0; i < 3; i++) {
        const double whole = 20 + 1e-3 * (double)bytes[i];
        ck_assert_double_eq_tol(us("plogp", &r, bytes[i]), whole, 1e-9);
        ck_assert_double_eq_tol(1e6 * find("plogp")->occupancy(&r.terms, bytes[i]), whole, 1e-9);
        ck_assert_double_eq_tol(1e6 * find("plogp")->reception(&r.terms, bytes[i]), whole, 1e-9);
    }
}
END_TEST

/* Short messages leave at once; the long one waits: its sender is busy for longer than the gap. */
START_TEST(a_send_that_waits_occupies_its_sender)
{
    static const size_t bytes[] = {0, 100000};
    static const double trips[] = {40, 140}, call[] = {2, 118}, receive[] = {3, 110};
    struct hitop_point points[16];
    struct hitop_evidence e;
    struct result r;

    e = evidence(bytes, 2, trips, 5, call, receive, points);
    ck_assert_int_eq(fit("plogp", &e, &r), HITOP_OK);
    ck_assert_double_eq_tol(us("plogp", &r, 100000), 120, 1e-9);
    ck_assert_double_eq_tol(1e6 * find("plogp")->occupancy(&r.terms, 0), 5, 1e-9);
    ck_assert_double_eq_tol(1e6 * find("plogp")->occupancy(&r.terms, 100000), 118, 1e-9);
    ck_assert_double_eq_tol(1e6 * find("plogp")->reception(&r.terms, 100000), 110, 1e-9);
}
END_TEST

/* A model of two ranks with one class. */
static struct hitop_model *build(const char *type, const struct hitop_class *c)
{
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    const int group = hitop_hierarchy_builder_group(b, "host", "");
    struct hitop_hierarchy *h = NULL;
    struct hitop_model *model = NULL;

    for (int rank = 0; rank < 2; rank++) {
        hitop_hierarchy_builder_edge(b, hitop_hierarchy_builder_leaf(b, rank, "h"), group);
    }
    ck_assert_int_eq(hitop_hierarchy_builder_finish(b, &h, NULL), HITOP_OK);
    hitop_hierarchy_builder_free(b);
    ck_assert_int_eq(
        hitop_model_build(
            &(struct hitop_model_parts){.type = type, .hierarchy = h, .classes = c, .nclasses = 1},
            &model, NULL),
        HITOP_OK);
    hitop_hierarchy_free(h);
    return model;
}

START_TEST(loggp_follows_from_plogp_and_back)
{
    static const double loggp[] = {20.9, 2, 2.6, 5.5, 0.0102996826171875};
    struct hitop_point points[16];
    struct hitop_evidence e;
    struct result r;
    struct hitop_class c = {.node = 2, .pair = {0, 1}, .nsizes = 5};
    struct hitop_model *plogp, *converted = NULL, *back = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    plogp_example(&e, points);
    ck_assert_int_eq(fit("plogp", &e, &r), HITOP_OK);
    c.params = r.params;
    c.table = r.table;
    c.nrows = 5;
    plogp = build("plogp", &c);
    ck_assert_int_eq(hitop_model_convert(plogp, "loggp", &converted, NULL), HITOP_OK);
    for (size_t p = 0; p < 5; p++) {
        ck_assert_double_eq_tol(1e6 * hitop_model_class(converted, 0)->params[p], loggp[p], 1e-12);
    }
    ck_assert_double_eq_tol(1e6 * hitop_model_p2p(converted, 0, 1, 4096), 67.67720031738281, 1e-9);
    ck_assert_double_eq_tol(hitop_model_class(converted, 0)->residual, 1 - 67.67720031738281 / 70,
                            1e-9);
    ck_assert_int_eq(hitop_model_convert(converted, "plogp", &back, NULL), HITOP_OK);
    for (size_t bytes = 0; bytes < 1 << 24; bytes = 3 * bytes + 1) {
        ck_assert_double_eq_tol(1e6 * hitop_model_p2p(back, 0, 1, bytes),
                                1e6 * hitop_model_p2p(converted, 0, 1, bytes), 1e-6);
    }
    ck_assert_double_lt(hitop_model_class(back, 0)->residual, 1e-12);
    hitop_model_free(back);
    ck_assert_int_eq(hitop_model_convert(plogp, "hockney", &back, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message,
                     "hockney does not follow from plogp; loggp and plogp do from each other");
    ck_assert_ptr_null(back);
    ck_assert_int_eq(hitop_model_convert(plogp, "oak", &back, &diag), HITOP_ERR_NOTFOUND);
    hitop_model_free(converted);
    hitop_model_free(plogp);
}
END_TEST

START_TEST(a_latency_from_plogp_may_be_negative)
{
    static const double params[] = {1e-6}, table[] = {0, 3e-6, 3e-6, 1e-6};
    const struct hitop_class c = {
        .node = 2, .pair = {0, 1}, .params = params, .table = table, .nrows = 1};
    struct hitop_model *plogp = build("plogp", &c), *converted = NULL;

    ck_assert_int_eq(hitop_model_convert(plogp, "loggp", &converted, NULL), HITOP_OK);
    ck_assert_double_eq_tol(hitop_model_class(converted, 0)->params[0], -4e-6, 1e-18);
    ck_assert_double_eq(hitop_model_class(converted, 0)->params[4], 0);
    ck_assert_double_eq_tol(hitop_model_p2p(converted, 0, 1, 1), 2e-6, 1e-18);
    hitop_model_free(converted);
    hitop_model_free(plogp);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, lininterp_joins_the_points);
    tcase_add_test(tc, lininterp_makes_noise_ascend);
    tcase_add_test(tc, plogp_gives_the_worked_numbers);
    tcase_add_test(tc, plogp_never_has_a_negative_latency);
    tcase_add_test(tc, loggp_separates_overheads_from_latency);
    tcase_add_test(tc, calls_that_overlap_do_not_lengthen_a_message);
    tcase_add_test(tc, a_send_that_waits_occupies_its_sender);
    tcase_add_test(tc, loggp_follows_from_plogp_and_back);
    tcase_add_test(tc, a_latency_from_plogp_may_be_negative);
}

TEST_MAIN("model tables", add_tests)
