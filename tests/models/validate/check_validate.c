/* SPDX-License-Identifier: BSD-3-Clause */
/* check_validate.c - errors summed up and judged; every expected number is worked out by hand. */
#include <config.h>

#include "coll/validate/pattern.h"
#include "models/model/figures.h"
#include "models/validate/judge.h"

#include "tests/models/validate/validate_sample.h"
#include "tests/support/replay.h"
#include "tests/support/test_main.h"

#include <math.h>

static const double tenth[VALIDATE_NPARTS] = {0.1, 0.1, 0.1};

static int is_near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * (1 + fabs(b));
}

/* A pair at a size, of which the halves are as far apart as noise says, and the model off by
 * ratio. */
static struct validate_sample make(int group, int a, int b, size_t bytes, double ratio,
                                   double noise)
{
    struct validate_sample s = timed_sample(ratio, noise);

    s.part = VALIDATE_PAIRS;
    s.group = group;
    s.level = group < 10 ? "host" : "cluster";
    s.rank[0] = a;
    s.rank[1] = b;
    s.bytes = bytes;
    return s;
}

static struct validate_rows judge(const struct validate_sample *s, int n, enum validate_by by)
{
    struct validate_rows rows;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_msg(hitop_validate_judge(s, n, by, tenth, &rows, &diag) == HITOP_OK, "%s",
                  diag.message);
    return rows;
}

/* 8 % too long, 2 % too long, 4 % too short as a ratio: the middle one is 4 %, the largest 8 %. */
START_TEST(errors_are_ratios)
{
    const struct validate_sample s[] = {make(1, 0, 1, 1, 1.08, 1), make(1, 0, 1, 2, 1.02, 1),
                                        make(1, 0, 1, 4, 1 / 1.04, 1)};
    struct validate_rows rows = judge(s, 3, VALIDATE_BY_GROUP);

    ck_assert_int_eq(rows.n, 1);
    ck_assert_int_eq(rows.row[0].nsamples, 3);
    ck_assert_int_eq(rows.row[0].npairs, 1);
    ck_assert(is_near(rows.row[0].errors.median, 0.04));
    ck_assert(is_near(rows.row[0].errors.largest, 0.08));
    ck_assert(is_near(rows.row[0].errors.bias, cbrt(1.08 * 1.02 / 1.04) - 1));
    ck_assert(is_near(rows.row[0].worst_error, 0.02)); /* the median of the pair, with its sign */
    ck_assert(is_near(rows.row[0].limit, 0.1));
    ck_assert(rows.row[0].holds);
    ck_assert(is_near(hitop_validate_deviation(&s[2]), 1 / 1.04 - 1));
    hitop_validate_rows_clear(&rows);
}
END_TEST

/* Twice too short is as wrong as twice too long. */
START_TEST(short_is_as_wrong_as_long)
{
    const struct validate_sample s[] = {make(1, 0, 1, 1, 2, 1), make(2, 2, 3, 1, 0.5, 1)};
    struct validate_rows rows = judge(s, 2, VALIDATE_BY_GROUP);

    ck_assert_int_eq(rows.n, 2);
    ck_assert(is_near(rows.row[0].errors.median, 1) && is_near(rows.row[1].errors.median, 1));
    ck_assert(is_near(rows.row[0].errors.bias, 1) && is_near(rows.row[1].errors.bias, -0.5));
    ck_assert(!rows.row[0].holds && !rows.row[1].holds);
    hitop_validate_rows_clear(&rows);
}
END_TEST

/* Halves that are 15 % apart allow 30 %, whichever is the longer one. */
START_TEST(noise_raises_the_limit)
{
    const struct validate_sample s[] = {make(1, 0, 1, 1, 1.29, 1.15),
                                        make(1, 0, 1, 2, 1.29, 1 / 1.15),
                                        make(2, 2, 3, 1, 1.31, 1.15)};
    struct validate_rows rows = judge(s, 3, VALIDATE_BY_GROUP);

    ck_assert(is_near(rows.row[0].floor, 0.15) && is_near(rows.row[0].limit, 0.3));
    ck_assert(rows.row[0].holds);
    ck_assert(!rows.row[1].holds);
    hitop_validate_rows_clear(&rows);
}
END_TEST

/* Two pairs are right, the third is 25 % off at all sizes: the median is not, and yet the group
 * does not hold. */
