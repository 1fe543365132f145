/* SPDX-License-Identifier: BSD-3-Clause */
/* check_campaign.c - a program that measures a model, on a simulated network. */
#include <config.h>

#include "models/campaign/campaign.h"

#include "tests/support/example_hierarchy.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const size_t sizes[] = {0, 64, 1024, 16384, 65536, 262144, 1048576};
enum { NSIZES = sizeof(sizes) / sizeof(sizes[0]) };

/* A campaign, and what it reports. */
struct trial {
    struct hitop_campaign_request request;
    struct hitop_campaign c;
    int nphases, nprogress;
    int ends; /* at the next question */
};

static void count_phase(void *data, const struct hitop_campaign_part *part)
{
    struct trial *trial = data;

    trial->nphases += part != NULL;
}

static void count_progress(void *data, const struct hitop_progress *progress)
{
    struct trial *trial = data;

    ck_assert(progress->step >= 1);
    trial->nprogress++;
}

static int is_interrupted(void *data)
{
    const struct trial *trial = data;

    return trial->ends;
}

static void ask(struct trial *trial, const char *type)
{
    struct hitop_measure_options *o = &trial->request.options;

    *trial = (struct trial){.request = {.type = type, .npasses = -1, .tolerance = 0.2}};
    hitop_measure_defaults(o);
    o->sizes = sizes;
    o->nsizes = NSIZES;
    o->progress = count_progress;
    o->progress_data = trial;
    o->interrupted = is_interrupted;
    o->interrupted_data = trial;
    trial->request.phase = count_phase;
}

static void choose(struct trial *trial)
{
    ck_assert_int_eq(hitop_campaign_resolve(&trial->request, NULL), HITOP_OK);
    hitop_campaign_init(&trial->c, &trial->request);
    trial->c.h = example_hierarchy();
    ck_assert_int_eq(hitop_campaign_choose(&trial->c, NULL), HITOP_OK);
}

/* Seconds of all messages are so many times those of the example. */
static double factor = 1;

static double truth(const void *self, int from, int to, size_t bytes)
{
    const double *p = example_params[hitop_hierarchy_lca(self, from, to) - 8];

    return factor * (p[0] + p[1] * (double)bytes);
}

