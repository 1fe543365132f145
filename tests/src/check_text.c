/* SPDX-License-Identifier: BSD-3-Clause */
/* check_text.c - strict parsing accepts what it promises, refuses the rest and quotes it. */
#include <config.h>

#include "hitop/text.h"

#include "tests/support/comma.h"
#include "tests/support/test_main.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>

START_TEST(reads_sizes_with_units)
{
    static const struct {
        const char *text;
        size_t bytes;
    } good[] = {
        {"0", 0},
        {"1", 1},
        {"64k", 65536},
        {"64K", 65536},
        {"64KiB", 65536},
        {"64kB", 64000},
        {"2m", 2097152},
        {"2MiB", 2097152},
        {"2MB", 2000000},
        {"3G", 3221225472},
        {"3GB", 3000000000},
        {"17B", 17},
        {"204800", 204800},
        {"1mb", 1000000},
        {"1 MiB", 1048576},
        {"64 k", 65536},
        {"1.5k", 1536},
        {"0.5MiB", 524288},
        {"64kb", 64000},
        {"0.000001 MB", 1},
        {"1.50000000k", 1536},
        {"3 bytes", 3},
        {"1 byte", 1},
        {"2KBytes", 2000},
        {"2 Kibytes", 2048},
        {"0.1 TB", 100000000000},
        {"2t", 2199023255552},
    };

    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        size_t bytes = 12345;
        ck_assert_int_eq(hitop_text_size(good[i].text, &bytes, NULL), HITOP_OK);
        ck_assert_uint_eq(bytes, good[i].bytes);
    }
}
END_TEST

START_TEST(refuses_what_is_not_a_size)
{
    static const char *const bad[] = {
        "",
        "-1",
        "1e9999",
        "64Q",
        " 1",
        "1 ",
        "k",
        "0x10",
        "0.3k",
        "1.5",
        "1.k",
        ".5k",
        "1..5k",
        "1.5.5k",
        "0.0000001MB",
        "1  k",
        "64 ",
        "1k1",
        "64 k ",
        "+3",
        "nan",
        "inf",
        "99999999999999999999",
        "9223372036854775808",
        "16777216TB",
        "9999999999999G",
    };

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct hitop_diag diag = HITOP_DIAG_INIT;
        size_t bytes = 12345;
        ck_assert_int_eq(hitop_text_size(bad[i], &bytes, &diag), HITOP_ERR_INVALID);
        ck_assert_uint_eq(bytes, 12345);
        ck_assert_ptr_nonnull(strstr(diag.message, bad[i]));
    }
}
END_TEST

/* Every unit in both cases, behind a blank or not, with a fraction or not. */
START_TEST(reads_every_unit_however_it_is_written)
{
    static const struct {
        const char *unit;
        size_t factor;
    } units[] = {{"k", 1 << 10},   {"m", 1 << 20},   {"g", 1 << 30},
                 {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30},
                 {"kB", 1000},     {"MB", 1000000},  {"GB", 1000000000}};

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        for (int form = 0; form < 8; form++) {
            const int half = form & 4;
            char text[32];
            size_t bytes = 0;
            (void)snprintf(text, sizeof(text), "%s%s%s", half ? "2.5" : "2", form & 1 ? " " : "",
                           units[i].unit);
            for (char *at = text; *at; at++) {
                *at = (char)(form & 2 ? toupper((unsigned char)*at) : tolower((unsigned char)*at));
            }
            ck_assert_msg(hitop_text_size(text, &bytes, NULL) == HITOP_OK, "%s", text);
            ck_assert_msg(bytes == (half ? units[i].factor * 5 / 2 : units[i].factor * 2), "%s",
                          text);
        }
    }
}
END_TEST

START_TEST(a_wrong_unit_names_the_nearest_one)
{
    static const char *const wrong[][2] = {{"3KiBs", "KiB"}, {"3MBs", "MB"}, {"3 GIBB", "GiB"}};

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        struct hitop_diag diag = HITOP_DIAG_INIT;
        char words[64];
        size_t bytes;
        ck_assert_int_eq(hitop_text_size(wrong[i][0], &bytes, &diag), HITOP_ERR_INVALID);
        (void)snprintf(words, sizeof(words), "'%s' has no known unit (did you mean %s?): k, m, ",
                       wrong[i][0], wrong[i][1]);
        ck_assert_msg(strstr(diag.message, words) != NULL, "%s", diag.message);
    }
}
END_TEST

