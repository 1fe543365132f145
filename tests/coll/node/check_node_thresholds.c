/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_node_thresholds.c - files of thresholds: the section that applies to a number of ranks, and
 * errors in files.
 */
#include <config.h>

#include "coll/node/thresholds.h"

#include "tests/support/test_main.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[64];

static void write_file(const char *text)
{
    FILE *file = fopen(path, "w");

    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

static void set_up(void)
{
    int fd;

    strcpy(path, "/tmp/check_node_thresholds.XXXXXX");
    fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(close(fd), 0);
}

static void tear_down(void)
{
    ck_assert_int_eq(unlink(path), 0);
}

static struct hitop_thresholds read_for(int nranks, int alone)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_thresholds row = *hitop_thresholds_for(nranks, alone);

    ck_assert_msg(hitop_thresholds_read(path, nranks, alone, &row, &diag) == HITOP_OK, "%s",
                  diag.message);
    return row;
}

START_TEST(the_first_section_for_as_many_holds)
{
    struct hitop_thresholds row;

    write_file("# of a machine\n"
               "ranks 4 alone\n"
               "\tshare-from  64KiB # here\r\n"
               "ranks any alone\n"
               "share-from never\n"
               "fragment 16KiB:4KiB 1MiB:8KiB any:64KiB\n"
               "barrier-lines-to 0\n"
               "ranks 8 shared\n"
               "spill-to any");
    row = read_for(2, 1);
    ck_assert_uint_eq(row.share_from, 65536);
    ck_assert_uint_eq(row.cma_from, hitop_thresholds_for(2, 1)->cma_from);
    row = read_for(5, 1);
    ck_assert_uint_eq(row.share_from, SIZE_MAX);
    ck_assert_int_eq(row.barrier_lines_to, 0);
    ck_assert_uint_eq(hitop_piece_for(row.fragment, 16384), 4096);
    ck_assert_uint_eq(hitop_piece_for(row.fragment, 16385), 8192);
    ck_assert_uint_eq(hitop_piece_for(row.fragment, SIZE_MAX), 65536);
    row = read_for(8, 0);
    ck_assert_uint_eq(row.spill_to, SIZE_MAX);
    row = read_for(9, 0); /* no section */
    ck_assert_uint_eq(row.spill_to, hitop_thresholds_for(9, 0)->spill_to);
}
END_TEST

START_TEST(what_is_written_can_be_read)
{
    const int nranks[] = {2, 3}, alone[] = {0, 1};

    for (int i = 0; i < 4; i++) {
        const struct hitop_thresholds *row = hitop_thresholds_for(nranks[i / 2], alone[i % 2]);
        struct hitop_thresholds again,
            other = *hitop_thresholds_for(nranks[1 - i / 2], alone[1 - i % 2]);
        char *text = NULL;
        size_t length;
        FILE *file = open_memstream(&text, &length);

        fprintf(file, "ranks any %s\n", alone[i % 2] ? "alone" : "shared");
        hitop_thresholds_print(row, "\n", file);
        ck_assert_int_eq(fclose(file), 0);
        write_file(text);
        again = read_for(nranks[i / 2], alone[i % 2]);
        ck_assert_mem_eq(&again, row, sizeof(again));
        for (int n = 0; hitop_thresholds_name(n); n++) { /* one line each */
            char value[100] = "";
            const char *word = strstr(text, hitop_thresholds_name(n));
            ck_assert_int_eq(sscanf(word, "%*s %99[^\n]", value), 1);
            ck_assert_int_eq(hitop_thresholds_set(&other, n, value, NULL), HITOP_OK);
        }
        other.nranks = row->nranks;
        other.alone = row->alone;
        ck_assert_mem_eq(&other, row, sizeof(other));
        free(text);
    }
}
END_TEST

