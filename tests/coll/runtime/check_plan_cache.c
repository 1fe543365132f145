/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_plan_cache.c - what a communicator remembers of its calls, and which algorithms are named
 * for it.
 */
#include <config.h>

#include "coll/runtime/cache.h"
#include "coll/runtime/named.h"

#include "hitop/sys/coll.h"
#include "tests/support/test_main.h"

enum { SIZE = 5 };

static struct choice some_choice(enum hitop_operation_id operation, int root)
{
    const struct hitop_tree_args args = {.size = SIZE, .root = root % SIZE};
    struct choice choice = {.key = {.operation = operation, .root = root, .bytes = 64}};

    ck_assert_int_eq(hitop_tree_build("chain", &args, NULL, &choice.tree, NULL), HITOP_OK);
    return choice;
}

static struct hitop_sched *some_sched(int nsteps)
{
    struct hitop_sched *sched = hitop_sched_new();

    for (int i = 0; i < nsteps; i++) {
        hitop_sched_fence(sched);
    }
    return sched;
}

START_TEST(finds_choices_by_all_that_they_depend_on)
{
    struct cache cache;
    struct choice choice = some_choice(HITOP_REDUCE, 1);
    struct choice_key key = choice.key;
    const struct choice *added;

    hitop_cache_init(&cache, SIZE);
    added = hitop_cache_add_choice(&cache, &choice);
    ck_assert_ptr_nonnull(added);
    ck_assert_ptr_eq(hitop_cache_find_choice(&cache, &key), added);
    key.root = 2;
    ck_assert_ptr_null(hitop_cache_find_choice(&cache, &key));
    key = choice.key;
    key.ordered = 1;
    ck_assert_ptr_null(hitop_cache_find_choice(&cache, &key));
    key = choice.key;
    key.unit = 8;
    ck_assert_ptr_null(hitop_cache_find_choice(&cache, &key));
    key = choice.key;
    key.exact = 1;
    ck_assert_ptr_null(hitop_cache_find_choice(&cache, &key));
    hitop_cache_clear(&cache);
    ck_assert_ptr_null(hitop_cache_find_choice(&cache, &choice.key));
}
END_TEST

/* The one that was not used for longest goes first, and its plans with it. */
START_TEST(forgets_choices_by_their_number)
{
    struct cache cache;
    const struct choice *first;
    const struct choice_key key = {.operation = HITOP_SCATTER, .root = 0, .bytes = 64};
    struct choice_key second = key;

    hitop_cache_init(&cache, SIZE);
    cache.most_choices = 3;
    for (int root = 0; root < 4; root++) {
        struct choice choice = some_choice(HITOP_SCATTER, root);
        const struct plan_key plan = {.choice = hitop_cache_add_choice(&cache, &choice),
                                      .bytes = 9};
        ck_assert_ptr_nonnull(hitop_cache_add_plan(&cache, &plan, some_sched(root + 1)));
        first = hitop_cache_find_choice(&cache, &key); /* use it */
        ck_assert_ptr_nonnull(first);
    }
    second.root = 1;
    ck_assert_ptr_null(hitop_cache_find_choice(&cache, &second));
    second.root = 2;
    ck_assert_ptr_nonnull(hitop_cache_find_choice(&cache, &second));
    ck_assert_ptr_nonnull(
        hitop_cache_find_plan(&cache, &(struct plan_key){.choice = first, .bytes = 9}));
    hitop_cache_clear(&cache);
    ck_assert_uint_eq(cache.memory, 0);
}
END_TEST

START_TEST(finds_plans_by_lengths_and_blocks)
{
    static const size_t starts[SIZE + 1] = {0, 1, 2, 3, 4, 5},
                                      others[SIZE + 1] = {0, 1, 2, 3, 4, 6};
    struct cache cache;
    struct choice choice = some_choice(HITOP_SCATTERV, 0);
    struct plan_key key = {.bytes = 7, .starts = starts};
    const struct hitop_sched *sched;

    hitop_cache_init(&cache, SIZE);
    key.choice = hitop_cache_add_choice(&cache, &choice);
    sched = hitop_cache_add_plan(&cache, &key, some_sched(2));
    ck_assert_ptr_nonnull(sched);
    ck_assert_ptr_eq(hitop_cache_find_plan(&cache, &key), sched);
    key.starts = others;
    ck_assert_ptr_null(hitop_cache_find_plan(&cache, &key));
    key.starts = NULL;
    ck_assert_ptr_null(hitop_cache_find_plan(&cache, &key));
    key = (struct plan_key){.choice = key.choice, .bytes = 8, .starts = starts};
    ck_assert_ptr_null(hitop_cache_find_plan(&cache, &key));
    hitop_cache_clear(&cache);
}
END_TEST