START_TEST(noise_that_hides_all_is_no_proof)
{
    struct validate_sample s[] = {make(3, 0, 1, 8, 40, 2), make(3, 0, 1, 16, 40, 2)};
    struct validate_rows rows = judge(s, 2, VALIDATE_BY_GROUP);

    ck_assert_int_eq(rows.row[0].is_noisy, 1);
    ck_assert_int_eq(rows.row[0].holds, 1); /* undecided */
    hitop_validate_rows_clear(&rows);
    s[0].again[1] = s[1].again[1] = 2e-6 * 1.4;
    rows = judge(s, 2, VALIDATE_BY_GROUP);
    ck_assert_int_eq(rows.row[0].is_noisy, 0);
    ck_assert_int_eq(rows.row[0].holds, 0);
    hitop_validate_rows_clear(&rows);
}
END_TEST

START_TEST(launches_make_the_time_and_the_noise)
{
    struct validate_sample s = make(3, 0, 1, 8, 1, 1);

    hitop_validate_add_launch(&s, 2.5e-6, 2.4e-6, 2.6e-6);
    ck_assert(is_near(s.seconds, 2.25e-6));
    hitop_validate_add_launch(&s, 2.2e-6, 1.8e-6, 2.3e-6);
    ck_assert_int_eq(s.nlaunches, 3);
    ck_assert(is_near(s.seconds, 2.2e-6));
    ck_assert(is_near(s.lo, 1.8e-6));
    ck_assert(is_near(s.hi, 2.6e-6));
    ck_assert(is_near(s.again[0], 2e-6));
    ck_assert(is_near(s.again[1], 2.35e-6)); /* the middle of the earlier ones */
    hitop_validate_add_launch(&s, 0, 0, 0);  /* not measured then */
    ck_assert_int_eq(s.nlaunches, 3);
    s = make(3, 0, 1, 8, 1, 1);
    s.seconds = s.again[0] = s.again[1] = 0; /* not measured now */
    hitop_validate_add_launch(&s, 2.5e-6, 2.4e-6, 2.6e-6);
    ck_assert(is_near(s.seconds, 2.5e-6) && is_near(s.lo, 2.4e-6));
}
END_TEST

START_TEST(one_pair_spoils_its_group)
{
    struct validate_sample s[] = {make(1, 0, 1, 1, 1, 1),    make(1, 0, 1, 2, 1.01, 1),
                                  make(1, 2, 3, 1, 1, 1),    make(1, 2, 3, 2, 1.01, 1),
                                  make(1, 1, 2, 1, 1.25, 1), make(1, 1, 2, 2, 1.25, 1)};
    struct validate_rows rows = judge(s, 6, VALIDATE_BY_GROUP);

    ck_assert_int_eq(rows.row[0].npairs, 3);
    ck_assert(is_near(rows.row[0].errors.median, 0.01));
    ck_assert(!rows.row[0].holds);
    ck_assert_int_eq(rows.row[0].worst->rank[0], 1);
    ck_assert(is_near(rows.row[0].worst_error, 0.25));
    hitop_validate_rows_clear(&rows);

    s[4].predicted = s[5].predicted = 2e-6 * 1.19;
    rows = judge(s, 6, VALIDATE_BY_GROUP);
    ck_assert(rows.row[0].holds);
    hitop_validate_rows_clear(&rows);
}
END_TEST

/* A pattern is right at two sizes, and 25 % off at the third. */
START_TEST(one_size_spoils_its_pattern)
{
    struct validate_sample s[] = {make(1, 0, 0, 1, 1, 1), make(1, 0, 0, 2, 1.01, 1),
                                  make(1, 0, 0, 4, 1 / 1.25, 1)};
    struct validate_rows rows;

    for (int i = 0; i < 3; i++) {
        s[i].part = VALIDATE_PATTERNS;
    }
    rows = judge(s, 3, VALIDATE_BY_GROUP);
    ck_assert(is_near(rows.row[0].errors.median, 0.01));
    ck_assert_ptr_eq(rows.row[0].worst, &s[2]);
    ck_assert(is_near(rows.row[0].worst_error, -0.2));
    ck_assert(!rows.row[0].holds);
    hitop_validate_rows_clear(&rows);
    s[2].predicted = 2e-6 / 1.19;
    rows = judge(s, 3, VALIDATE_BY_GROUP);
    ck_assert(rows.row[0].holds);
    hitop_validate_rows_clear(&rows);
}
END_TEST

