/* SPDX-License-Identifier: BSD-3-Clause */
/* check_validate_report.c - what is said and written of a comparison, whatever names and times
 * there are. */
#include <config.h>

#include "tools/validate/validate.h"

#include "tests/models/validate/validate_sample.h"
#include "tests/support/test_main.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Two ranks on hosts a and b, measured from 1 KiB to 4 GiB. */
static const char model_text[] =
    "{\"format\":\"hitop-model\",\"version\":1,\"model\":\"hockney\",\"convention\":\"one-way\","
    "\"units\":{\"time\":\"s\",\"size\":\"B\"},\"ranks\":2,\"tree\":{\"hosts\":[\"a\",\"b\"],"
    "\"parents\":[2,2],\"groups\":[{\"node\":2,\"level\":\"root\",\"name\":\"\",\"parent\":null}]},"
    "\"classes\":[{\"node\":2,\"level\":\"root\",\"name\":\"\",\"pair\":[0,1],\"alpha\":1e-6,"
    "\"beta\":1e-9,\"nsizes\":2,\"nsamples\":40,\"converged\":true,\"residual\":0,\"times\":{"
    "\"bytes\":[1024,4294967296],\"time\":[2e-6,4.3],\"lo\":[2e-6,4.3],\"hi\":[2e-6,4.3]}}]}";

static struct hitop_model *model;
static struct validate_request request;
static struct validate_report report;

static void setup(void)
{
    static char command[] = "v";
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_msg(hitop_model_parse("m", model_text, sizeof(model_text) - 1, &model, &diag) ==
                      HITOP_OK,
                  "%s", diag.message);
    request = (struct validate_request){
        .input = "m.json", .tolerance = {0.1, 0.1, 0.2}, .command = command};
}

static void teardown(void)
{
    hitop_validate_report_clear(&report);
    hitop_model_free(model);
}

/* Predicted `ratio` times too long; the halves are as far apart as noise says. */
static struct validate_sample sample(enum validate_part part, const char *level, size_t bytes,
                                     double ratio, double noise)
{
    struct validate_sample s = timed_sample(ratio, noise);

    s.part = part;
    s.level = level;
    s.bytes = bytes;
    return s;
}

static void conclude(const struct validate_sample *samples, int n)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;

    report = (struct validate_report){.request = &request,
                                      .model = model,
                                      .h = hitop_model_hierarchy(model),
                                      .nranks = 2,
                                      .nhosts = 2,
                                      .timing = "window",
                                      .busiest = {1, 1},
                                      .samples = samples,
                                      .nsamples = n,
                                      .skipped = "",
                                      .nlaunches = 1,
                                      .mpi_library = "MPI",
                                      .date = "",
                                      .hosts = "a:1,b:1"};
    ck_assert_msg(hitop_validate_report_make(&report, &diag) == HITOP_OK, "%s", diag.message);
    puts(report.verdict);
}

static int says(const char *words)
{
    return strstr(report.verdict, words) != NULL;
}

/* An error within its limit is not reported as the reason. */
START_TEST(names_what_is_not_allowed)
{
    struct validate_sample s[] = {sample(VALIDATE_PATTERNS, "shift", 4, 3, 1),
                                  sample(VALIDATE_PATTERNS, "shift", 8, 1.05, 1),
                                  sample(VALIDATE_PATTERNS, "shift", 16, 1.05, 1)};

    conclude(s, 3);
    ck_assert(says("the model does not hold: the pattern shift has a median error of 5 %, which is "
                   "allowed, but at 4 B it is predicted 200 % longer than measured (20 % is "
                   "allowed)"));
    hitop_validate_report_clear(&report);
    s[1].predicted *= 2;
    conclude(s, 3);
    ck_assert(says("the pattern shift has a median error of 110 % where 10 % is allowed, worst at "
                   "4 B, predicted 200 % longer than measured (20 % is allowed)"));
}
END_TEST

/* Single messages are to blame, or not, only if they are precise enough. */
START_TEST(blames_what_is_known)
{
    struct validate_sample s[] = {sample(VALIDATE_PAIRS, "root", 4, 1, 1),
                                  sample(VALIDATE_PATTERNS, "fan", 4, 3, 1)};

    conclude(s, 2);
    ck_assert(says("single messages are as the model says"));
    hitop_validate_report_clear(&report);
    s[0].again[1] *= 4;
    conclude(s, 2);
    ck_assert(!says("single messages are as the model says"));
    ck_assert(says("single messages are too noisy to show"));
    hitop_validate_report_clear(&report);
    s[0].seconds = 0;
    conclude(s, 2);
    ck_assert(!says("single messages are as the model says"));
    ck_assert(says("single messages were not measured"));
    hitop_validate_report_clear(&report);
    conclude(s + 1, 1);
    ck_assert(says("--pairs 8 shows"));
}
END_TEST

