/* SPDX-License-Identifier: BSD-3-Clause */
/* check_model_json.c - model files keep every digit, and nothing but a model is read. */
#include <config.h>

#include "hitop/model.h"

#include "tests/support/example_hierarchy.h"
#include "tests/support/test_main.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

/* The file of a model as text; free() it. */
static char *text_of(const struct hitop_model *model)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);

    ck_assert_int_eq(hitop_model_write(model, stream, NULL), HITOP_OK);
    fclose(stream);
    return text;
}

static char *example_text(void)
{
    struct hitop_model *model = example_model();
    char *text = text_of(model);

    hitop_model_free(model);
    return text;
}

START_TEST(reads_what_it_wrote_to_the_last_digit)
{
    const double third[2] = {1.0 / 3e5, 2.0 / 3e9}, smallest[2] = {DBL_MIN, 1};
    const double se[2] = {NAN, 1 / 7.0}, lo[2] = {0, -1 / 9.0}, hi[2] = {1e-300, 1 / 11.0};
    struct hitop_class classes[EXAMPLE_CLASSES];
    struct hitop_hierarchy *h = example_hierarchy();
    struct hitop_model *model = NULL, *again = NULL;
    const struct hitop_class *c;
    char *text, *text_again;

    example_classes(classes);
    classes[0] = (struct hitop_class){.node = 8,
                                      .pair = {4, 0},
                                      .params = third,
                                      .se = se,
                                      .lo = lo,
                                      .hi = hi,
                                      .nsizes = 3,
                                      .nsamples = 60,
                                      .residual = 1 / 13.0,
                                      .has_eager = 1,
                                      .eager = (size_t)1 << 62};
    classes[2].has_eager = 1;
    classes[2].eager = HITOP_ALL_SIZES;
    classes[3].params = smallest;
    classes[3].has_eager = 1;
    ck_assert_int_eq(example_build("hockney", h, classes, EXAMPLE_CLASSES, NULL, &model, NULL),
                     HITOP_OK);
    text = text_of(model);
    ck_assert_int_eq(hitop_model_parse("m.json", text, strlen(text), &again, NULL), HITOP_OK);
    text_again = text_of(again);
    ck_assert_str_eq(text, text_again);
    c = hitop_model_class(again, 0);
    ck_assert_mem_eq(c->params, third, sizeof(third));
    ck_assert_mem_eq(hitop_model_class(again, 3)->params, smallest, sizeof(smallest));
    ck_assert_mem_eq(c->lo, lo, sizeof(lo));
    ck_assert_mem_eq(c->hi, hi, sizeof(hi));
    ck_assert(isnan(c->se[0]) && c->se[1] == 1 / 7.0);
    ck_assert_int_eq(c->pair[0], 4);
    ck_assert(c->nsizes == 3 && c->nsamples == 60 && !c->converged && c->residual == 1 / 13.0);
    ck_assert(c->has_eager && c->eager == (size_t)1 << 62);
    ck_assert(!hitop_model_class(again, 1)->has_eager);
    ck_assert_uint_eq(hitop_model_class(again, 2)->eager, HITOP_ALL_SIZES);
    ck_assert(hitop_model_class(again, 3)->has_eager && hitop_model_class(again, 3)->eager == 0);
    ck_assert_ptr_null(hitop_model_class(again, 1)->se);
    ck_assert_str_eq(hitop_hierarchy_attr(hitop_model_hierarchy(again), 14, "zone"), "eu");
    free(text_again);
    free(text);
    hitop_model_free(again);
    hitop_model_free(model);
    hitop_hierarchy_free(h);
}
END_TEST

START_TEST(keeps_capacities_whether_of_groups_or_of_their_edges)
{
    struct hitop_model *model = example_racks(), *again = NULL;
    char *text = text_of(model);

    ck_assert_int_eq(hitop_model_parse("m.json", text, strlen(text), &again, NULL), HITOP_OK);
    for (int node = 4; node < 7; node++) {
        const double capacity = hitop_hierarchy_capacity(hitop_model_hierarchy(again), node);
        ck_assert_double_eq(capacity, node == 4 ? 0.5 : node == 5 ? 4 : 0.25);
    }
    hitop_model_free(again);
    free(text);
    hitop_model_free(model);
}
END_TEST

