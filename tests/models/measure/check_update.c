/* SPDX-License-Identifier: BSD-3-Clause */
/* check_update.c - which classes of an earlier model hold, and what the updated model is made of.
 */
#include <config.h>

#include "models/measure/update.h"

#include "tests/support/example_hierarchy.h"
#include "tests/support/test_main.h"

#include <math.h>

enum { NSIZES = 3 };

static const size_t sizes[NSIZES] = {0, 4096, 1 << 20};

/* Checks of a model, made on a network that is another model times some factors. */
struct checks {
    struct hitop_link *links;
    int n;
    struct hitop_point *points;
    struct hitop_curve *curves;
    struct hitop_measured measured;
};

/* Times of the model itself, each known to width, relative. */
static void check(struct checks *c, const struct hitop_model *model, double width)
{
    *c = (struct checks){0};
    ck_assert_int_eq(hitop_links_choose_checks(model, &c->links, &c->n, NULL), HITOP_OK);
    c->points = calloc((size_t)c->n * NSIZES, sizeof(*c->points));
    c->curves = calloc((size_t)c->n * HITOP_NEXPERIMENTS, sizeof(*c->curves));
    for (int i = 0; i < c->n; i++) {
        struct hitop_point *p = c->points + i * NSIZES;
        for (int k = 0; k < NSIZES; k++) {
            const double t =
                hitop_model_p2p(model, c->links[i].rank[0], c->links[i].rank[1], sizes[k]);
            p[k] = (struct hitop_point){.bytes = sizes[k],
                                        .seconds = t,
                                        .se = width * t,
                                        .lo = t * (1 - width),
                                        .hi = t * (1 + width),
                                        .nsamples = 10,
                                        .converged = 1};
        }
        c->curves[i * HITOP_NEXPERIMENTS + HITOP_ECHO] = (struct hitop_curve){p, NSIZES};
    }
    c->measured = (struct hitop_measured){
        .links = c->links, .nlinks = c->n, .confidence = 0.95, .curves = c->curves};
}

/* One size of one check takes so many times as long. */
static void slow_down(struct checks *c, int link, int size, double factor)
{
    struct hitop_point *p = c->points + link * NSIZES + size;

    p->seconds *= factor;
    p->lo *= factor;
    p->hi *= factor;
}

static void release(struct checks *c)
{
    free(c->links);
    free(c->points);
    free(c->curves);
}

/* Classes that drift when one size of the check of class 4 changes. */
static int count_drifted(const struct hitop_model *model, double width, int size, double factor)
{
    struct hitop_verdict v;
    struct checks c;
    int n = 0;

    check(&c, model, width);
    for (int i = 0; i < c.n; i++) {
        if (c.links[i].node == 12) {
            slow_down(&c, i, size, factor);
        }
    }
    ck_assert_int_eq(hitop_update_judge(model, &c.measured, 0.2, &v, NULL), HITOP_OK);
    for (int i = 0; i < hitop_model_nclasses(model); i++) {
        ck_assert(v.drift[i] == HITOP_HELD || i == 4);
        n += v.drift[i] != HITOP_HELD;
    }
    ck_assert(!v.is_all && v.nheld == hitop_model_nclasses(model) - n);
    ck_assert(fabs(v.off[4] - (factor - 1)) < 1e-9 || factor == 1);
    ck_assert_int_eq(hitop_update_select(model, &v, c.links, c.n), n);
    ck_assert(n == 0 || c.links[0].node == 12);
    hitop_verdict_clear(&v);
    release(&c);
    return n;
}

/* The example, whose class 4 has a residual, intervals, or times of its own. */
static struct hitop_model *build(double residual, int has_intervals, int has_times)
{
    static const struct hitop_time times[] = {{0, 3e-6, 2.9e-6, 3.1e-6}};
    static const double lo[] = {1.5e-6, 0.2e-9}, hi[] = {4.5e-6, 0.6e-9};
    struct hitop_class classes[EXAMPLE_CLASSES];
    struct hitop_hierarchy *h = example_hierarchy();
    struct hitop_model *model = NULL;

