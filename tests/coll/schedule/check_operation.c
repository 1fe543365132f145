/* SPDX-License-Identifier: BSD-3-Clause */
/* check_operation.c - every operation is found by the names that people write, and by no other. */
#include <config.h>

#include "hitop/operation.h"
#include "hitop/text.h"

#include "tests/support/test_main.h"

#include <ctype.h>
#include <stdio.h>

static void finds(const char *text, const struct hitop_operation *wanted)
{
    const struct hitop_operation *found = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    unsigned bits = 0;

    ck_assert_msg(hitop_operation_find(text, &found, &diag) == HITOP_OK, "%s", diag.message);
    ck_assert_msg(found == wanted, "'%s' is taken for %s", text, found->name);
    ck_assert_int_eq(hitop_operation_list(text, &bits, NULL), HITOP_OK);
    ck_assert_uint_eq(bits, 1u << (wanted - hitop_operations()));
}

START_TEST(finds_every_operation_as_people_write_it)
{
    static const char *const prefixes[] = {"", "MPI_", "mpi_", "PMPI_", "Mpi_"};

    for (const struct hitop_operation *o = hitop_operations(); o->name; o++) {
        for (size_t p = 0; p < sizeof(prefixes) / sizeof(prefixes[0]); p++) {
            char text[64], *name;
            (void)snprintf(text, sizeof(text), "%s%s", prefixes[p], o->name);
            name = text + strlen(prefixes[p]);
            finds(text, o);
            name[0] = (char)toupper((unsigned char)name[0]);
            finds(text, o);
            for (char *at = name; *at; at++) {
                *at = *at == '_' ? '-' : (char)toupper((unsigned char)*at);
            }
            finds(text, o);
        }
    }
}
END_TEST

static const struct {
    const char *text;
    enum hitop_operation_id operation;
} names[] = {{"broadcast", HITOP_BCAST},
             {"Broadcast", HITOP_BCAST},
             {"all-reduce", HITOP_ALLREDUCE},
             {"AllReduce", HITOP_ALLREDUCE},
             {"all_gather", HITOP_ALLGATHER},
             {"All-to-All", HITOP_ALLTOALL},
             {"all2all", HITOP_ALLTOALL},
             {"All-to-Allv", HITOP_ALLTOALLV},
             {"reducescatterblock", HITOP_REDUCE_SCATTER_BLOCK},
             {"ReduceScatter", HITOP_REDUCE_SCATTER}};

START_TEST(finds_other_names)
{
    finds(names[_i].text, &hitop_operations()[names[_i].operation]);
}
END_TEST

/* One letter missing, doubled, or two changed about, of each name: the message has the name. */
START_TEST(a_slip_names_the_operation_that_was_meant)
{
    for (const struct hitop_operation *o = hitop_operations(); o->name; o++) {
        const struct hitop_operation *found;
        struct hitop_diag diag = HITOP_DIAG_INIT;
        char text[64], meant[192];
        size_t n = strlen(o->name) / 2;

        while (o->name[n] == o->name[n - 1] || o->name[n] == '_' || o->name[n - 1] == '_') {
            n--;
        }
        (void)snprintf(text, sizeof(text), "%s", o->name);
        text[n] = o->name[n - 1];
        text[n - 1] = o->name[n];
        (void)snprintf(meant, sizeof(meant), "'%s' (did you mean %s?); valid: allgather, ", text,
                       o->name);
        ck_assert_int_eq(hitop_operation_find(text, &found, &diag), HITOP_ERR_NOTFOUND);
        ck_assert_ptr_null(found);
        ck_assert_msg(strstr(diag.message, meant) != NULL, "not %s: %s", meant, diag.message);
    }
}
END_TEST

START_TEST(refuses_what_is_no_operation)
{
    static const char *const texts[] = {"",         "MPI_",   "sing",    "MPI",         "p2p",
                                        "MPI_Send", "bcast,", "ibcast2", "bcastreduce", ","};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        const struct hitop_operation *found;
        unsigned bits = 12345;
        ck_assert_msg(hitop_operation_find(texts[i], &found, NULL) == HITOP_ERR_NOTFOUND, "%s",
                      texts[i]);
        ck_assert_int_eq(hitop_operation_list(texts[i], &bits, NULL), HITOP_ERR_NOTFOUND);
        ck_assert_uint_eq(bits, 0);
    }
}
END_TEST

START_TEST(reads_lists)
{
    unsigned bits = 0;

    ck_assert_int_eq(hitop_operation_list("MPI_Bcast, broadcast,Reduce , all-to-all", &bits, NULL),
                     HITOP_OK);
    ck_assert_uint_eq(bits, 1u << HITOP_BCAST | 1u << HITOP_REDUCE | 1u << HITOP_ALLTOALL);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, finds_every_operation_as_people_write_it);
    tcase_add_loop_test(tc, finds_other_names, 0, (int)(sizeof(names) / sizeof(names[0])));
    tcase_add_test(tc, a_slip_names_the_operation_that_was_meant);
    tcase_add_test(tc, refuses_what_is_no_operation);
    tcase_add_test(tc, reads_lists);
}

TEST_MAIN("operation", add_tests)
