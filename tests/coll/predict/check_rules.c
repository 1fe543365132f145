/* SPDX-License-Identifier: BSD-3-Clause */
/* check_rules.c - which rule decides, and what is wrong with a rule. */
#include <config.h>

#include "hitop/rules.h"

#include "tests/support/costs.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <stdint.h>

static struct hitop_rules *parse(const char *text)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_rules *rules;

    ck_assert_msg(hitop_rules_parse(text, "rules", &rules, &diag) == HITOP_OK, "%s", diag.message);
    return rules;
}

static struct hitop_call call(const char *operation, int size, size_t bytes)
{
    struct hitop_call c = {.size = size, .bytes = bytes};

    ck_assert_int_eq(hitop_operation_find(operation, &c.operation, NULL), HITOP_OK);
    return c;
}

static int line_for(const struct hitop_rules *rules, const struct hitop_call *c)
{
    const struct hitop_rule *rule = hitop_rules_match(rules, c, 0);

    return rule ? rule->line : 0;
}

START_TEST(the_first_that_matches_wins)
{
    struct hitop_rules *rules = parse("# for bcast\n"
                                      "bcast ranks 2..64 bytes 8KiB..1MiB : chain segment=16KiB\n"
                                      "\n"
                                      "bcast ranks 2..8:flat# short\n"
                                      "scatter * : auto\n"
                                      "bcast bytes ..0 : mpi");
    struct hitop_call c = call("bcast", 8, 8192);

    ck_assert_int_eq(line_for(rules, &c), 2);
    c.bytes = 8191;
    ck_assert_int_eq(line_for(rules, &c), 4);
    c.bytes = 1048577;
    ck_assert_int_eq(line_for(rules, &c), 4);
    c.size = 65;
    ck_assert_int_eq(line_for(rules, &c), 0);
    c.bytes = 0;
    ck_assert_int_eq(line_for(rules, &c), 6);
    c = call("scatter", 1, 5);
    ck_assert_int_eq(line_for(rules, &c), 5);
    c = call("gather", 1, 5);
    ck_assert_int_eq(line_for(rules, &c), 0);
    ck_assert_double_eq(hitop_rules_at(rules, 0)->choice.params[0], 16384);
    ck_assert_ptr_null(hitop_rules_at(rules, 4));
    hitop_rules_free(rules);
}
END_TEST

START_TEST(what_is_not_known_meets_no_condition)
{
    struct hitop_rules *rules = parse("bcast hosts 1 : flat\n"
                                      "bcast ranks-per-host ..4 : chain\n"
                                      "reduce commutative no : binomial\n");
    struct hitop_call c = call("bcast", 8, 8);

    ck_assert_int_eq(line_for(rules, &c), 0);
    c.hosts = 2;
    c.ranks_per_host = 4;
    ck_assert_int_eq(line_for(rules, &c), 2);
    c.hosts = 1;
    ck_assert_int_eq(line_for(rules, &c), 1);
    c = call("reduce", 8, 8);
    ck_assert_int_eq(line_for(rules, &c), 0);
    c.ordered = 1;
    ck_assert_int_eq(line_for(rules, &c), 3);
    hitop_rules_free(rules);
}
END_TEST

static const struct {
    const char *text, *message;
} refused[] = {
    {"bcast", "no ':' between the conditions and the algorithm"},
    {"brodcast : flat",
     "no operation is called 'brodcast' (did you mean bcast?); valid: allgather, "},
    {": flat", "no operation is called ''; valid: allgather, "},
    {"bcast : oak", "bcast has no algorithm 'oak'; valid: auto, "},
    {"bcast :", "an algorithm, auto or mpi is missing"},
    {"bcast nodes 3 : flat",
     "'nodes' is no condition; valid: ranks, hosts, ranks-per-host, bytes, commutative"},
    {"bcast ranks : flat", "'' is not an integer"},
    {"bcast ranks 0 : flat", "'0' is not an integer in 1.."},
    {"bcast ranks .. : flat", "'ranks ..': a bound is missing"},
    {"bcast bytes 9..8 : flat", "'bytes 9..8' is empty"},
    {"bcast bytes 1Q.. : flat", "'1Q' has no known unit"},
    {"bcast ranks 2 ranks 3 : flat", "'ranks' stands there twice"},
    {"reduce commutative maybe : flat", "'commutative maybe': yes or no"},
    {"bcast : knomial radix=1", "knomial: radix=1 is outside [2, 1024]"},
    {"bcast : chain length=1", "has no parameter 'length=1'; valid: segment"},
    {"bcast : auto segment=8", "'segment=8': auto has no parameters"},
    {"allgather ranks 7 : neighbor_exchange",
     "neighbor_exchange can never serve these numbers of ranks: it needs an even number"},
};

START_TEST(a_wrong_rule_is_reported_with_its_line)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_rules *rules;
    char text[256] = "# a comment\nscatter : flat\n";

    strcat(text, refused[_i].text);
    ck_assert_int_eq(hitop_rules_parse(text, "my.rules", &rules, &diag), HITOP_ERR_FORMAT);
    ck_assert_ptr_null(rules);
    ck_assert_msg(strncmp(diag.message, "my.rules: line 3: ", 18) == 0, "%s", diag.message);
    ck_assert_msg(strstr(diag.message, refused[_i].message) != NULL, "%s", diag.message);
}
END_TEST

