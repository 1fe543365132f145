/* SPDX-License-Identifier: BSD-3-Clause */
/* check_eager.c - the size up to which sends complete alone is found to the byte, or not at all. */
#include <config.h>

#include "models/fit/eager.h"

#include "tests/support/draw.h"
#include "tests/support/example_hierarchy.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum { MAX_BYTES = 4 << 20 };

/* Sends of up to threshold bytes complete after a delay that varies; some answers are plainly
 * wrong. */
struct oracle {
    uint64_t *state;
    size_t threshold;
    double delay;  /* mean of an exponential distribution, in seconds */
    double errors; /* share of wrong answers */
    int ntests, stop_after;
    size_t largest;
};

static double draw_share(uint64_t *state)
{
    return (draw(state, 1 << 30) + 0.5) / (1 << 30);
}

static enum hitop_status completes(void *data, size_t bytes, double seconds, int *yes,
                                   struct hitop_diag *diag)
{
    struct oracle *o = data;

    if (++o->ntests == o->stop_after) {
        return hitop_fail(diag, HITOP_ERR_MPI, "the cable is out");
    }
    ck_assert_uint_ge(bytes, 1);
    o->largest = bytes > o->largest ? bytes : o->largest;
    *yes = bytes <= o->threshold && -o->delay * log(draw_share(o->state)) <= seconds;
    if (draw_share(o->state) < o->errors) {
        *yes = !*yes;
    }
    return HITOP_OK;
}

static struct hitop_eager find(struct oracle *o, size_t max, double round_trip)
{
    const struct hitop_eager_test test = {.completes = completes, .data = o};
    struct hitop_eager found;

    ck_assert_int_eq(hitop_eager_search(&test, max, round_trip, &found, NULL), HITOP_OK);
    ck_assert_int_eq(found.ntests, o->ntests);
    ck_assert_uint_le(o->largest, max);
    return found;
}

START_TEST(finds_every_threshold_to_the_byte)
{
    static const size_t thresholds[] = {0,    1,     2,     3,       1000,          1001,
                                        4040, 17407, 65480, 1 << 20, MAX_BYTES - 2, MAX_BYTES - 1};

    for (size_t i = 0; i < sizeof(thresholds) / sizeof(thresholds[0]); i++) {
        uint64_t state = 1;
        struct oracle oracle = {.state = &state, .threshold = thresholds[i]};
        const struct hitop_eager found = find(&oracle, MAX_BYTES, 1e-6);
        ck_assert_int_eq(found.is_found, 1);
        ck_assert_uint_eq(found.bytes, thresholds[i]);
        ck_assert_int_eq(found.is_max, 0);
        ck_assert_double_eq(found.window, 20e-3);
        ck_assert_int_le(found.ntests, 2 * 23 + 10);
    }
}
END_TEST

START_TEST(says_when_there_is_none)
{
    for (size_t max = 1; max < 10; max++) {
        uint64_t state = 1;
        struct oracle oracle = {.state = &state, .threshold = max};
        const struct hitop_eager found = find(&oracle, max, 0);
        ck_assert_int_eq(found.is_found, 1);
        ck_assert_int_eq(found.is_max, 1);
        ck_assert_uint_eq(found.bytes, max);
    }
}
END_TEST

START_TEST(gives_slow_networks_fifty_round_trips)
{
    uint64_t state = 1;
    struct oracle oracle = {.state = &state, .threshold = 5};

    ck_assert_double_eq(find(&oracle, 10, 0.0125).window, 50 * 0.0125);
}
END_TEST

/* Of many searches: right ones, and wrong ones that are taken for right. */
static void try_often(uint64_t *state, double delay, double errors, int *right, int *wrong)
{
    enum { TRIALS = 2000 };

    *right = *wrong = 0;
    for (int i = 0; i < TRIALS; i++) {
        const size_t max = (size_t)1 << (1 + draw(state, 30));
        struct oracle oracle = {.state = state,
                                .threshold =
                                    (size_t)draw(state, (int)(max / 2)) + (i % 2 ? max / 2 : 0),
                                .delay = delay,
                                .errors = errors};
        const struct hitop_eager found = find(&oracle, max, 0);
        *right += found.is_found && found.bytes == oracle.threshold;
        *wrong += found.is_found && found.bytes != oracle.threshold;
    }
    *right = *right * 1000 / TRIALS;
}

/* A busy machine completes late; a very busy one in the mean after the time that is given. Answers
 * may be wrong; at random they say nothing, and guesses are not taken for results. */
