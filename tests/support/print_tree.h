/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PRINT_TREE_H
#define PRINT_TREE_H

/* print_tree.h - compare the tree of some places with what a person wrote. */

#include "hitop/source.h"

#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>

/* Groups as level:name(members), ranks as numbers. */
static inline void print_tree(FILE *to, const struct hitop_hierarchy *h, int node)
{
    int count;
    const int *child = hitop_hierarchy_children(h, node, &count);

    if (count == 0) {
        fprintf(to, "%d", node);
        return;
    }
    fprintf(to, "%s:%s(", hitop_hierarchy_level(h, node), hitop_hierarchy_name(h, node));
    for (int i = 0; i < count; i++) {
        fputs(i > 0 ? " " : "", to);
        print_tree(to, h, child[i]);
    }
    fputc(')', to);
}

static inline void expect_tree(const struct hitop_place *place, int n,
                               const struct hitop_grouping *how, const char *wanted)
{
    struct hitop_hierarchy *h = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);

    ck_assert_msg(hitop_hierarchy_group(place, n, how, &h, &diag) == HITOP_OK, "%s", diag.message);
    print_tree(to, h, hitop_hierarchy_root(h));
    ck_assert_int_eq(fclose(to), 0);
    ck_assert_str_eq(text, wanted);
    free(text);
    hitop_hierarchy_free(h);
}

#endif /* PRINT_TREE_H */