START_TEST(reads_integers_within_their_range)
{
    int value = 7;

    ck_assert_int_eq(hitop_text_int("-5", -10, 10, &value, NULL), HITOP_OK);
    ck_assert_int_eq(value, -5);
    ck_assert_int_eq(hitop_text_int("11", -10, 10, &value, NULL), HITOP_ERR_INVALID);
    ck_assert_int_eq(hitop_text_int("", -10, 10, &value, NULL), HITOP_ERR_INVALID);
    ck_assert_int_eq(hitop_text_int("3x", -10, 10, &value, NULL), HITOP_ERR_INVALID);
    ck_assert_int_eq(hitop_text_int(" 3", -10, 10, &value, NULL), HITOP_ERR_INVALID);
    ck_assert_int_eq(hitop_text_int("99999999999999999999", 0, 10, &value, NULL),
                     HITOP_ERR_INVALID);
    ck_assert_int_eq(value, -5);
}
END_TEST

START_TEST(reads_numbers_and_refuses_nan)
{
    static const char *const bad[] = {"nan", "inf", "1e9999", "", " 1", "1 ", "0x1p3", "2,5", "-"};
    double value = 0;

    ck_assert_int_eq(hitop_text_double("2.385e-6", 0, 1, &value, NULL), HITOP_OK);
    ck_assert_double_eq(value, 2.385e-6);
    ck_assert_int_eq(hitop_text_double("2.385", 0, 1, &value, NULL), HITOP_ERR_INVALID);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        ck_assert_int_eq(hitop_text_double(bad[i], -10, 10, &value, NULL), HITOP_ERR_INVALID);
    }
    ck_assert_double_eq(value, 2.385e-6);
}
END_TEST

START_TEST(reads_fractions)
{
    static const char *const bad[] = {"",     "/",    "1/",   "/3",    "1/0",          "1/3/5",
                                      "0/3",  "1 /3", "1/ 3", "1/nan", "1e300/1e-300", "-1/3",
                                      "0x1/3"};
    double value = 0;

    ck_assert_int_eq(hitop_text_ratio("2.385", 0.1, 10, &value, NULL), HITOP_OK);
    ck_assert_double_eq(value, 2.385);
    ck_assert_int_eq(hitop_text_ratio("1/3", 0.1, 10, &value, NULL), HITOP_OK);
    ck_assert_double_eq(value, 1.0 / 3);
    ck_assert_int_eq(hitop_text_ratio("10/4", 0.1, 10, &value, NULL), HITOP_OK);
    ck_assert_double_eq(value, 2.5);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        ck_assert_msg(hitop_text_ratio(bad[i], 0.1, 10, &value, NULL) == HITOP_ERR_INVALID, "%s",
                      bad[i]);
    }
    ck_assert_double_eq(value, 2.5);
}
END_TEST

START_TEST(reads_times_only_with_a_unit)
{
    double seconds = -1;

    ck_assert_int_eq(hitop_text_seconds("0", &seconds, NULL), HITOP_OK);
    ck_assert_double_eq(seconds, 0);
    ck_assert_int_eq(hitop_text_seconds("2.5ms", &seconds, NULL), HITOP_OK);
    ck_assert_double_eq_tol(seconds, 2.5e-3, 1e-18);
    ck_assert_int_eq(hitop_text_seconds("3min", &seconds, NULL), HITOP_OK);
    ck_assert_double_eq(seconds, 180);
    ck_assert_int_eq(hitop_text_seconds("3", &seconds, NULL), HITOP_ERR_INVALID);
    ck_assert_int_eq(hitop_text_seconds("-3s", &seconds, NULL), HITOP_ERR_INVALID);
    ck_assert_int_eq(hitop_text_seconds("3 s", &seconds, NULL), HITOP_ERR_INVALID);
    ck_assert_double_eq(seconds, 180);
}
END_TEST

