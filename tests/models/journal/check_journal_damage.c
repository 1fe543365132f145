/* SPDX-License-Identifier: BSD-3-Clause */
/* check_journal_damage.c - a journal that is not as this run would have written it is refused, with
 * the reason. */
#include <config.h>

#include "models/journal/journal_impl.h"
#include "tests/models/journal/journal_example.h"
#include "tests/support/test_main.h"

#include <stdio.h>

/* Any byte in any line but the last, whose beginning must show. */
START_TEST(refuses_every_changed_byte)
{
    static char text[JOURNAL_MAX_TEXT];
    size_t length, last;

    journal_make_file();
    journal_write_batches(2);
    length = journal_get_text(text);
    text[length - 1] = '\0';
    last = (size_t)(strrchr(text, '\n') - text) + 1;
    text[length - 1] = '\n';
    for (size_t i = 0; i + 1 < last; i++) {
        const char was = text[i];
        for (int change = 1; change < 256; change *= 9) {
            struct hitop_journal *journal = NULL;
            struct hitop_diag diag = HITOP_DIAG_INIT;
            int taken;
            text[i] = (char)(was ^ change);
            journal_put_text(text, length);
            ck_assert_msg(journal_resume(&journal_example_header, 1, &taken, &journal, &diag) ==
                              HITOP_ERR_FORMAT,
                          "byte %zu", i);
            ck_assert_ptr_null(journal);
            ck_assert_ptr_nonnull(strstr(diag.message, journal_path));
        }
        text[i] = was;
    }
    journal_remove_file();
}
END_TEST

/* A header and a record with a right checksum. */
static void put_records(const char *const *records, int n)
{
    FILE *f = fopen(journal_path, "w");

    ck_assert_ptr_nonnull(f);
    for (int i = 0; i < n; i++) {
        size_t length = 0;
        char *line = hitop_journal_seal(records[i], &length);
        ck_assert_uint_eq(fwrite(line, 1, length, f), length);
        free(line);
    }
    ck_assert_int_eq(fclose(f), 0);
}

/* NULL is a second journal_example_header. */
static void expect_refusal(const char *record, const char *reason)
{
    char *first = hitop_journal_header_record(&journal_example_header);
    const char *const records[] = {first, record ? record : first};
    struct hitop_journal *journal = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char where[64];
    int taken = 0;

    put_records(records, 2);
    ck_assert_int_eq(journal_resume(&journal_example_header, 0, &taken, &journal, &diag),
                     HITOP_ERR_FORMAT);
    ck_assert_int_eq(taken, 0);
    (void)snprintf(where, sizeof(where), "%s:2:", journal_path);
    ck_assert_msg(strncmp(diag.message, where, strlen(where)) == 0, "%s", diag.message);
    ck_assert_msg(strstr(diag.message, reason) != NULL, "'%s' does not say '%s'", diag.message,
                  reason);
    free(first);
}

#define RECORD(link, what, bytes, take, block, batch, samples)                                     \
    "{\"part\":\"links\",\"link\":" link ",\"experiment\":" what ",\"bytes\":" bytes               \
    ",\"take\":" take ",\"block\":" block ",\"batch\":" batch ",\"samples\":" samples "}"

#define EAGER(found, link, bytes, all, tests, window)                                              \
    "{\"found\":" found ",\"link\":" link ",\"bytes\":" bytes ",\"all\":" all ",\"tests\":" tests  \
    ",\"window\":" window "}"
#define POINT(seconds, lo, n, converged)                                                           \
    "{\"found\":\"gather\",\"bytes\":4096,\"seconds\":" seconds ",\"se\":0.1,\"lo\":" lo           \
    ",\"hi\":1.0,\"n\":" n ",\"converged\":" converged "}"