/* Errors that change with the size ask for another formula, those that do not for newer
 * measurements. */
START_TEST(every_verdict_names_a_remedy)
{
    struct validate_sample s[] = {sample(VALIDATE_PAIRS, "root", 4, 2, 1),
                                  sample(VALIDATE_PAIRS, "root", 4096, 2, 1),
                                  sample(VALIDATE_PATTERNS, "fan", 4, 1, 1)};

    conclude(s, 3);
    ck_assert(says("; remedy: measure anew what has changed: hierarchical_model -C "));
    hitop_validate_report_clear(&report);
    s[1].predicted /= 4;
    conclude(s, 3);
    ck_assert(says("; remedy: another formula, since the errors of "));
    hitop_validate_report_clear(&report);
    s[0].predicted = s[0].seconds;
    s[1].predicted = s[1].seconds;
    s[2].predicted *= 3;
    conclude(s, 3);
    ck_assert(says("knows no capacities of shared links; remedy: hierarchical_model -C "));
    hitop_validate_report_clear(&report);
    s[0].again[1] *= 9;
    s[1].again[1] *= 9;
    conclude(s, 2);
    ck_assert(says("nothing is known of the model"));
    ck_assert(says("; remedy: "));
}
END_TEST

static char *print_csv(void)
{
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);

    validate_print_csv(&report, to);
    ck_assert_int_eq(fclose(to), 0);
    return text;
}

/* What was not measured is empty, and names are fields whatever is in them. */
START_TEST(csv_has_what_there_is)
{
    struct validate_sample s[] = {sample(VALIDATE_PAIRS, "rack,row", 4, 1.5, 1),
                                  sample(VALIDATE_PATTERNS, "fan", 8, 1, 1)};
    char *text;

    s[0].name = "a \"b\"";
    s[1].seconds = s[1].lo = s[1].hi = s[1].again[0] = s[1].again[1] = 0;
    conclude(s, 2);
    text = print_csv();
    puts(text);
    ck_assert_ptr_nonnull(strstr(text, "\npairs,\"rack,row\",\"a \"\"b\"\"\",0,1,0,4,3,2,1.9,2.1,2,"
                                       "2,0,0,50\n"));
    ck_assert_ptr_nonnull(strstr(text, "\npattern,fan,,,,,8,2,,,,,,0,0,\n"));
    free(text);
}
END_TEST

/* Names that are cut within a letter, and files with names in other encodings, are no reason to
 * write nothing. */
START_TEST(json_is_written_whatever_names_there_are)
{
    char name[162] = "", *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    struct validate_sample s = sample(VALIDATE_PAIRS, "root", 4, 3, 1);
    struct hitop_diag diag = HITOP_DIAG_INIT;

    for (int i = 1; i < 161; i += 2) {
        memcpy(name + i, "\xc3\xa9", 2); /* an accented e */
    }
    name[0] = 'x';
    s.name = name;
    request.input = "mod\xe8le.json";
    conclude(&s, 1);
    ck_assert_msg(validate_print_json(&report, to, &diag) == HITOP_OK, "%s", diag.message);
    ck_assert_int_eq(fclose(to), 0);
    ck_assert_ptr_nonnull(strstr(text, "\"input\": \"mod?le.json\""));
    free(text);
}
END_TEST

/* No size is larger than --max-size, smaller than --min-size, or longer than a message can be. */
START_TEST(sizes_are_what_is_asked_for_and_can_be)
{
    size_t sizes[VALIDATE_NSIZES];
    int n = hitop_validate_sizes(model, &request, sizes);

    ck_assert_uint_eq(sizes[0], 1024);
    ck_assert_uint_eq(sizes[n - 1], INT_MAX);
    request.has_range[1] = 1;
    request.max = 100;
    n = hitop_validate_sizes(model, &request, sizes);
    ck_assert_int_ge(n, 1);
    ck_assert_uint_eq(sizes[n - 1], 100);
    request.has_range[0] = 1;
    request.has_range[1] = 0;
    request.min = INT_MAX;
    n = hitop_validate_sizes(model, &request, sizes);
    ck_assert_int_eq(n, 1);
    ck_assert_uint_eq(sizes[0], INT_MAX);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, names_what_is_not_allowed);
    tcase_add_test(tc, blames_what_is_known);
    tcase_add_test(tc, every_verdict_names_a_remedy);
    tcase_add_test(tc, csv_has_what_there_is);
    tcase_add_test(tc, json_is_written_whatever_names_there_are);
    tcase_add_test(tc, sizes_are_what_is_asked_for_and_can_be);
}

TEST_MAIN("validate report", add_tests)
