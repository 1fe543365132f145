/* SPDX-License-Identifier: BSD-3-Clause */
/* check_long_run.c - a measurement that ends early keeps what it took, and another one goes on from
 * there. */
#include <config.h>

#include "models/journal/journal_file.h"

#include "hitop/measure.h"

#include "tests/support/example_hierarchy.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

static const size_t sizes[] = {0, 1024, 65536, 1048576};
enum { NSIZES = sizeof(sizes) / sizeof(sizes[0]), KILLS = 20 };

static const char *const hosts[] = {"a", "b", "c", "d", "a", "b", "c", "d"};
static const struct hitop_journal_header header = {
    .configuration = "long run", .hosts = hosts, .nranks = 8, .mpi = "none", .tool = "check"};

/* One run: what it is given, and what it does. */
struct run {
    const struct hitop_model *truth;
    struct hitop_transport t;
    struct hitop_link *links;
    int nlinks;
    struct hitop_measure_options options;
    struct hitop_measurement m;
    struct hitop_journal *journal;
    struct hitop_batches *known;
    int nknown;                                /* batches */
    int block;                                 /* of the last batch kept */
    int nkept;                                 /* batches */
    int most;                                  /* passes in which one job was kept */
    char seen[64][HITOP_NEXPERIMENTS][NSIZES]; /* jobs that were kept in this pass */
    struct {
        int take, n; /* samples, known and kept, since it was last begun */
    } samples[64][NSIZES];
    int batches, steps, passes;
    double batch_began, longest_batch;
};

/* The process dies after so many exchanges; negative: it lives. */
static long life = -1;
static long nexchanges;
static enum hitop_status (*healthy_exchange)(void *, const struct hitop_series *, double *,
                                             struct hitop_diag *);

static enum hitop_status mortal_exchange(void *self, const struct hitop_series *series,
                                         double *seconds, struct hitop_diag *diag)
{
    nexchanges++;
    if (life >= 0 && life-- == 0) {
        return hitop_fail(diag, HITOP_ERR_MPI, "killed");
    }
    return healthy_exchange(self, series, seconds, diag);
}

static int index_of(size_t bytes)
{
    int i = 0;

    while (i < NSIZES && sizes[i] != bytes) {
        i++;
    }
    return i;
}

/* What counts of a job begins with its last take. */
static void count_samples(struct run *r, const struct hitop_batch *batch)
{
    const int size = index_of(batch->bytes);

    if (batch->take > r->samples[batch->link][size].take) {
        r->samples[batch->link][size].take = batch->take;
        r->samples[batch->link][size].n = 0;
    }
    r->samples[batch->link][size].n += batch->n;
}

/* No job twice in a pass, so that a killed process loses one batch of each job at most. */
static void note_batch(struct run *r, const struct hitop_batch *batch)
{
    char *seen = &r->seen[batch->link][batch->what][index_of(batch->bytes)];

    if (batch->block != r->block) {
        memset(r->seen, 0, sizeof(r->seen));
        r->block = batch->block;
    }
    ck_assert_int_eq(*seen, 0);
    *seen = 1;
    r->nkept++;
    count_samples(r, batch);
}

static enum hitop_status keep(void *data, const struct hitop_batch *batch, struct hitop_diag *diag)
{
    struct run *r = data;

    ck_assert_str_eq(batch->part, "links");
    note_batch(r, batch);
    return r->journal ? hitop_journal_append(r->journal, batch, diag) : HITOP_OK;
}

static enum hitop_status take(void *data, const struct hitop_batch *batch, struct hitop_diag *diag)
{
    struct run *r = data;

    r->nknown++;
    count_samples(r, batch);
    return hitop_batches_add(r->known, batch, diag);
}

