/* SPDX-License-Identifier: BSD-3-Clause */
/* check_input.c - a file is read whole, and what cannot be read is named. */
#include <config.h>

#include "hitop/input.h"

#include "tests/support/test_main.h"

#include <stdio.h>
#include <unistd.h>

/* A file of `length` bytes that all differ from their neighbours; its name. */
static const char *make_file(size_t length)
{
    static char path[] = "check_input.XXXXXX";
    FILE *f;

    memcpy(strrchr(path, '.') + 1, "XXXXXX", 6);
    f = fdopen(mkstemp(path), "w");
    ck_assert_ptr_nonnull(f);
    for (size_t i = 0; i < length; i++) {
        fputc((int)(i % 251), f);
    }
    ck_assert_int_eq(fclose(f), 0);
    return path;
}

START_TEST(reads_files_of_any_length)
{
    static const size_t lengths[] = {0, 1, BUFSIZ - 2, BUFSIZ - 1, BUFSIZ, 3 * BUFSIZ + 17};

    for (size_t k = 0; k < sizeof(lengths) / sizeof(lengths[0]); k++) {
        const char *path = make_file(lengths[k]);
        char *text = NULL;
        size_t length = 7;
        ck_assert_int_eq(hitop_input_read(path, &text, &length, NULL), HITOP_OK);
        ck_assert_uint_eq(length, lengths[k]);
        ck_assert_int_eq(text[length], '\0');
        for (size_t i = 0; i < length; i++) {
            ck_assert_int_eq((unsigned char)text[i], (int)(i % 251));
        }
        free(text);
        ck_assert_int_eq(unlink(path), 0);
    }
}
END_TEST

START_TEST(names_what_it_cannot_read)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char *text = NULL;
    size_t length;

    ck_assert_int_eq(hitop_input_read("no/such/file", &text, &length, &diag), HITOP_ERR_IO);
    ck_assert_ptr_null(text);
    ck_assert_str_eq(diag.message, "no/such/file: cannot open: No such file or directory");
    ck_assert_int_eq(hitop_input_read(".", &text, &length, &diag), HITOP_ERR_IO);
    ck_assert_ptr_null(text);
    ck_assert_str_eq(diag.message, ".: cannot read: Is a directory");
    ck_assert_str_eq(hitop_input_name("-"), "standard input");
    ck_assert_str_eq(hitop_input_name("a.dot"), "a.dot");
}
END_TEST

/* Lines are counted, and zero bytes found wherever they are. */
START_TEST(takes_no_zero_byte_for_text)
{
    static const struct {
        const char *bytes;
        size_t length;
        int line; /* of the zero byte; 0: there is none */
    } cases[] = {{"", 0, 0}, {"a\nb", 3, 0}, {"\0", 1, 1}, {"a\nb\n\0", 5, 3}, {"a\0b\nc", 5, 1}};

    for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
        const char *path = make_file(0);
        struct hitop_diag diag = HITOP_DIAG_INIT;
        FILE *f = fopen(path, "w");
        char *text = NULL, expected[128];
        size_t length = 7;
        ck_assert_uint_eq(fwrite(cases[k].bytes, 1, cases[k].length, f), cases[k].length);
        ck_assert_int_eq(fclose(f), 0);
        if (cases[k].line == 0) {
            ck_assert_int_eq(hitop_input_read_text(path, &text, &length, &diag), HITOP_OK);
            ck_assert_uint_eq(length, cases[k].length);
            ck_assert_str_eq(text, cases[k].bytes);
        } else {
            ck_assert_int_eq(hitop_input_read_text(path, &text, &length, &diag), HITOP_ERR_FORMAT);
            ck_assert_ptr_null(text);
            (void)snprintf(expected, sizeof(expected), "%s:%d: not text: contains a zero byte",
                           path, cases[k].line);
            ck_assert_str_eq(diag.message, expected);
        }
        free(text);
        ck_assert_int_eq(unlink(path), 0);
    }
}
END_TEST

START_TEST(leaves_out_a_byte_order_mark)
{
    static const struct {
        const char *file, *text;
    } cases[] = {{"\xef\xbb\xbfhost,rack\n", "host,rack\n"},
                 {"\xef\xbb\xbf", ""},
                 {"\xef\xbb", "\xef\xbb"},
                 {"a\xef\xbb\xbf", "a\xef\xbb\xbf"}};

    for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
        const char *path = make_file(0);
        FILE *f = fopen(path, "w");
        char *text = NULL;
        size_t length = 0;
        ck_assert_int_ge(fputs(cases[k].file, f), 0);
        ck_assert_int_eq(fclose(f), 0);
        ck_assert_int_eq(hitop_input_read_text(path, &text, &length, NULL), HITOP_OK);
        ck_assert_str_eq(text, cases[k].text);
        ck_assert_uint_eq(length, strlen(cases[k].text));
        ck_assert_uint_eq(hitop_input_mark(cases[k].file, strlen(cases[k].file)),
                          strlen(cases[k].file) - length);
        free(text);
        ck_assert_int_eq(unlink(path), 0);
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, reads_files_of_any_length);
    tcase_add_test(tc, names_what_it_cannot_read);
    tcase_add_test(tc, takes_no_zero_byte_for_text);
    tcase_add_test(tc, leaves_out_a_byte_order_mark);
}

TEST_MAIN("input", add_tests)