static void measure(struct trial *trial)
{
    const struct hitop_simulation simulation = {
        .truth = {.self = trial->c.h, .nranks = 8, .p2p = truth, .occupancy = truth},
        .noise = 0.01,
        .seed = 5};
    struct hitop_transport t;

    ck_assert_int_eq(hitop_transport_simulated(&simulation, &t, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_campaign_measure(&t, &trial->c, NULL), HITOP_OK);
    t.close(t.self);
}

static void expect_truth(const struct hitop_campaign *c)
{
    for (int to = 1; to < 8; to++) {
        const double expected = truth(c->h, 0, to, 65536);
        const double found = hitop_model_p2p(c->model, 0, to, 65536);
        ck_assert_double_eq_tol(found / expected, 1, 0.03);
    }
}

START_TEST(a_model_comes_out_of_a_network)
{
    struct trial trial;

    ask(&trial, "auto");
    trial.request.nverify = 3;
    choose(&trial);
    measure(&trial);
    ck_assert(hitop_campaign_is_complete(&trial.c) && !hitop_campaign_is_early(&trial.c));
    ck_assert_int_eq(hitop_campaign_fit(&trial.c, NULL, NULL), HITOP_OK);
    ck_assert_str_eq(hitop_model_type_of(trial.c.model)->name, "hockney");
    expect_truth(&trial.c);
    ck_assert(trial.c.nverified > 0 && trial.c.verified[0].holds);
    ck_assert_int_eq(trial.nphases, 2); /* links and pairs */
    ck_assert(trial.nprogress > 0 && trial.c.seconds > 0);
    hitop_campaign_clear(&trial.c);
}
END_TEST

START_TEST(of_all_types_the_simplest_one_wins)
{
    struct trial trial;

    ask(&trial, "all");
    choose(&trial);
    ck_assert(trial.request.needs_triples && trial.c.triples.nlinks > 0);
    measure(&trial);
    ck_assert_int_eq(hitop_campaign_fit(&trial.c, NULL, NULL), HITOP_OK);
    ck_assert(trial.c.ntrials >= 5 && trial.c.chosen >= 0);
    ck_assert_ptr_eq(trial.c.trials[trial.c.chosen].type, hitop_model_type_of(trial.c.model));
    expect_truth(&trial.c);
    hitop_campaign_clear(&trial.c);
}
END_TEST

START_TEST(an_interruption_ends_it)
{
    struct trial trial;

    ask(&trial, "hockney");
    trial.ends = 1;
    choose(&trial);
    measure(&trial);
    ck_assert(trial.c.was_interrupted && !hitop_campaign_is_complete(&trial.c));
    hitop_campaign_clear(&trial.c);
}
END_TEST

START_TEST(a_journal_spares_what_is_known)
{
    static const char *const hosts[8] = {"a", "b", "c", "d", "a", "b", "c", "d"};
    char path[] = "/tmp/check_campaign.XXXXXX";
    const int fd = mkstemp(path);
    const struct hitop_campaign_file file = {
        .path = path, .resume = 1, .tool = "check", .mpi = "none", .hosts = hosts};
    int nbatches[2], nfindings;

    ck_assert_int_ge(fd, 0);
    (void)close(fd);
    (void)remove(path);
    for (int run = 0; run < 2; run++) {
        struct trial trial;
        ask(&trial, "hockney");
        trial.request.keeps_samples = trial.request.exact_thresholds = 1;
        choose(&trial);
        ck_assert_int_eq(hitop_campaign_journal_open(&trial.c, &file, NULL), HITOP_OK);
        hitop_campaign_known(&trial.c, &nbatches[run], &nfindings);
        ck_assert_int_eq(nfindings, run == 0 ? 0 : trial.c.links.nlinks);
        measure(&trial);
        ck_assert_int_eq(hitop_campaign_journal_close(&trial.c, NULL), HITOP_OK);
        ck_assert_int_eq(hitop_campaign_fit(&trial.c, NULL, NULL), HITOP_OK);
        expect_truth(&trial.c);
        hitop_campaign_clear(&trial.c);
    }
    ck_assert(nbatches[0] == 0 && nbatches[1] > 0);
    (void)remove(path);
}
END_TEST

/* The earlier model is of a network that was as fast as this one, or half as fast. */
START_TEST(an_update_measures_what_has_drifted)
{
    struct trial then, now;

    factor = _i == 0 ? 1 : 2;
    ask(&then, "hockney");
    choose(&then);
    measure(&then);
    ck_assert_int_eq(hitop_campaign_fit(&then.c, NULL, NULL), HITOP_OK);

    factor = 1;
    ask(&now, "hockney");
    now.request.is_update = 1;
    ck_assert_int_eq(hitop_campaign_resolve(&now.request, NULL), HITOP_OK);
    hitop_campaign_init(&now.c, &now.request);
    now.c.h = example_hierarchy();
    now.c.base = then.c.model;
    then.c.model = NULL;
    ck_assert_int_eq(hitop_campaign_choose(&now.c, NULL), HITOP_OK);
    ck_assert_int_eq(now.c.checks.nlinks, EXAMPLE_CLASSES);
    measure(&now);
    ck_assert_int_eq(now.c.verdict.nheld, _i == 0 ? EXAMPLE_CLASSES : 0);
    ck_assert_int_eq(now.c.links.nlinks, _i == 0 ? 0 : EXAMPLE_CLASSES);
    ck_assert_int_eq(hitop_campaign_fit(&now.c, NULL, NULL), HITOP_OK);
    expect_truth(&now.c);
    hitop_campaign_clear(&now.c);
    hitop_campaign_clear(&then.c);
}
END_TEST

START_TEST(a_type_that_does_not_exist_is_refused)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct trial trial;

    ask(&trial, "hocney");
    ck_assert_int_eq(hitop_campaign_resolve(&trial.request, &diag), HITOP_ERR_INVALID);
    ck_assert_ptr_nonnull(strstr(diag.message, "all or auto"));
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_model_comes_out_of_a_network);
    tcase_add_test(tc, of_all_types_the_simplest_one_wins);
    tcase_add_test(tc, an_interruption_ends_it);
    tcase_add_test(tc, a_journal_spares_what_is_known);
    tcase_add_loop_test(tc, an_update_measures_what_has_drifted, 0, 2);
    tcase_add_test(tc, a_type_that_does_not_exist_is_refused);
}

TEST_MAIN("campaign", add_tests)