static void note_progress(void *data, const struct hitop_progress *p)
{
    struct run *r = data;
    const double now = r->t.now(r->t.self);

    if (r->batches > 0) {
        r->longest_batch = fmax(r->longest_batch, now - r->batch_began);
    }
    r->batch_began = now;
    r->batches++;
    r->passes += p->batch == p->nbatches;
    ck_assert_int_ge(p->first, 0);
    ck_assert_int_lt(p->first + (p->nlinks - (p->nlinks > 0)) * p->step, r->nlinks);
}

static void start(struct run *r, const struct hitop_model *truth, double noise,
                  unsigned long long seed)
{
    const struct hitop_simulation what = {
        .truth = hitop_model_cost(truth), .noise = noise, .seed = seed};

    *r = (struct run){.truth = truth, .known = hitop_batches_new(), .block = -1};
    ck_assert_int_eq(hitop_links_choose(hitop_model_hierarchy(truth), &r->links, &r->nlinks, NULL),
                     HITOP_OK);
    ck_assert_int_eq(hitop_transport_simulated(&what, &r->t, NULL), HITOP_OK);
    healthy_exchange = r->t.exchange;
    r->t.exchange = mortal_exchange;
    hitop_measure_defaults(&r->options);
    r->options.sizes = sizes;
    r->options.nsizes = NSIZES;
    r->options.eps = 0.01;
    r->options.keep = keep;
    r->options.keep_data = r;
    r->options.known = r->known;
    r->options.progress = note_progress;
    r->options.progress_data = r;
}

static enum hitop_status measure(struct run *r)
{
    return hitop_measure(&r->t, r->links, r->nlinks, &r->options, &r->m, NULL);
}

static void finish(struct run *r)
{
    hitop_measurement_clear(&r->m);
    hitop_batches_free(r->known);
    r->t.close(r->t.self);
    free(r->links);
}

/* Every size of every link is there, and the medians are what was put in. */
static void expect_whole(const struct run *r, double tolerance)
{
    ck_assert_int_eq(r->m.is_complete, 1);
    for (int i = 0; i < r->nlinks; i++) {
        const struct hitop_curve *c = &r->m.curves[(size_t)i * HITOP_NEXPERIMENTS + HITOP_ECHO];
        ck_assert_uint_eq(c->npoints, NSIZES);
        for (int k = 0; k < NSIZES; k++) {
            const double seconds =
                hitop_model_p2p(r->truth, r->links[i].rank[0], r->links[i].rank[1], sizes[k]);
            ck_assert_uint_eq(c->points[k].bytes, sizes[k]);
            ck_assert_int_eq(c->points[k].nsamples, r->samples[i][k].n);
            ck_assert_double_le(fabs(c->points[k].seconds / seconds - 1), tolerance);
        }
    }
}

static double samples_of(const struct run *r)
{
    double n = 0;

    for (int i = 0; i < r->nlinks; i++) {
        const struct hitop_curve *c = &r->m.curves[(size_t)i * HITOP_NEXPERIMENTS + HITOP_ECHO];
        for (size_t k = 0; k < c->npoints; k++) {
            n += c->points[k].nsamples;
        }
    }
    return n;
}

/* The same points, to the last bit. */
static void expect_equal(const struct run *a, const struct run *b)
{
    ck_assert_int_eq(a->nlinks, b->nlinks);
    ck_assert_double_eq(samples_of(a), samples_of(b));
    for (int i = 0; i < a->nlinks * NSIZES; i++) {
        ck_assert_double_eq(a->m.points[i].seconds, b->m.points[i].seconds);
        ck_assert_double_eq(a->m.points[i].lo, b->m.points[i].lo);
        ck_assert_double_eq(a->m.points[i].hi, b->m.points[i].hi);
        ck_assert_int_eq(a->m.points[i].nsamples, b->m.points[i].nsamples);
    }
}

/* Go on from a journal, to die after so many exchanges. */
static enum hitop_status run_from(struct run *r, const char *path, long dies_after)
{
    const struct hitop_journal_taker taker = {.take = take, .data = r};
    enum hitop_status status;