START_TEST(stands_late_and_wrong_answers)
{
    static const struct {
        double delay, errors;
        int least_right, most_right, most_wrong; /* of 1000, of 1000, of 2000 */
    } cases[] = {{3e-3, 0, 995, 1000, 0},
                 {20e-3, 0, 950, 1000, 4},
                 {0, 0.02, 990, 1000, 0},
                 {0, 0.5, 0, 10, 60}};
    uint64_t state = draw_seed();

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int right, wrong;
        try_often(&state, cases[i].delay, cases[i].errors, &right, &wrong);
        printf("delay %g s, %g %% wrong answers: %d of 1000 right, %d wrong\n", cases[i].delay,
               100 * cases[i].errors, right, wrong);
        ck_assert_int_ge(right, cases[i].least_right);
        ck_assert_int_le(right, cases[i].most_right);
        ck_assert_int_le(wrong, cases[i].most_wrong);
    }
}
END_TEST

START_TEST(passes_failures_on)
{
    for (int stop_after = 1; stop_after < 50; stop_after += 8) {
        uint64_t state = 1;
        struct oracle oracle = {.state = &state, .threshold = 100, .stop_after = stop_after};
        const struct hitop_eager_test test = {.completes = completes, .data = &oracle};
        struct hitop_diag diag = HITOP_DIAG_INIT;
        struct hitop_eager found;
        ck_assert_int_eq(hitop_eager_search(&test, MAX_BYTES, 0, &found, &diag), HITOP_ERR_MPI);
        ck_assert_str_eq(diag.message, "the cable is out");
        ck_assert_int_eq(found.is_found, 0);
    }
}
END_TEST

/* Limits of the classes of a model; site 1 has no limit, that of host 8 is unknown. */
static size_t eager_of(const void *self, int from, int to)
{
    const struct hitop_class *c = hitop_model_class_of(self, from, to);

    return c->node == 13 ? SIZE_MAX : 100 * (size_t)c->node;
}

/* From the links of a simulated network into the classes of a model. */
START_TEST(reaches_the_model)
{
    static const size_t sizes[] = {0, 1000};
    struct hitop_model *truth = example_model(), *model = NULL;
    const struct hitop_hierarchy *h = hitop_model_hierarchy(truth);
    const struct hitop_simulation what = {.truth = hitop_model_cost(truth), .eager = eager_of};
    struct hitop_measure_options options;
    struct hitop_measurement m;
    struct hitop_transport t;
    struct hitop_link *links = NULL;
    struct hitop_eager eager[EXAMPLE_CLASSES] = {{0}};
    struct hitop_measured measured = {.confidence = 0.95, .eager = eager};

    hitop_measure_defaults(&options);
    options.sizes = sizes;
    options.nsizes = 2;
    ck_assert_int_eq(hitop_transport_simulated(&what, &t, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_links_choose(h, &links, &measured.nlinks, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_measure_eager(&t, links, EXAMPLE_CLASSES, MAX_BYTES, eager, NULL),
                     HITOP_OK);
    ck_assert_int_eq(hitop_measure(&t, links, EXAMPLE_CLASSES, &options, &m, NULL), HITOP_OK);
    eager[0].is_found = 0;
    measured.links = links;
    measured.curves = m.curves;
    ck_assert_int_eq(hitop_measure_fit("hockney", h, &measured, NULL, NULL, &model, NULL),
                     HITOP_OK);
    for (int i = 0; i < EXAMPLE_CLASSES; i++) {
        const struct hitop_class *c = hitop_model_class(model, i);
        ck_assert_int_eq(c->has_eager, c->node != 8);
        ck_assert(!c->has_eager ||
                  c->eager == (c->node == 13 ? HITOP_ALL_SIZES : 100 * (size_t)c->node));
    }
    t.completes = NULL;
    ck_assert_int_eq(hitop_measure_eager(&t, links, 1, 10, eager, NULL), HITOP_ERR_UNSUPPORTED);
    hitop_model_free(model);
    hitop_measurement_clear(&m);
    free(links);
    t.close(t.self);
    hitop_model_free(truth);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, finds_every_threshold_to_the_byte);
    tcase_add_test(tc, says_when_there_is_none);
    tcase_add_test(tc, gives_slow_networks_fifty_round_trips);
    tcase_add_test(tc, stands_late_and_wrong_answers);
    tcase_add_test(tc, passes_failures_on);
    tcase_add_test(tc, reaches_the_model);
}

TEST_MAIN("eager", add_tests)