START_TEST(rules_that_are_never_asked_are_marked)
{
    static const int expected[] = {0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1};
    struct hitop_rules *rules =
        parse("scatter ranks 2..8 bytes ..99 : flat\n"
              "scatter ranks 2.. bytes 50.. : auto\n"
              "scatter ranks 3..8 bytes 10.. : binomial\n"
              "scatter ranks 3..9 bytes 10.. : binomial\n"
              "allgather ranks 4..16 : neighbor_exchange\n" /* may not serve */
              "scatter ranks 9 bytes 60 commutative no : flat\n"
              "allgather ranks 4 : ring\n"
              "allgather ranks 4 : auto\n"
              "gather hosts 1.. : flat\n" /* may be unknown */
              "gather : auto\n"
              "gather hosts 3 : flat\n");

    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        ck_assert_msg(hitop_rules_at(rules, i)->unreachable == expected[i], "line %zu", i + 1);
    }
    hitop_rules_free(rules);
}
END_TEST

START_TEST(a_choice_follows_the_rules)
{
    const struct hitop_cost cost = layered_cost(16);
    struct hitop_rules *rules = parse("allgather bytes ..64 : neighbor_exchange\n"
                                      "allgather : mpi\n"
                                      "bcast bytes 100..200 : auto\n"
                                      "bcast bytes 8..12 : knomial radix=3\n");
    struct hitop_choice_basis basis = {.cost = &cost, .rules = rules};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_call c = call("allgather", 8, 64);
    struct hitop_choice choice;

    ck_assert_int_eq(hitop_choose(&basis, &c, &choice, &diag), HITOP_OK);
    ck_assert_int_eq(choice.line, 1);
    ck_assert_double_nan(choice.seconds);
    c.size = 7; /* not even: the next rule */
    ck_assert_int_eq(hitop_choose_class(&basis, &c, &choice, &diag), HITOP_ERR_UNSUPPORTED);
    ck_assert_int_eq(hitop_choose(&basis, &c, &choice, &diag), HITOP_ERR_UNSUPPORTED);
    ck_assert_str_eq(diag.message, "allgather: the rule in line 2 leaves it to the MPI library");
    c = call("bcast", 16, 150);
    ck_assert_int_eq(hitop_choose(&basis, &c, &choice, &diag), HITOP_OK);
    ck_assert_int_eq(choice.line, 3);
    ck_assert_double_gt(choice.seconds, 0);
    /* the class of 13 bytes has 12 in its middle, but a rule is asked about 13 */
    c.bytes = 12;
    ck_assert_int_eq(hitop_choose_class(&basis, &c, &choice, &diag), HITOP_OK);
    ck_assert_int_eq(choice.line, 4);
    ck_assert_double_eq(choice.tree_params[0], 3);
    c.bytes = 13;
    ck_assert_int_eq(hitop_choose_class(&basis, &c, &choice, &diag), HITOP_OK);
    ck_assert_int_eq(choice.line, 0);

    basis.cost = NULL; /* no model: rules only */
    c.bytes = 8;
    ck_assert_int_eq(hitop_choose(&basis, &c, &choice, &diag), HITOP_OK);
    ck_assert_int_eq(choice.line, 4);
    c.bytes = 7;
    ck_assert_int_eq(hitop_choose(&basis, &c, &choice, &diag), HITOP_ERR_UNSUPPORTED);
    ck_assert_str_eq(diag.message, "bcast: there is no model to predict by");
    hitop_rules_free(rules);
}
END_TEST

START_TEST(rules_may_have_the_names_of_cpm)
{
    struct hitop_rules *rules = parse("MPIB_Scatter bytes ..1k : Hockney_Scatter_dfs_binomial_min\n"
                                      "gather : sorted_flat_asc\n");
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_str_eq(hitop_rules_at(rules, 0)->operation->name, "scatter");
    ck_assert_str_eq(hitop_algorithm_name(hitop_rules_at(rules, 0)->choice.algorithm), "dfs_min");
    ck_assert_str_eq(hitop_algorithm_name(hitop_rules_at(rules, 1)->choice.algorithm), "flat_asc");
    hitop_rules_free(rules);
    ck_assert_int_eq(
        hitop_rules_parse("MPIB_Scatter_binomial : auto", "rules", &rules, &diag) == HITOP_OK, 0);
    ck_assert_str_eq(diag.message, "rules: line 1: 'MPIB_Scatter_binomial' of CPM is the algorithm "
                                   "binomial of the operation scatter; here only the operation is "
                                   "wanted");
}
END_TEST

START_TEST(a_tree_out_of_order_falls_to_the_next_rule)
{
    const struct hitop_cost cost = layered_cost(16);
    struct hitop_rules *rules = parse("reduce : ecef\nreduce : binary_in_order\n");
    const struct hitop_choice_basis basis = {.cost = &cost, .rules = rules};
    struct hitop_call c = call("reduce", 12, 64);
    struct hitop_choice choice;

    ck_assert_int_eq(hitop_choose(&basis, &c, &choice, NULL), HITOP_OK);
    ck_assert_int_eq(choice.line, 1);
    c.ordered = 1;
    ck_assert_int_eq(hitop_choose(&basis, &c, &choice, NULL), HITOP_OK);
    ck_assert_int_eq(choice.line, 2);
    hitop_rules_free(rules);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, the_first_that_matches_wins);
    tcase_add_test(tc, what_is_not_known_meets_no_condition);
    tcase_add_loop_test(tc, a_wrong_rule_is_reported_with_its_line, 0,
                        (int)(sizeof(refused) / sizeof(refused[0])));
    tcase_add_test(tc, rules_that_are_never_asked_are_marked);
    tcase_add_test(tc, a_choice_follows_the_rules);
    tcase_add_test(tc, rules_may_have_the_names_of_cpm);
    tcase_add_test(tc, a_tree_out_of_order_falls_to_the_next_rule);
}

TEST_MAIN("rules", add_tests)
