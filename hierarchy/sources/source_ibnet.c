/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source_ibnet.c - the switches of an InfiniBand fabric.
 *
 * Idea:   ibnetdiscover prints every cable. The first word of an adapter's description is its host
 *         ("node01 mlx5_0", "node01 HCA-1"). Hosts at the same switches form a group; fabric.h
 *         has the rule for outer groups.
 * Use:    clusters with InfiniBand whose administrators can make a dump.
 * Needs:  the output of ibnetdiscover(8), which needs root to run. Aggregation nodes in switches,
 *         adapters without a name, and hosts that the job does not have are skipped.
 */
#include <config.h>

#include "hitop/sys/source.h"

#include "hierarchy/sources/fabric.h"
#include "hierarchy/sources/ibnet.h"
#include "hitop/hosts.h"
#include "hitop/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAME = 128, MAX_TITLE = 80 };

struct charting {
    const struct hitop_source_input *in;
    struct ibnet net;
    int *host;          /* per node: place of an adapter's host, or -1 */
    int *sw;            /* per node: number of a switch, or -1 */
    const char **title; /* per switch; strings of net */
    struct fabric_link *port, *link;
    struct fabric fabric;
    struct fabric_layers layers;
};

/* The place of the host that an adapter is in, or -1. */
static int find_host(const struct charting *c, const char *description)
{
    static const char trimmed[] = "' ";
    const char *begin = description + strspn(description, trimmed);
    const size_t length = strcspn(begin, trimmed);
    char name[MAX_NAME];
    int place;

    if (length == 0 || length >= sizeof(name) || strstr(description, "Aggregation Node") ||
        strstr(description, "Mellanox Technologies")) {
        return -1;
    }
    memcpy(name, begin, length);
    name[length] = '\0';
    place = hitop_source_find(c->in, name);
    if (place < 0) {
        hitop_source_absent(c->in->how, name);
    }
    return place;
}

/* Number the switches and look up the hosts. */
static void sort_nodes(struct charting *c)
{
    for (int i = 0; i < c->net.nnodes; i++) {
        const struct ibnet_node *node = &c->net.node[i];

        c->sw[i] = node->kind == IBNET_SWITCH ? c->fabric.nswitches++ : -1;
        c->host[i] = node->kind == IBNET_ADAPTER ? find_host(c, node->description) : -1;
    }
}

/* Collect cables between switches, and those from hosts of the job to switches. */
static void sort_links(struct charting *c)
{
    for (int i = 0; i < c->net.nlinks; i++) {
        const int from = c->net.link[i].from, to = c->net.link[i].to;
        const int switches = (c->sw[from] >= 0) + (c->sw[to] >= 0);

        if (switches == 2) {
            c->link[c->fabric.nlinks++] = (struct fabric_link){c->sw[from], c->sw[to]};
        } else if (switches == 1) {
            const int adapter = c->sw[from] >= 0 ? to : from;
            const struct fabric_link port = {c->host[adapter], c->sw[c->sw[from] >= 0 ? from : to]};
            if (port.from >= 0) {
                c->port[c->fabric.nports++] = port;
            }
        }
    }
    c->fabric.port = c->port;
    c->fabric.link = c->link;
    c->fabric.nhosts = c->in->nplaces;
}

