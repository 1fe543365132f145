/* SPDX-License-Identifier: BSD-3-Clause */
/* check_choice.c - what is chosen is the best there is, and is found again. */
#include <config.h>

#include "hitop/choice.h"
#include "hitop/sys/coll.h"
#include "hitop/sys/tree.h"

#include "tests/support/costs.h"
#include "tests/support/machine.h"
#include "tests/support/test_main.h"

#include <math.h>

#ifdef __SANITIZE_ADDRESS__ /* many times as long, and no test of memory */
enum { CASES = 6 };
#else
enum { CASES = 24 };
#endif

static const struct hitop_operation *operation(const char *name)
{
    const struct hitop_operation *found;

    ck_assert_int_eq(hitop_operation_find(name, &found, NULL), HITOP_OK);
    return found;
}

static struct hitop_choice choose(const struct hitop_choice_basis *basis,
                                  const struct hitop_call *call)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_choice choice;

    ck_assert_msg(hitop_choose(basis, call, &choice, &diag) == HITOP_OK, "%s", diag.message);
    return choice;
}

static double price(const struct hitop_choice_basis *basis, const struct hitop_call *call,
                    const struct hitop_choice *choice)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    double seconds;
    const enum hitop_status status = hitop_choice_price(basis, call, choice, &seconds, &diag);

    ck_assert_msg(status == HITOP_OK || status == HITOP_ERR_UNSUPPORTED, "%s", diag.message);
    return status == HITOP_OK ? seconds : INFINITY;
}

START_TEST(classes_are_sizes_of_three_bits)
{
    static const size_t expected[][3] = {
        {0, 1, 0},   {1, 1, 1},         {7, 1, 7},           {9, 1, 10},
        {11, 1, 12}, {65536, 1, 65536}, {73000, 1, 65536},   {74000, 1, 81920},
        {1, 8, 8},   {12, 8, 16},       {100000, 24, 98304}, {SIZE_MAX, 1, SIZE_MAX}};

    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        ck_assert_uint_eq(hitop_choice_class(expected[i][0], expected[i][1]), expected[i][2]);
    }
    for (size_t bytes = 0; bytes < 4096; bytes++) {
        const size_t middle = hitop_choice_class(bytes, 1);
        ck_assert_uint_eq(hitop_choice_class(middle, 1), middle);
        ck_assert_double_le(fabs((double)middle - (double)bytes), 0.125 * (double)bytes);
    }
}
END_TEST

/* Operations with any algorithm at all. */
static struct hitop_call random_call(const struct machine *m)
{
    struct hitop_call call = {.size = m->nranks};
    int noperations = 0;

    while (hitop_operations()[noperations].name) {
        noperations++;
    }
    do {
        call.operation = &hitop_operations()[machine_draw(noperations)];
    } while (hitop_algorithm_count(call.operation) == 0);
    call.root = hitop_operation_has_root(call.operation) ? machine_draw(m->nranks) : 0;
    call.bytes = 1 + (size_t)machine_draw(1 << machine_draw(22));
    return call;
}

/* A question drawn at random, and its answer. Stays where it is: it points into itself. */
struct question {
    struct machine machine;
    struct hitop_cost cost;
    struct hitop_choice_basis basis;
    struct hitop_call call;
    struct hitop_choice choice;
};

static void draw(struct question *q, int max_ranks)
{
    q->machine = machine_random(max_ranks);
    q->cost = machine_cost(&q->machine);
    q->basis = (struct hitop_choice_basis){.cost = &q->cost};
    q->call = random_call(&q->machine);
    q->choice = choose(&q->basis, &q->call);
}

/*
 * Each way with each single parameter over a fine grid; a tree of more branches than ranks is as
 * one of as many.
 */
static double search_all(const struct hitop_choice_basis *basis, const struct hitop_call *call)
{
    double best = INFINITY;

    for (size_t i = 0; i < hitop_algorithm_count(call->operation); i++) {
        const struct hitop_algorithm algorithm = hitop_algorithm_at(call->operation, i);
        const size_t ntree = algorithm.tree ? algorithm.tree->nparams : 0;
        struct hitop_choice choice = hitop_choice_default(algorithm);
        if (algorithm.type->by_name || (algorithm.tree && algorithm.tree->by_name)) {
            continue;
        }
        best = fmin(best, price(basis, call, &choice));
        for (size_t p = 0; p < ntree + algorithm.type->nparams; p++) {
            const struct hitop_param *param =
                p < ntree ? &algorithm.tree->params[p] : &algorithm.type->params[p - ntree];
            double *value = p < ntree ? &choice.tree_params[p] : &choice.params[p - ntree];
            const double ratio = strcmp(param->unit, "B") == 0 ? 1.3 : 1.01;
            const double first = strcmp(param->unit, "B") == 0 ? (double)call->bytes / 500 : 1;
            for (double v = fmax(first, fmax(param->min, 1));
                 v < (double)call->bytes && v <= param->max && (p >= ntree || v <= call->size);
                 v = ceil(v * ratio)) {
                *value = v;
                best = fmin(best, price(basis, call, &choice));
            }
            *value = param->fallback;
        }
    }
    return best;
}

