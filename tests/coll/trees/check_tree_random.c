/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_tree_random.c - over random hierarchies, trees are what their definitions say.
 *
 * Machines are drawn, with classes of links for groups or for pairs of members, classes of
 * processors, and hosts that do not care about groups. Then builders, which ask for few prices, are
 * compared with the definitions, which ask for all of them.
 */
#include <config.h>

#include "hitop/model.h"
#include "hitop/sys/tree.h"

#include "tests/coll/trees/random_tree.h"
#include "tests/support/promise.h"
#include "tests/support/test_main.h"

#include <stdlib.h>

enum { RUNS = 60, MAX_CLASSES = 1000, NPROCESSORS = 3, BYTES = 4096 };

/* Few values, so that many are equal, and powers of two, so that sums are exact. */
static void draw_numbers(double *of)
{
    of[0] = (1 + tree_random(5)) * 0x1p-20;
    of[1] = (1 + tree_random(5)) * 0x1p-32;
}

/* A class for each group, or for each two members of it. */
static int draw_classes(const struct hitop_hierarchy *h, struct hitop_class *class,
                        double (*numbers)[2])
{
    int n = 0;

    for (int g = hitop_hierarchy_nranks(h); g < hitop_hierarchy_nnodes(h); g++) {
        int nmembers;
        const int *member = hitop_hierarchy_children(h, g, &nmembers);
        const int by_pair = tree_random(3) == 0;
        for (int i = 0; i < (nmembers < 2 ? 0 : by_pair ? nmembers : 1); i++) {
            for (int j = by_pair ? i + 1 : 0; j < (by_pair ? nmembers : 1); j++) {
                draw_numbers(numbers[n]);
                class[n] = (struct hitop_class){
                    .node = g,
                    .between = {by_pair ? member[i] : 0, by_pair ? member[j] : 0},
                    .pair = {HITOP_NO_RANK, HITOP_NO_RANK},
                    .params = numbers[n]};
                n++;
            }
        }
    }
    return n;
}

static struct hitop_model *draw_model(const char *type)
{
    static struct hitop_class class[MAX_CLASSES];
    static double numbers[MAX_CLASSES][2], of_processor[NPROCESSORS][2];
    const struct tree drawn = tree_draw();
    struct hitop_hierarchy *h = tree_build(&drawn);
    struct hitop_processor processor[NPROCESSORS];
    int processor_of[MAX_RANKS];
    const int has_processors = strcmp(type, "lmo") == 0;
    struct hitop_model *model = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    for (int p = 0; p < NPROCESSORS; p++) {
        draw_numbers(of_processor[p]);
        processor[p] = (struct hitop_processor){.rank = HITOP_NO_RANK, .params = of_processor[p]};
    }
    for (int r = 0; r < drawn.nranks; r++) {
        processor_of[r] = tree_random(NPROCESSORS);
    }
    ck_assert_msg(hitop_model_build(
                      &(struct hitop_model_parts){.type = type,
                                                  .hierarchy = h,
                                                  .classes = class,
                                                  .nclasses = draw_classes(h, class, numbers),
                                                  .processors = processor,
                                                  .nprocessors = has_processors ? NPROCESSORS : 0,
                                                  .processor_of = processor_of},
                      &model, &diag) == HITOP_OK,
                  "%s", diag.message);
    hitop_hierarchy_free(h);
    return model;
}

static const char *const types[] = {"hockney", "lmo"};

START_TEST(prices_depend_on_sets_and_kinds_only)
{
    tree_seed();
    for (int run = 0; run < RUNS / 4; run++) {
        struct hitop_model *model = draw_model(types[_i]);
        const struct hitop_cost cost = hitop_model_cost(model);
        expect_promise(&cost, BYTES);
        hitop_model_free(model);
    }
}
END_TEST

/* What a rank is asked to carry in the comparison of prices. */
struct task {
    const struct hitop_cost *cost;
    const size_t *counts; /* or NULL */
    int size, root, weighted, maximal;
    int *parent;
};

/* The literal choice: the price of every rank that has no place. */
static int choose(const struct task *t, int up, int subtree)
{
    double best_price = 0;
    size_t best_block = 0;
    int best = -1;

    for (int r = 0; r < t->size; r++) {
        const size_t block = t->counts ? t->counts[r] : BYTES;
        double price;
        if (t->parent[r] != -2) {
            continue;
        }
        price = t->cost->p2p(t->cost->self, up, r, t->weighted ? block * (size_t)subtree : block);
        if (best < 0 || (t->maximal ? price > best_price : price < best_price) ||
            (price == best_price && (t->maximal ? block > best_block : block < best_block))) {
            best = r;
            best_price = price;
            best_block = block;
        }
    }
    t->parent[best] = up;
    return best;
}

/* Preorder; the children of a place have 1, 2, 4, .. ranks below them. */
static void fill_depth_first(const struct task *t, int up, int powers, int largest_first)
{
    for (int i = 0; i < 8; i++) {
        const int subtree = 1 << (largest_first ? 7 - i : i);
        if (powers & subtree) {
            fill_depth_first(t, choose(t, up, subtree), subtree - 1, largest_first);
        }
    }
}

