/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source_xname.c - the cabinet, chassis and blade of each host of a Cray.
 *
 * Idea:   the names of nodes are plain numbers (nid001000), but every node has a file with the name
 *         of its place: cabinet, chassis, blade.
 * Use:    Cray XC and HPE Cray EX, without privileges.
 * Needs:  a running job. For lists of hosts there is source_xname_table.c.
 * Source: /etc/cray/xname of HPE Cray EX, /proc/cray_xt/cname of Cray XT to XC.
 */
#include <config.h>

#include "hierarchy/sources/xname.h"

static const double confidence = 0.9;

static void xname_collect(char *out, size_t length)
{
    static const char *const files[] = {"/etc/cray/xname", "/proc/cray_xt/cname", NULL};

    hitop_xname_read(files, out, length);
}

static enum hitop_status xname_classify(const struct hitop_source_input *in,
                                        struct hitop_paths *paths, struct hitop_diag *diag)
{
    int is_warned = 0;

    (void)diag;
    for (int i = 0; i < in->nplaces; i++) {
        const char *fact = hitop_place_fact(&in->place[i], "xname");
        struct xname at;

        if (hitop_xname_parse(fact, &at)) {
            hitop_xname_push(&at, i, confidence, paths);
        } else if (fact[0] && !is_warned) {
            hitop_source_warn(in->how,
                              "host '%s' says that it is '%s', which is no xname of a node",
                              in->place[i].host, fact);
            is_warned = 1;
        }
    }
    return HITOP_OK;
}

const struct hitop_source hitop_source_xname = {
    .name = "xname",
    .summary = "the place of a node in a Cray, which it knows itself",
    .layer = HITOP_LAYER_NETWORK,
    .trust = 0.9,
    .collect = xname_collect,
    .classify = xname_classify,
};
