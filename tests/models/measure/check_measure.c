/* SPDX-License-Identifier: BSD-3-Clause */
/* check_measure.c - what is injected into a simulated network is recovered from measurements. */
#include <config.h>

#include "hitop/measure.h"

#include "models/measure/measure_impl.h"
#include "tests/support/example_hierarchy.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <stdint.h>

/* What a measurement brought, and what it said meanwhile. */
struct outcome {
    enum hitop_status status;
    struct hitop_diag diag;
    struct hitop_link *links;
    int nlinks;
    size_t *sizes;
    struct hitop_measure_options options;
    struct hitop_measurement m;
    struct hitop_model *model;
    double elapsed;
    int batches[32]; /* of the first pass, by the links that they measure at once */
    int steps;
};

/* Concurrent batches of the first pass. */
static void note(void *data, const struct hitop_progress *p)
{
    struct outcome *o = data;

    ck_assert_int_le(p->finished, p->njobs);
    ck_assert_int_le(p->batch, p->nbatches);
    if (p->block == 0 && p->batch < p->nbatches) {
        o->batches[p->nlinks]++;
        o->steps++;
    }
}

static void start(struct outcome *o)
{
    *o = (struct outcome){.status = HITOP_OK};
    hitop_measure_defaults(&o->options);
    ck_assert_int_eq(hitop_sizes_choose(0, 1 << 20, 0, &o->sizes, &o->options.nsizes, NULL),
                     HITOP_OK);
    o->options.sizes = o->sizes;
    o->options.progress = note;
    o->options.progress_data = o;
}

static void finish(struct outcome *o)
{
    hitop_model_free(o->model);
    hitop_measurement_clear(&o->m);
    free(o->links);
    free(o->sizes);
}

static void run_on(struct outcome *o, const struct hitop_transport *t,
                   const struct hitop_hierarchy *h)
{
    const double before = t->now(t->self);

    ck_assert_int_eq(hitop_links_choose(h, &o->links, &o->nlinks, NULL), HITOP_OK);
    o->status = hitop_measure(t, o->links, o->nlinks, &o->options, &o->m, &o->diag);
    if (o->status == HITOP_OK) {
        const struct hitop_measured measured = {.links = o->links,
                                                .nlinks = o->nlinks,
                                                .confidence = o->options.confidence,
                                                .curves = o->m.curves};
        o->status = hitop_measure_fit("hockney", h, &measured, NULL, NULL, &o->model, &o->diag);
    }
    o->elapsed = t->now(t->self) - before;
}

/* Measure a simulation whose truth is a model. */
static void run(struct outcome *o, const struct hitop_model *truth, struct hitop_simulation what)
{
    struct hitop_transport t;

    what.truth = hitop_model_cost(truth);
    ck_assert_int_eq(hitop_transport_simulated(&what, &t, NULL), HITOP_OK);
    run_on(o, &t, hitop_model_hierarchy(truth));
    t.close(t.self);
}

/* Largest relative error of any parameter. */
static double worst_error(const struct hitop_model *truth, const struct hitop_model *model)
{
    double worst = 0;

    ck_assert_int_eq(hitop_model_nclasses(model), hitop_model_nclasses(truth));
    for (int i = 0; i < hitop_model_nclasses(truth); i++) {
        const struct hitop_class *a = hitop_model_class(truth, i), *b = hitop_model_class(model, i);
        for (int p = 0; p < 2; p++) {
            worst = fmax(worst, fabs(b->params[p] / a->params[p] - 1));
        }
    }
    return worst;
}

/* nranks ranks directly below the root. */
static struct hitop_model *flat_model_of(int nranks, const double *params)
{
    const struct hitop_class class = {
        .node = nranks, .pair = {HITOP_NO_RANK, HITOP_NO_RANK}, .params = params};
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    const int root = hitop_hierarchy_builder_group(b, "root", "");
    struct hitop_hierarchy *h = NULL;
    struct hitop_model *model = NULL;