/* Plans are dropped by what they take; the last one is kept, however long. */
START_TEST(forgets_plans_by_their_memory)
{
    struct cache cache;
    struct choice choice = some_choice(HITOP_SCATTER, 0);
    struct plan_key key = {.bytes = 0};

    hitop_cache_init(&cache, SIZE);
    cache.most_memory = 64 * sizeof(struct hitop_step);
    key.choice = hitop_cache_add_choice(&cache, &choice);
    for (key.bytes = 0; key.bytes < 50; key.bytes++) {
        ck_assert_ptr_nonnull(hitop_cache_add_plan(&cache, &key, some_sched(20)));
        ck_assert_uint_le(cache.memory, cache.most_memory);
    }
    key.bytes = 49;
    ck_assert_ptr_nonnull(hitop_cache_find_plan(&cache, &key));
    key.bytes = 46;
    ck_assert_ptr_null(hitop_cache_find_plan(&cache, &key));
    ck_assert_ptr_nonnull(hitop_cache_add_plan(&cache, &key, some_sched(1000)));
    ck_assert_ptr_nonnull(hitop_cache_find_plan(&cache, &key));
    key.bytes = 49;
    ck_assert_ptr_null(hitop_cache_find_plan(&cache, &key));
    hitop_cache_clear(&cache);
}
END_TEST

START_TEST(reads_names_of_algorithms)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct named named = {.counts = NAMED_COUNTS_PROPAGATED};

    ck_assert_int_eq(
        hitop_named_read(&named, "bcast=chain:segment=8192,reduce=knomial:radix=3,counts=known",
                         &diag),
        HITOP_OK);
    ck_assert_str_eq(hitop_algorithm_name(named.choice[HITOP_BCAST].algorithm), "chain");
    ck_assert_double_eq(named.choice[HITOP_BCAST].params[0], 8192);
    ck_assert_str_eq(hitop_algorithm_name(named.choice[HITOP_REDUCE].algorithm), "knomial");
    ck_assert_double_eq(named.choice[HITOP_REDUCE].tree_params[0], 3);
    ck_assert(named.is_said[HITOP_BCAST] && !named.is_said[HITOP_SCATTER]);
    ck_assert_int_eq(named.counts, NAMED_COUNTS_KNOWN);
    ck_assert_msg(hitop_named_read(&named,
                                   "Hockney_Gather_dfs_binomial_min,LMO_Scatter_split_flat:"
                                   "piece=100,MPI_Bcast=MPIB_Bcast_binomial",
                                   &diag) == HITOP_OK,
                  "%s", diag.message);
    ck_assert_str_eq(hitop_algorithm_name(named.choice[HITOP_GATHER].algorithm), "dfs_min");
    ck_assert_str_eq(hitop_algorithm_name(named.choice[HITOP_SCATTER].algorithm), "split");
    ck_assert_double_eq(named.choice[HITOP_SCATTER].params[0], 100);
    ck_assert_str_eq(hitop_algorithm_name(named.choice[HITOP_BCAST].algorithm), "binomial");
    ck_assert_int_eq(hitop_named_read(&named, "bcast=twolevel", &diag), HITOP_OK);
    ck_assert(!named.is_said[HITOP_BCAST] && !named.choice[HITOP_BCAST].algorithm.type);
    ck_assert_int_eq(hitop_named_read(&named, "scatter=twolevel", &diag), HITOP_OK);
    ck_assert(!named.is_said[HITOP_SCATTER]);
    ck_assert_int_eq(hitop_named_read(&named, "bcast=auto", &diag), HITOP_OK);
    ck_assert(named.is_said[HITOP_BCAST] && !named.choice[HITOP_BCAST].algorithm.type);
}
END_TEST

static const struct {
    const char *text, *message; /* a part of it */
} wrong[] = {
    {"bcast", "'bcast' is not OPERATION=ALGORITHM"},
    {"bcasts=chain", "no operation is called 'bcasts' (did you mean bcast?); valid: allgather, "},
    {"bcast=chainz", "bcast has no algorithm 'chainz'; valid: auto, "},
    {"bcast=", "bcast has no algorithm ''; valid: auto, "},
    {"scatter=twolevels", "scatter has no algorithm 'twolevels'"},
    {"bcast=chain:segment=-1", "chain: segment=-1 is outside ["},
    {"bcast=chain:segments=1", "chain has no parameter 'segments=1'; valid: segment"},
    {"bcast=chain:", "chain"},
    {"counts=all", "counts cannot be 'all'; valid: propagated, broadcast, known"},
    {",", "is not OPERATION=ALGORITHM"},
    {"Hockney_Scatter_dfs_binomial_mi", "their algorithms: dfs_binomial_min, "},
    {"scatter=Hockney_Gather_dfs_binomial_min", "is for the operation gather, not scatter"},
    {"Hockney_Gather_dfs_binomial_min:segm=3", "dfs_min has no parameter 'segm=3'"},
};

START_TEST(refuses_other_names)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct named named = {.counts = NAMED_COUNTS_PROPAGATED};

    ck_assert_int_ne(hitop_named_read(&named, wrong[_i].text, &diag), HITOP_OK);
    ck_assert_msg(strstr(diag.message, wrong[_i].message) != NULL, "%s", diag.message);
    ck_assert(!named.is_said[HITOP_BCAST] && !named.is_said[HITOP_SCATTER]);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, finds_choices_by_all_that_they_depend_on);
    tcase_add_test(tc, forgets_choices_by_their_number);
    tcase_add_test(tc, finds_plans_by_lengths_and_blocks);
    tcase_add_test(tc, forgets_plans_by_their_memory);
    tcase_add_test(tc, reads_names_of_algorithms);
    tcase_add_loop_test(tc, refuses_other_names, 0, sizeof(wrong) / sizeof(wrong[0]));
}

TEST_MAIN("memory of plans", add_tests)
