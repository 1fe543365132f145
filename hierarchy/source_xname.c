/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source_xname.c - where in a Cray each host says it stands.
 *
 * Idea:   nodes are numbered through (nid001000), which says nothing; but every node has a file with the
 *         name of its place: cabinet, chassis, blade.
 * Use:    Cray XC and HPE Cray EX, without privileges.
 * Needs:  a running job: hosts on a list say nothing. source_xname_table.c is for them.
 * Source: /etc/cray/xname of HPE Cray EX, /proc/cray_xt/cname of Cray XT to XC.
 */
#include <config.h>

#include "xname.h"

#include <stdlib.h>

static const double confidence = 0.9;

static void xname_tell(char *out, size_t length)
{
    static const char *const files[] = {"/etc/cray/xname", "/proc/cray_xt/cname", NULL};

    xname_read(files, out, length);
}

static enum hitop_status xname_classify(const struct hitop_source_input *in,
                                        struct hitop_paths *paths, struct hitop_diag *diag)
{
    struct xname *at = calloc((size_t)in->nplaces, sizeof(*at));
    int nstrange = 0;
    enum hitop_status status;

    if (!at) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "xnames: out of memory");
    }
    for (int i = 0; i < in->nplaces; i++) {
        const char *fact = hitop_place_fact(&in->place[i], "xname");

        if (fact[0] && !xname_parse(fact, &at[i]) && nstrange++ == 0) {
            hitop_source_warn(in->how,
                              "host '%s' says that it is '%s', which is no xname of a node",
                              in->place[i].host, fact);
        }
    }
    status = xname_push(at, in, confidence, paths, diag);
    free(at);
    return status;
}

const struct hitop_source hitop_source_xname = {
    .name = "xname",
    .summary = "the place of a node in a Cray, which it knows itself",
    .layer = HITOP_LAYER_NETWORK,
    .trust = 0.9,
    .tell = xname_tell,
    .classify = xname_classify,
};
