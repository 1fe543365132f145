/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_direct.c - times that are predicted without a plan are those of the simulation, on random
 * machines of uneven groups with shared links; and searches ask for few prices and little memory.
 */
#include <config.h>

#include "coll/predict/choice_parts.h"
#include "coll/predict/ring_times.h"
#include "coll/predict/tree_times.h"

#include "hitop/hierarchy.h"
#include "hitop/model.h"
#include "hitop/sys/coll.h"
#include "hitop/sys/model.h"
#include "hitop/sys/tree.h"

#include "tests/support/draw.h"
#include "tests/support/status_kib.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Machines ---- */

static uint64_t state;

enum { NLEVELS = 3 };

static const char *const levels[NLEVELS] = {"site", "host", "rank"};

/*
 * Add the members of a group: groups of the next level, or ranks, of which some stand beside
 * groups. Returns the next free rank.
 */
static int add_members(struct hitop_hierarchy_builder *b, int parent, int level, int most, int next)
{
    static const char *const capacities[] = {"1", "2", "1/2", "unlimited"};
    const int n = 1 + draw(&state, most);
    char name[32];

    for (int i = 0; i < n; i++) {
        int node;
        if (level == NLEVELS - 1 || draw(&state, 8) == 0) {
            (void)snprintf(name, sizeof(name), "h%d-%d", parent, level == NLEVELS - 1 ? 0 : i);
            node = hitop_hierarchy_builder_leaf(b, next++, name);
        } else {
            (void)snprintf(name, sizeof(name), "%c%d-%d", levels[level][0], parent, i);
            node = hitop_hierarchy_builder_group(b, levels[level], name);
            if (draw(&state, 3) == 0) {
                hitop_hierarchy_builder_attr(b, node, "capacity", capacities[draw(&state, 4)]);
            }
            next = add_members(b, node, level + 1, most, next);
        }
        hitop_hierarchy_builder_edge(b, node, parent);
    }
    return next;
}

static struct hitop_hierarchy *make_hierarchy(int most)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    struct hitop_hierarchy *h = NULL;

    ck_assert_ptr_nonnull(b);
    (void)add_members(b, hitop_hierarchy_builder_group(b, "root", ""), 0, most, 0);
    ck_assert_msg(hitop_hierarchy_builder_finish(b, &h, &diag) == HITOP_OK, "%s", diag.message);
    hitop_hierarchy_builder_free(b);
    return h;
}

/* A factor from 1/2 to 2. */
static double about_one(void)
{
    return pow(2, draw(&state, 1001) / 500.0 - 1);
}

enum { MOST_PARAMS = 8 };

/* Defaults of the parameters, three times as long at each level outwards. */
static void draw_params(const struct hitop_param *params, size_t n, int height, double *out)
{
    for (size_t p = 0; p < n; p++) {
        const double value = params[p].fallback > 0 ? params[p].fallback : 1e-6;
        out[p] = fmin(params[p].max, value * pow(3, height) * about_one());
    }
}

static struct hitop_model *make_model(const struct hitop_model_type *type, int most)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_hierarchy *h = make_hierarchy(most);
    const int nranks = hitop_hierarchy_nranks(h), nnodes = hitop_hierarchy_nnodes(h);
    struct hitop_model_parts parts = {.type = type->name, .hierarchy = h};
    struct hitop_class *classes = calloc((size_t)nnodes, sizeof(*classes));
    double(*params)[MOST_PARAMS] = calloc((size_t)nnodes, sizeof(*params));
    double processor[MOST_PARAMS];
    const struct hitop_processor all = {.rank = HITOP_NO_RANK, .params = processor};
    struct hitop_model *model = NULL;

    ck_assert(classes && params && type->nparams <= MOST_PARAMS);
    for (int node = nranks; node < nnodes; node++) {
        int n;
        (void)hitop_hierarchy_children(h, node, &n);
        draw_params(type->params, type->nparams, hitop_hierarchy_height(h, node), params[node]);
        if (n >= 2) {
            classes[parts.nclasses++] = (struct hitop_class){.node = node,
                                                             .pair = {HITOP_NO_RANK, HITOP_NO_RANK},
                                                             .params = params[node],
                                                             .converged = 1};
        }
    }
    draw_params(type->processor_params, type->nprocessor_params, 0, processor);
    parts.classes = classes;
    parts.processors = type->nprocessor_params > 0 ? &all : NULL;
    parts.nprocessors = type->nprocessor_params > 0;
    ck_assert_msg(hitop_model_build(&parts, &model, &diag) == HITOP_OK, "%s: %s", type->name,
                  diag.message);
    free(params);
    free(classes);
    hitop_hierarchy_free(h);
    return model;
}

