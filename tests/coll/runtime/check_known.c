/* SPDX-License-Identifier: BSD-3-Clause */
/* check_known.c - choices are kept between runs, and a damaged file is not used. */
#include <config.h>

#include "coll/runtime/known.h"

#include "tests/support/count_entries.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <unistd.h>

static const char *const hosts[] = {"a", "a", "b"};

static char folder[] = "/tmp/check_known.XXXXXX";

static struct hitop_choice algorithm(enum hitop_operation_id operation, const char *text)
{
    struct hitop_choice choice;

    ck_assert_int_eq(hitop_choice_parse(&hitop_operations()[operation], text, &choice, NULL),
                     HITOP_OK);
    return choice;
}

/* Open, and close without the file that may be there. */
static void begin(void)
{
    ck_assert_ptr_nonnull(mkdtemp(strcpy(folder, "/tmp/check_known.XXXXXX")));
    ck_assert_int_eq(setenv("HITOP_RULES_CACHE", folder, 1), 0);
    ck_assert_int_eq(unsetenv("HITOP_MODEL"), 0);
}

/* The folder can be a link to one. */
static void end(void)
{
    char command[128];

    (void)snprintf(command, sizeof(command), "rm -r $(realpath %s) && rm -rf %s", folder, folder);
    ck_assert_int_eq(system(command), 0);
}

START_TEST(keeps_choices_between_runs)
{
    const struct choice_key bcast = {
        .operation = HITOP_BCAST, .root = 2, .bytes = 65536, .unit = 1};
    const struct choice_key reduce = {
        .operation = HITOP_REDUCE, .bytes = 8, .unit = 8, .ordered = 1, .exact = 1};
    const struct choice_key unknown = {.operation = HITOP_GATHERV, .bytes = CACHE_UNKNOWN};
    const struct hitop_choice chain = algorithm(HITOP_BCAST, "chain:segment=8192");
    const struct hitop_choice radix = algorithm(HITOP_BCAST, "knomial:radix=5");
    const struct hitop_choice none = {.algorithm = {NULL, NULL}};
    struct choice_key other = bcast;
    struct known known;

    begin();
    hitop_known_open(&known, hosts, 3);
    ck_assert_ptr_null(hitop_known_find(&known, &bcast));
    hitop_known_add(&known, &bcast, &chain);
    hitop_known_add(&known, &reduce, &none);
    hitop_known_add(&known, &unknown, &none);
    other.root = 1;
    hitop_known_add(&known, &other, &radix);
    hitop_known_close(&known);
    ck_assert_int_eq(count_entries(folder), 1);

    hitop_known_open(&known, hosts, 3);
    ck_assert_int_eq(known.count, 3);
    ck_assert_ptr_eq(hitop_known_find(&known, &bcast)->algorithm.type, chain.algorithm.type);
    ck_assert_ptr_eq(hitop_known_find(&known, &bcast)->algorithm.tree, chain.algorithm.tree);
    ck_assert_mem_eq(hitop_known_find(&known, &bcast)->params, chain.params, sizeof(chain.params));
    ck_assert_mem_eq(hitop_known_find(&known, &other)->tree_params, radix.tree_params,
                     sizeof(radix.tree_params));
    ck_assert_ptr_null(hitop_known_find(&known, &reduce)->algorithm.type);
    hitop_known_close(&known);

    hitop_known_open(&known, hosts, 2); /* other ranks */
    ck_assert_int_eq(known.count, 0);
    hitop_known_close(&known);
    ck_assert_int_eq(count_entries(folder), 1);
    end();
}
END_TEST

/* Two communicators on the same hosts, or two jobs. */
START_TEST(keeps_what_others_write)
{
    const struct choice_key bcast = {.operation = HITOP_BCAST, .bytes = 8, .unit = 1};
    const struct choice_key reduce = {.operation = HITOP_REDUCE, .bytes = 8, .unit = 8};
    const struct hitop_choice chain = algorithm(HITOP_BCAST, "chain");
    const struct hitop_choice none = {.algorithm = {NULL, NULL}};
    struct known one, other;

    begin();
    hitop_known_open(&one, hosts, 3);
    hitop_known_open(&other, hosts, 3);
    hitop_known_add(&one, &bcast, &chain);
    hitop_known_add(&other, &reduce, &none);
    hitop_known_close(&one);
    hitop_known_close(&other);
    hitop_known_open(&one, hosts, 3);
    ck_assert_int_eq(one.count, 2);
    ck_assert_ptr_eq(hitop_known_find(&one, &bcast)->algorithm.type, chain.algorithm.type);
    ck_assert_ptr_nonnull(hitop_known_find(&one, &reduce));
    hitop_known_close(&one);
    end();
}
END_TEST