/* A list of places; the first one is taken, or the first one of the largest. */
static void fill_from_list(const struct task *t, int by_size)
{
    int up[MAX_RANKS], subtree[MAX_RANKS], n = 0;

    for (int power = 128, powers = t->size - 1; power > 0; power /= 2) {
        if (powers & power) {
            up[n] = t->root;
            subtree[n++] = power;
        }
    }
    for (int placed = 1; placed < t->size; placed++) {
        int at = 0, rank;
        while (subtree[at] == 0) {
            at++;
        }
        for (int i = at; by_size && i < n; i++) {
            at = subtree[i] > subtree[at] ? i : at;
        }
        rank = choose(t, up[at], subtree[at]);
        for (int power = subtree[at] / 2; power > 0; power /= 2) {
            up[n] = rank;
            subtree[n++] = power;
        }
        subtree[at] = 0;
    }
}

static void build_by_definition(const struct task *t, const char *walk)
{
    for (int r = 0; r < t->size; r++) {
        t->parent[r] = r == t->root ? HITOP_NO_RANK : -2;
    }
    if (strncmp(walk, "dfs", 3) == 0) {
        fill_depth_first(t, t->root, t->size - 1, strncmp(walk, "dfs_largest", 11) == 0);
    } else {
        fill_from_list(t, strncmp(walk, "ucs", 3) == 0);
    }
}

static const char *const mapped[] = {"bfs_max", "bfs_min", "dfs_largest_max", "dfs_largest_min",
                                     "dfs_max", "dfs_min", "ucs_max",         "ucs_min"};

START_TEST(mapped_trees_are_what_their_definition_says)
{
    tree_seed();
    for (int run = 0; run < RUNS; run++) {
        struct hitop_model *model = draw_model(types[run / 2 % 2]);
        struct hitop_cost cost = hitop_model_cost(model);
        const int size = 1 + tree_random(cost.nranks), ndifferent = 1 + tree_random(6);
        const double weight = tree_random(2);
        size_t counts[MAX_RANKS];
        int parent[MAX_RANKS];
        const struct task task = {.cost = &cost,
                                  .counts = run % 3 ? NULL : counts,
                                  .size = size,
                                  .root = tree_random(size),
                                  .weighted = weight > 0,
                                  .maximal = strstr(mapped[_i], "max") != NULL,
                                  .parent = parent};
        const struct hitop_tree_args args = {
            .size = size, .root = task.root, .bytes = BYTES, .cost = &cost, .counts = task.counts};
        struct hitop_tree *tree = NULL;

        for (int r = 0; r < cost.nranks; r++) {
            counts[r] = (size_t)tree_random(ndifferent) * BYTES;
        }
        cost.grows = cost.grows && run % 2; /* either way it is the same tree */
        ck_assert_int_eq(hitop_tree_build(mapped[_i], &args, &weight, &tree, NULL), HITOP_OK);
        build_by_definition(&task, mapped[_i]);
        for (int r = 0; r < size; r++) {
            ck_assert_int_eq(hitop_tree_parent(tree, r), parent[r]);
        }
        hitop_tree_free(tree);
        hitop_model_free(model);
    }
}
END_TEST

/* With a cost without sets every rank is asked for its price. */
START_TEST(sets_and_kinds_of_a_model_change_no_tree)
{
    const struct hitop_tree_builder *const *builders = hitop_tree_builders();

    tree_seed();
    for (int run = 0; run < RUNS; run++) {
        struct hitop_model *model = draw_model(types[run % 2]);
        const struct hitop_cost cost = hitop_model_cost(model);
        struct hitop_cost silent = cost;
        const int size = 1 + tree_random(cost.nranks), root = tree_random(size);
        const struct hitop_tree_args args = {
            .size = size, .root = root, .bytes = BYTES, .cost = &cost};
        struct hitop_tree_args asking = args;

        silent.enclosing = NULL;
        silent.kind = NULL;
        asking.cost = &silent;
        for (int b = 0; builders[b]; b++) {
            struct hitop_tree *x = NULL, *y = NULL;
            ck_assert_int_eq(hitop_tree_build(builders[b]->name, &args, NULL, &x, NULL), HITOP_OK);
            ck_assert_int_eq(hitop_tree_build(builders[b]->name, &asking, NULL, &y, NULL),
                             HITOP_OK);
            for (int r = 0; r < size; r++) {
                ck_assert_msg(hitop_tree_parent(x, r) == hitop_tree_parent(y, r),
                              "%s, run %d: rank %d has parent %d, or %d", builders[b]->name, run, r,
                              hitop_tree_parent(x, r), hitop_tree_parent(y, r));
            }
            hitop_tree_free(x);
            hitop_tree_free(y);
        }
        hitop_model_free(model);
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, prices_depend_on_sets_and_kinds_only, 0, 2);
    tcase_add_loop_test(tc, mapped_trees_are_what_their_definition_says, 0,
                        (int)(sizeof(mapped) / sizeof(mapped[0])));
    tcase_add_test(tc, sets_and_kinds_of_a_model_change_no_tree);
}

TEST_MAIN("random machines", add_tests)