START_TEST(no_search_finds_much_better)
{
    double lost = 0;

    machine_seed();
    for (int i = 0; i < CASES; i++) {
        struct question q;
        draw(&q, 24);
        ck_assert_double_eq(price(&q.basis, &q.call, &q.choice), q.choice.seconds);
        lost += q.choice.seconds / search_all(&q.basis, &q.call) - 1;
    }
    ck_assert_double_le(lost, 0.02 * CASES);
}
END_TEST

START_TEST(ranking_and_choice_agree)
{
    machine_seed();
    for (int i = 0; i < CASES; i++) {
        struct question q;
        struct hitop_candidate all[256];
        size_t fastest;
        draw(&q, 32);
        ck_assert_uint_le(hitop_algorithm_count(q.call.operation), 256);
        ck_assert_int_eq(hitop_choice_rank(&q.basis, &q.call, all, &fastest, NULL), HITOP_OK);
        ck_assert_double_le(all[fastest].choice.seconds, q.choice.seconds);
        ck_assert_double_le(q.choice.seconds, 1.02 * all[fastest].choice.seconds);
    }
}
END_TEST

START_TEST(among_very_many_ranks_the_most_promising_are_predicted)
{
    const struct hitop_cost cost = layered_cost(2304);
    const struct hitop_choice_basis basis = {.cost = &cost};
    const struct hitop_call call = {.operation = operation("scatter"), .size = 2304, .bytes = 48};
    const struct hitop_choice choice = choose(&basis, &call);
    struct hitop_candidate all[256];
    size_t fastest;
    int predicted = 0;

    ck_assert_int_eq(hitop_choice_rank(&basis, &call, all, &fastest, NULL), HITOP_OK);
    for (size_t i = 0; i < hitop_algorithm_count(call.operation); i++) {
        predicted += !isnan(all[i].choice.seconds);
        ck_assert_int_eq(isnan(all[i].choice.seconds) != 0, all[i].reason[0] != '\0');
        ck_assert(isnan(all[i].choice.seconds) || all[i].choice.seconds >= choice.seconds);
    }
    ck_assert_int_ge(predicted, 2);
    ck_assert_double_eq(all[fastest].choice.seconds, choice.seconds);
    ck_assert_double_eq(price(&basis, &call, &choice), choice.seconds);
}
END_TEST

/*
 * Hosts of 8 ranks in racks of 3 to 6 hosts in clusters of 2 to 5 racks: each larger set is slower.
 * Set numbers: ranks, hosts, racks, clusters, the whole.
 */
enum { UNEVEN = 800, HOSTS = UNEVEN / 8, RACKS = 32, CLUSTERS = 16 };

static int uneven_enclosing(const void *self, int set)
{
    static const int hosts[] = {3, 6, 4}, racks[] = {5, 2, 3};
    const int hosts_begin = UNEVEN, racks_begin = hosts_begin + HOSTS,
              clusters_begin = racks_begin + RACKS, whole = clusters_begin + CLUSTERS;
    int n = 0;

    (void)self;
    if (set < hosts_begin) {
        return hosts_begin + set / 8;
    }
    if (set < racks_begin) {
        for (int host = set - hosts_begin; host >= hosts[n % 3]; n++) {
            host -= hosts[n % 3];
        }
        return racks_begin + n;
    }
    if (set < clusters_begin) {
        for (int rack = set - racks_begin; rack >= racks[n % 3]; n++) {
            rack -= racks[n % 3];
        }
        return clusters_begin + n;
    }
    return set < whole ? whole : -1;
}

static double uneven_p2p(const void *self, int from, int to, size_t bytes)
{
    static const double latency[] = {0.8e-6, 10e-6, 30e-6, 80e-6},
                        per_byte[] = {0.2e-9, 0.5e-9, 1e-9, 2e-9};
    int level = -1;

    while (from != to) {
        from = uneven_enclosing(self, from);
        to = uneven_enclosing(self, to);
        level++;
    }
    return latency[level] + per_byte[level] * (double)bytes;
}

