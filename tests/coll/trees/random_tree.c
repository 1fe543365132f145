/* SPDX-License-Identifier: BSD-3-Clause */
/* random_tree.c - draw trees, build them, and search them from end to end. */
#include <config.h>

#include "tests/coll/trees/random_tree.h"
#include "tests/support/test_main.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOSTS = 5 };

static uint64_t state;

void tree_seed(void)
{
    const char *seed = getenv("HITOP_TEST_SEED");

    state = seed ? strtoull(seed, NULL, 10) | 1 : 60427;
    printf("seed %llu\n", (unsigned long long)state);
}

int tree_random(int bound)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (int)(((state * 0x2545f4914f6cdd1dull) >> 33) % (unsigned)bound);
}

static void shuffle(int *order, int n)
{
    for (int i = 0; i < n; i++) {
        const int k = tree_random(i + 1);
        order[i] = order[k];
        order[k] = i;
    }
}

struct tree tree_draw(void)
{
    struct tree t = {.ngroups = 1 + tree_random(MAX_GROUPS), .nranks = MAX_GROUPS};
    int rank[MAX_RANKS], is_empty[MAX_GROUPS], n = 0;

    t.nranks += tree_random(MAX_RANKS - MAX_GROUPS + 1);
    shuffle(rank, t.nranks);
    for (int g = 0; g < t.ngroups; g++) {
        t.up[g] = g > 0 ? tree_random(g) : 0;
        is_empty[g] = 1;
        is_empty[t.up[g]] = t.up[g] == g;
    }
    for (int g = 0; g < t.ngroups; g++) { /* every group has a member */
        t.innermost[rank[n]] = g;
        n += is_empty[g];
    }
    for (; n < t.nranks; n++) {
        t.innermost[rank[n]] = tree_random(t.ngroups);
    }
    for (int r = 0; r < t.nranks; r++) {
        t.host[r] = r % 3 ? tree_random(HOSTS) : r % HOSTS;
        t.color[r] = tree_random(4) ? 0 : 1 + tree_random(2);
    }
    return t;
}

const char *tree_host_name(int host)
{
    static const char *const names[HOSTS] = {"a", "b", "c", "d", "e"};

    return names[host];
}

const char *tree_color_name(int color)
{
    static const char *const names[] = {"", "red", "blue"};

    return names[color];
}

int tree_are_alike(const struct tree *t, int x, int y)
{
    return t->innermost[x] == t->innermost[y] && t->host[x] == t->host[y] &&
           t->color[x] == t->color[y];
}

/* Add the leaf of a rank, and with it some of the other ranks that may share it. */
static int add_leaf(struct hitop_hierarchy_builder *b, const struct tree *t, int rank, int *leaf)
{
    struct hitop_ranks ranks = {0};
    int member[MAX_RANKS], n = 0, handle;

    for (int r = 0; r < t->nranks; r++) {
        if (r == rank || (leaf[r] < 0 && tree_are_alike(t, r, rank) && tree_random(2))) {
            member[n++] = r;
        }
    }
    ck_assert_int_eq(hitop_ranks_add(&ranks, member, n, NULL), HITOP_OK);
    handle = hitop_hierarchy_builder_leaves(b, ranks.range, ranks.n, tree_host_name(t->host[rank]));
    if (t->color[rank]) {
        hitop_hierarchy_builder_attr(b, handle, "color", tree_color_name(t->color[rank]));
    }
    for (int i = 0; i < n; i++) {
        leaf[member[i]] = handle;
    }
    hitop_ranks_clear(&ranks);
    return handle;
}

/* Nodes come in a random order, then edges. */
struct hitop_hierarchy *tree_build(const struct tree *t)
{
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    struct hitop_hierarchy *h = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const int n = t->nranks + t->ngroups;
    int order[MAX_RANKS + MAX_GROUPS], group[MAX_GROUPS], leaf[MAX_RANKS];
    int below[MAX_RANKS][2], nleaves = 0;

    memset(leaf, -1, sizeof(leaf));
    shuffle(order, n);
    for (int i = 0; i < n; i++) {
        const int rank = order[i];
        if (rank >= t->nranks) {
            char name[16];
            (void)snprintf(name, sizeof(name), "g%d", rank - t->nranks);
            group[rank - t->nranks] = hitop_hierarchy_builder_group(b, "level", name);
        } else if (leaf[rank] < 0) {
            below[nleaves][0] = add_leaf(b, t, rank, leaf);
            below[nleaves++][1] = t->innermost[rank];
        }
    }
    for (int i = 0; i < nleaves; i++) {
        hitop_hierarchy_builder_edge(b, below[i][0], group[below[i][1]]);
    }
    for (int g = t->ngroups - 1; g > 0; g--) {
        hitop_hierarchy_builder_edge(b, group[g], group[t->up[g]]);
    }
    ck_assert_msg(hitop_hierarchy_builder_finish(b, &h, &diag) == HITOP_OK, "%s", diag.message);
    hitop_hierarchy_builder_free(b);
    return h;
}

int tree_climb(const struct tree *t, int rank, int group)
{
    int steps = 1, at = t->innermost[rank];

    for (; at != group && at != 0; at = t->up[at]) {
        steps++;
    }
    return at == group ? steps : 0;
}

struct tree_facts tree_search(const struct tree *t, int group)
{
    struct tree_facts f = {.first_rank = -1};

    for (int r = t->nranks - 1; r >= 0; r--) {
        const int steps = tree_climb(t, r, group);
        f.first_rank = steps ? r : f.first_rank;
        f.count += steps > 0;
        f.height = steps > f.height ? steps : f.height;
    }
    for (int at = group; at != 0; at = t->up[at]) {
        f.depth++;
    }
    return f;
}

/* Groups count from the lowest upwards, at one height by their smallest rank. */
int tree_number_of(const struct tree *t, int group)
{
    const struct tree_facts mine = tree_search(t, group);
    int number = t->nranks;

    for (int g = 0; g < t->ngroups; g++) {
        const struct tree_facts f = tree_search(t, g);
        number +=
            f.height < mine.height || (f.height == mine.height && f.first_rank < mine.first_rank);
    }
    return number;
}
