/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source_domain.c - groups by the domain, the part of a host name behind the first dot.
 *
 * Idea:   hosts of one domain are at one site. Domains with equal ends (cs.example.edu and
 *         phys.example.edu) share an outer group; a single last label (edu) makes no group.
 * Use:    fully qualified names of several sites.
 * Needs:  names only. Hosts without a domain form a group if others have one.
 */
#include <config.h>

#include "hierarchy/names/host_name.h"
#include "hitop/sys/source.h"

#include <stdlib.h>
#include <string.h>

static const double confidence = 0.8;

/* Push groups from "example.edu" inwards to "cs.example.edu"; a dot at the end is removed. */
static void push_domain(struct hitop_paths *paths, int index, char *domain)
{
    const size_t length = strlen(domain);
    char *at = domain + length;
    int nlabels = 0;

    for (size_t i = 0; i < length; i++) {
        domain[i] = hitop_host_name_lower(domain[i]);
    }
    if (length > 1 && at[-1] == '.') {
        *--at = '\0';
    }

    do {
        at -= at > domain && nlabels > 0; /* over the dot */
        while (at > domain && at[-1] != '.') {
            at--;
        }
        nlabels++;
        if (nlabels > 1 || at == domain) {
            hitop_paths_push(paths, index, "domain", at, confidence);
        }
    } while (at > domain);
}

static enum hitop_status domain_classify(const struct hitop_source_input *in,
                                         struct hitop_paths *paths, struct hitop_diag *diag)
{
    int any = 0;
    char *domain;

    (void)diag;
    for (int i = 0; i < in->nplaces && !any; i++) {
        any = hitop_host_name_domain(in->place[i].host)[0] != '\0';
    }
    for (int i = 0; i < in->nplaces && any && !in->how->ignore_domain; i++) {
        domain = strdup(hitop_host_name_domain(in->place[i].host));
        if (!domain) {
            return HITOP_ERR_NOMEM;
        }
        push_domain(paths, i, domain);
        free(domain);
    }
    return HITOP_OK;
}

const struct hitop_source hitop_source_domain = {
    .name = "domain",
    .summary = "the part of a host name behind the first dot",
    .layer = HITOP_LAYER_SITE,
    .trust = 0.8,
    .classify = domain_classify,
};