/* Groups of one level together; sizes together; patterns by size have no pairs. */
START_TEST(rows_are_what_is_asked_for)
{
    struct validate_sample s[] = {make(1, 0, 1, 1, 1, 1),  make(1, 0, 1, 9, 1.5, 1),
                                  make(2, 2, 3, 1, 1, 1),  make(2, 2, 3, 9, 1.5, 1),
                                  make(10, 0, 2, 1, 1, 1), make(1, 0, 0, 9, 1.05, 1)};
    struct validate_rows rows;

    s[5].part = VALIDATE_PATTERNS;
    s[0].is_known = s[1].is_known = 1;
    rows = judge(s, 6, VALIDATE_BY_LEVEL);
    ck_assert_int_eq(rows.n, 3);
    ck_assert_int_eq(rows.row[0].npairs, 2);
    ck_assert_int_eq(rows.row[0].nknown, 1);
    ck_assert_int_eq(rows.row[2].npairs, 0);
    ck_assert_ptr_eq(rows.row[2].worst, &s[5]);
    hitop_validate_rows_clear(&rows);
    rows = judge(s, 6, VALIDATE_BY_SIZE);
    ck_assert_int_eq(rows.n, 3);
    ck_assert_int_eq(rows.row[0].nsamples, 3);
    ck_assert(is_near(rows.row[1].errors.bias, 0.5));
    hitop_validate_rows_clear(&rows);
}
END_TEST

/* What was not measured is counted, and is no error. */
START_TEST(missing_times_are_no_errors)
{
    struct validate_sample s[] = {make(1, 0, 1, 1, 3, 1), make(1, 0, 1, 2, 1.05, 1)};
    struct validate_rows rows;

    s[0].seconds = s[0].again[0] = s[0].again[1] = 0;
    s[1].again[1] = 0; /* one half only: nothing is known of the noise */
    rows = judge(s, 2, VALIDATE_BY_GROUP);
    ck_assert_int_eq(rows.row[0].nsamples, 1);
    ck_assert_int_eq(rows.row[0].nmissing, 1);
    ck_assert(is_near(rows.row[0].floor, 0));
    ck_assert(is_near(rows.row[0].errors.largest, 0.05));
    ck_assert(rows.row[0].holds);
    hitop_validate_rows_clear(&rows);
}
END_TEST

/* The measurement is known to +-0.1 us; the model to 3 and to 4 times what makes 0.1 us. */
START_TEST(intervals_cover)
{
    struct validate_sample s[] = {make(1, 0, 1, 1, 1.15, 1), make(1, 0, 1, 2, 1.25, 1),
                                  make(1, 0, 1, 4, 1.15, 1)};
    struct validate_rows rows;

    s[0].predicted_se = s[1].predicted_se = 0.4e-6 / 1.959964; /* together 0.412 us */
    rows = judge(s, 3, VALIDATE_BY_GROUP);
    ck_assert_int_eq(rows.row[0].nintervals, 2);
    ck_assert_int_eq(rows.row[0].ninside, 1); /* 0.3 us off, not 0.5 */
    hitop_validate_rows_clear(&rows);
}
END_TEST

/* Hockney's a + b m with se 3 us and 4 ns/B: at 1000 B 5 us; a table says nothing. */
START_TEST(price_errors_add_up)
{
    const char *const hosts[] = {"a", "b"};
    const double params[] = {1e-5, 1e-9}, se[] = {3e-6, 4e-9};
    struct hitop_class c = {.node = 2, .pair = {0, 1}, .params = params, .se = se};
    struct hitop_model_parts parts = {.type = "hockney", .classes = &c, .nclasses = 1};
    struct hitop_hierarchy *h = NULL;
    struct hitop_model *model = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert(hitop_hierarchy_flat(hosts, 2, &h, &diag) == HITOP_OK);
    parts.hierarchy = h;
    ck_assert_msg(hitop_model_build(&parts, &model, &diag) == HITOP_OK, "%s", diag.message);
    ck_assert(is_near(1e6 * hitop_model_price_error(model, 0, 1, 1000), 5));
    ck_assert(is_near(1e6 * hitop_model_price_error(model, 1, 0, 0), 3));
    ck_assert(hitop_model_price_error(model, 1, 1, 1000) == 0);
    hitop_model_free(model);
    c.se = NULL;
    ck_assert(hitop_model_build(&parts, &model, &diag) == HITOP_OK);
    ck_assert(isnan(hitop_model_price_error(model, 0, 1, 1000)));
    hitop_model_free(model);
    hitop_hierarchy_free(h);
}
END_TEST