    for (int rank = 0; rank < nranks; rank++) {
        hitop_hierarchy_builder_edge(b, hitop_hierarchy_builder_leaf(b, rank, "h"), root);
    }
    ck_assert_int_eq(hitop_hierarchy_builder_finish(b, &h, NULL), HITOP_OK);
    hitop_hierarchy_builder_free(b);
    ck_assert_int_eq(example_build("hockney", h, &class, nranks > 1, NULL, &model, NULL), HITOP_OK);
    hitop_hierarchy_free(h);
    return model;
}

static struct hitop_model *flat_model(int nranks)
{
    static const double params[] = {23.85e-6, 0.71e-9};

    return flat_model_of(nranks, params);
}

START_TEST(mixes_small_and_large_sizes)
{
    static const size_t usual[] = {0,     1,     16,    64,     256,    1024,   4096,
                                   16384, 32768, 65536, 131072, 262144, 524288, 1048576};
    size_t *sizes = NULL;
    int n = 0;

    ck_assert_int_eq(hitop_sizes_choose(0, 1 << 20, 0, &sizes, &n, NULL), HITOP_OK);
    ck_assert_int_eq(n, 14);
    ck_assert_mem_eq(sizes, usual, sizeof(usual));
    free(sizes);
    ck_assert_int_eq(hitop_sizes_choose(100, 1000, 400, &sizes, &n, NULL), HITOP_OK);
    ck_assert(n == 4 && sizes[0] == 100 && sizes[1] == 500 && sizes[2] == 900 && sizes[3] == 1000);
    free(sizes);
    ck_assert_int_eq(hitop_sizes_choose(1, SIZE_MAX, 0, &sizes, &n, NULL), HITOP_OK);
    ck_assert(sizes[n - 1] == SIZE_MAX && sizes[n - 2] < SIZE_MAX);
    free(sizes);
    ck_assert_int_eq(hitop_sizes_choose(5, 5, 0, &sizes, &n, NULL), HITOP_ERR_INVALID);
    ck_assert_int_eq(hitop_sizes_choose(0, 100000, 1, &sizes, &n, NULL), HITOP_ERR_INVALID);
    ck_assert_ptr_null(sizes);
}
END_TEST

START_TEST(recovers_a_quiet_network_exactly)
{
    struct hitop_model *truth = example_model();
    struct outcome o;

    start(&o);
    run(&o, truth, (struct hitop_simulation){.seed = 5});
    ck_assert_int_eq(o.status, HITOP_OK);
    ck_assert_double_lt(worst_error(truth, o.model), 1e-6);
    for (int i = 0; i < EXAMPLE_CLASSES; i++) {
        const struct hitop_class *c = hitop_model_class(o.model, i);
        ck_assert(c->converged && c->nsizes == 14);
        ck_assert_int_ge(c->nsamples, 14 * 20);
        ck_assert_int_lt(c->nsamples, 14 * 25);
        ck_assert_double_lt(c->residual, 1e-6);
    }
    ck_assert_int_eq(o.steps, 3);
    ck_assert(o.batches[4] == 1 && o.batches[2] == 1 && o.batches[1] == 1);
    finish(&o);
    hitop_model_free(truth);
}
END_TEST

START_TEST(recovers_any_number_of_ranks)
{
    struct hitop_model *truth = flat_model(_i);
    struct outcome o;

    start(&o);
    run(&o, truth, (struct hitop_simulation){.noise = 0.02, .seed = 6});
    ck_assert_int_eq(o.status, HITOP_OK);
    ck_assert_int_eq(o.nlinks, _i > 1);
    ck_assert_double_lt(worst_error(truth, o.model), 0.03);
    finish(&o);
    hitop_model_free(truth);
}
END_TEST

START_TEST(recovers_through_noise_spikes_and_a_coarse_clock)
{
    struct hitop_model *truth = example_model();
    struct outcome o;

    start(&o);
    o.options.eps = 0.01;
    o.options.budget = 1000; /* a spike may take a second */
    run(&o, truth,
        (struct hitop_simulation){.noise = 0.03, .spikes = 0.01, .clock_step = 25e-9, .seed = 7});
    ck_assert_int_eq(o.status, HITOP_OK);
    ck_assert_double_lt(worst_error(truth, o.model), 0.02);
    for (int i = 0; i < EXAMPLE_CLASSES; i++) {
        const struct hitop_class *c = hitop_model_class(o.model, i);
        ck_assert(c->converged);
        ck_assert(c->lo[0] <= c->params[0] && c->params[0] <= c->hi[0] && c->se[0] > 0);
    }
    finish(&o);
    hitop_model_free(truth);
}
END_TEST