START_TEST(writes_where_the_program_began)
{
    const struct choice_key bcast = {.operation = HITOP_BCAST, .bytes = 8, .unit = 1};
    const struct hitop_choice chain = algorithm(HITOP_BCAST, "chain");
    char relative[] = "check_known.XXXXXX", *path;
    struct known known;

    begin();
    ck_assert_int_eq(rmdir(folder), 0);
    ck_assert_ptr_nonnull(mkdtemp(relative));
    path = realpath(relative, NULL);
    ck_assert_ptr_nonnull(path);
    ck_assert_int_eq(symlink(path, folder), 0);
    ck_assert_int_eq(setenv("HITOP_RULES_CACHE", relative, 1), 0);
    hitop_known_open(&known, hosts, 3);
    hitop_known_add(&known, &bcast, &chain);
    ck_assert_int_eq(chdir("/"), 0);
    hitop_known_close(&known);
    ck_assert_int_eq(count_entries(folder), 1);
    end();
    free(path);
}
END_TEST

START_TEST(needs_a_folder)
{
    static const char *const wrong[] = {"/dev/null", "/proc/none", "/proc/self/exe"};
    struct known known;

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        ck_assert_int_eq(setenv("HITOP_RULES_CACHE", wrong[i], 1), 0);
        hitop_known_open(&known, hosts, 3);
        ck_assert_ptr_null(known.path);
        hitop_known_close(&known);
    }
}
END_TEST

START_TEST(reads_only_complete_files)
{
    static const char *const wrong[] = {
        "",
        "hitop-choices 2 0000000000000007\nend 0\n",
        "hitop-choices 1 0000000000000008\nend 0\n",
        "hitop-choices 1 0000000000000007\n",
        "hitop-choices 1 0000000000000007\nend 1\n",
        "hitop-choices 1 0000000000000007\nbcast root=0\nend 1\n",
        "hitop-choices 1 0000000000000007\n"
        "bcast root=0 bytes=8 exact=0 unit=1 ordered=0 uneven=0\nend 1\n",
        "hitop-choices 1 0000000000000007\n"
        "bcast root=0 bytes=8 exact=0 unit=1 ordered=0 uneven=0 chain segment=x\nend 1\n",
        "hitop-choices 1 0000000000000007\n"
        "bcast root=0 bytes=8 exact=0 unit=1 ordered=0 uneven=0 MPI segment=8\nend 1\n",
    };
    struct known known = {.machine = 7};

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        struct hitop_diag diag = HITOP_DIAG_INIT;
        ck_assert_msg(hitop_known_parse(&known, "f", wrong[i], &diag) == HITOP_ERR_FORMAT, "%zu",
                      i);
        ck_assert_msg(strncmp(diag.message, "f:", 2) == 0, "%s", diag.message);
        ck_assert_int_eq(known.count, 0);
    }
    ck_assert_int_eq(
        hitop_known_parse(&known, "f",
                          "hitop-choices 1 0000000000000007\n"
                          "bcast root=0 bytes=8 exact=0 unit=1 ordered=0 uneven=0 private a=1\n"
                          "bcast root=0 bytes=9 exact=0 unit=1 ordered=0 uneven=0 MPI\nend 2\n",
                          NULL),
        HITOP_OK);
    ck_assert_int_eq(known.count, 1);
    ck_assert_uint_eq(known.choices[0].key.bytes, 9);
    hitop_known_close(&known);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, keeps_choices_between_runs);
    tcase_add_test(tc, keeps_what_others_write);
    tcase_add_test(tc, writes_where_the_program_began);
    tcase_add_test(tc, needs_a_folder);
    tcase_add_test(tc, reads_only_complete_files);
}

TEST_MAIN("known choices", add_tests)
