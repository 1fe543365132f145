/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_wire.c - no prediction is below what the wire allows.
 *
 * The bytes that the plan of an algorithm sends across the way out of a group, or into it, divided
 * by the rate of that way, are a lower bound of its time: for every operation, algorithm and tree,
 * with the parameters that the choice gives them, on machines of which capacities are known or not.
 */
#include <config.h>

#include "tests/support/example_hierarchy.h"

#include "hitop/choice.h"

#include "tests/support/test_main.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/*
 * Two sites of two hosts of two ranks. Seconds per byte inside hosts, inside sites, between sites.
 */
enum { RANKS = 8, HOSTS = 4, GROUPS = 7 };
static const double latency[] = {1e-6, 208e-6, 2e-3}, per_byte[] = {1e-10, 8e-9, 40e-9};

struct machine {
    const char *capacity[2]; /* of hosts and of sites; NULL: not known */
    double value[2];         /* that predictions have to mind; 0: any number */
    int is_dealt;            /* ranks round robin on hosts, not side by side */
    const char *type;
};

static struct hitop_hierarchy *make_hierarchy(const struct machine *m)
{
    static const char *const host[HOSTS] = {"a1", "a2", "b1", "b2"};
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    const int root = hitop_hierarchy_builder_group(b, "root", "");
    struct hitop_hierarchy *h = NULL;
    int site[2], group[HOSTS];

    for (int s = 0; s < 2; s++) {
        site[s] = hitop_hierarchy_builder_group(b, "site", s ? "b" : "a");
        hitop_hierarchy_builder_edge(b, site[s], root);
        if (m->capacity[1]) {
            hitop_hierarchy_builder_attr(b, site[s], "capacity", m->capacity[1]);
        }
    }
    for (int i = 0; i < HOSTS; i++) {
        group[i] = hitop_hierarchy_builder_group(b, "host", host[i]);
        hitop_hierarchy_builder_edge(b, group[i], site[i / 2]);
        if (m->capacity[0]) {
            hitop_hierarchy_builder_attr(b, group[i], "capacity", m->capacity[0]);
        }
    }
    for (int rank = 0; rank < RANKS; rank++) {
        const int i = m->is_dealt ? rank % HOSTS : rank / 2;
        hitop_hierarchy_builder_edge(b, hitop_hierarchy_builder_leaf(b, rank, host[i]), group[i]);
    }
    ck_assert_int_eq(hitop_hierarchy_builder_finish(b, &h, NULL), HITOP_OK);
    hitop_hierarchy_builder_free(b);
    return h;
}

static int kind_of(const struct hitop_hierarchy *h, int node)
{
    const char *level = hitop_hierarchy_level(h, node);

    return strcmp(level, "host") == 0 ? 0 : strcmp(level, "site") == 0 ? 1 : 2;
}

static struct hitop_model *make_model(const struct machine *m)
{
    struct hitop_hierarchy *h = make_hierarchy(m);
    const int is_loggp = strcmp(m->type, "loggp") == 0;
    struct hitop_class classes[GROUPS];
    struct hitop_model *model = NULL;
    double params[GROUPS][5];

    for (int g = 0; g < GROUPS; g++) {
        const int kind = kind_of(h, RANKS + g);
        const double hockney[] = {latency[kind], per_byte[kind]};
        const double loggp[] = {latency[kind], 1e-6, 1e-6, 1e-6, per_byte[kind]};
        memcpy(params[g], is_loggp ? loggp : hockney, is_loggp ? sizeof(loggp) : sizeof(hockney));
        classes[g] = (struct hitop_class){
            .node = RANKS + g, .pair = {HITOP_NO_RANK, HITOP_NO_RANK}, .params = params[g]};
    }
    ck_assert_int_eq(example_build(m->type, h, classes, GROUPS, NULL, &model, NULL), HITOP_OK);
    hitop_hierarchy_free(h);
    return model;
}

