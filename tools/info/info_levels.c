/* SPDX-License-Identifier: BSD-3-Clause */
/* info_levels.c - the levels of a hierarchy, and its ranks or hosts as places of a matrix. */
#include <config.h>

#include "tools/info/info.h"

#include <stdlib.h>
#include <string.h>

/* Groups have higher numbers than their members, so the outermost group of a level comes first. */
enum hitop_status info_levels_fill(struct info_levels *levels, const struct hitop_hierarchy *h,
                                   struct hitop_diag *diag)
{
    const int nranks = hitop_hierarchy_nranks(h);
    const int ngroups = hitop_hierarchy_nnodes(h) - nranks;

    *levels = (struct info_levels){.level = calloc((size_t)ngroups, sizeof(*levels->level)),
                                   .of_group = calloc((size_t)ngroups, sizeof(int))};
    if (!levels->level || !levels->of_group) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "%d groups: out of memory", ngroups);
    }
    for (int group = ngroups - 1; group >= 0; group--) {
        const char *name = hitop_hierarchy_level(h, nranks + group);
        int i = 0;
        while (i < levels->n && strcmp(levels->level[i].name, name) != 0) {
            i++;
        }
        levels->n += i == levels->n;
        levels->level[i].name = name;
        levels->level[i].ngroups++;
        levels->of_group[group] = i;
    }
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

const char *info_member_name(const struct hitop_hierarchy *h, int node, char out[32])
{
    const char *name = hitop_hierarchy_name(h, node);

    if (name[0]) {
        return name;
    }
    (void)snprintf(out, 32, "%s %d", node < hitop_hierarchy_nranks(h) ? "rank" : "node", node);
    return out;
}

static int host_of(const struct hitop_hierarchy *h, int rank)
{
    return hitop_hierarchy_rank_on_host(h, hitop_hierarchy_host(h, rank));
}

enum hitop_status info_places_fill(struct info_places *places, const struct hitop_hierarchy *h,
                                   int by_host, struct hitop_diag *diag)
{
    const int nranks = hitop_hierarchy_nranks(h), root = hitop_hierarchy_root(h);
    int *index = calloc((size_t)nranks, sizeof(*index)); /* place of each rank that has one */

    *places = (struct info_places){.place = calloc((size_t)nranks, sizeof(*places->place)),
                                   .are_hosts = by_host};
    if (!index || !places->place) {
        free(index);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "%d ranks: out of memory", nranks);
    }
    for (int node = root; node != HITOP_NO_NODE; node = hitop_hierarchy_next(h, root, node)) {
        if (node < nranks && (!by_host || host_of(h, node) == node)) {
            index[node] = places->n;
            places->place[places->n++] = (struct info_place){node, HITOP_NO_RANK};
        }
    }
    for (int rank = nranks - 1; by_host && rank >= 0; rank--) {
        const int first = host_of(h, rank);
        if (rank != first) {
            places->place[index[first]].second = rank;
        }
    }
    free(index);
    return HITOP_OK;
}

void info_places_clear(struct info_places *places)
{
    free(places->place);
    *places = (struct info_places){0};
}

int info_places_pair(const struct info_places *places, int row, int column, int pair[2])
{
    pair[0] = places->place[row].rank;
    pair[1] = row == column ? places->place[row].second : places->place[column].rank;
    return pair[1] != HITOP_NO_RANK;
}