static struct hitop_hierarchy *make_hosts(int nranks, int per_host)
{
    static const char *const name[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    const char *host[16];
    struct hitop_hierarchy *h = NULL;

    for (int r = 0; r < nranks; r++) {
        host[r] = name[r / per_host];
    }
    ck_assert(hitop_hierarchy_flat(host, nranks, &h, NULL) == HITOP_OK);
    return h;
}

/* How many bytes each rank has of what rank 0 brought; every pattern must end, and lose nothing. */
static size_t play(const struct validate_pattern *p, const struct hitop_hierarchy *h, size_t *sends)
{
    enum { BYTES = 7, MOST = 16 };
    const int n = hitop_hierarchy_nranks(h);
    unsigned char brought[MOST][BYTES], taken[MOST][BYTES];
    struct hitop_replay_memory memory[MOST];
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_plan *plan = NULL;
    size_t received = 0;

    ck_assert(hitop_validate_pattern_plan(p, h, BYTES, &plan, &diag) == HITOP_OK);
    *sends = 0;
    for (int r = 0; r < n; r++) {
        size_t count;
        const struct hitop_step *steps = hitop_sched_steps(plan->sched[r], &count);
        for (size_t i = 0; i < count; i++) {
            *sends += steps[i].kind == HITOP_STEP_SEND;
        }
        memset(brought[r], r + 1, BYTES);
        memset(taken[r], r == 0 ? 1 : 0, BYTES);
        memory[r] = (struct hitop_replay_memory){brought[r], BYTES, taken[r], BYTES};
    }
    ck_assert_msg(hitop_sched_replay(plan->sched, n, HITOP_SEND_BUFFERED, memory, NULL, &diag) ==
                      HITOP_OK,
                  "%s of %d: %s", p->name, n, diag.message);
    for (int r = 1; r < n; r++) {
        received += taken[r][BYTES - 1] != 0;
    }
    hitop_plan_free(plan);
    return received;
}

START_TEST(patterns_send_what_they_say)
{
    for (int n = 2; n <= 16; n++) {
        struct hitop_hierarchy *h = make_hosts(n, 2);
        size_t sends;
        ck_assert_uint_eq(play(&hitop_validate_patterns[0], h, &sends), (size_t)n - 1); /* fan */
        ck_assert_uint_eq(sends, (size_t)n - 1);
        ck_assert_uint_eq(play(&hitop_validate_patterns[1], h, &sends), (size_t)n - 1); /* shift */
        ck_assert_uint_eq(sends, (size_t)n);
        ck_assert_uint_eq(play(&hitop_validate_patterns[2], h, &sends),
                          (size_t)n - 1); /* binomial */
        ck_assert_uint_eq(sends, (size_t)n - 1);
        ck_assert_uint_eq(play(&hitop_validate_patterns[3], h, &sends),
                          (size_t)n - 1); /* exchange */
        ck_assert_uint_eq(sends, (size_t)n * (size_t)(n - 1));
        (void)play(&hitop_validate_patterns[4], h,
                   &sends); /* pairs: hosts of two ranks, two by two */
        ck_assert_uint_eq(sends, n == 2 ? 1 : (size_t)(n / 4 * 2 + (n % 4 == 3)));
        hitop_hierarchy_free(h);
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, errors_are_ratios);
    tcase_add_test(tc, short_is_as_wrong_as_long);
    tcase_add_test(tc, noise_raises_the_limit);
    tcase_add_test(tc, noise_that_hides_all_is_no_proof);
    tcase_add_test(tc, launches_make_the_time_and_the_noise);
    tcase_add_test(tc, one_pair_spoils_its_group);
    tcase_add_test(tc, one_size_spoils_its_pattern);
    tcase_add_test(tc, rows_are_what_is_asked_for);
    tcase_add_test(tc, missing_times_are_no_errors);
    tcase_add_test(tc, intervals_cover);
    tcase_add_test(tc, price_errors_add_up);
    tcase_add_test(tc, patterns_send_what_they_say);
}

TEST_MAIN("validate", add_tests)
