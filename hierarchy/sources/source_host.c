/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source_host.c - ranks with one host name are on one host.
 *
 * Use:    always.
 * Needs:  a different name for each host; hierarchy/job makes names unique.
 */
#include <config.h>

#include "hitop/sys/source.h"

static enum hitop_status host_classify(const struct hitop_source_input *in,
                                       struct hitop_paths *paths, struct hitop_diag *diag)
{
    (void)diag;
    for (int i = 0; i < in->nplaces; i++) {
        hitop_paths_push(paths, i, "host", in->place[i].host, 1);
    }
    return HITOP_OK;
}

const struct hitop_source hitop_source_host = {
    .name = "host",
    .summary = "the host a rank runs on",
    .layer = HITOP_LAYER_HOST,
    .trust = 1,
    .classify = host_classify,
};
