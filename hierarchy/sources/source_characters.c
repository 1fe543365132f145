/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source_characters.c - hosts whose names share their first K characters form a cluster.
 *
 * Idea:   the second of the two rules of CPM, where K was 3. Case does not matter.
 * Use:    generate_hierarchy --prefix-length 3, to get the groups of CPM.
 * Needs:  the number K. Only characters before the first dot count; a shorter name is a cluster.
 * Source: manual of CPM, generate_hierarchy_input_file.
 */
#include <config.h>

#include "hitop/sys/source.h"

#include "hierarchy/names/host_blocks.h"
#include "hierarchy/names/host_name.h"

#include <stdlib.h>

static const double confidence = 0.5;

static enum hitop_status characters_classify(const struct hitop_source_input *in,
                                             struct hitop_paths *paths, struct hitop_diag *diag)
{
    const size_t most = (size_t)in->how->prefix_length;
    char *name = calloc(most + 1, 1);
    struct host_blocks blocks;

    (void)diag;
    if (!name) {
        return HITOP_ERR_NOMEM;
    }
    hitop_host_blocks_begin(&blocks, in->how);
    for (int i = 0; i < in->nplaces && most > 0; i++) {
        const char *host = in->place[i].host;
        const size_t whole = hitop_host_name_short_length(host),
                     length = whole < most ? whole : most;
        if (hitop_paths_is_taken(paths, i)) {
            continue;
        }
        for (size_t k = 0; k < length; k++) {
            name[k] = hitop_host_name_lower(host[k]);
        }
        name[length] = '\0';
        hitop_paths_push(paths, i, "cluster", name, confidence);
        hitop_host_blocks_add_host(&blocks, i, host, name);
    }
    free(name);
    return hitop_host_blocks_end(&blocks, paths);
}

static int characters_is_requested(const struct hitop_grouping *how)
{
    return how->prefix_length > 0;
}

const struct hitop_source hitop_source_characters = {
    .name = "characters",
    .summary = "the first characters of host names, on request",
    .layer = HITOP_LAYER_NETWORK,
    .trust = 0.7, /* more than that of names, because --block may request both */
    .is_requested = characters_is_requested,
    .classify = characters_classify,
};