/* The longest time for which a plan keeps a way. */
static double bound(const struct machine *m, const struct hitop_hierarchy *h,
                    const struct hitop_plan *plan)
{
    double bytes[2][RANKS + GROUPS] = {{0}}, longest = 0; /* out and in */

    for (int rank = 0; rank < plan->size; rank++) {
        size_t count;
        const struct hitop_step *step = hitop_sched_steps(plan->sched[rank], &count);
        for (size_t i = 0; i < count; i++) {
            const int peer = step[i].peer, end[] = {rank, peer};
            if (step[i].kind != HITOP_STEP_SEND) {
                continue;
            }
            for (int in = 0; in < 2; in++) {
                for (int node = hitop_hierarchy_parent(h, end[in]);
                     node != hitop_hierarchy_lca(h, rank, peer);
                     node = hitop_hierarchy_parent(h, node)) {
                    bytes[in][node] += (double)step[i].span.bytes;
                }
            }
        }
    }
    for (int node = RANKS; node < RANKS + GROUPS - 1; node++) {
        const int kind = kind_of(h, node);
        const double most = fmax(bytes[0][node], bytes[1][node]);
        if (m->value[kind] > 0) {
            longest = fmax(longest, most * per_byte[kind + 1] / m->value[kind]);
        }
    }
    return longest;
}

/* All that the choice may take. Returns how many there were. */
static int check_call(const struct machine *m, const struct hitop_model *model,
                      const struct hitop_call *call)
{
    static const double rounding = 0.01; /* LogGP's first byte is free */
    const struct hitop_cost cost = hitop_model_cost(model);
    const struct hitop_choice_basis basis = {.cost = &cost};
    const size_t n = hitop_algorithm_count(call->operation);
    struct hitop_candidate *candidate = calloc(n + 1, sizeof(*candidate));
    size_t fastest;
    int checked = 0;

    ck_assert_ptr_nonnull(candidate);
    if (n == 0 || hitop_choice_rank(&basis, call, candidate, &fastest, NULL) != HITOP_OK) {
        free(candidate);
        return 0;
    }
    for (size_t i = 0; i < n; i++) {
        const struct hitop_choice *c = &candidate[i].choice;
        const struct hitop_plan_args args = hitop_choice_plan_args(c, call, &cost);
        struct hitop_plan *plan = NULL;
        if (isnan(c->seconds)) {
            continue;
        }
        ck_assert_int_eq(hitop_plan_build(&args, &plan, NULL), HITOP_OK);
        ck_assert_msg(c->seconds >= (1 - rounding) * bound(m, hitop_model_hierarchy(model), plan),
                      "%s/%s, %zu B, root %d: %g s, the wire needs %g s", call->operation->name,
                      hitop_algorithm_name(c->algorithm), call->bytes, call->root, c->seconds,
                      bound(m, hitop_model_hierarchy(model), plan));
        hitop_plan_free(plan);
        checked++;
    }
    free(candidate);
    return checked;
}

static const struct machine machines[] = {
    {{"1", "1"}, {1, 1}, 0, "hockney"},
    {{"1", "1"}, {1, 1}, 1, "loggp"},
    {{"2", "0.5"}, {2, 0.5}, 0, "loggp"},
    {{"0.5", "2"}, {0.5, 2}, 1, "hockney"},
    {{"unlimited", "unlimited"}, {0, 0}, 0, "hockney"},
    {{"unlimited", "1.5"}, {0, 1.5}, 0, "hockney"},
    {{NULL, NULL}, {1, 1}, 0, "hockney"}, /* nothing is known: the worst is assumed */
    {{NULL, NULL}, {1, 1}, 1, "loggp"},
    {{"unlimited", NULL}, {0, 1}, 0, "hockney"},
};

enum { NMACHINES = sizeof(machines) / sizeof(machines[0]) };

START_TEST(no_prediction_is_below_the_wire)
{
    static const size_t sizes[] = {1024, 65536, 1048576};
    const struct machine *m = &machines[_i];
    struct hitop_model *model = make_model(m);
    int checked = 0;

    for (const struct hitop_operation *o = hitop_operations(); o->name; o++) {
        for (int k = is_slow() ? _i % 3 : 0; k < 3; k += is_slow() ? 3 : 1) {
            for (int root = 0; root < (hitop_operation_has_root(o) ? 6 : 1); root += 5) {
                const struct hitop_call call = {
                    .operation = o, .size = RANKS, .root = root, .bytes = sizes[k], .unit = 8};
                checked += check_call(m, model, &call);
            }
        }
    }
    ck_assert_int_gt(checked, is_slow() ? 100 : 300);
    hitop_model_free(model);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, no_prediction_is_below_the_wire, 0, NMACHINES);
}

TEST_MAIN("wire", add_tests)
