/* SPDX-License-Identifier: BSD-3-Clause */
/* check_library_names.c - which functions of a library have names of collectives, in which form. */
#include <config.h>

#include "tools/check/library_names.h"

#include "tests/support/test_main.h"

#include <stdio.h>

/* The forms of one function's name, as a message lists them. */
static const char *forms_of(const char *function)
{
    static char text[256];
    struct library_forms forms = {.n = 0};

    library_forms_add(&forms, function);
    library_forms_list(&forms, text, sizeof(text));
    return text;
}

START_TEST(names_of_all_operations_are_found_in_each_form)
{
    static const struct library_form forms[] = {{.prefix = "my_"},
                                                {.prefix = "MPI_", .suffix = "_fast"},
                                                {.prefix = "MPIB_", .suffix = "_dfs_binomial"},
                                                {.prefix = "PMPI_"},
                                                {.suffix = "2"},
                                                {.prefix = ""}};

    for (size_t f = 0; f < sizeof(forms) / sizeof(forms[0]); f++) {
        struct library_forms found = {.n = 0};
        for (int i = 0; i < 2 * HITOP_NOPERATIONS; i++) {
            char name[LIBRARY_NAME];
            library_form_name(&forms[f], (enum hitop_operation_id)(i / 2), i % 2, name);
            library_forms_add(&found, name);
        }
        ck_assert_int_eq(found.n, 1);
        ck_assert_int_eq(found.nmore, 0);
        ck_assert_str_eq(found.form[0].prefix, forms[f].prefix);
        ck_assert_str_eq(found.form[0].suffix, forms[f].suffix);
        ck_assert_uint_eq(found.form[0].operations, (1u << HITOP_NOPERATIONS) - 1);
    }
}
END_TEST

START_TEST(other_functions_are_not_taken_for_collectives)
{
    static const char *const others[] = {"MPI_Ibcast",
                                         "MPI_Ireduce_scatter",
                                         "my_iallreduce",
                                         "MPI_Reduce_local",
                                         "MPI_Alltoallw",
                                         "MPI_Neighbor_alltoall",
                                         "my_neighbor_alltoallv",
                                         "MPI_Bcast_init",
                                         "my_bcasts",
                                         "rebcast",
                                         "broadcast",
                                         "MPI_Ineighbor_allgather",
                                         "scattered",
                                         "mpi_bcast_",
                                         "mpi_bcast__",
                                         "mpi_bcast_c_",
                                         "pmpi_reduce_scatter_block_",
                                         "MPI_Bcast_c",
                                         "my_bcast_c",
                                         "MPI_Bcast_f",
                                         "MPI_Bcast_f08",
                                         "my_Bcast_f08ts",
                                         "",
                                         "twice"};

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        ck_assert_msg(*forms_of(others[i]) == '\0', "%s: %s", others[i], forms_of(others[i]));
    }
}
END_TEST

START_TEST(the_longest_name_counts)
{
    ck_assert_str_eq(forms_of("my_Reduce_scatter_block"), "my_* (reduce_scatter_block)");
    ck_assert_str_eq(forms_of("my_Reduce_scatter_fast"), "my_*_fast (reduce_scatter)");
    ck_assert_str_eq(forms_of("my_Allgatherv"), "my_* (allgatherv)");
    ck_assert_str_eq(forms_of("myBcast"), "my* (bcast)");
    ck_assert_str_eq(forms_of("my_Bcast_"), "my_*_ (bcast)");
    ck_assert_str_eq(forms_of("my_bcast_chain"), "my_*_chain (bcast)");
}
END_TEST

START_TEST(forms_are_listed_by_their_operations)
{
    static const char *const functions[] = {"a_Bcast", "b_Bcast",  "b_reduce",  "c_Scan",
                                            "c_Bcast", "c_Gather", "c_Scatter", "a_Bcast"};
    struct library_forms forms = {.n = 0};
    char text[64];

    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
        library_forms_add(&forms, functions[i]);
    }
    library_forms_list(&forms, text, sizeof(text));
    ck_assert_str_eq(text, "c_* (4 operations), b_* (bcast, reduce), a_* (bcast)");
    library_forms_list(&forms, text, 54);
    ck_assert_str_eq(text, "c_* (4 operations), b_* (bcast, reduce), ...");
}
END_TEST

START_TEST(names_without_a_capital_letter_may_be_fortran)
{
    static const char *const functions[] = {"my_bcast", "my_reduce", "c_Bcast", "c_scan",
                                            "MPI_bcast"};
    struct library_forms forms = {.n = 0};
    char text[64];

    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
        library_forms_add(&forms, functions[i]);
    }
    library_forms_drop_small(&forms);
    library_forms_list(&forms, text, sizeof(text));
    ck_assert_str_eq(text, "c_* (bcast, scan), MPI_* (bcast)");
}
END_TEST

START_TEST(many_forms_and_long_names_do_no_harm)
{
    struct library_forms forms = {.n = 0};
    char name[400], text[512];

    for (int i = 0; i < 30; i++) {
        (void)snprintf(name, sizeof(name), "f%d_Bcast", i);
        library_forms_add(&forms, name);
    }
    ck_assert_int_eq(forms.n, LIBRARY_FORMS);
    ck_assert_int_eq(forms.nmore, 30 - LIBRARY_FORMS);
    library_forms_list(&forms, text, sizeof(text));
    ck_assert_str_eq(text + strlen(text) - 5, ", ...");
    (void)snprintf(name, sizeof(name), "%0300d_Bcast", 1);
    ck_assert_str_eq(forms_of(name), "");
    (void)snprintf(name, sizeof(name), "Bcast_%0300d", 1);
    ck_assert_str_eq(forms_of(name), "");
}
END_TEST

static void add_tests(TCase *t)
{
    tcase_add_test(t, names_of_all_operations_are_found_in_each_form);
    tcase_add_test(t, other_functions_are_not_taken_for_collectives);
    tcase_add_test(t, the_longest_name_counts);
    tcase_add_test(t, forms_are_listed_by_their_operations);
    tcase_add_test(t, names_without_a_capital_letter_may_be_fortran);
    tcase_add_test(t, many_forms_and_long_names_do_no_harm);
}

TEST_MAIN("library_names", add_tests)