START_TEST(keeps_what_the_measurement_found_out_about_itself)
{
    const struct hitop_verified verified[] = {
        {.node = 12, .pairs = 3, .median = 1 / 70.0, .q90 = 0.31, .worst = 0.025, .holds = 1},
        {.node = 14, .pairs = 11, .worst = 2 / 3.0}};
    const struct hitop_quality quality = {.seconds = 1 / 3.0,
                                          .passes = 7,
                                          .ended_early = 1,
                                          .latency = {4, 1.0123},
                                          .bandwidth = {2, 1.5},
                                          .tolerance = 0.15,
                                          .verified = verified,
                                          .nverified = 2};
    struct hitop_model *plain = example_model(), *model = NULL, *again = NULL;
    const struct hitop_quality *q;
    struct hitop_model_parts parts;
    char *text;

    ck_assert_ptr_null(hitop_model_quality(plain));
    hitop_model_parts_of(plain, &parts);
    parts.quality = &quality;
    ck_assert_int_eq(hitop_model_build(&parts, &model, NULL), HITOP_OK);
    hitop_model_free(plain);
    text = text_of(model);
    ck_assert_int_eq(hitop_model_parse("m.json", text, strlen(text), &again, NULL), HITOP_OK);
    q = hitop_model_quality(again);
    ck_assert(q->seconds == 1 / 3.0 && q->passes == 7 && q->ended_early);
    ck_assert(q->latency.at_once == 4 && q->latency.slowdown == 1.0123);
    ck_assert(q->bandwidth.at_once == 2 && q->bandwidth.slowdown == 1.5);
    ck_assert(q->tolerance == 0.15 && q->nverified == 2);
    ck_assert_mem_eq(q->verified, verified, sizeof(verified));
    ck_assert(hitop_model_class(again, 6)->params[0] == 60e-6);
    free(text);
    hitop_model_free(again);
    hitop_model_free(model);
}
END_TEST

