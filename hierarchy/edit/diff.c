/* SPDX-License-Identifier: BSD-3-Clause */
/* diff.c - tell what differs between two hierarchies. */
#include <config.h>

#include "hierarchy/edit/diff.h"

#include "hierarchy/tree/same_rank.h"
#include "hitop/edit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void diff_tell(struct diff *d, const char *fmt, ...)
{
    char text[1024];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    for (char *p = text; *p; p++) { /* names are other people's data; a difference is one line */
        *p = (unsigned char)*p < ' ' || *p == 0x7f ? '?' : *p;
    }
    d->found(d->data, text);
}

struct diff_title diff_title(const struct hitop_hierarchy *h, int node)
{
    const char *level = hitop_hierarchy_level(h, node);
    struct diff_title t;

    if (node < hitop_hierarchy_nranks(h)) {
        (void)snprintf(t.text, sizeof(t.text), "host %s", hitop_hierarchy_host(h, node));
    } else if (hitop_hierarchy_name(h, node)[0] || node == hitop_hierarchy_root(h)) {
        const char *name = hitop_hierarchy_name(h, node);
        (void)snprintf(t.text, sizeof(t.text), "%s%s%s",
                       level[0]                          ? level
                       : node == hitop_hierarchy_root(h) ? "root"
                                                         : "group",
                       name[0] ? " " : "", name);
    } else {
        (void)snprintf(t.text, sizeof(t.text), "%s around host %s", level[0] ? level : "group",
                       hitop_hierarchy_host(h, hitop_hierarchy_first_rank(h, node)));
    }
    return t;
}

int diff_common_parent(const struct diff_side *side, int node)
{
    int up = hitop_hierarchy_parent(side->h, node);

    while (up != HITOP_NO_NODE && side->match[up] == HITOP_NO_NODE) {
        up = hitop_hierarchy_parent(side->h, up);
    }
    return up;
}

/* Parents have larger numbers than their members. */
static void place_ranks(struct diff_side *side)
{
    const struct hitop_hierarchy *h = side->h;

    for (int node = hitop_hierarchy_root(h); node >= 0; node--) {
        int count, place = side->begin[node];
        const int *child = hitop_hierarchy_children(h, node, &count);

        for (int i = 0; i < count; i++) {
            side->begin[child[i]] = place;
            place += hitop_hierarchy_count_ranks(h, child[i]);
        }
        if (count == 0) {
            side->rank_at[place] = node;
        }
    }
}

static int side_begin(struct diff_side *side, const struct hitop_hierarchy *h)
{
    const size_t n = (size_t)hitop_hierarchy_nnodes(h);

    side->h = h;
    side->match = calloc(n, sizeof(int));
    side->begin = calloc(n, sizeof(int));
    side->rank_at = calloc((size_t)hitop_hierarchy_nranks(h), sizeof(int));
    side->count = calloc(n, sizeof(int));
    if (!side->match || !side->begin || !side->rank_at || !side->count) {
        return 0;
    }
    for (size_t i = 0; i < n; i++) {
        side->match[i] = HITOP_NO_NODE;
    }
    place_ranks(side);
    return 1;
}

static void side_end(struct diff_side *side)
{
    free(side->count);
    free(side->rank_at);
    free(side->begin);
    free(side->match);
}

static struct host_entry *list_hosts(const struct hitop_hierarchy *h)
{
    const int n = hitop_hierarchy_nranks(h);
    struct host_entry *entry = calloc((size_t)n, sizeof(*entry));

    for (int rank = 0; entry && rank < n; rank++) {
        entry[rank] = (struct host_entry){hitop_hierarchy_host(h, rank), rank};
    }
    if (entry) {
        sort_by_host(entry, n);
    }
    return entry;
}

static void compare(struct diff *d)
{
    struct host_entry *a = list_hosts(d->a.h), *b = list_hosts(d->b.h);

    if (!a || !b) {
        d->out_of_memory = 1;
    } else {
        match_ranks(a, hitop_hierarchy_nranks(d->a.h), b, hitop_hierarchy_nranks(d->b.h),
                    d->a.match, d->b.match);
        diff_match_groups(d);
        diff_hosts(d, a, b);
        diff_groups(d);
        diff_attrs(d, a);
    }
    free(b);
    free(a);
}

enum hitop_status hitop_hierarchy_diff(const struct hitop_hierarchy *a,
                                       const struct hitop_hierarchy *b,
                                       void (*found)(void *data, const char *line), void *data,
                                       struct hitop_diag *diag)
{
    struct diff d = {.found = found, .data = data};

    if (side_begin(&d.a, a) & side_begin(&d.b, b)) {
        compare(&d);
    } else {
        d.out_of_memory = 1;
    }
    side_end(&d.b);
    side_end(&d.a);
    return d.out_of_memory ? hitop_fail(diag, HITOP_ERR_NOMEM, "difference: out of memory")
                           : HITOP_OK;
}