START_TEST(reads_rates_only_with_a_unit)
{
    static const char *const wrong[] = {"",      "3",      "3GB", "0GB/s",  "-1MB/s", "1e400B/s",
                                        "1Gb/s", "nanB/s", "/s",  "1 GBps", "1  B/s", "1e308TB/s"};
    double rate = -1;

    ck_assert_int_eq(hitop_text_rate("1.2GB/s", &rate, NULL), HITOP_OK);
    ck_assert_double_eq_tol(rate, 1.2e9, 1);
    ck_assert_int_eq(hitop_text_rate("25 MB/s", &rate, NULL), HITOP_OK);
    ck_assert_double_eq(rate, 25e6);
    ck_assert_int_eq(hitop_text_rate("100Gbit/s", &rate, NULL), HITOP_OK);
    ck_assert_double_eq(rate, 12.5e9);
    ck_assert_int_eq(hitop_text_rate("1MiB/s", &rate, NULL), HITOP_OK);
    ck_assert_double_eq(rate, 1048576);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        ck_assert_int_eq(hitop_text_rate(wrong[i], &rate, NULL), HITOP_ERR_INVALID);
    }
    ck_assert_double_eq(rate, 1048576);
}
END_TEST

START_TEST(writes_sizes_with_the_largest_exact_unit)
{
    char text[32];

    hitop_text_format_size(0, text, sizeof(text));
    ck_assert_str_eq(text, "0");
    hitop_text_format_size(1000, text, sizeof(text));
    ck_assert_str_eq(text, "1000");
    hitop_text_format_size(65536, text, sizeof(text));
    ck_assert_str_eq(text, "64KiB");
    hitop_text_format_size(SIZE_MAX, text, sizeof(text));
    ck_assert_str_eq(text, "18446744073709551615");
}
END_TEST

START_TEST(writes_times_and_rates_with_three_digits)
{
    char text[32];

    hitop_text_format_seconds(2.0341e-3, text, sizeof(text));
    ck_assert_str_eq(text, "2.03 ms");
    hitop_text_format_seconds(999.7e-6, text, sizeof(text));
    ck_assert_str_eq(text, "1 ms");
    hitop_text_format_seconds(0, text, sizeof(text));
    ck_assert_str_eq(text, "0 ns");
    hitop_text_format_seconds(5000, text, sizeof(text));
    ck_assert_str_eq(text, "5e+03 s");
    hitop_text_format_rate(5.7512e9, text, sizeof(text));
    ck_assert_str_eq(text, "5.75 GB/s");
    hitop_text_format_rate(24.95e6, text, sizeof(text));
    ck_assert_str_eq(text, "24.9 MB/s");
}
END_TEST

/* Whatever the program has set; where the system has no such locale this asks for less. */
START_TEST(writes_and_reads_numbers_with_a_point)
{
    double back = 0;
    char text[32];

    (void)comma_begin();
    hitop_text_format_number(1.0 / 3, 3, text, sizeof(text));
    ck_assert_str_eq(text, "0.333");
    hitop_text_format_number(-2.5e-300, 17, text, sizeof(text));
    ck_assert_int_eq(hitop_text_double(text, -1, 1, &back, NULL), HITOP_OK);
    ck_assert(back == -2.5e-300);
    comma_end();
}
END_TEST

START_TEST(quotes_input_in_one_line)
{
    struct hitop_diag diag;

    ck_assert_int_eq(hitop_fail(&diag, HITOP_ERR_FORMAT, "f:1: '%s'", "a\nb\x1b[2J\x7f\xc3\xa9"),
                     HITOP_ERR_FORMAT);
    ck_assert_str_eq(diag.message, "f:1: 'a?b?[2J?\xc3\xa9'");
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, reads_sizes_with_units);
    tcase_add_test(tc, refuses_what_is_not_a_size);
    tcase_add_test(tc, reads_every_unit_however_it_is_written);
    tcase_add_test(tc, a_wrong_unit_names_the_nearest_one);
    tcase_add_test(tc, reads_integers_within_their_range);
    tcase_add_test(tc, reads_numbers_and_refuses_nan);
    tcase_add_test(tc, reads_fractions);
    tcase_add_test(tc, reads_times_only_with_a_unit);
    tcase_add_test(tc, reads_rates_only_with_a_unit);
    tcase_add_test(tc, writes_sizes_with_the_largest_exact_unit);
    tcase_add_test(tc, writes_times_and_rates_with_three_digits);
    tcase_add_test(tc, writes_and_reads_numbers_with_a_point);
    tcase_add_test(tc, quotes_input_in_one_line);
}

TEST_MAIN("text", add_tests)
