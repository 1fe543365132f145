/* SPDX-License-Identifier: BSD-3-Clause */
/* tree_text.c - print a hierarchy with the ranks of every group, such as "0-3,8". */
#include <config.h>

#include "tree_text.h"

#include <stdlib.h>
#include <string.h>

struct line {
    int node, depth;
    int on_host; /* 1 when the name of the host stands above */
};

static int compare_ints(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;

    return (x > y) - (x < y);
}

/* Collect the ranks below node in ascending order; returns how many. */
static int list_ranks(const struct hitop_hierarchy *h, int node, int *stack, int *rank)
{
    int nstack = 0, n = 0;

    stack[nstack++] = node;
    while (nstack > 0) {
        int count;
        const int at = stack[--nstack];
        const int *child = hitop_hierarchy_children(h, at, &count);

        if (count == 0) {
            rank[n++] = at;
        }
        for (int i = 0; i < count; i++) {
            stack[nstack++] = child[i];
        }
    }
    qsort(rank, (size_t)n, sizeof(*rank), compare_ints);
    return n;
}

static void print_ranks(FILE *to, const int *rank, int n)
{
    for (int i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && rank[end] == rank[end - 1] + 1; end++) {
        }
        fprintf(to, i > 0 ? ",%d" : "%d", rank[i]);
        if (end - i > 1) {
            fprintf(to, "-%d", rank[end - 1]);
        }
    }
}

static void print_group(const struct hitop_hierarchy *h, struct line line, int *stack, int *rank,
                        FILE *to)
{
    const char *level = hitop_hierarchy_level(h, line.node);
    const char *name = hitop_hierarchy_name(h, line.node);
    const int n = list_ranks(h, line.node, stack, rank);

    fprintf(to, "%*s%s%s%s: rank%s ", 2 * line.depth, "", level[0] ? level : "group",
            name[0] ? " " : "", name, n > 1 ? "s" : "");
    print_ranks(to, rank, n);
    fputc('\n', to);
}

int tree_text_print(const struct hitop_hierarchy *h, FILE *to)
{
    const size_t nnodes = (size_t)hitop_hierarchy_nnodes(h);
    const int nranks = hitop_hierarchy_nranks(h);
    struct line *pending = calloc(nnodes, sizeof(*pending));
    int *stack = calloc(nnodes, sizeof(*stack));
    int *rank = calloc((size_t)nranks, sizeof(*rank));
    const int is_good = pending && stack && rank;
    int n = 0;

    if (is_good) {
        pending[n++] = (struct line){.node = hitop_hierarchy_root(h)};
    }
    while (n > 0) {
        const struct line line = pending[--n];
        const int is_host = strcmp(hitop_hierarchy_level(h, line.node), "host") == 0;
        int count;
        const int *child = hitop_hierarchy_children(h, line.node, &count);

        if (count > 0) {
            print_group(h, line, stack, rank, to);
        } else if (!line.on_host) {
            fprintf(to, "%*shost %s: rank %d\n", 2 * line.depth, "",
                    hitop_hierarchy_host(h, line.node), line.node);
        }
        for (int i = count; i > 0; i--) { /* the first child comes off the stack first */
            pending[n++] = (struct line){
                .node = child[i - 1], .depth = line.depth + 1, .on_host = line.on_host || is_host};
        }
    }
    free(rank);
    free(stack);
    free(pending);
    return is_good;
}