    example_classes(classes);
    classes[4].residual = residual;
    classes[4].lo = has_intervals ? lo : NULL;
    classes[4].hi = has_intervals ? hi : NULL;
    classes[4].times = times;
    classes[4].ntimes = has_times;
    ck_assert_int_eq(example_build("hockney", h, classes, EXAMPLE_CLASSES, NULL, &model, NULL),
                     HITOP_OK);
    hitop_hierarchy_free(h);
    return model;
}

START_TEST(holds_within_tolerance_noise_and_what_was_known)
{
    static const struct {
        double residual;
        int has_intervals, has_times;
        double width, factor;
        int drifts;
    } cases[] = {
        {0, 0, 0, 0.001, 1.19, 0},  {0, 0, 0, 0.001, 1.22, 1},   {0, 0, 0, 0.001, 0.84, 0},
        {0, 0, 0, 0.001, 0.82, 1},  {0, 0, 0, 0.2, 1.45, 0},     {0, 0, 0, 0.2, 1.55, 1},
        {0.5, 0, 0, 0.001, 2.3, 0}, {0.5, 0, 0, 0.001, 2.5, 1},  {0.5, 0, 0, 0.001, 0.57, 0},
        {0.5, 0, 0, 0.001, 0.5, 1}, {0, 1, 0, 0.001, 1.7, 0},    {0, 1, 0, 0.001, 1.9, 1},
        {0.5, 1, 1, 0.001, 1.2, 0}, {0.5, 1, 1, 0.001, 1.26, 1}, {5, 0, 0, 0.001, 11.0, 0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct hitop_model *model =
            build(cases[i].residual, cases[i].has_intervals, cases[i].has_times);
        ck_assert_msg(count_drifted(model, cases[i].width, 0, cases[i].factor) == cases[i].drifts,
                      "case %zu", i);
        hitop_model_free(model);
    }
}
END_TEST

START_TEST(one_size_is_enough_to_drift)
{
    struct hitop_model *model = build(0, 0, 0);

    for (int size = 0; size < NSIZES; size++) {
        ck_assert_int_eq(count_drifted(model, 0.01, size, 1), 0);
        ck_assert_int_eq(count_drifted(model, 0.01, size, 1.5), 1);
        ck_assert_int_eq(count_drifted(model, 0.01, size, 0.6), 1);
    }
    hitop_model_free(model);
}
END_TEST

START_TEST(what_had_not_settled_is_measured_again)
{
    struct hitop_class classes[EXAMPLE_CLASSES];
    struct hitop_hierarchy *h = example_hierarchy();
    struct hitop_model *model = NULL;
    struct hitop_verdict v;
    struct checks c;

    example_classes(classes);
    classes[6].converged = 0;
    classes[6].pair[0] = classes[6].pair[1] = HITOP_NO_RANK;
    ck_assert_int_eq(example_build("hockney", h, classes, EXAMPLE_CLASSES, NULL, &model, NULL),
                     HITOP_OK);
    check(&c, model, 0.01);
    ck_assert_int_eq(hitop_update_judge(model, &c.measured, 0.2, &v, NULL), HITOP_OK);
    ck_assert(v.drift[6] == HITOP_UNSETTLED && v.nheld == 6);
    hitop_verdict_clear(&v);
    release(&c);
    hitop_model_free(model);
    hitop_hierarchy_free(h);
}
END_TEST

/* Checks of a class are its own pair, whatever pair that is; no rank is twice in a round. */
START_TEST(checks_the_pairs_that_were_measured)
{
    static const int pair[] = {6, 5};
    struct hitop_class classes[EXAMPLE_CLASSES];
    struct hitop_hierarchy *h = example_hierarchy();
    struct hitop_model *model = NULL;
    struct hitop_link *links = NULL;
    int n = 0;

    example_classes(classes);
    memcpy(classes[6].pair, pair, sizeof(pair));
    classes[5].between[0] = 10;
    classes[5].between[1] = 11;
    ck_assert_int_eq(example_build("hockney", h, classes, EXAMPLE_CLASSES, NULL, &model, NULL),
                     HITOP_OK);
    ck_assert_int_eq(hitop_links_choose_checks(model, &links, &n, NULL), HITOP_OK);
    ck_assert_int_eq(n, EXAMPLE_CLASSES);
    for (int i = 0; i < n; i++) {
        const struct hitop_class *c =
            hitop_model_class_of(model, links[i].rank[0], links[i].rank[1]);
        ck_assert_int_eq(c->node, links[i].node);
        ck_assert_mem_eq(c->between, links[i].between, sizeof(c->between));
        ck_assert_mem_eq(c->pair, links[i].rank, sizeof(c->pair));
        for (int k = 0; k < i; k++) {
            ck_assert(links[i].round != links[k].round || (links[i].rank[0] != links[k].rank[0] &&
                                                           links[i].rank[1] != links[k].rank[0] &&
                                                           links[i].rank[0] != links[k].rank[1] &&
                                                           links[i].rank[1] != links[k].rank[1]));
        }
    }
    free(links);
    hitop_model_free(model);
    hitop_hierarchy_free(h);
}
END_TEST

/* One class is fitted anew; the others are dated, each as it was, and nothing of a class of today.
 */
START_TEST(keeps_what_holds_with_its_date)
{
    const struct hitop_provenance then = {.date = "2026-01-02", .confidence = 0.95};
    const struct hitop_provenance now = {.date = "2026-03-04", .confidence = 0.95};
    struct hitop_class classes[EXAMPLE_CLASSES];
    struct hitop_hierarchy *h = example_hierarchy();
    struct hitop_model *model = NULL, *updated = NULL;
    struct hitop_measured one;
    struct checks c;
    int i = 0;

    example_classes(classes);
    classes[0].date = "2025-12-31";
    classes[1].date = "2026-03-04";
    ck_assert_int_eq(example_build("hockney", h, classes, EXAMPLE_CLASSES, &then, &model, NULL),
                     HITOP_OK);
    check(&c, model, 0.001);
    while (c.links[i].node != 14) {
        i++;
    }
    for (int k = 0; k < NSIZES; k++) {
        slow_down(&c, i, k, 3);
    }
    one = hitop_measured_slice(&c.measured, i, 1);
    ck_assert_int_eq(hitop_update_fit(model, h, &one, &now, &updated, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_model_nclasses(updated), EXAMPLE_CLASSES);
    for (int k = 0; k < EXAMPLE_CLASSES; k++) {
        const struct hitop_class *is = hitop_model_class(updated, k);
        const double factor = k == 6 ? 3 : 1;
        ck_assert(fabs(is->params[0] / example_params[k][0] - factor) < 1e-9);
        ck_assert(fabs(is->params[1] / example_params[k][1] - factor) < 1e-9);
        ck_assert_int_eq(is->ntimes, k == 6 ? NSIZES : 0);
        if (k == 1 || k == 6) {
            ck_assert_ptr_null(is->date);
        } else {
            ck_assert_str_eq(is->date, k == 0 ? "2025-12-31" : "2026-01-02");
        }
    }
    ck_assert_str_eq(hitop_model_provenance(updated)->date, "2026-03-04");
    hitop_model_free(updated);
    hitop_model_free(model);
    release(&c);
    hitop_hierarchy_free(h);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, holds_within_tolerance_noise_and_what_was_known);
    tcase_add_test(tc, one_size_is_enough_to_drift);
    tcase_add_test(tc, what_had_not_settled_is_measured_again);
    tcase_add_test(tc, checks_the_pairs_that_were_measured);
    tcase_add_test(tc, keeps_what_holds_with_its_date);
}

TEST_MAIN("update", add_tests)