static int by_version(const void *a, const void *b)
{
    return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

/*
 * The name of a group: its switches, "leaf[1-8]". For an outer group with many switches it is
 * "spine1 and 35 more", which is unique, because groups of one layer share no switch.
 */
static const char *name_group(struct charting *c, int layer, int group)
{
    const struct fabric_layer *l = &c->layers.layer[layer];
    const int n = l->first[group + 1] - l->first[group];
    const char **title, *kept;
    char *name = NULL;

    if (!STORAGE_ARRAY(&c->net.text, title, n)) {
        return "";
    }
    for (int i = 0; i < n; i++) {
        title[i] = c->title[l->sw[l->first[group] + i]];
    }
    qsort(title, (size_t)n, sizeof(*title), by_version);
    if (hitop_hosts_compress(title, n, &name, NULL) != HITOP_OK) {
        c->net.text.out_of_memory = 1;
        return "";
    }
    kept = layer > 0 && strlen(name) > MAX_TITLE
               ? hitop_storage_print(&c->net.text, "%s and %d more", title[0], n - 1)
               : hitop_storage_text(&c->net.text, name);
    free(name);
    return kept;
}

static void push_layer(struct charting *c, int layer, struct hitop_paths *paths)
{
    const struct fabric_layer *l = &c->layers.layer[layer];
    const char *level = layer == 0 ? "switch" : layer + 1 == c->layers.n ? "fabric" : "pod";
    const char **name;

    if (!STORAGE_ARRAY(&c->net.text, name, l->ngroups)) {
        return;
    }
    for (int g = 0; g < l->ngroups; g++) {
        name[g] = name_group(c, layer, g);
    }
    for (int h = 0; h < c->in->nplaces; h++) {
        if (l->group[h] >= 0) {
            hitop_paths_push(paths, h, level, name[l->group[h]], 1);
        }
    }
}

/* Warn about errors of ibnetdiscover and about missing cables. */
static void warn_about_cables(const struct charting *c)
{
    const int *missing = c->layers.missing;
    int nfewer = 0, fewer = 0;

    if (c->net.nerrors > 0) {
        hitop_source_warn(c->in->how,
                          "%s:%d: ibnetdiscover reports %d errors, so that switches or cables may "
                          "be missing",
                          hitop_input_name(c->in->file), c->net.error_line, c->net.nerrors);
    }
    for (int h = c->in->nplaces - 1; h >= 0; h--) {
        nfewer += missing[h] > 0;
        fewer = missing[h] > 0 ? h : fewer;
    }
    if (nfewer > 0) {
        hitop_source_warn(c->in->how,
                          "%s: %d of %d hosts are at fewer switches than their neighbours, the "
                          "first is '%s' with %d missing",
                          hitop_input_name(c->in->file), nfewer, c->in->nplaces,
                          c->in->place[fewer].host, missing[fewer]);
    }
}

static enum hitop_status ibnet_classify(const struct hitop_source_input *in,
                                        struct hitop_paths *paths, struct hitop_diag *diag)
{
    struct charting c = {.in = in};
    struct storage *storage = &c.net.text;
    enum hitop_status status = hitop_ibnet_read(in->file, &c.net, diag);
    const int nnodes = c.net.nnodes, nlinks = c.net.nlinks;

    if (status == HITOP_OK && STORAGE_ARRAY(storage, c.host, nnodes) &&
        STORAGE_ARRAY(storage, c.sw, nnodes) && STORAGE_ARRAY(storage, c.port, nlinks) &&
        STORAGE_ARRAY(storage, c.link, nlinks) && (c.title = hitop_ibnet_title_switches(&c.net))) {
        sort_nodes(&c);
        sort_links(&c);
        status = hitop_fabric_find_layers(&c.fabric, storage, &c.layers);
    }
    if (status == HITOP_OK) {
        status = storage_status(storage);
    }
    for (int layer = c.layers.n - 1; layer >= 0 && status == HITOP_OK; layer--) {
        push_layer(&c, layer, paths);
    }
    if (status == HITOP_OK) {
        warn_about_cables(&c);
        status = storage_status(storage);
    }
    hitop_storage_clear(storage);
    return status;
}

const struct hitop_source hitop_source_ibnet = {
    .name = "ibnet",
    .summary = "the switches of an InfiniBand fabric, from ibnetdiscover",
    .layer = HITOP_LAYER_NETWORK,
    .trust = 1,
    .spans_sites = 1,
    .option = "ibnetdiscover",
    .argument = "FILE",
    .classify = ibnet_classify,
};