    ck_assert_int_eq(hitop_journal_resume(path, &header, 0, &taker, &r->journal, NULL), HITOP_OK);
    life = dies_after;
    status = measure(r);
    life = -1;
    ck_assert_int_eq(hitop_journal_close(r->journal, NULL), HITOP_OK);
    return status;
}

START_TEST(goes_on_however_often_it_is_killed)
{
    struct hitop_model *truth = example_model();
    char path[] = "check_long_run.XXXXXX";
    struct run r, whole;
    int written = 0, kills = 0;
    long length;

    ck_assert_int_ge(mkstemp(path), 0);
    start(&whole, truth, 0.05, 11);
    nexchanges = 0;
    ck_assert_int_eq(measure(&whole), HITOP_OK);
    length = nexchanges;
    srand(4);
    for (int i = 0; i < KILLS; i++) {
        start(&r, truth, 0.05, 100 + (unsigned long long)i);
        kills += run_from(&r, path, rand() % (length / 8)) == HITOP_ERR_MPI;
        ck_assert_int_eq(r.nknown, written);
        written += r.nkept;
        finish(&r);
    }
    ck_assert_int_ge(kills, KILLS / 2);
    start(&r, truth, 0.05, 12);
    ck_assert_int_eq(run_from(&r, path, -1), HITOP_OK);
    ck_assert_int_eq(r.nknown, written);
    expect_whole(&r, 0.03);
    expect_whole(&whole, 0.03);
    ck_assert_int_eq(r.m.was_interrupted, 0);
    ck_assert_double_le(samples_of(&r), 1.5 * samples_of(&whole));
    ck_assert_double_ge(samples_of(&r), 0.67 * samples_of(&whole));
    finish(&r);
    finish(&whole);
    (void)unlink(path);
    hitop_model_free(truth);
}
END_TEST

/* All samples of a journal count, and those of a finished run are all there is to know. */
START_TEST(measures_nothing_when_all_is_known)
{
    struct hitop_model *truth = example_model();
    char path[] = "check_long_run.XXXXXX";
    struct run first, again;

    ck_assert_int_ge(mkstemp(path), 0);
    start(&first, truth, 0.05, 7);
    ck_assert_int_eq(run_from(&first, path, -1), HITOP_OK);
    start(&again, truth, 0.05, 8);
    nexchanges = 0;
    ck_assert_int_eq(run_from(&again, path, -1), HITOP_OK);
    ck_assert_int_eq(nexchanges, 0);
    ck_assert_int_eq(again.nkept, 0);
    ck_assert_int_eq(again.nknown, first.nkept);
    ck_assert_int_eq(again.m.is_complete, 1);
    expect_equal(&first, &again);
    finish(&again);
    finish(&first);
    (void)unlink(path);
    hitop_model_free(truth);
}
END_TEST

static int after_batches(void *data)
{
    const struct run *r = data;

    return r->batches >= 9;
}

/* Interrupted in the third pass: every size has samples, and no further concurrent batch begins. */
START_TEST(ends_when_it_is_interrupted)
{
    struct hitop_model *truth = example_model();
    struct run r;

    start(&r, truth, 0.05, 3);
    r.options.interrupted = after_batches;
    r.options.interrupted_data = &r;
    ck_assert_int_eq(measure(&r), HITOP_OK);
    ck_assert_int_eq(r.m.was_interrupted, 1);
    ck_assert_int_eq(r.m.is_complete, 1);
    ck_assert_int_le(r.batches, 11); /* ends of passes are reported, too */
    ck_assert_int_ge(r.nkept, r.nlinks * NSIZES);
    finish(&r);
    hitop_model_free(truth);
}
END_TEST

static int at_once(void *data)
{
    (void)data;
    return 1;
}