static const struct {
    const char *text, *why;
} wrong[] = {
    {"cma-from 4KiB\n", "line 1: 'cma-from' before the first 'ranks'"},
    {"\n# x\nranks 2\n", "line 3: not 'ranks NUMBER alone' or 'ranks NUMBER shared'"},
    {"ranks 2 alone shared\n", "line 1: not 'ranks NUMBER"},
    {"ranks 1 alone\n", "line 1: ranks '1': neither an integer from 2 on nor 'any'"},
    {"ranks any alone\nranks 4 alone\n", "line 2: ranks 4 alone: an earlier section has as many"},
    {"ranks 2 alone\ncma_from 4KiB\n",
     "line 2: 'cma_from' is no setting; valid: ranks, barrier-lines-to,"},
    {"ranks 2 alone\ncma-from 4KiB\ncma-from 4KiB\n", "line 3: 'cma-from' stands there twice"},
    {"ranks 2 alone\ncma-from 1000\n", "line 2: '1000': neither a size from 1KiB on nor 'never'"},
    {"ranks 2 alone\ncma-from\n", "line 2: '': neither a size"},
    {"ranks 2 alone\nspill-to never\n", "line 2: 'never': neither a size from 0 on nor 'any'"},
    {"ranks 2 alone\ngather-step 1500\n", "line 2: '1500': not a multiple of 1KiB in 1KiB..1GiB"},
    {"ranks 2 alone\ngather-step 2GiB\n", "line 2: '2GiB': not a multiple"},
    {"ranks 2 alone\ncma-chunk any:4KiB\n",
     "line 2: '4KiB': not a multiple of 1KiB in 16KiB..1GiB"},
    {"ranks 2 alone\nfragment 4KiB\n", "line 2: '4KiB': not UP_TO:LENGTH"},
    {"ranks 2 alone\nfragment 4KiB:1KiB\n", "line 2: the last piece is for 'any'"},
    {"ranks 2 alone\nfragment\n", "line 2: the last piece is for 'any'"},
    {"ranks 2 alone\nfragment any:1KiB 4KiB:2KiB\n", "line 2: '4KiB:2KiB' behind pieces for 'any'"},
    {"ranks 2 alone\nfragment 4KiB:1KiB 4KiB:2KiB any:4KiB\n",
     "line 2: '4KiB': neither a size from 4097 on"},
    {"ranks 2 alone\nfragment 1:1KiB 2:2KiB 3:1KiB 4:1KiB any:4KiB\n",
     "line 2: more than 4 pieces"},
    {"ranks 2 alone\npatience 0\n", "line 2: "},
    {"ranks 2 shared\nranks 2 alone\nranks 9 alone\ncma-from x\n", "line 4: 'x'"}, /* of others */
};

START_TEST(wrong_files_are_refused_with_their_line)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_thresholds row = *hitop_thresholds_for(2, 1);

    write_file(wrong[_i].text);
    ck_assert_int_eq(hitop_thresholds_read(path, 2, 1, &row, &diag), HITOP_ERR_FORMAT);
    ck_assert_msg(strncmp(diag.message, path, strlen(path)) == 0 &&
                      strstr(diag.message, wrong[_i].why),
                  "'%s' instead of '%s'", diag.message, wrong[_i].why);
    ck_assert_mem_eq(&row, hitop_thresholds_for(2, 1), sizeof(row));
}
END_TEST

START_TEST(a_file_that_is_not_there_is_reported)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_thresholds row = *hitop_thresholds_for(2, 1);

    ck_assert_int_eq(hitop_thresholds_read("/nowhere/x", 2, 1, &row, &diag), HITOP_ERR_IO);
    ck_assert_ptr_nonnull(strstr(diag.message, "/nowhere/x"));
    ck_assert_mem_eq(&row, hitop_thresholds_for(2, 1), sizeof(row));
}
END_TEST

START_TEST(settings_of_older_files_are_ignored)
{
    struct hitop_thresholds row = *hitop_thresholds_for(2, 1);

    write_file("ranks any alone\nmirror-from 4KiB\npull-from never\nhand-chunk any:16KiB\n");
    ck_assert_int_eq(hitop_thresholds_read(path, 2, 1, &row, NULL), HITOP_OK);
    ck_assert_uint_eq(row.cma_from, SIZE_MAX);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, the_first_section_for_as_many_holds);
    tcase_add_test(tc, what_is_written_can_be_read);
    tcase_add_loop_test(tc, wrong_files_are_refused_with_their_line, 0,
                        sizeof(wrong) / sizeof(wrong[0]));
    tcase_add_test(tc, a_file_that_is_not_there_is_reported);
    tcase_add_test(tc, settings_of_older_files_are_ignored);
}

TEST_MAIN("node thresholds", add_tests)