START_TEST(refuses_a_seed_it_could_not_read_back)
{
    struct hitop_provenance provenance = {.seed = (unsigned long long)INT64_MAX + 1};
    struct hitop_class classes[EXAMPLE_CLASSES];
    struct hitop_hierarchy *h = example_hierarchy();
    struct hitop_model *model = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    example_classes(classes);
    ck_assert_int_eq(
        example_build("hockney", h, classes, EXAMPLE_CLASSES, &provenance, &model, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_model_write(model, stderr, &diag), HITOP_ERR_INVALID);
    ck_assert_ptr_nonnull(strstr(diag.message, "9223372036854775808"));
    hitop_model_free(model);
    hitop_hierarchy_free(h);
}
END_TEST

struct edit {
    const char *from, *to; /* the first occurrence of from becomes to; NULL: the whole text */
    const char *message;   /* part of the expected message */
};

static const struct edit edits[] = {
    {NULL, "", "m.json: empty"},
    {NULL, "[]", "m.json: $: must be an object"},
    {NULL, "{}", "m.json: $.format: missing"},
    {NULL, "{\"format\": \"hitop-model\"} x", "m.json:1:"},
    {NULL, "{\"a\": 1e999}", "m.json:1:"},
    {NULL, "{\"a\": 99999999999999999999}", "m.json:1:"},
    {NULL, "{\"a\": NaN}", "m.json:1:"},
    {NULL, "{\"a\": 1, \"a\": 2}", "duplicate"},
    {"\"version\": 1", "\"version\": 2", "$.version: 2 is outside [1, 1]"},
    {"hockney", "hokney", "$.model: no model is called 'hokney'; valid: hockney"},
    {"one-way", "round trip", "$.convention: 'round trip' must be 'one-way'"},
    {"\"ranks\": 8", "\"ranks\": 9", "$.tree.hosts: has 8 items, must have 9"},
    {"\"ranks\": 8", "\"ranks\": 2000000000", "$.ranks: 2000000000 is outside"},
    {"\"parents\": [8", "\"parents\": [7", "$.tree.parents[0]: 7 is outside [8, 14]"},
    {"\"parents\": [8, 9", "\"parents\": [9, 8", "$.tree.groups: node 0 is out of place"},
    {"\"parents\": [8, 9, 10, 11, 8", "\"parents\": [9, 9, 10, 11, 9", "$.tree: "},
    {"\"node\": 9", "\"node\": 10", "$.tree.groups[1].node: 10 is outside [9, 9]"},
    {"\"parent\": 13", "\"parent\": 9", "$.tree.groups[2].parent: 9 is outside [11, 14]"},
    {"\"zone\": \"eu\"", "\"capacity\": \"1:2\"",
     "$.tree: node #14: capacity '1:2' is neither a number nor a fraction such as 1/3"},
    {"\"parent\": null", "\"parent\": 3", "$.tree.groups[6].parent: must be null, not an integer"},
    {"\"pair\": [2, 6]", "\"pair\": [2, 8]", "$.classes[2].pair[1]: 8 is outside [0, 7]"},
    {"\"pair\": [2, 6]", "\"pair\": [2, 2]", "$.classes[2].pair: 2 twice"},
    {"\"pair\": [2, 6]", "\"pair\": [2]", "$.classes[2].pair: has 1 items, must have 2"},
    {"\"alpha\": 3", "\"alpha\": -3", "$.classes[4].alpha: -3"},
    {"\"alpha\": 3", "\"alpha\": 1e9, \"x\": 3", "$.classes[4]: unknown member 'x'"},
    {"\"alpha\": 3.", "\"alpha\": 3e9, \"nsizes\": 3.", "duplicate"},
    {"\"beta\": 1.2", "\"beta\": \"1.2\", \"z\": 1.2", "$.classes[6]: unknown member 'z'"},
    {"\"converged\": true", "\"converged\": 1", "$.classes[0].converged: must be true or false"},
    {"\"level\": \"domain\", \"name\": \"site1.org\", \"pair\"",
     "\"level\": \"domain\", \"name\": \"site2.org\", \"pair\"",
     "$.classes[4].name: 'site2.org' must be 'site1.org'"},
    {"{\"node\": 14, \"level\": \"root\", \"name\": \"\", \"pair\"",
     "{\"node\": 13, \"level\": \"domain\", \"name\": \"site2.org\", \"pair\"", "$.classes[6]: "},
    {"\"seed\": 0", "\"seed\": -1", "$.provenance.seed: -1 is negative"},
};

START_TEST(names_the_place_of_what_is_wrong)
{
    const struct edit *e = &edits[_i];
    struct hitop_model *model = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char *text = example_text();
    char *at = e->from ? strstr(text, e->from) : text;
    char *broken;
    size_t size;

    ck_assert_msg(at, "the example has no %s", e->from);
    size = strlen(text) + strlen(e->to) + 1;
    broken = malloc(size);
    snprintf(broken, size, "%.*s%s%s", (int)(at - text), text, e->to,
             e->from ? at + strlen(e->from) : "");
    ck_assert_int_eq(hitop_model_parse("m.json", broken, strlen(broken), &model, &diag),
                     HITOP_ERR_FORMAT);
    ck_assert_ptr_null(model);
    ck_assert_msg(strstr(diag.message, e->message), "'%s' lacks '%s'", diag.message, e->message);
    free(broken);
    free(text);
}
END_TEST

START_TEST(misses_a_class_by_name)
{
    struct hitop_model *model = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char *text = example_text();
    char *end = strstr(text, "\n  ],\n  \"provenance\"");
    char *last =
        strstr(text, ",\n    {\"node\": 14, \"level\": \"root\", \"name\": \"\", \"pair\"");

    memmove(last, end, strlen(end) + 1);
    ck_assert_int_eq(hitop_model_parse("m.json", text, strlen(text), &model, &diag),
                     HITOP_ERR_FORMAT);
    ck_assert_str_eq(diag.message, "m.json: $.classes: node 14 (root '') has no class");
    free(text);
}
END_TEST

/* Two hosts of two ranks, with nothing but what the formula needs. */
START_TEST(needs_only_what_the_formula_needs)
{
    static const char text[] =
        "{\"format\": \"hitop-model\", \"version\": 1, \"model\": \"hockney\", \"ranks\": 4, "
        "\"tree\": {\"hosts\": [\"a\", \"a\", \"b\", \"b\"], \"parents\": [4, 4, 5, 5], "
        "\"groups\": [{\"parent\": 6}, {\"parent\": 6}, {}]}, \"classes\": ["
        "{\"node\": 4, \"alpha\": 1e-6, \"beta\": 1e-10}, {\"node\": 5, \"alpha\": 1e-6, "
        "\"beta\": 1e-10}, {\"node\": 6, \"alpha\": 2e-5, \"beta\": 1e-9}]}";
    struct hitop_model *model = NULL, *again = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const struct hitop_class *c;
    char *written, *twice;

    ck_assert_msg(hitop_model_parse("m", text, strlen(text), &model, &diag) == HITOP_OK, "%s",
                  diag.message);
    c = hitop_model_class_of(model, 0, 3);
    ck_assert(!hitop_class_is_measured(c) && c->converged && c->pair[0] == HITOP_NO_RANK);
    ck_assert_double_eq_tol(hitop_model_p2p(model, 0, 3, 1000), 21e-6, 1e-15);
    written = text_of(model);
    ck_assert_ptr_null(strstr(written, "nsamples"));
    ck_assert_int_eq(hitop_model_parse("m", written, strlen(written), &again, NULL), HITOP_OK);
    twice = text_of(again);
    ck_assert_str_eq(written, twice);
    free(twice);
    free(written);
    hitop_model_free(again);
    hitop_model_free(model);
}
END_TEST

START_TEST(survives_deep_nesting)
{
    enum { DEPTH = 100000 };
    struct hitop_model *model = NULL;
    char *text = malloc(DEPTH);

    memset(text, '[', DEPTH);
    ck_assert_int_eq(hitop_model_parse("m.json", text, DEPTH, &model, NULL), HITOP_ERR_FORMAT);
    free(text);
}
END_TEST

START_TEST(reports_why_a_file_cannot_be_read)
{
    struct hitop_model *model = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_int_eq(hitop_model_read("/nonexistent/m.json", &model, &diag), HITOP_ERR_IO);
    ck_assert_str_eq(diag.message, "/nonexistent/m.json: cannot open: No such file or directory");
    ck_assert_int_eq(hitop_model_read("/", &model, &diag), HITOP_ERR_IO);
    ck_assert_str_eq(diag.message, "/: cannot read: Is a directory");
    ck_assert_int_eq(hitop_model_read("/dev/null", &model, &diag), HITOP_ERR_FORMAT);
    ck_assert_ptr_nonnull(strstr(diag.message, "/dev/null: empty"));
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, reads_what_it_wrote_to_the_last_digit);
    tcase_add_test(tc, keeps_capacities_whether_of_groups_or_of_their_edges);
    tcase_add_test(tc, keeps_what_the_measurement_found_out_about_itself);
    tcase_add_test(tc, refuses_a_seed_it_could_not_read_back);
    tcase_add_loop_test(tc, names_the_place_of_what_is_wrong, 0,
                        (int)(sizeof(edits) / sizeof(edits[0])));
    tcase_add_test(tc, misses_a_class_by_name);
    tcase_add_test(tc, needs_only_what_the_formula_needs);
    tcase_add_test(tc, survives_deep_nesting);
    tcase_add_test(tc, reports_why_a_file_cannot_be_read);
}

TEST_MAIN("model file", add_tests)