START_TEST(recovers_with_a_clock_slower_than_the_network)
{
    struct hitop_model *truth = example_model();
    struct outcome o;

    start(&o);
    o.options.budget = 1000;
    run(&o, truth, (struct hitop_simulation){.clock_step = 20e-6, .seed = 8});
    ck_assert_int_eq(o.status, HITOP_OK);
    ck_assert_double_lt(worst_error(truth, o.model), 0.02);
    finish(&o);
    hitop_model_free(truth);
}
END_TEST

START_TEST(measures_links_one_by_one_where_they_disturb_each_other)
{
    struct hitop_model *truth = example_model();
    struct outcome o;

    start(&o);
    run(&o, truth, (struct hitop_simulation){.contention = 0.3, .seed = 9});
    ck_assert_int_eq(o.status, HITOP_OK);
    ck_assert_int_eq(o.steps, EXAMPLE_CLASSES);
    ck_assert_int_eq(o.batches[1], o.steps);
    ck_assert_double_lt(worst_error(truth, o.model), 1e-6);
    finish(&o);
    /* 1.5 % for each further one is tolerable for two links, not for four */
    start(&o);
    run(&o, truth, (struct hitop_simulation){.contention = 0.015, .seed = 9});
    ck_assert(o.batches[4] == 0 && o.batches[2] == 3 && o.batches[1] == 1);
    ck_assert_int_eq(o.m.bandwidth.at_once, 2);
    ck_assert_double_eq_tol(o.m.bandwidth.slowdown, 1.015, 1e-9);
    finish(&o);
    start(&o);
    o.options.parallel = 0;
    run(&o, truth, (struct hitop_simulation){.seed = 9});
    ck_assert_int_eq(o.steps, EXAMPLE_CLASSES);
    finish(&o);
    hitop_model_free(truth);
}
END_TEST

START_TEST(repeats_itself_for_one_seed)
{
    struct hitop_model *truth = example_model();
    const struct hitop_simulation what = {.noise = 0.02, .seed = 10};
    struct outcome a, b, c;

    start(&a);
    start(&b);
    start(&c);
    c.options.seed = 2;
    run(&a, truth, what);
    run(&b, truth, what);
    run(&c, truth, what);
    for (int i = 0; i < a.nlinks * a.options.nsizes; i++) {
        ck_assert_double_eq(a.m.points[i].seconds, b.m.points[i].seconds);
        ck_assert_int_eq(a.m.points[i].nsamples, b.m.points[i].nsamples);
    }
    ck_assert_double_ne(a.m.points[3].seconds, c.m.points[3].seconds);
    finish(&a);
    finish(&b);
    finish(&c);
    hitop_model_free(truth);
}
END_TEST

START_TEST(keeps_to_its_budget_and_says_what_is_not_settled)
{
    struct hitop_model *truth = example_model();
    struct outcome o;
    int unsettled = 0;

    start(&o);
    o.options.eps = 0.001;
    o.options.budget = 1;
    run(&o, truth, (struct hitop_simulation){.noise = 0.1, .spikes = 0.1, .seed = 11});
    ck_assert_int_eq(o.status, HITOP_OK);
    for (int i = 0; i < EXAMPLE_CLASSES; i++) {
        unsettled += !hitop_model_class(o.model, i)->converged;
    }
    ck_assert_int_eq(unsettled, EXAMPLE_CLASSES);
    ck_assert_double_lt(o.elapsed, 1.5 * o.options.budget);
    ck_assert_double_lt(worst_error(truth, o.model), 0.2);
    finish(&o);
    hitop_model_free(truth);
}
END_TEST

static const unsigned int some_experiments[] = {
    HITOP_SET(HITOP_ECHO), HITOP_SET(HITOP_ECHO) | HITOP_SET(HITOP_REPLY) | HITOP_SET(HITOP_GAP) |
                               HITOP_SET(HITOP_SEND_CALL) | HITOP_SET(HITOP_RECEIVE_CALL)};