/* The best of all that are planned, without the tuning of their parameters, is not faster. */
START_TEST(among_very_many_uneven_ranks_the_fastest_is_found)
{
    static const char *const operations[] = {"bcast", "reduce", "allreduce", "gather"};
    const struct hitop_cost cost = {.nranks = UNEVEN,
                                    .p2p = uneven_p2p,
                                    .occupancy = uneven_p2p,
                                    .enclosing = uneven_enclosing,
                                    .nsets = UNEVEN + HOSTS + RACKS + CLUSTERS + 1,
                                    .grows = 1};
    const struct hitop_choice_basis basis = {.cost = &cost};
    const struct hitop_call call = {.operation = operation(operations[_i % 4]),
                                    .size = UNEVEN,
                                    .root = 17,
                                    .bytes = _i < 4 ? 1024 : 32768,
                                    .unit = 8};
    const struct hitop_choice choice = choose(&basis, &call);

    ck_assert_double_eq(price(&basis, &call, &choice), choice.seconds);
    for (size_t i = 0; i < hitop_algorithm_count(call.operation); i++) {
        const struct hitop_choice other =
            hitop_choice_default(hitop_algorithm_at(call.operation, i));
        double seconds;
        if (!other.algorithm.type->by_name &&
            hitop_choice_price_within(&basis, &call, &other, choice.seconds, &seconds, NULL) ==
                HITOP_OK) {
            ck_assert_msg(seconds >= choice.seconds * (1 - 1e-9), "%s: %g, not %g",
                          hitop_algorithm_name(other.algorithm), choice.seconds, seconds);
        }
    }
}
END_TEST