START_TEST(refuses_records_that_cannot_be)
{
    static const char *const bad[][2] = {
        {RECORD("-1", "\"echo\"", "1", "0", "0", "1", "[1]"), "$.link: -1 is outside"},
        {RECORD("1.5", "\"echo\"", "1", "0", "0", "1", "[1]"), "$.link: must be an integer"},
        {RECORD("99999999999", "\"echo\"", "1", "0", "0", "1", "[1]"), "$.link: 99999999999"},
        {RECORD("0", "\"ping\"", "1", "0", "0", "1", "[1]"), "there are echo, reply, gap"},
        {RECORD("0", "3", "1", "0", "0", "1", "[1]"), "$.experiment: must be a string"},
        {RECORD("0", "\"echo\"", "-1", "0", "0", "1", "[1]"), "$.bytes: -1 is negative"},
        {RECORD("0", "\"echo\"", "99999999999999999999", "0", "0", "1", "[1]"), "too big integer"},
        {RECORD("0", "\"echo\"", "1", "-2", "0", "1", "[1]"), "$.take: -2 is outside"},
        {RECORD("0", "\"echo\"", "1", "0", "-3", "1", "[1]"), "$.block: -3 is outside"},
        {RECORD("0", "\"echo\"", "1", "0", "0", "0", "[1]"), "$.batch: 0 is outside"},
        {RECORD("0", "\"echo\"", "1", "0", "0", "1", "[]"), "$.samples: has 0 items"},
        {RECORD("0", "\"echo\"", "1", "0", "0", "1", "[NaN]"), "invalid token"},
        {RECORD("0", "\"echo\"", "1", "0", "0", "1", "[1e999]"), "real number overflow"},
        {RECORD("0", "\"echo\"", "1", "0", "0", "1", "[1,null]"), "$.samples[1]: must be a number"},
        {RECORD("0", "\"echo\"", "1", "0", "0", "1", "1"), "$.samples: must be an array"},
        {RECORD("0", "\"echo\"", "1", "0", "0", "1", "[1],\"n\":1"), "unknown member 'n'"},
        {RECORD("0", "\"echo\"", "1", "0", "0", "1", "[1],\"link\":1"), "duplicate object key"},
        {EAGER("\"eager\"", "-1", "1", "true", "1", "0.02"), "$.link: -1 is outside"},
        {EAGER("\"eager\"", "1", "-1", "true", "1", "0.02"), "$.bytes: -1 is negative"},
        {EAGER("\"eager\"", "1", "1", "1", "1", "0.02"), "$.all: must be"},
        {EAGER("\"eager\"", "1", "1", "true", "1", "-2"), "$.window: -2 is outside"},
        {EAGER("\"eager\"", "1", "1", "true", "1", "2,\"part\":\"\""), "unknown member 'part'"},
        {EAGER("\"late\"", "1", "1", "true", "1", "2"),
         "'late' is none of eager, scatter, gather and escalation"},
        {EAGER("7", "1", "1", "true", "1", "2"), "$.found: must be a string"},
        {EAGER("\"gather\"", "1", "1", "true", "1", "2"), "unknown member 'link'"},
        {POINT("-1", "0", "0", "true"), "$.seconds: -1 is outside"},
        {POINT("1", "\"0\"", "0", "true"), "$.lo: must be a number"},
        {POINT("1", "0", "1.5", "true"), "$.n: must be an integer"},
        {POINT("1", "0", "1", "null"), "$.converged: must be"},
        {"{\"found\":\"scatter\"}", "$.bytes: missing"},
        {"{\"part\":\"\"}", "$.experiment: missing"},
        {"[1]", "expected"},
        {"{}", "expected"},
        {"\x01\xff\x7f{}", "expected near"},
    };

    journal_make_file();
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        expect_refusal(bad[i][0], bad[i][1]);
    }
    expect_refusal(NULL, "unknown member 'format'");
    journal_remove_file();
}
END_TEST

START_TEST(refuses_deep_nesting)
{
    enum { DEPTH = 20000 };
    static char record[DEPTH + 2];

    memset(record, '[', DEPTH);
    record[DEPTH] = '}';
    journal_make_file();
    expect_refusal(record, "maximum parsing depth");
    journal_remove_file();
}
END_TEST

START_TEST(refuses_headers_that_cannot_be)
{
    static const char *const bad[][2] = {
        {"{\"format\":\"hitop-model\",\"version\":1}", "must be 'hitop-journal'"},
        {"{\"format\":\"hitop-journal\",\"version\":2}", "$.version: 2 is outside [1, 1]"},
        {"{\"format\":\"hitop-journal\",\"version\":1,\"tool\":\"\",\"mpi\":\"\",\"seed\":-1,"
         "\"configuration\":\"\",\"hosts\":[\"a\"]}",
         "$.seed: -1 is negative"},
        {"{\"format\":\"hitop-journal\",\"version\":1,\"tool\":\"\",\"mpi\":\"\",\"seed\":1,"
         "\"configuration\":\"\",\"hosts\":[]}",
         "$.hosts: has no items"},
        {"{\"format\":\"hitop-journal\",\"version\":1,\"tool\":\"\",\"mpi\":\"\",\"seed\":1,"
         "\"configuration\":\"\",\"hosts\":[\"a\",4]}",
         "$.hosts[1]: must be a string"},
        {"[]", "expected"},
    };

    journal_make_file();
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct hitop_journal *journal = NULL;
        struct hitop_diag diag = HITOP_DIAG_INIT;
        int taken = 0;
        put_records(&bad[i][0], 1);
        ck_assert_int_eq(journal_resume(&journal_example_header, 1, &taken, &journal, &diag),
                         HITOP_ERR_FORMAT);
        ck_assert_ptr_null(journal);
        ck_assert_msg(strstr(diag.message, bad[i][1]) != NULL, "%s", diag.message);
    }
    journal_remove_file();
}
END_TEST

