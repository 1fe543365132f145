/* SPDX-License-Identifier: BSD-3-Clause */
/* check_output.c - an output file appears whole or not at all. */
#include <config.h>

#include "hitop/output.h"

#include "tests/support/test_main.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
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

START_TEST(keeps_the_mode_of_what_it_replaces)
{
    static const mode_t modes[] = {0600, 0664, 0755};
    const mode_t mask = umask(027);
    struct hitop_output *output = NULL;
    struct stat st;

    enter();
    for (size_t i = 0; i <= sizeof(modes) / sizeof(modes[0]); i++) { /* first a new file */
        ck_assert_int_eq(i == 0 ? 0 : chmod("target", modes[i - 1]), 0);
        ck_assert_int_eq(hitop_output_open("target", &output, NULL), HITOP_OK);
        ck_assert_int_eq(hitop_output_commit(output, NULL), HITOP_OK);
        ck_assert_int_eq(stat("target", &st), 0);
        ck_assert_int_eq(st.st_mode & 07777, i == 0 ? 0640 : modes[i - 1]);
    }
    (void)umask(mask);
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

START_TEST(reports_in_advance_what_cannot_be_written)
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

START_TEST(refuses_what_could_not_be_put_in_place)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_output *output = NULL;

    enter();
    ck_assert_int_eq(hitop_output_open(".", &output, &diag), HITOP_ERR_IO);
    ck_assert_str_eq(diag.message, ".: cannot create: it is a folder");
    ck_assert_int_eq(hitop_output_open("", &output, &diag), HITOP_ERR_IO);
    ck_assert_str_eq(diag.message, "cannot create a file without a name");
    ck_assert_int_eq(hitop_output_check("", &diag), HITOP_ERR_IO);
    ck_assert_ptr_null(output);
    leave();
}
END_TEST

/* Write through `link`, which leads to `target`; it must remain a link. */
static void write_through_link(const char *leads_to)
{
    struct hitop_output *output = NULL;
    char text[32];

    ck_assert_int_eq(symlink(leads_to, "link"), 0);
    for (int i = 0; i < 2; i++) { /* to begin with there is no target */
        ck_assert_int_eq(hitop_output_open("link", &output, NULL), HITOP_OK);
        fprintf(hitop_output_stream(output), "round %d", i);
        ck_assert_int_eq(hitop_output_commit(output, NULL), HITOP_OK);
        read_back(text, sizeof(text));
        ck_assert_str_eq(text, i ? "round 1" : "round 0");
        ck_assert_int_ge((int)readlink("link", text, sizeof(text)), 0);
    }
    ck_assert_int_eq(count_files(), 2);
    ck_assert_int_eq(unlink("target"), 0);
    ck_assert_int_eq(unlink("link"), 0);
}

START_TEST(leaves_links_as_they_are)
{
    char here[512], path[640];

    enter();
    write_through_link("target");
    ck_assert_ptr_nonnull(getcwd(here, sizeof(here)));
    (void)snprintf(path, sizeof(path), "%s/target", here);
    write_through_link(path);
    leave();
}
END_TEST

/* As /dev/stdout does where standard output is a file. */
START_TEST(writes_to_files_that_are_open)
{
    struct hitop_output *output = NULL;
    char path[64], text[32];
    FILE *open_file;

    enter();
    open_file = fopen("target", "w");
    ck_assert_ptr_nonnull(open_file);
    ck_assert_int_ge(fputs("here and ", open_file), 0);
    ck_assert_int_eq(fflush(open_file), 0);
    (void)snprintf(path, sizeof(path), "/dev/fd/%d", fileno(open_file));
    ck_assert_int_eq(hitop_output_check(path, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_output_open(path, &output, NULL), HITOP_OK);
    fputs("there", hitop_output_stream(output));
    ck_assert_int_eq(hitop_output_commit(output, NULL), HITOP_OK);
    (void)fclose(open_file);
    read_back(text, sizeof(text));
    ck_assert_str_eq(text, "here and there");
    ck_assert_int_eq(count_files(), 1);
    ck_assert_int_eq(hitop_output_open("/dev/fd/999", &output, NULL), HITOP_ERR_IO);
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
    tcase_add_test(tc, keeps_the_mode_of_what_it_replaces);
    tcase_add_test(tc, names_the_file_it_cannot_create);
    tcase_add_test(tc, reports_in_advance_what_cannot_be_written);
    tcase_add_test(tc, refuses_what_could_not_be_put_in_place);
    tcase_add_test(tc, leaves_links_as_they_are);
    tcase_add_test(tc, writes_to_files_that_are_open);
    tcase_add_test(tc, reports_a_full_device);
}

TEST_MAIN("output", add_tests)
