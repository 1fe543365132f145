/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source_prefixes.c - clusters by prefixes of host names that the user gives.
 *
 * Idea:   a host belongs to the longest prefix of its name. Case does not matter.
 * Use:    generate_hierarchy csi hcl; the first of the two rules of CPM.
 * Needs:  prefixes. The next source groups hosts that match none.
 * Source: manual of CPM, generate_hierarchy_input_file.
 */
#include <config.h>

#include "hitop/sys/source.h"

#include "hierarchy/names/host_blocks.h"

#include <string.h>
#include <strings.h>

static const double confidence = 1;

/* The longest prefix that host begins with, or NULL. */
static const char *find_prefix(const struct hitop_grouping *how, const char *host)
{
    const char *best = NULL;

    for (int i = 0; i < how->nprefixes; i++) {
        const char *prefix = how->prefixes[i];
        if (strncasecmp(host, prefix, strlen(prefix)) == 0 &&
            (!best || strlen(prefix) > strlen(best))) {
            best = prefix;
        }
    }
    return best;
}

static enum hitop_status prefixes_classify(const struct hitop_source_input *in,
                                           struct hitop_paths *paths, struct hitop_diag *diag)
{
    struct host_blocks blocks;

    (void)diag;
    hitop_host_blocks_begin(&blocks, in->how);
    for (int i = 0; i < in->nplaces; i++) {
        const char *host = in->place[i].host, *prefix = find_prefix(in->how, host);
        if (prefix && !hitop_paths_is_taken(paths, i)) {
            hitop_paths_push(paths, i, "cluster", prefix, confidence);
            hitop_host_blocks_add_host(&blocks, i, host, prefix);
        }
    }
    return hitop_host_blocks_end(&blocks, paths);
}

static int prefixes_is_requested(const struct hitop_grouping *how)
{
    return how->nprefixes > 0;
}

const struct hitop_source hitop_source_prefixes = {
    .name = "prefixes",
    .summary = "beginnings of host names that the user gave",
    .layer = HITOP_LAYER_NETWORK,
    .trust = 1,
    .is_requested = prefixes_is_requested,
    .classify = prefixes_classify,
};