/* ---- Times ---- */

/* What the simulation of the plans says. */
static double simulate(const struct hitop_call *call, const struct hitop_choice *choice,
                       const struct hitop_cost *cost)
{
    const struct hitop_plan_args args = hitop_choice_plan_args(choice, call, cost);
    double *finish = calloc((size_t)call->size, sizeof(*finish)), last = 0;
    struct hitop_plan *plan = NULL;

    ck_assert_ptr_nonnull(finish);
    if (hitop_plan_build(&args, &plan, NULL) != HITOP_OK) {
        free(finish);
        return NAN;
    }
    ck_assert_int_eq(hitop_sched_predict(plan->sched, plan->size, cost, finish, NULL), HITOP_OK);
    for (int r = 0; r < plan->size; r++) {
        last = fmax(last, finish[r]);
    }
    free(finish);
    hitop_plan_free(plan);
    return last;
}

static int nexact; /* times that were compared */

static void compare_tree(const struct hitop_call *call, const struct hitop_choice *choice,
                         const struct hitop_cost *cost, struct sched_prices *prices)
{
    const struct hitop_plan_args args = hitop_choice_plan_args(choice, call, cost);
    const double expected = simulate(call, choice, cost);
    struct hitop_tree *tree = NULL;
    struct tree_time time, limited;

    if (isnan(expected)) {
        return;
    }
    ck_assert_int_eq(hitop_plan_tree(&args, &tree, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_tree_times(call, choice, tree, prices, INFINITY, &time, NULL), HITOP_OK);
    ck_assert_msg(time.bound <= expected * (1 + 1e-9),
                  "%s %s, %d ranks, %zu bytes, segment %g: bound %.17g of %.17g",
                  choice->algorithm.type->name, choice->algorithm.tree->name, call->size,
                  call->bytes, choice->params[0], time.bound, expected);
    if (time.is_exact) {
        ck_assert_msg(fabs(time.seconds - expected) <= expected * 1e-9,
                      "%s %s, %d ranks, %zu bytes, segment %g: %.17g for %.17g",
                      choice->algorithm.type->name, choice->algorithm.tree->name, call->size,
                      call->bytes, choice->params[0], time.seconds, expected);
    }
    nexact += time.is_exact;
    ck_assert_int_eq(hitop_tree_times(call, choice, tree, prices, expected / 2, &limited, NULL),
                     HITOP_OK);
    ck_assert(limited.bound <= expected * (1 + 1e-9) || isinf(limited.bound));
    hitop_tree_free(tree);
}

static void compare_ring(const struct hitop_call *call, const struct hitop_choice *choice,
                         const struct hitop_cost *cost, struct sched_prices *prices)
{
    struct choice_price price;
    double expected;

    if (hitop_ring_times(call, choice, prices, &price)) {
        expected = simulate(call, choice, cost);
        ck_assert_msg(fabs(price.seconds - expected) <= expected * 1e-9,
                      "%s, %d ranks, %zu bytes: %.17g for %.17g", choice->algorithm.type->name,
                      call->size, call->bytes, price.seconds, expected);
        nexact++;
    }
}

static void compare(const struct hitop_call *call, const struct hitop_choice *choice,
                    const struct hitop_cost *cost, struct sched_prices *prices)
{
    if (choice->algorithm.type->turns > 0) {
        compare_ring(call, choice, cost, prices);
    } else if (hitop_tree_times_apply(choice, call, cost)) {
        compare_tree(call, choice, cost, prices);
    }
}

/* All algorithms, without segments and with seven of them. */
static void compare_all(const struct hitop_cost *cost, size_t bytes)
{
    struct sched_prices prices;

    ck_assert_int_eq(hitop_sched_prices_init(&prices, cost, cost->nranks, NULL), HITOP_OK);
    for (const struct hitop_operation *o = hitop_operations(); o->name; o++) {
        struct hitop_call call = {
            .operation = o, .size = cost->nranks, .bytes = bytes / 8 * 8, .unit = 8};
        call.root = hitop_operation_has_root(o) ? draw(&state, call.size) : 0;
        call.bytes *= draw(&state, 2) ? (size_t)call.size : 1; /* also equal parts of a ring */
        for (size_t i = 0; i < hitop_algorithm_count(o); i++) {
            struct hitop_choice choice = hitop_choice_default(hitop_algorithm_at(o, i));
            compare(&call, &choice, cost, &prices);
            if (call.bytes >= 56 && hitop_choice_cut(&choice, (double)(call.bytes / 7))) {
                compare(&call, &choice, cost, &prices);
            }
        }
    }
    hitop_sched_prices_fini(&prices);
}

/* Whether the parameters alone are a model: no table of sizes is needed. */
static int is_plain(const struct hitop_model_type *type)
{
    return type->ncolumns == 0;
}

START_TEST(times_without_a_plan_are_those_of_the_simulation)
{
    const struct hitop_model_type *const *types = hitop_model_types();
    static const enum hitop_ports ports[] = {HITOP_PORTS_MODEL, HITOP_PORTS_SENDER,
                                             HITOP_PORTS_BOTH};
    int nmodels = 0;

    state = draw_seed() + 1000 * (uint64_t)_i;
    nexact = 0;
    for (size_t t = 0; types[t]; t++) {
        struct hitop_model *model;
        struct hitop_cost cost;
        if (!is_plain(types[t])) {
            continue;
        }
        model = make_model(types[t], 2 + _i % 4);
        cost = hitop_cost_ports(hitop_model_cost(model), ports[draw(&state, 3)]);
        compare_all(&cost, (size_t)draw(&state, 100));
        compare_all(&cost, (size_t)draw(&state, 1 << 18));
        hitop_model_free(model);
        nmodels++;
    }
    ck_assert_int_ge(nmodels, 3);
    ck_assert_int_gt(nexact, 100);
}
END_TEST

static double one_time(const void *self, int from, int to, size_t bytes)
{
    (void)self;
    (void)from;
    (void)to;
    return 1e-6 + 1e-9 * (double)bytes;
}

static double short_time(const void *self, int from, int to, size_t bytes)
{
    (void)self;
    (void)from;
    (void)to;
    (void)bytes;
    return 1e-7;
}

static int one_trunk(const void *self, int from, int to, size_t bytes, struct hitop_crossing *out)
{
    (void)self;
    (void)from;
    out[0] = (struct hitop_crossing){0, to == 3 ? 0 : 1e-9 * (double)bytes};
    return 1;
}

/*
 * Two of three messages share a trunk for 100 us each; the last one takes no time there. Without
 * sets and kinds each message has a price of its own.
 */
START_TEST(each_edge_keeps_its_trunks)
{
    const struct hitop_cost cost = {.nranks = 4,
                                    .p2p = one_time,
                                    .occupancy = short_time,
                                    .crossings = one_trunk,
                                    .ntrunks = 1,
                                    .max_crossings = 1};
    const struct hitop_choice_basis basis = {.cost = &cost};
    const struct hitop_call call = {
        .operation = &hitop_operations()[HITOP_BCAST], .size = 4, .bytes = 100000, .unit = 8};
    struct hitop_choice choice;
    double seconds, expected;

    ck_assert_int_eq(hitop_choice_parse(call.operation, "flat", &choice, NULL), HITOP_OK);
    expected = simulate(&call, &choice, &cost);
    ck_assert_int_eq(hitop_choice_price(&basis, &call, &choice, &seconds, NULL), HITOP_OK);
    ck_assert(fabs(seconds - expected) <= expected * 1e-9);
    ck_assert(fabs(seconds - 201e-6) < 1e-9);
}
END_TEST

/* What a plan refuses is refused without a plan, too. */
START_TEST(refuses_what_plans_refuse)
{
    static const double bad[] = {-1, NAN, 1e300};
    const struct hitop_model_type *type = NULL;
    struct hitop_model *model;
    struct hitop_cost cost;
    struct hitop_choice_basis basis = {.cost = &cost};
    struct hitop_call call = {
        .operation = &hitop_operations()[HITOP_BCAST], .bytes = 4096, .unit = 8};
    struct hitop_choice choice;
    double seconds;

    state = 20385;
    ck_assert_int_eq(hitop_model_type_find("hockney", &type, NULL), HITOP_OK);
    model = make_model(type, 4);
    cost = hitop_model_cost(model);
    call.size = cost.nranks;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        ck_assert_int_eq(hitop_choice_parse(call.operation, "chain", &choice, NULL), HITOP_OK);
        choice.params[0] = bad[i];
        ck_assert_int_eq(hitop_choice_price(&basis, &call, &choice, &seconds, NULL),
                         HITOP_ERR_INVALID);
    }
    choice.params[0] = 0;
    choice.algorithm.tree = NULL;
    ck_assert_int_eq(hitop_choice_price(&basis, &call, &choice, &seconds, NULL), HITOP_ERR_INVALID);
    hitop_model_free(model);
}
END_TEST

