/* SPDX-License-Identifier: BSD-3-Clause */
/* check_journal.c - a journal goes on where it ended, if it may. */
#include <config.h>

#include "tests/models/journal/journal_example.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

START_TEST(numbers_return_exactly)
{
    struct hitop_journal *journal = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int taken;

    journal_make_file();
    journal_write_batches(12);
    ck_assert_msg(journal_resume(&journal_example_header, 0, &taken, &journal, &diag) == HITOP_OK,
                  "%s", diag.message);
    ck_assert_int_eq(taken, 12);
    ck_assert_int_eq(hitop_journal_close(journal, NULL), HITOP_OK);
    journal_remove_file();
}
END_TEST

/* Killed at any moment: whole batches return, the torn one is gone for good, and the next ones
 * follow. */
START_TEST(goes_on_after_a_tear_at_any_byte)
{
    static char whole[JOURNAL_MAX_TEXT], after[JOURNAL_MAX_TEXT];
    size_t length, lines_length = 0;
    int nlines = 0;

    journal_make_file();
    journal_write_batches(4);
    length = journal_get_text(whole);
    for (size_t cut = 0; cut <= length; cut++) {
        struct hitop_journal *journal = NULL;
        struct hitop_diag diag = HITOP_DIAG_INIT;
        struct hitop_batch next;
        int taken;
        if (cut > 0 && whole[cut - 1] == '\n') {
            nlines++;
            lines_length = cut;
        }
        journal_put_text(whole, cut);
        ck_assert_msg(journal_resume(&journal_example_header, 0, &taken, &journal, &diag) ==
                          HITOP_OK,
                      "%zu: %s", cut, diag.message);
        ck_assert_int_eq(taken, nlines > 0 ? nlines - 1 : 0);
        next = journal_batch_of(taken);
        ck_assert_int_eq(hitop_journal_append(journal, &next, NULL), HITOP_OK);
        ck_assert_int_eq(hitop_journal_close(journal, NULL), HITOP_OK);
        (void)journal_get_text(after);
        ck_assert_mem_eq(after, whole, lines_length);
        ck_assert_int_eq(journal_resume(&journal_example_header, 0, &taken, &journal, &diag),
                         HITOP_OK);
        ck_assert_int_eq(taken, nlines > 0 ? nlines : 1);
        ck_assert_int_eq(hitop_journal_close(journal, NULL), HITOP_OK);
    }
    journal_remove_file();
}
END_TEST

/* What a crash of the machine may leave: pages that never reached the disk. */
START_TEST(drops_a_last_line_of_zeros_or_with_another_checksum)
{
    static char text[JOURNAL_MAX_TEXT];
    struct hitop_journal *journal = NULL;
    size_t length;
    int taken;

    journal_make_file();
    journal_write_batches(3);
    length = journal_get_text(text);
    memset(text + length, 0, 5000);
    journal_put_text(text, length + 5000);
    ck_assert_int_eq(journal_resume(&journal_example_header, 0, &taken, &journal, NULL), HITOP_OK);
    ck_assert_int_eq(taken, 3);
    ck_assert_int_eq(hitop_journal_close(journal, NULL), HITOP_OK);
    ck_assert_uint_eq(journal_get_text(text), length);
    text[length - 30] = 0;
    journal_put_text(text, length);
    ck_assert_int_eq(journal_resume(&journal_example_header, 0, &taken, &journal, NULL), HITOP_OK);
    ck_assert_int_eq(taken, 2);
    ck_assert_int_eq(hitop_journal_close(journal, NULL), HITOP_OK);
    journal_remove_file();
}
END_TEST

