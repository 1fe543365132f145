/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lint_hosts.c - find hosts of a correct tree that are in several groups, or spelled in two ways.
 */
#include <config.h>

#include "hierarchy/lint/lint.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* By host and place in the file. */
static int compare_leaves(const void *a, const void *b)
{
    const struct lint_node *x = *(const struct lint_node *const *)a;
    const struct lint_node *y = *(const struct lint_node *const *)b;
    const int order = strcmp(x->data, y->data);

    return order ? order : (x > y) - (x < y);
}

static int index_of(const struct lint *l, const struct lint_node *node)
{
    return (int)(node - l->node);
}

/* The lowest node that is or contains both. */
static int find_common(const struct lint *l, int a, int b)
{
    while (a != b) {
        if (l->node[a].depth >= l->node[b].depth) {
            a = l->node[a].parent;
        } else {
            b = l->node[b].parent;
        }
    }
    return a;
}

/*
 * Warn unless the leaves of one host are members of one group, or share a group without other
 * hosts.
 */
static void check_host(struct lint *l, const struct lint_node **leaf, int n)
{
    const struct lint_node *stray = NULL;
    int common = index_of(l, leaf[0]);

    for (int i = 1; i < n; i++) {
        common = find_common(l, common, index_of(l, leaf[i]));
        stray = !stray && leaf[i]->parent != leaf[0]->parent ? leaf[i] : stray;
    }
    if (stray && l->node[common].nleaves > n) {
        hitop_lint_warn(
            l, hitop_lint_line(l, index_of(l, stray)),
            "host \"%s\": nodes \"%s\" and \"%s\" are in different groups, \"%s\" and \"%s\", "
            "which meet in \"%s\" only",
            stray->data, leaf[0]->id, stray->id, l->node[leaf[0]->parent].id,
            l->node[stray->parent].id, l->node[common].id);
    }
}

/* By short name, then by full name, both without regard to case; then by spelling. */
static int compare_spelling(const void *a, const void *b)
{
    const struct lint_node *x = *(const struct lint_node *const *)a;
    const struct lint_node *y = *(const struct lint_node *const *)b;
    const size_t n = strcspn(x->data, "."), m = strcspn(y->data, ".");
    int order = strncasecmp(x->data, y->data, n < m ? n : m);

    order = order ? order : (n > m) - (n < m);
    order = order ? order : strcasecmp(x->data, y->data);
    order = order ? order : strcmp(x->data, y->data);
    return order ? order : (x > y) - (x < y);
}

static int has_same_short_name(const char *a, const char *b)
{
    const size_t n = strcspn(a, "."), m = strcspn(b, ".");

    return n == m && strncasecmp(a, b, n) == 0;
}

/*
 * Compare neighbours of the list, which compare_spelling() has sorted: of equal short names, the
 * one without a domain is first.
 */
static void check_spelling(struct lint *l, const struct lint_node **leaf, int n)
{
    const struct lint_node *bare = NULL;

    for (int i = 1; i < n; i++) {
        const struct lint_node *x = leaf[i - 1], *y = leaf[i];
        const int line = hitop_lint_line(l, index_of(l, y));

        if (!has_same_short_name(x->data, y->data)) {
            bare = NULL;
        } else if (strcmp(x->data, y->data) == 0) {
            continue;
        } else if (strcasecmp(x->data, y->data) == 0) {
            hitop_lint_warn(l, line, "host \"%s\": differs from \"%s\" in case only", y->data,
                            x->data);
        } else if (!strchr(x->data, '.') && !bare) {
            bare = x;
            hitop_lint_warn(l, line, "host \"%s\": differs from \"%s\" in its domain only", y->data,
                            x->data);
        }
    }
}

void hitop_lint_hosts(struct lint *l)
{
    const struct lint_node **leaf;
    int n = 0;

    if (!STORAGE_ARRAY(&l->storage, leaf, l->nnodes)) {
        return;
    }
    for (int i = 0; i < l->nnodes; i++) {
        if (l->node[i].kind == LINT_LEAF) {
            leaf[n++] = &l->node[i];
        }
    }
    qsort(leaf, (size_t)n, sizeof(*leaf), compare_leaves);
    for (int i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && strcmp(leaf[end]->data, leaf[i]->data) == 0; end++) {
        }
        check_host(l, leaf + i, end - i);
    }
    qsort(leaf, (size_t)n, sizeof(*leaf), compare_spelling);
    check_spelling(l, leaf, n);
}