/* ---- What a search needs ---- */

static size_t nasked;

static double counted_p2p(const void *self, int from, int to, size_t bytes)
{
    nasked++;
    return hitop_model_p2p(self, from, to, bytes);
}

/* A machine of `least` to `most` ranks, in up to `members` groups of up to `members` groups each.
 */
static struct hitop_model *make_hockney(int members, int least, int most)
{
    const struct hitop_model_type *type = NULL;

    ck_assert_int_eq(hitop_model_type_find("hockney", &type, NULL), HITOP_OK);
    for (;;) {
        struct hitop_model *model = make_model(type, members);
        const int nranks = hitop_model_nranks(model);
        if (nranks >= least && nranks <= most) {
            return model;
        }
        hitop_model_free(model);
    }
}

static const enum hitop_operation_id operations[] = {HITOP_BCAST, HITOP_REDUCE, HITOP_ALLREDUCE,
                                                     HITOP_ALLGATHER};
enum { NOPERATIONS = sizeof(operations) / sizeof(operations[0]) };

static struct hitop_call call_of(enum hitop_operation_id id, int size, size_t bytes)
{
    return (struct hitop_call){
        .operation = &hitop_operations()[id], .size = size, .bytes = bytes, .unit = 8};
}

/*
 * On this machine of 419 ranks, with links of different speed in each group, a search asks for
 * 86,000 to 161,000 times of messages, most of them to build trees, and simulates 1 to 41 choices.
 */
