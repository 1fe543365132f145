/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source_hardware.c - groups of hosts with different hardware in one cluster.
 *
 * Idea:   hosts that share all groups of the network are compared by their hardware. If properties
 *         differ, they form groups named after these: "64 cores, 256 GiB". If none differs, there
 *         is no level.
 * Use:    clusters with hosts of several generations; jobs with hosts of several partitions.
 * Needs:  facts "hardware", see hardware.h. A missing property counts as that of the other hosts if
 *         these agree, and as unknown if they do not.
 */
#include <config.h>

#include "hierarchy/sources/hardware_kind.h"
#include "hierarchy/tree/group_impl.h"

#include <stdlib.h>
#include <string.h>

static const double complete = 1, incomplete = 0.5;

struct member {
    const struct hitop_paths *paths;
    const char *fact;
    int place;
    int kind; /* index in the cluster's kinds */
};

static int compare_networks(const struct member *x, const struct member *y)
{
    const struct path_step *step = x->paths->step;
    int i = x->paths->first[x->place], j = y->paths->first[y->place];

    while (i >= 0 && j >= 0) {
        const int order = hitop_compare_steps(&step[i], &step[j]);
        if (order) {
            return order;
        }
        i = step[i].next;
        j = step[j].next;
    }
    return (i >= 0) - (j >= 0);
}

static int by_network_then_fact(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    int order = compare_networks(x, y);

    if (!order) {
        order = strcmp(x->fact, y->fact);
    }
    return order ? order : (x->place > y->place) - (x->place < y->place);
}

/* Push the kinds of one cluster; hosts with equal facts are contiguous. */
static void push_kinds(struct member *member, int n, struct hardware_kind *kind,
                       const struct hardware_kind **order, struct hitop_paths *paths)
{
    int nkinds = 0;

    for (int i = 0; i < n; i++) {
        if (i == 0 || strcmp(member[i].fact, member[i - 1].fact) != 0) {
            hitop_hardware_kind_read(member[i].fact, &kind[nkinds++]);
        }
        member[i].kind = nkinds - 1;
    }
    if (!hitop_hardware_kind_name(kind, nkinds, order)) {
        return;
    }
    for (int i = 0; i < n; i++) {
        const struct hardware_kind *own = &kind[member[i].kind];
        hitop_paths_push(paths, member[i].place, "hardware", own->name,
                         own->is_complete ? complete : incomplete);
    }
}

static enum hitop_status hardware_classify(const struct hitop_source_input *in,
                                           struct hitop_paths *paths, struct hitop_diag *diag)
{
    const int n = in->nplaces;
    struct storage scratch = {0};
    struct member *member;
    struct hardware_kind *kind;
    const struct hardware_kind **order;
    enum hitop_status status;
    int any = 0;

    (void)diag;
    for (int i = 0; i < n && !any && !in->how->ignore_hardware; i++) {
        any = hitop_place_fact(&in->place[i], "hardware")[0] != '\0';
    }
    if (any && STORAGE_ARRAY(&scratch, member, n) && STORAGE_ARRAY(&scratch, kind, n) &&
        STORAGE_ARRAY(&scratch, order, n)) {
        for (int i = 0; i < n; i++) {
            member[i] = (struct member){paths, hitop_place_fact(&in->place[i], "hardware"), i, 0};
        }
        qsort(member, (size_t)n, sizeof(*member), by_network_then_fact);
        /* pushing changes the paths that are compared, so that the end is found first */
        for (int begin = 0, end; begin < n; begin = end) {
            for (end = begin + 1; end < n && compare_networks(&member[begin], &member[end]) == 0;
                 end++) {
            }
            push_kinds(member + begin, end - begin, kind, order, paths);
        }
    }
    status = storage_status(&scratch);
    hitop_storage_clear(&scratch);
    return status;
}

const struct hitop_source hitop_source_hardware = {
    .name = "hardware",
    .summary = "processors, caches, memory and accelerators that differ within a cluster",
    .layer = HITOP_LAYER_HARDWARE,
    .trust = 1,
    .classify = hardware_classify,
};