START_TEST(long_messages_go_in_the_segments_of_the_formula)
{
    const struct machine m = {.nranks = 16,
                              .ranks_per_host = 1,
                              .hosts_per_site = 16,
                              .latency = {20e-6, 20e-6, 20e-6},
                              .per_byte = {1e-9, 1e-9, 1e-9},
                              .busy = 1};
    const struct hitop_cost cost = machine_cost(&m);
    const struct hitop_choice_basis basis = {.cost = &cost};
    const struct hitop_call call = {.operation = operation("bcast"), .size = 16, .bytes = 1 << 24};
    struct hitop_algorithm algorithm;
    struct hitop_choice chain;
    struct hitop_candidate all[256];
    const double formula = sqrt((double)(1 << 24) * 20e-6 / (14 * 1e-9)); /* 15 stages */
    size_t fastest;

    ck_assert_int_eq(hitop_algorithm_find(call.operation, "chain", &algorithm, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_choice_rank(&basis, &call, all, &fastest, NULL), HITOP_OK);
    for (size_t i = 0; i < hitop_algorithm_count(call.operation); i++) {
        if (all[i].choice.algorithm.tree == algorithm.tree &&
            all[i].choice.algorithm.type == algorithm.type) {
            chain = all[i].choice;
            ck_assert_double_gt(chain.params[0], formula / 1.5);
            ck_assert_double_lt(chain.params[0], formula * 1.5);
            ck_assert_double_lt(
                chain.seconds,
                0.12 * price(&basis, &call, &(struct hitop_choice){.algorithm = algorithm}));
            return;
        }
    }
    ck_abort_msg("bcast/chain is not among the ways");
}
END_TEST

START_TEST(a_class_has_the_choice_of_its_middle)
{
    const struct hitop_cost cost = layered_cost(24);
    const struct hitop_choice_basis basis = {.cost = &cost};
    struct hitop_call call = {.operation = operation("bcast"), .size = 24, .bytes = 65536};
    const struct hitop_choice fresh = choose(&basis, &call);
    struct hitop_choice kept;

    call.bytes = 66000;
    ck_assert_int_eq(hitop_choose_class(&basis, &call, &kept, NULL), HITOP_OK);
    ck_assert_ptr_eq(kept.algorithm.tree, fresh.algorithm.tree);
    ck_assert_double_eq(kept.seconds, fresh.seconds);
}
END_TEST

START_TEST(within_a_class_little_is_lost)
{
    double lost = 0;

    machine_seed();
    for (int i = 0; i < CASES; i++) {
        struct question q;
        struct hitop_choice kept;
        draw(&q, 24);
        ck_assert_int_eq(hitop_choose_class(&q.basis, &q.call, &kept, NULL), HITOP_OK);
        lost += price(&q.basis, &q.call, &kept) / q.choice.seconds - 1;
    }
    ck_assert_double_le(lost, 0.02 * CASES);
}
END_TEST

START_TEST(what_is_out_of_range_is_refused)
{
    const struct hitop_cost cost = layered_cost(24);
    const struct hitop_choice_basis basis = {.cost = &cost}, unknown = {.cost = NULL};
    struct hitop_call call = {.operation = operation("bcast"), .size = 25, .bytes = 8};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_choice choice;

    ck_assert_int_eq(hitop_choose(&basis, &call, &choice, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "25 ranks: allowed are 1..24, those with a price");
    choice = hitop_choice_default(hitop_algorithm_at(call.operation, 0));
    ck_assert_int_eq(hitop_choice_price(&basis, &call, &choice, &choice.seconds, NULL),
                     HITOP_ERR_INVALID);
    call.size = 24;
    call.root = 24;
    ck_assert_int_eq(hitop_choose(&basis, &call, &choice, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "root 24 is not in 0..23");
    call.root = 0;
    ck_assert_int_eq(hitop_choice_price(&unknown, &call, &choice, &choice.seconds, &diag),
                     HITOP_ERR_UNSUPPORTED);
    ck_assert_str_eq(diag.message, "bcast: there is no model to predict by");
    call.bytes = (size_t)1 << 62;
    ck_assert_int_eq(hitop_choose(&basis, &call, &choice, &diag), HITOP_OK);
    call.operation = operation("alltoall");
    ck_assert_int_eq(hitop_choose(&basis, &call, &choice, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, "alltoall: 24 blocks of 4611686018427387904 bytes are longer "
                                   "than any memory");
}
END_TEST

START_TEST(parameters_of_all_ways_have_room)
{
    for (size_t i = 0; hitop_coll_types()[i]; i++) {
        ck_assert_uint_le(hitop_coll_types()[i]->nparams, HITOP_CHOICE_PARAMS);
    }
    for (size_t i = 0; hitop_tree_builders()[i]; i++) {
        ck_assert_uint_le(hitop_tree_builders()[i]->nparams, HITOP_CHOICE_PARAMS);
    }
}
END_TEST

static double equal_p2p(const void *self, int from, int to, size_t bytes)
{
    (void)self;
    (void)from;
    (void)to;
    return 2e-6 + 1e-10 * (double)bytes;
}

/* Plans of all of these would take minutes, or more memory than there is. */
START_TEST(very_many_ranks_are_served_without_plans_for_all)
{
    static const struct {
        const char *operation;
        int size;
        double seconds; /* at least, and not much more */
    } cases[] = {{"alltoall", 4097, 4096 * (2e-6 + 6.5536e-6)},
                 {"scan", 70001, 17 * (2e-6 + 6.5536e-6)},
                 {"barrier", 1000001, 20 * 2e-6}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct hitop_cost cost = {
            .nranks = cases[i].size, .p2p = equal_p2p, .occupancy = equal_p2p, .grows = 1};
        const struct hitop_choice_basis basis = {.cost = &cost};
        const struct hitop_call call = {
            .operation = operation(cases[i].operation), .size = cases[i].size, .bytes = 65536};
        const struct hitop_choice choice = choose(&basis, &call);
        ck_assert_int_eq(hitop_choice_applies(&choice, &call, &cost, NULL), HITOP_OK);
        ck_assert_double_ge(choice.seconds, 0.99 * cases[i].seconds);
        ck_assert_double_le(choice.seconds, 1.2 * cases[i].seconds);
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, classes_are_sizes_of_three_bits);
    tcase_add_test(tc, no_search_finds_much_better);
    tcase_add_test(tc, ranking_and_choice_agree);
    tcase_add_test(tc, among_very_many_ranks_the_most_promising_are_predicted);
    tcase_add_loop_test(tc, among_very_many_uneven_ranks_the_fastest_is_found, 0, 8);
    tcase_add_test(tc, long_messages_go_in_the_segments_of_the_formula);
    tcase_add_test(tc, a_class_has_the_choice_of_its_middle);
    tcase_add_test(tc, within_a_class_little_is_lost);
    tcase_add_test(tc, very_many_ranks_are_served_without_plans_for_all);
    tcase_add_test(tc, what_is_out_of_range_is_refused);
    tcase_add_test(tc, parameters_of_all_ways_have_room);
}

TEST_MAIN("choice", add_tests)