START_TEST(a_search_asks_for_few_prices)
{
    struct hitop_model *model;
    struct hitop_cost cost;

    state = 20385;
    model = make_hockney(14, 400, 512);
    cost = hitop_model_cost(model);
    cost.p2p = counted_p2p;
    for (int i = 0; i < 2 * NOPERATIONS; i++) {
        struct hitop_choice_counts counts = {0};
        const struct hitop_choice_basis basis = {.cost = &cost, .counts = &counts};
        const struct hitop_call call =
            call_of(operations[i / 2], cost.nranks, i % 2 ? 1 << 20 : 1024);
        struct hitop_choice choice;
        nasked = 0;
        ck_assert_int_eq(hitop_choose(&basis, &call, &choice, NULL), HITOP_OK);
        ck_assert_msg(nasked <= 180000 && counts.planned <= 48, "%s: %zu times, %zu simulations",
                      call.operation->name, nasked, counts.planned);
        ck_assert_uint_ge(counts.direct + counts.skipped, counts.planned);
    }
    hitop_model_free(model);
}
END_TEST

/* Begin to measure the peak of memory anew; return the present one in KiB. */
static long forget_peak(void)
{
    FILE *f = fopen("/proc/self/clear_refs", "w");

    if (f) {
        (void)fputs("5", f);
        (void)fclose(f);
    }
    return status_kib("VmHWM:");
}

/* A search among thousands of ranks needs less than 64 MiB. */
START_TEST(a_search_needs_little_memory)
{
    struct hitop_model *model;
    struct hitop_cost cost;

    state = 20385;
    model = make_hockney(28, 3000, 4096);
    cost = hitop_model_cost(model);
    for (int i = 0; i < NOPERATIONS + 1; i++) {
        const struct hitop_choice_basis basis = {.cost = &cost};
        const enum hitop_operation_id id = i < NOPERATIONS ? operations[i] : HITOP_ALLTOALL;
        const struct hitop_call call = call_of(id, cost.nranks, 1 << 20);
        struct hitop_choice choice;
        const long before = forget_peak();
        long more;
        ck_assert_int_eq(hitop_choose(&basis, &call, &choice, NULL), HITOP_OK);
        more = status_kib("VmHWM:") - before;
        ck_assert_msg(more < 64 * 1024, "%s: %ld KiB", call.operation->name, more);
    }
    hitop_model_free(model);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, each_edge_keeps_its_trunks);
    tcase_add_test(tc, refuses_what_plans_refuse);
    tcase_add_test(tc, a_search_asks_for_few_prices);
    if (!is_slow()) {
        tcase_add_test(tc, a_search_needs_little_memory);
    }
    tcase_add_loop_test(tc, times_without_a_plan_are_those_of_the_simulation, 0,
                        is_slow() ? 4 : 16);
}

TEST_MAIN("direct predictions", add_tests)
