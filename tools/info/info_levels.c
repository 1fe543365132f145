/* SPDX-License-Identifier: BSD-3-Clause */
/* info_levels.c - put the groups of a hierarchy on levels by what their levels are called. */
#include <config.h>

#include "tools/info/info_levels.h"

#include <stdlib.h>
#include <string.h>

struct named {
    const char *name;
    int group; /* node */
};

/* By name, and within a name the outermost first. */
static int compare_names(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    const int order = strcmp(x->name, y->name);

    return order ? order : (x->group < y->group) - (x->group > y->group);
}

static int compare_outermost(const void *a, const void *b)
{
    const struct info_level *x = a, *y = b;

    return (x->outermost < y->outermost) - (x->outermost > y->outermost);
}

/* Groups that follow each other with equal names are a level. */
static void find_levels(struct info_levels *levels, const struct named *named, int ngroups)
{
    for (int i = 0; i < ngroups; i++) {
        if (i == 0 || strcmp(named[i].name, named[i - 1].name) != 0) {
            levels->level[levels->n++] =
                (struct info_level){.name = named[i].name, .outermost = named[i].group};
        }
        levels->level[levels->n - 1].ngroups++;
    }
    qsort(levels->level, (size_t)levels->n, sizeof(*levels->level), compare_outermost);
}

/* Within a name only the first group begins a level, whose index the others take over. */
static void place_groups(struct info_levels *levels, const struct named *named, int ngroups,
                         int nranks)
{
    for (int i = 0; i < levels->n; i++) {
        levels->of_group[levels->level[i].outermost - nranks] = i;
    }
    for (int i = 1; i < ngroups; i++) {
        if (strcmp(named[i].name, named[i - 1].name) == 0) {
            levels->of_group[named[i].group - nranks] =
                levels->of_group[named[i - 1].group - nranks];
        }
    }
}

enum hitop_status info_levels_fill(struct info_levels *levels, const struct hitop_hierarchy *h,
                                   struct hitop_diag *diag)
{
    const int nranks = hitop_hierarchy_nranks(h);
    const int ngroups = hitop_hierarchy_nnodes(h) - nranks;
    struct named *named = calloc((size_t)ngroups, sizeof(*named));

    *levels = (struct info_levels){.level = calloc((size_t)ngroups, sizeof(*levels->level)),
                                   .of_group = calloc((size_t)ngroups, sizeof(int))};
    if (!named || !levels->level || !levels->of_group) {
        free(named);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "%d groups: out of memory", ngroups);
    }
    for (int i = 0; i < ngroups; i++) {
        named[i] = (struct named){hitop_hierarchy_level(h, nranks + i), nranks + i};
    }
    qsort(named, (size_t)ngroups, sizeof(*named), compare_names);
    find_levels(levels, named, ngroups);
    place_groups(levels, named, ngroups, nranks);
    free(named);
    return HITOP_OK;
}

void info_levels_clear(struct info_levels *levels)
{
    free(levels->of_group);
    free(levels->level);
    *levels = (struct info_levels){0};
}

const char *info_shown(const char *name)
{
    return name[0] ? name : "-";
}