/* A slip in the name of the file must not cost a file. */
START_TEST(leaves_other_files_alone)
{
    static const char *const texts[] = {"notes", "one\ntwo\n", "{\"format\":\"hitop-model\"",
                                        "\x7f\x45\x4c\x46\x02", "\n"};
    char after[JOURNAL_MAX_TEXT];

    journal_make_file();
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct hitop_journal *journal = NULL;
        struct hitop_diag diag = HITOP_DIAG_INIT;
        int taken = 0;
        journal_put_text(texts[i], strlen(texts[i]));
        ck_assert_int_eq(journal_resume(&journal_example_header, 1, &taken, &journal, &diag),
                         HITOP_ERR_FORMAT);
        ck_assert_ptr_nonnull(strstr(diag.message, ":1: not the header of a journal"));
        ck_assert_int_eq(
            hitop_journal_create(journal_path, &journal_example_header, &journal, &diag),
            HITOP_ERR_INVALID);
        ck_assert_ptr_null(journal);
        ck_assert_ptr_nonnull(strstr(diag.message, "--resume"));
        (void)journal_get_text(after);
        ck_assert_str_eq(after, texts[i]);
    }
    journal_remove_file();
}
END_TEST

/* What the last argument of hitop_journal_resume() says of a journal of journal_example_header. */
static void expect_difference(const struct hitop_journal_header *now, const char *const *reasons)
{
    struct hitop_journal *journal = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int taken = 0;

    ck_assert_int_eq(journal_resume(now, 0, &taken, &journal, &diag), HITOP_ERR_FORMAT);
    ck_assert_ptr_null(journal);
    for (; *reasons; reasons++) {
        ck_assert_msg(strstr(diag.message, *reasons) != NULL, "'%s' does not say '%s'",
                      diag.message, *reasons);
    }
    ck_assert_int_eq(journal_resume(now, 1, &taken, &journal, &diag), HITOP_OK);
    ck_assert_int_eq(taken, 2);
    ck_assert_int_eq(hitop_journal_close(journal, NULL), HITOP_OK);
}

START_TEST(names_what_differs_from_the_run_before)
{
    const char *const moved[] = {"n1", "n1", "n2.site-a.example", "n3"};
    struct hitop_journal_header now = journal_example_header;

    journal_make_file();
    journal_write_batches(2);
    now.configuration = "sizes=0,1024 eps=0.05 seed=7";
    expect_difference(
        &now, (const char *const[]){"$.configuration", "24 eps=0.0125 ", "24 eps=0.05 ", NULL});
    now = journal_example_header;
    now.mpi = "Some MPI 5.0.0";
    expect_difference(&now,
                      (const char *const[]){"$.mpi", journal_example_header.mpi, now.mpi, NULL});
    now = journal_example_header;
    now.hosts = moved;
    expect_difference(
        &now, (const char *const[]){"$.hosts[3]", journal_example_header.hosts[3], moved[3], NULL});
    now.nranks = 3;
    expect_difference(&now, (const char *const[]){"$.hosts: 4 ranks", "3 in this run", NULL});
    now = journal_example_header;
    now.tool = "another";
    now.seed = 8;
    now.configuration = "sizes=0,1024 eps=0.0125 seed=7, and more";
    expect_difference(&now, (const char *const[]){"5 seed=7, and more", NULL});
    journal_remove_file();
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, refuses_every_changed_byte);
    tcase_add_test(tc, refuses_records_that_cannot_be);
    tcase_add_test(tc, refuses_deep_nesting);
    tcase_add_test(tc, refuses_headers_that_cannot_be);
    tcase_add_test(tc, leaves_other_files_alone);
    tcase_add_test(tc, names_what_differs_from_the_run_before);
}

TEST_MAIN("journal_damage", add_tests)
