/* SPDX-License-Identifier: BSD-3-Clause */
/* diff_groups.c - tell which groups came, went, moved or are called something else. */
#include <config.h>

#include "hierarchy/edit/diff.h"

#include <string.h>

static int is_lone(const struct diff_side *side, int node)
{
    return side->match[node] == HITOP_NO_NODE;
}

/* How many groups of this level there are, and how many of them the other side does not have. */
static void count_level(const struct diff_side *side, const char *level, int *total, int *lone)
{
    *total = *lone = 0;
    for (int node = hitop_hierarchy_nranks(side->h); node < hitop_hierarchy_nnodes(side->h);
         node++) {
        if (strcmp(hitop_hierarchy_level(side->h, node), level) == 0) {
            ++*total;
            *lone += is_lone(side, node);
        }
    }
}

/* A level that only one side has is told once, and not with each of its groups. */
static int is_lone_level(const struct diff_side *side, const struct diff_side *other,
                         const char *level, int *count)
{
    int lone, theirs, theirs_lone;

    if (!level[0]) {
        return 0;
    }
    count_level(side, level, count, &lone);
    count_level(other, level, &theirs, &theirs_lone);
    return *count > 1 && *count == lone && theirs == 0;
}

static int is_first_of_level(const struct hitop_hierarchy *h, int node)
{
    for (int i = hitop_hierarchy_nranks(h); i < node; i++) {
        if (strcmp(hitop_hierarchy_level(h, i), hitop_hierarchy_level(h, node)) == 0) {
            return 0;
        }
    }
    return 1;
}

static void tell_lone_group(struct diff *d, const struct diff_side *side, int node,
                            const char *what)
{
    const int up = hitop_hierarchy_parent(side->h, node);
    const int n = hitop_hierarchy_count_ranks(side->h, node);

    diff_tell(d, "%s: %s%s%s, %d rank%s", diff_title(side->h, node).text, what,
              up == HITOP_NO_NODE ? ""
              : what[0] == 'g'    ? " from "
                                  : " in ",
              up == HITOP_NO_NODE ? "" : diff_title(side->h, up).text, n, n > 1 ? "s" : "");
}

static void tell_lone_groups(struct diff *d, const struct diff_side *side,
                             const struct diff_side *other, const char *what)
{
    const char *level = NULL; /* the one looked at last; groups of a level mostly stand together */
    int is_level_lone = 0, count = 0;

    for (int node = hitop_hierarchy_nranks(side->h); node < hitop_hierarchy_nnodes(side->h);
         node++) {
        if (!is_lone(side, node)) {
            continue;
        }
        if (!level || strcmp(level, hitop_hierarchy_level(side->h, node)) != 0) {
            level = hitop_hierarchy_level(side->h, node);
            is_level_lone = is_lone_level(side, other, level, &count);
        }
        if (!is_level_lone) {
            tell_lone_group(d, side, node, what);
        } else if (is_first_of_level(side->h, node)) {
            diff_tell(d, "level %s: %s, %d groups", level, what, count);
        }
    }
}

static void tell_words(struct diff *d, int a, int b)
{
    const char *old_level = hitop_hierarchy_level(d->a.h, a);
    const char *old_name = hitop_hierarchy_name(d->a.h, a);
    const char *level = hitop_hierarchy_level(d->b.h, b), *name = hitop_hierarchy_name(d->b.h, b);

    if (strcmp(old_name, name) != 0) {
        diff_tell(d, "%s: its name is now \"%s\"", diff_title(d->a.h, a).text, name);
    }
    if (strcmp(old_level, level) != 0) {
        diff_tell(d, "%s: its level is now \"%s\"", diff_title(d->a.h, a).text, level);
    }
}

static void tell_move(struct diff *d, int a, int b)
{
    const int old_up = diff_common_parent(&d->a, a), up = diff_common_parent(&d->b, b);
    const int from = old_up == HITOP_NO_NODE ? HITOP_NO_NODE : d->a.match[old_up];

    if (from != up) {
        diff_tell(d, "%s: moved from %s to %s", diff_title(d->a.h, a).text,
                  from == HITOP_NO_NODE ? "the top" : diff_title(d->b.h, from).text,
                  up == HITOP_NO_NODE ? "the top" : diff_title(d->b.h, up).text);
    }
}

void diff_groups(struct diff *d)
{
    tell_lone_groups(d, &d->a, &d->b, "gone");
    tell_lone_groups(d, &d->b, &d->a, "new");
    for (int a = hitop_hierarchy_nranks(d->a.h); a < hitop_hierarchy_nnodes(d->a.h); a++) {
        if (!is_lone(&d->a, a)) {
            tell_words(d, a, d->a.match[a]);
        }
    }
    for (int a = hitop_hierarchy_nranks(d->a.h); a < hitop_hierarchy_nnodes(d->a.h); a++) {
        if (!is_lone(&d->a, a)) {
            tell_move(d, a, d->a.match[a]);
        }
    }
}