/* A pass over all sizes takes longer than the budget. */
START_TEST(leaves_sizes_of_many_slow_pairs_out)
{
    static const double slow[] = {2e-3, 40e-9}, budgets[] = {24, 12, 8};
    struct hitop_model *truth = flat_model_of(8, slow);
    const struct hitop_simulation what = {
        .truth = hitop_model_cost(truth), .noise = 0.03, .seed = 7};
    struct hitop_transport t;
    struct hitop_measured measured;
    struct outcome o;

    start(&o);
    o.options.parallel = 0;
    o.options.experiments = some_experiments[_i % 2];
    o.options.budget = budgets[_i / 2] / (_i % 2 ? 1 : 4);
    ck_assert_int_eq(
        hitop_links_choose_pairs(hitop_model_hierarchy(truth), &o.links, &o.nlinks, NULL),
        HITOP_OK);
    ck_assert_int_eq(hitop_transport_simulated(&what, &t, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_measure(&t, o.links, o.nlinks, &o.options, &o.m, &o.diag), HITOP_OK);
    ck_assert_double_lt(t.now(t.self), 1.2 * o.options.budget);
    ck_assert_int_eq(o.m.is_complete, 1);
    ck_assert_int_gt(o.m.nleft_out, 0);
    measured = (struct hitop_measured){.links = o.links,
                                       .nlinks = o.nlinks,
                                       .confidence = o.options.confidence,
                                       .curves = o.m.curves};
    ck_assert_int_eq(hitop_measure_fit("hockney", hitop_model_hierarchy(truth), &measured, NULL,
                                       NULL, &o.model, &o.diag),
                     HITOP_OK);
    ck_assert_int_eq(hitop_model_nclasses(o.model), 28);
    for (int i = 0; i < 28; i++) {
        const struct hitop_class *c = hitop_model_class(o.model, i);
        ck_assert_double_lt(fabs(c->params[0] / slow[0] - 1), 0.2);
        ck_assert_double_lt(fabs(c->params[1] / slow[1] - 1), 0.2);
    }
    t.close(t.self);
    finish(&o);
    hitop_model_free(truth);
}
END_TEST

/* A time limit well below the budget: tests, warm-up and the first pass are planned for it. */
START_TEST(plans_for_a_time_limit)
{
    static const double slow[] = {2e-3, 40e-9};
    struct hitop_model *truth = flat_model_of(8, slow);
    const struct hitop_simulation what = {
        .truth = hitop_model_cost(truth), .noise = 0.03, .seed = 7};
    struct hitop_transport t;
    struct outcome o;

    start(&o);
    o.options.parallel = _i;
    o.options.budget = 60;
    o.options.time_limit = 6;
    ck_assert_int_eq(
        hitop_links_choose_pairs(hitop_model_hierarchy(truth), &o.links, &o.nlinks, NULL),
        HITOP_OK);
    ck_assert_int_eq(hitop_transport_simulated(&what, &t, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_measure(&t, o.links, o.nlinks, &o.options, &o.m, &o.diag), HITOP_OK);
    ck_assert_double_lt(t.now(t.self), 1.2 * o.options.time_limit);
    ck_assert_int_eq(o.m.is_complete, 1);
    t.close(t.self);
    finish(&o);
    hitop_model_free(truth);
}
END_TEST

/* Two protocols: the second one begins at a size that no power of 4 is. */
static double two_protocols(const void *self, int from, int to, size_t bytes)
{
    (void)self;
    (void)from;
    (void)to;
    return bytes < 10000 ? 2e-6 + 1e-9 * (double)bytes : 9e-6 + 0.5e-9 * (double)bytes;
}

START_TEST(adds_sizes_where_protocols_change)
{
    static const struct hitop_link link = {.node = 2, .rank = {0, 1}, .round = 1, .phase = 1};
    const struct hitop_simulation what = {
        .truth = {.nranks = 2, .p2p = two_protocols, .occupancy = two_protocols},
        .noise = 0.005,
        .seed = 13};
    struct hitop_measure_options options;
    struct hitop_measurement m;
    struct hitop_transport t;
    size_t *sizes = NULL;
    int bracketed = 0;

    hitop_measure_defaults(&options);
    options.eps = 0.01;
    options.budget = 100;
    options.max_sizes = 60;
    options.refinement =
        (struct hitop_refinement){.eps = 0.02, .confidence = 0.95, .min_stride = 64};
    ck_assert_int_eq(hitop_sizes_start(0, 1 << 20, &sizes, &options.nsizes, NULL), HITOP_OK);
    options.sizes = sizes;
    ck_assert_int_eq(hitop_transport_simulated(&what, &t, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_measure(&t, &link, 1, &options, &m, NULL), HITOP_OK);
    ck_assert(m.is_complete);
    ck_assert_int_gt((int)m.curves->npoints, options.nsizes);
    ck_assert_int_le((int)m.curves->npoints, 40);
    for (size_t i = 1; i < m.curves->npoints; i++) {
        const struct hitop_point *p = &m.curves->points[i];
        ck_assert_uint_lt(p[-1].bytes, p->bytes);
        ck_assert_double_eq_tol(p->seconds / two_protocols(NULL, 0, 1, p->bytes), 1, 0.02);
        bracketed += p[-1].bytes < 10000 && p->bytes >= 10000 && p->bytes - p[-1].bytes <= 128;
    }
    ck_assert_int_eq(bracketed, 1);
    hitop_measurement_clear(&m);
    t.close(t.self);
    free(sizes);
}
END_TEST

/* A transport around another one that spoils the first exchanges of one size, or fails. */
struct spoiler {
    struct hitop_transport inner;
    size_t bytes;
    int to_spoil; /* exchanges */
    int to_fail;  /* exchanges before the failure; negative: never */
};

static double spoiler_now(void *self)
{
    struct spoiler *s = self;

    return s->inner.now(s->inner.self);
}

static enum hitop_status spoiler_exchange(void *self, const struct hitop_series *series,
                                          double *seconds, struct hitop_diag *diag)
{
    struct spoiler *s = self;
    const enum hitop_status status = s->inner.exchange(s->inner.self, series, seconds, diag);

    if (s->to_fail >= 0 && s->to_fail-- == 0) {
        return hitop_fail(diag, HITOP_ERR_MPI, "the cable is cut");
    }
    if (series->bytes == s->bytes && s->to_spoil > 0) {
        s->to_spoil--;
        for (int i = 0; i < series->count; i++) {
            seconds[i] *= 3;
        }
    }
    return status;
}

static enum hitop_status spoiler_release(void *self, int from, int to, struct hitop_diag *diag)
{
    struct spoiler *s = self;

    return s->inner.release(s->inner.self, from, to, diag);
}

static enum hitop_status spoiler_agree(void *self, double *values, int n, struct hitop_diag *diag)
{
    struct spoiler *s = self;

    return s->inner.agree(s->inner.self, values, n, diag);
}

static void run_spoilt(struct outcome *o, const struct hitop_model *truth, struct spoiler *s)
{
    const struct hitop_simulation what = {
        .truth = hitop_model_cost(truth), .noise = 0.01, .seed = 12};
    struct hitop_transport t;

    ck_assert_int_eq(hitop_transport_simulated(&what, &s->inner, NULL), HITOP_OK);
    t = s->inner;
    t.self = s;
    t.now = spoiler_now;
    t.exchange = spoiler_exchange;
    t.release = spoiler_release;
    t.agree = spoiler_agree;
    t.concurrent = NULL;
    run_on(o, &t, hitop_model_hierarchy(truth));
    s->inner.close(s->inner.self);
}

START_TEST(measures_again_what_does_not_fit_its_neighbours)
{
    struct hitop_model *truth = flat_model(2);
    struct spoiler s = {.bytes = 65536, .to_spoil = 12, .to_fail = -1};
    struct outcome o;

    start(&o);
    run_spoilt(&o, truth, &s);
    ck_assert_int_eq(o.status, HITOP_OK);
    ck_assert_int_eq(s.to_spoil, 0);
    ck_assert_double_lt(hitop_model_class(o.model, 0)->residual, 0.05);
    finish(&o);
    hitop_model_free(truth);
}
END_TEST

/* Sizes that are measured again keep what was known of them until more is. */
START_TEST(has_samples_of_all_sizes_whenever_its_budget_ends)
{
    struct hitop_model *truth = example_model();

    for (double budget = 0.05; budget < 4; budget *= 1.13) {
        struct outcome o;
        start(&o);
        o.options.budget = budget;
        run(&o, truth,
            (struct hitop_simulation){.noise = 0.03, .spikes = 0.02, .seed = 5 + (unsigned)_i});
        ck_assert_int_eq(o.status, HITOP_OK);
        ck_assert_int_eq(o.m.is_complete, 1);
        finish(&o);
    }
    hitop_model_free(truth);
}
END_TEST

START_TEST(passes_on_the_reason_of_a_failure)
{
    struct hitop_model *truth = example_model();
    struct spoiler s = {.to_fail = _i};
    struct outcome o;

    start(&o);
    run_spoilt(&o, truth, &s);
    ck_assert_int_eq(o.status, HITOP_ERR_MPI);
    ck_assert_str_eq(o.diag.message, "the cable is cut");
    finish(&o);
    hitop_model_free(truth);
}
END_TEST

START_TEST(suspects_single_points_but_no_change_of_protocol)
{
    struct hitop_point p[8];

    for (int i = 0; i < 8; i++) { /* a jump between the 4th and the 5th point */
        const double t = 10e-6 + i * 1e-6 + (i > 3 ? 20e-6 : 0);
        p[i] = (struct hitop_point){.bytes = (size_t)i * 1000, .seconds = t, .se = 1e-3 * t};
    }
    ck_assert_int_eq(hitop_find_suspect(p, 8, 0), 8);
    p[3].seconds *= 1.5;
    ck_assert_int_eq(hitop_find_suspect(p, 8, 0), 3);
    ck_assert_int_eq(hitop_find_suspect(p, 8, 4), 8);
}
END_TEST

START_TEST(refuses_what_cannot_be_measured)
{
    struct hitop_model *truth = example_model();
    struct outcome o;

    start(&o);
    o.options.budget = 0;
    run(&o, truth, (struct hitop_simulation){.seed = 1});
    ck_assert_int_eq(o.status, HITOP_ERR_INVALID);
    finish(&o);
    start(&o);
    o.options.confidence = 1;
    run(&o, truth, (struct hitop_simulation){.seed = 1});
    ck_assert_int_eq(o.status, HITOP_ERR_INVALID);
    finish(&o);
    start(&o);
    o.options.nsizes = 1; /* one size gives no line */
    run(&o, truth, (struct hitop_simulation){.seed = 1});
    ck_assert_int_eq(o.status, HITOP_ERR_INVALID);
    ck_assert_ptr_nonnull(strstr(o.diag.message, "fewer than two different sizes"));
    finish(&o);
    hitop_model_free(truth);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, mixes_small_and_large_sizes);
    tcase_add_test(tc, recovers_a_quiet_network_exactly);
    tcase_add_loop_test(tc, recovers_any_number_of_ranks, 1, 6);
    tcase_add_test(tc, recovers_through_noise_spikes_and_a_coarse_clock);
    tcase_add_test(tc, recovers_with_a_clock_slower_than_the_network);
    tcase_add_test(tc, measures_links_one_by_one_where_they_disturb_each_other);
    tcase_add_test(tc, repeats_itself_for_one_seed);
    tcase_add_test(tc, keeps_to_its_budget_and_says_what_is_not_settled);
    tcase_add_loop_test(tc, plans_for_a_time_limit, 0, 2);
    tcase_add_loop_test(tc, leaves_sizes_of_many_slow_pairs_out, 0, 6);
    tcase_add_test(tc, adds_sizes_where_protocols_change);
    tcase_add_test(tc, measures_again_what_does_not_fit_its_neighbours);
    tcase_add_loop_test(tc, has_samples_of_all_sizes_whenever_its_budget_ends, 0, 3);
    tcase_add_loop_test(tc, passes_on_the_reason_of_a_failure, 0, 40);
    tcase_add_test(tc, suspects_single_points_but_no_change_of_protocol);
    tcase_add_test(tc, refuses_what_cannot_be_measured);
}

TEST_MAIN("measure", add_tests)
