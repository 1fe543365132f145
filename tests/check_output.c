/* SPDX-License-Identifier: BSD-3-Clause */
/* check_output.c - an output file appears whole or not at all. */
#include <config.h>

#include "hitop/output.h"

#include "test_main.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "check_output.XXXXXX";

static void enter(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
}

static int count_files(void)
{
    DIR *dir = opendir(".");
    int n = 0;

    ck_assert_ptr_nonnull(dir);
    for (const struct dirent *e = readdir(dir); e; e = readdir(dir)) {
        n += e->d_name[0] != '.';
    }
    (void)closedir(dir);
    return n;
}

static void leave(void)
{
    (void)unlink("target");
    ck_assert_int_eq(chdir(".."), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}

static void read_back(char *text, int length)
{
    FILE *f = fopen("target", "r");

    ck_assert_ptr_nonnull(f);
    ck_assert_ptr_nonnull(fgets(text, length, f));
    (void)fclose(f);
}

START_TEST(replaces_the_target_on_commit_only)
{
    struct hitop_output *output = NULL;
    char text[32];

    enter();
    ck_assert_int_eq(hitop_output_open("target", &output, NULL), HITOP_OK);
    fputs("old", hitop_output_stream(output));
    ck_assert_int_ne(access("target", F_OK), 0);
    ck_assert_int_eq(hitop_output_commit(output, NULL), HITOP_OK);
    read_back(text, sizeof(text));
    ck_assert_str_eq(text, "old");

    ck_assert_int_eq(hitop_output_open("target", &output, NULL), HITOP_OK);
    fputs("new", hitop_output_stream(output));
    hitop_output_discard(output);
    read_back(text, sizeof(text));
    ck_assert_str_eq(text, "old");
    ck_assert_int_eq(count_files(), 1);
    leave();
}
END_TEST

START_TEST(names_the_file_it_cannot_create)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_output *output = NULL;

    ck_assert_int_eq(hitop_output_open("no/such/folder/x", &output, &diag), HITOP_ERR_IO);
    ck_assert_ptr_null(output);
    ck_assert_ptr_nonnull(strstr(diag.message, "no/such/folder/x"));
}
END_TEST

START_TEST(tells_beforehand_what_cannot_be_written)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;

    enter();
    ck_assert_int_eq(hitop_output_check("target", &diag), HITOP_OK);
    ck_assert_int_eq(hitop_output_check("-", &diag), HITOP_OK);
    ck_assert_int_eq(hitop_output_check("/dev/full", &diag), HITOP_OK);
    ck_assert_int_eq(count_files(), 0);
    ck_assert_int_eq(hitop_output_check("no/target", &diag), HITOP_ERR_IO);
    ck_assert_ptr_nonnull(strstr(diag.message, "no/target: cannot create: "));
    ck_assert_int_eq(hitop_output_check(".", &diag), HITOP_ERR_IO);
    ck_assert_str_eq(diag.message, ".: cannot create: it is a folder");
    leave();
}
END_TEST

START_TEST(reports_a_full_device)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_output *output = NULL;

    ck_assert_int_eq(hitop_output_open("/dev/full", &output, NULL), HITOP_OK);
    fputs("lost", hitop_output_stream(output));
    ck_assert_int_eq(hitop_output_commit(output, &diag), HITOP_ERR_IO);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, replaces_the_target_on_commit_only);
    tcase_add_test(tc, names_the_file_it_cannot_create);
    tcase_add_test(tc, tells_beforehand_what_cannot_be_written);
    tcase_add_test(tc, reports_a_full_device);
}

TEST_MAIN("output", add_tests)