/* Interrupted, or out of time, while it finds out what may run at once: nothing else begins. */
START_TEST(ends_before_it_begins)
{
    struct hitop_model *truth = example_model();

    for (int limited = 0; limited < 2; limited++) {
        struct run r;
        start(&r, truth, 0.05, 3);
        r.options.interrupted = limited ? NULL : at_once;
        r.options.time_limit = limited ? 1e-6 : 0;
        nexchanges = 0;
        ck_assert_int_eq(measure(&r), HITOP_OK);
        ck_assert_int_eq(r.m.was_interrupted, 1);
        ck_assert_int_eq(r.m.is_complete, 0);
        ck_assert_int_eq(r.nkept, 0);
        ck_assert_int_eq(r.m.bandwidth.at_once, 1);
        ck_assert_int_le(nexchanges, 100); /* of the first probe */
        finish(&r);
    }
    hitop_model_free(truth);
}
END_TEST

/* Interrupted before the first pass is over: what is there is handed out, and known to be not all.
 */
START_TEST(knows_that_sizes_lack_samples)
{
    struct hitop_model *truth = example_model();
    char path[] = "check_long_run.XXXXXX";
    struct run r, rest;

    ck_assert_int_ge(mkstemp(path), 0);
    start(&r, truth, 0.05, 3);
    r.batches = 7;
    r.options.interrupted = after_batches;
    r.options.interrupted_data = &r;
    ck_assert_int_eq(run_from(&r, path, -1), HITOP_OK);
    ck_assert_int_eq(r.m.was_interrupted, 1);
    ck_assert_int_eq(r.m.is_complete, 0);
    ck_assert_int_gt(r.nkept, 0);
    start(&rest, truth, 0.05, 4);
    ck_assert_int_eq(run_from(&rest, path, -1), HITOP_OK);
    ck_assert_int_eq(rest.nknown, r.nkept);
    expect_whole(&rest, 0.03);
    finish(&rest);
    finish(&r);
    (void)unlink(path);
    hitop_model_free(truth);
}
END_TEST

/* Within one concurrent batch of the limit; a batch of known time begins only if it fits. */
START_TEST(ends_at_its_time_limit)
{
    struct hitop_model *truth = example_model();

    for (double limit = 0.25; limit < 10; limit *= 1.37) {
        struct run r;
        double elapsed;
        start(&r, truth, 0.3, 5);
        r.options.eps = 0.001;
        r.options.budget = 1000;
        r.options.time_limit = limit;
        elapsed = -r.t.now(r.t.self);
        ck_assert_int_eq(measure(&r), HITOP_OK);
        elapsed += r.t.now(r.t.self);
        ck_assert_int_eq(r.m.was_interrupted, 1);
        ck_assert_double_le(elapsed, limit + r.longest_batch + 1e-9);
        if (r.passes > 2) { /* the shortest batches are a fraction of the longest */
            ck_assert_double_ge(elapsed, limit - 0.2 * r.longest_batch);
        }
        finish(&r);
    }
    hitop_model_free(truth);
}
END_TEST

enum { STEPS = 7 };

/* Called after each step of a concurrent batch. */
static int die_after_steps(void *data)
{
    struct run *r = data;

    life = ++r->steps == STEPS ? 0 : life;
    return 0;
}

/* One link at a time: what was not under way is kept. */
START_TEST(loses_one_batch_at_most)
{
    struct hitop_model *truth = example_model();
    struct run r;

    start(&r, truth, 0.05, 5);
    r.options.parallel = 0;
    r.options.interrupted = die_after_steps;
    r.options.interrupted_data = &r;
    ck_assert_int_eq(measure(&r), HITOP_ERR_MPI);
    ck_assert_int_eq(r.block, 0);
    ck_assert_int_eq(r.nkept, STEPS);
    finish(&r);
    hitop_model_free(truth);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, goes_on_however_often_it_is_killed);
    tcase_add_test(tc, measures_nothing_when_all_is_known);
    tcase_add_test(tc, ends_when_it_is_interrupted);
    tcase_add_test(tc, ends_before_it_begins);
    tcase_add_test(tc, knows_that_sizes_lack_samples);
    tcase_add_test(tc, ends_at_its_time_limit);
    tcase_add_test(tc, loses_one_batch_at_most);
}

TEST_MAIN("long run", add_tests)