START_TEST(takes_names_that_are_not_unicode)
{
    const char *const latin[] = {"k\xf6ln", "n2"};
    struct hitop_journal_header now = journal_example_header;
    struct hitop_journal *journal = NULL;
    int taken;

    journal_make_file();
    now.hosts = latin;
    now.nranks = 2;
    now.configuration = "a\nb\t\"c\"\x01";
    ck_assert_int_eq(hitop_journal_create(journal_path, &now, &journal, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_journal_close(journal, NULL), HITOP_OK);
    ck_assert_int_eq(journal_resume(&now, 0, &taken, &journal, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_journal_close(journal, NULL), HITOP_OK);
    journal_remove_file();
}
END_TEST

START_TEST(has_one_writer)
{
    struct hitop_journal *journal = NULL, *second = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int taken = 0;

    journal_make_file();
    ck_assert_int_eq(hitop_journal_create(journal_path, &journal_example_header, &journal, NULL),
                     HITOP_OK);
    ck_assert_int_eq(journal_resume(&journal_example_header, 1, &taken, &second, &diag),
                     HITOP_ERR_IO);
    ck_assert_ptr_null(second);
    ck_assert_ptr_nonnull(strstr(diag.message, "another run is writing"));
    ck_assert_int_eq(hitop_journal_create(journal_path, &journal_example_header, &second, &diag),
                     HITOP_ERR_IO);
    ck_assert_int_eq(hitop_journal_close(journal, NULL), HITOP_OK);
    ck_assert_int_eq(journal_resume(&journal_example_header, 0, &taken, &second, &diag), HITOP_OK);
    ck_assert_int_eq(hitop_journal_close(second, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_journal_close(NULL, NULL), HITOP_OK);
    journal_remove_file();
}
END_TEST

/* No room for a line: it is taken back, and what was there before stays good. */
START_TEST(survives_a_full_disk)
{
    struct hitop_journal *journal = NULL;
    struct hitop_batch batch = journal_batch_of(0);
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char text[JOURNAL_MAX_TEXT];
    struct rlimit before, limit;
    int taken = 0;

    journal_make_file();
    journal_write_batches(3);
    (void)signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(journal_resume(&journal_example_header, 0, &taken, &journal, NULL), HITOP_OK);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = (struct rlimit){journal_get_text(text) + 20, before.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    ck_assert_int_eq(hitop_journal_append(journal, &batch, &diag), HITOP_ERR_IO);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    ck_assert_ptr_nonnull(strstr(diag.message, journal_path));
    ck_assert_int_eq(hitop_journal_close(journal, NULL), HITOP_OK);
    ck_assert_uint_eq(journal_get_text(text), limit.rlim_cur - 20);
    ck_assert_int_eq(journal_resume(&journal_example_header, 0, &taken, &journal, NULL), HITOP_OK);
    ck_assert_int_eq(taken, 3);
    ck_assert_int_eq(hitop_journal_close(journal, NULL), HITOP_OK);
    journal_remove_file();
}
END_TEST

START_TEST(says_when_there_is_no_such_file)
{
    struct hitop_journal *journal = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const struct hitop_journal_taker taker = {.take = journal_take};

    ck_assert_int_eq(
        hitop_journal_resume("no/such", &journal_example_header, 0, &taker, &journal, &diag),
        HITOP_ERR_IO);
    ck_assert_int_eq(hitop_journal_create("no/such", &journal_example_header, &journal, &diag),
                     HITOP_ERR_IO);
    ck_assert_int_eq(hitop_journal_create("/dev/null", &journal_example_header, &journal, &diag),
                     HITOP_ERR_IO);
    ck_assert_ptr_nonnull(strstr(diag.message, "regular file"));
}
END_TEST

START_TEST(names_the_line_of_a_refused_batch)
{
    struct hitop_journal *journal = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char expected[128];
    int taken;

    journal_make_file();
    journal_write_batches(JOURNAL_MAX_TAKEN);
    ck_assert_int_eq(journal_resume(&journal_example_header, 0, &taken, &journal, &diag),
                     HITOP_ERR_INVALID);
    (void)snprintf(expected, sizeof(expected), "%s:65: link 63 is not among 63", journal_path);
    ck_assert_str_eq(diag.message, expected);
    journal_remove_file();
}
END_TEST

static struct hitop_finding finding_of(int number)
{
    return (struct hitop_finding){.kind = (enum hitop_finding_kind)(number % HITOP_NFINDINGS),
                                  .link = number,
                                  .eager = {.bytes = 4040u * (unsigned)number,
                                            .is_max = number % 3 == 0,
                                            .is_found = 1,
                                            .ntests = 33 + number,
                                            .window = 0.1 / 3},
                                  .point = {.bytes = 4096u * (unsigned)number,
                                            .seconds = 1e-4 / 3,
                                            .se = 1e-7 / 7,
                                            .lo = number % 5 ? -1e-6 / 3 : -INFINITY,
                                            .hi = number % 5 ? 4e-4 / 3 : INFINITY,
                                            .nsamples = 20 + number,
                                            .converged = number % 2}};
}

static enum hitop_status find_as_written(void *data, const struct hitop_finding *f,
                                         struct hitop_diag *diag)
{
    int *found = data;
    const struct hitop_finding was = finding_of(*found);

    ck_assert_int_eq(f->kind, was.kind);
    if (f->kind == HITOP_FOUND_EAGER) {
        ck_assert_int_eq(f->link, was.link);
        ck_assert_uint_eq(f->eager.bytes, was.eager.bytes);
        ck_assert_int_eq(f->eager.is_max, was.eager.is_max);
        ck_assert_int_eq(f->eager.is_found, 1);
        ck_assert_int_eq(f->eager.ntests, was.eager.ntests);
        ck_assert(f->eager.window == was.eager.window);
    } else {
        ck_assert_uint_eq(f->point.bytes, was.point.bytes);
        ck_assert(f->point.seconds == was.point.seconds && f->point.se == was.point.se &&
                  f->point.lo == was.point.lo && f->point.hi == was.point.hi);
        ck_assert_int_eq(f->point.nsamples, was.point.nsamples);
        ck_assert_int_eq(f->point.converged, was.point.converged);
    }
    return ++*found == 13 ? hitop_fail(diag, HITOP_ERR_INVALID, "no more") : HITOP_OK;
}

static enum hitop_status ignore_batch(void *data, const struct hitop_batch *batch,
                                      struct hitop_diag *diag)
{
    (void)data;
    (void)batch;
    (void)diag;
    return HITOP_OK;
}

/* Findings between batches; a taker without find() gets none. */
START_TEST(findings_return_exactly)
{
    const struct hitop_journal_taker taker = {ignore_batch, find_as_written, &(int){0}};
    int *found = taker.data;
    struct hitop_journal *journal = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char expected[128];
    int taken;

    journal_make_file();
    journal_write_batches(2);
    ck_assert_int_eq(journal_resume(&journal_example_header, 0, &taken, &journal, NULL), HITOP_OK);
    for (int i = 0; i < 13; i++) {
        const struct hitop_finding f = finding_of(i);
        const struct hitop_batch batch = journal_batch_of(2 + i);
        ck_assert_int_eq(hitop_journal_append_finding(journal, &f, NULL), HITOP_OK);
        ck_assert_int_eq(hitop_journal_append(journal, &batch, NULL), HITOP_OK);
    }
    ck_assert_int_eq(hitop_journal_close(journal, NULL), HITOP_OK);
    ck_assert_int_eq(journal_resume(&journal_example_header, 0, &taken, &journal, NULL), HITOP_OK);
    ck_assert_int_eq(taken, 15);
    ck_assert_int_eq(hitop_journal_close(journal, NULL), HITOP_OK);
    ck_assert_int_eq(
        hitop_journal_resume(journal_path, &journal_example_header, 0, &taker, &journal, &diag),
        HITOP_ERR_INVALID);
    ck_assert_int_eq(*found, 13);
    (void)snprintf(expected, sizeof(expected), "%s:28: no more", journal_path);
    ck_assert_str_eq(diag.message, expected);
    journal_remove_file();
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, numbers_return_exactly);
    tcase_add_test(tc, goes_on_after_a_tear_at_any_byte);
    tcase_add_test(tc, drops_a_last_line_of_zeros_or_with_another_checksum);
    tcase_add_test(tc, takes_names_that_are_not_unicode);
    tcase_add_test(tc, has_one_writer);
    tcase_add_test(tc, survives_a_full_disk);
    tcase_add_test(tc, says_when_there_is_no_such_file);
    tcase_add_test(tc, findings_return_exactly);
    tcase_add_test(tc, names_the_line_of_a_refused_batch);
}

TEST_MAIN("journal", add_tests)
