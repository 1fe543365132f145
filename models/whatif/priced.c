/* SPDX-License-Identifier: BSD-3-Clause */
/* priced.c - a model from latency and bandwidth at the groups of a hierarchy. */
#include <config.h>

#include "models/whatif/whatif.h"

#include "hitop/text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An attribute in one of two forms: with a unit, or a number of a fixed unit. */
struct quantity {
    const char *key, *plain_key;
    double unit; /* of the plain number */
    const char *example;
    enum hitop_status (*parse)(const char *text, double *out, struct hitop_diag *diag);
};

static const struct quantity quantities[] = {
    {"latency", "latency_us", 1e-6, "latency=\"12us\"", hitop_text_seconds},
    {"bandwidth", "bandwidth_MBps", 1e6, "bandwidth=\"1.2GB/s\"", hitop_text_rate},
};

enum { NQUANTITIES = 2, MOST = 1000 /* seconds, the largest latency of a model */ };

static const char *attribute(const struct hitop_hierarchy *h, int node, const struct quantity *q)
{
    const char *text = hitop_hierarchy_attr(h, node, q->key);

    return text ? text : hitop_hierarchy_attr(h, node, q->plain_key);
}

static int has_both(const struct hitop_hierarchy *h, int node)
{
    return attribute(h, node, &quantities[0]) && attribute(h, node, &quantities[1]);
}

/* The id of a group or leaf, its name or its level, for messages. */
static const char *title(const struct hitop_hierarchy *h, int node)
{
    const char *id = hitop_hierarchy_id(h, node);

    if (node < hitop_hierarchy_nranks(h)) {
        return id[0] ? id : hitop_hierarchy_host(h, node);
    }
    if (!id[0]) {
        id = hitop_hierarchy_name(h, node);
    }
    return id[0] ? id : hitop_hierarchy_level(h, node);
}

/* Read one number of a node that has it. */
static enum hitop_status read_quantity(const struct hitop_hierarchy *h, int node,
                                       const struct quantity *q, double *out,
                                       struct hitop_diag *diag)
{
    const char *text = hitop_hierarchy_attr(h, node, q->key);
    const char *plain = hitop_hierarchy_attr(h, node, q->plain_key);
    struct hitop_diag why = HITOP_DIAG_INIT;
    enum hitop_status status;

    if (text && plain) {
        return hitop_fail(diag, HITOP_ERR_FORMAT, "group \"%.60s\" has both %s and %s",
                          title(h, node), q->key, q->plain_key);
    }
    if (text) {
        status = q->parse(text, out, &why);
    } else {
        status = hitop_text_double(plain, 0, 1e15, out, &why);
        *out = status == HITOP_OK ? *out * q->unit : 0;
    }
    if (status != HITOP_OK) {
        return hitop_fail(diag, HITOP_ERR_FORMAT, "group \"%.60s\": %s %.200s", title(h, node),
                          text ? q->key : q->plain_key, why.message);
    }
    return HITOP_OK;
}

static enum hitop_status read_price(const struct hitop_hierarchy *h, int node,
                                    struct whatif_price *out, struct hitop_diag *diag)
{
    enum hitop_status status = read_quantity(h, node, &quantities[0], &out->latency, diag);

    if (status == HITOP_OK) {
        status = read_quantity(h, node, &quantities[1], &out->bandwidth, diag);
    }
    if (status == HITOP_OK && !(out->latency <= MOST && out->bandwidth >= 1)) {
        status = hitop_fail(diag, HITOP_ERR_FORMAT,
                            "group \"%.60s\": %g s and %g B/s; allowed are at most %d s and at "
                            "least 1 B/s",
                            title(h, node), out->latency, out->bandwidth, MOST);
    }
    return status;
}

/* ---- Hosts that are written as leaves ---- */

/* Rebuilding a hierarchy with a group for each host that is a leaf with a price. */
struct rebuild {
    const struct hitop_hierarchy *h;
    struct hitop_hierarchy_builder *b;
    int *handle;        /* [groups] */
    int ranks_per_host; /* 1: ranks as they are */
};

static int handle_of(const struct rebuild *r, int group)
{
    return r->handle[group - hitop_hierarchy_nranks(r->h)];
}

/* Add the leaves of a set, in a group of their own if they have a price. */
static void add_leaves(const struct rebuild *r, int set)
{
    const int k = r->ranks_per_host;
    int nranges;
    const struct hitop_rank_range *range = hitop_hierarchy_leaf_set(r->h, set, &nranges);
    const int first = range[0].first;
    const int above = handle_of(r, hitop_hierarchy_parent(r->h, first));
    const char *host = hitop_hierarchy_host(r->h, first);
    const int is_single = nranges == 1 && range[0].first == range[0].last;
    const struct hitop_rank_range grown = {first * k, first * k + k - 1, 1};
    const int is_group = k > 1 || (!is_single && has_both(r->h, first));
    const int leaves = k > 1 ? hitop_hierarchy_builder_leaves(r->b, &grown, 1, host)
                             : hitop_hierarchy_builder_leaves(r->b, range, nranges, host);

    if (is_group) {
        const int group = hitop_hierarchy_builder_group(r->b, "host", host);
        hitop_hierarchy_builder_copy_attrs(r->b, group, r->h, first);
        hitop_hierarchy_builder_edge(r->b, group, above);
        hitop_hierarchy_builder_edge(r->b, leaves, group);
    } else {
        hitop_hierarchy_builder_copy_attrs(r->b, leaves, r->h, first);
        hitop_hierarchy_builder_edge(r->b, leaves, above);
    }
}

static void add_all(const struct rebuild *r)
{
    const struct hitop_hierarchy *h = r->h;
    const int nranks = hitop_hierarchy_nranks(h), root = hitop_hierarchy_root(h);
    int nsets;

    (void)hitop_hierarchy_leaf_sets(h, root, &nsets);
    for (int group = nranks; group <= root; group++) {
        r->handle[group - nranks] = hitop_hierarchy_builder_group(
            r->b, hitop_hierarchy_level(h, group), hitop_hierarchy_name(h, group));
        hitop_hierarchy_builder_copy_attrs(r->b, r->handle[group - nranks], h, group);
    }
    for (int group = nranks; group < root; group++) {
        hitop_hierarchy_builder_edge(r->b, handle_of(r, group),
                                     handle_of(r, hitop_hierarchy_parent(h, group)));
    }
    for (int set = 0; set < nsets; set++) {
        add_leaves(r, set);
    }
    hitop_hierarchy_builder_copy_graph(r->b, h);
}

/* Check that each leaf is a single rank on a host of its own, so that it can become several. */
static enum hitop_status check_hosts(const struct hitop_hierarchy *h, int ranks_per_host,
                                     struct hitop_diag *diag)
{
    const int nranks = hitop_hierarchy_nranks(h);

    if (ranks_per_host > HITOP_RANKS_MAX / nranks) {
        return hitop_fail(diag, HITOP_ERR_FORMAT, "%d ranks on each of %d hosts are too many",
                          ranks_per_host, nranks);
    }
    for (int rank = 0; rank < nranks; rank++) {
        const char *host = hitop_hierarchy_host(h, rank);
        if (hitop_hierarchy_rank_on_host(h, host) != rank) {
            return hitop_fail(diag, HITOP_ERR_FORMAT,
                              "host \"%.60s\" has several ranks already; ranks_per_host is for "
                              "files with one leaf for each host",
                              host);
        }
    }
    return HITOP_OK;
}

/* The number of ranks for each leaf: as given, or from the attribute of the graph. */
static enum hitop_status find_ranks_per_host(const struct hitop_hierarchy *h, int *number,
                                             struct hitop_diag *diag)
{
    struct hitop_diag why = HITOP_DIAG_INIT;
    int count;
    const struct hitop_attr *attr = hitop_hierarchy_attrs(h, HITOP_ATTR_OF_GRAPH, 0, &count);
    const int is_given = *number > 0;

    *number = is_given ? *number : 1;
    for (int i = 0; !is_given && i < count; i++) {
        if (strcmp(attr[i].key, "ranks_per_host") == 0 &&
            hitop_text_int(attr[i].value, 1, WHATIF_RANKS_PER_HOST_MAX, number, &why) != HITOP_OK) {
            return hitop_fail(diag, HITOP_ERR_FORMAT, "graph: ranks_per_host %.200s", why.message);
        }
    }
    return *number > 1 ? check_hosts(h, *number, diag) : HITOP_OK;
}

static enum hitop_status rebuild(const struct hitop_hierarchy *h, int ranks_per_host,
                                 struct hitop_hierarchy **out, struct hitop_diag *diag)
{
    const size_t ngroups = (size_t)(hitop_hierarchy_nnodes(h) - hitop_hierarchy_nranks(h));
    struct rebuild r = {.h = h,
                        .b = hitop_hierarchy_builder_new(),
                        .handle = calloc(ngroups + 1, sizeof(int)),
                        .ranks_per_host = ranks_per_host};
    enum hitop_status status = HITOP_ERR_NOMEM;

    *out = NULL;
    if (r.b && r.handle) {
        add_all(&r);
        status = hitop_hierarchy_builder_finish(r.b, out, diag);
    } else {
        (void)hitop_fail(diag, status, "hierarchy: out of memory");
    }
    hitop_hierarchy_builder_free(r.b);
    free(r.handle);
    return status;
}

/* ---- Prices of groups ---- */

static int count_members(const struct hitop_hierarchy *h, int group)
{
    int count;

    (void)hitop_hierarchy_children(h, group, &count);
    return count;
}

/* Report the first group without an attribute, and how many more there are. */
static enum hitop_status refuse_missing(const struct hitop_hierarchy *h, struct hitop_diag *diag)
{
    const struct quantity *q = NULL;
    const int root = hitop_hierarchy_root(h);
    int first = HITOP_NO_NODE, nmissing = 0, npriced = 0;
    char more[48] = "";

    for (int group = root; group != HITOP_NO_NODE; group = hitop_hierarchy_next(h, root, group)) {
        if (count_members(h, group) < 2 || has_both(h, group)) {
            npriced += has_both(h, group);
            continue;
        }
        npriced += attribute(h, group, &quantities[0]) || attribute(h, group, &quantities[1]);
        if (nmissing++ == 0) {
            first = group;
            q = &quantities[attribute(h, group, &quantities[0]) != NULL];
        }
    }
    if (npriced == 0) {
        return hitop_fail(diag, HITOP_ERR_FORMAT,
                          "a hierarchy without times; hierarchical_model measures them, or write "
                          "%s and %s at each group",
                          quantities[0].example, quantities[1].example);
    }
    if (nmissing > 1) {
        (void)snprintf(more, sizeof(more), "; %d more group%s no price", nmissing - 1,
                       nmissing == 2 ? " has" : "s have");
    }
    return hitop_fail(diag, HITOP_ERR_FORMAT, "group \"%.60s\" needs %s, such as %s%s",
                      title(h, first), q->key, q->example, more);
}

/*
 * Check that ranks of one host do not meet in a group with other hosts: they would get the price of
 * messages between hosts.
 */
static enum hitop_status check_leaves(const struct hitop_hierarchy *h, struct hitop_diag *diag)
{
    int nsets;

    (void)hitop_hierarchy_leaf_sets(h, hitop_hierarchy_root(h), &nsets);
    for (int set = 0; set < nsets; set++) {
        int nranges, inside, count = 0;
        const struct hitop_rank_range *range = hitop_hierarchy_leaf_set(h, set, &nranges);
        const int first = range[0].first, group = hitop_hierarchy_parent(h, first);

        for (int i = 0; i < nranges; i++) {
            count += (int)hitop_rank_range_count(&range[i]);
        }
        inside = count == hitop_hierarchy_count_ranks(h, group);
        if (count > 1 && !inside) {
            return hitop_fail(diag, HITOP_ERR_FORMAT,
                              "host \"%.60s\" has %d ranks, so its leaf needs %s and %s",
                              hitop_hierarchy_host(h, first), count, quantities[0].example,
                              quantities[1].example);
        }
    }
    return HITOP_OK;
}

/* Read the prices of all groups that have two or more members. */
static enum hitop_status read_classes(const struct hitop_hierarchy *h, struct hitop_class *class,
                                      double *params, int *nclasses, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    int n = 0;

    for (int group = hitop_hierarchy_nranks(h);
         group <= hitop_hierarchy_root(h) && status == HITOP_OK; group++) {
        struct whatif_price price = {0, 0};
        if (count_members(h, group) < 2) {
            continue;
        }
        if (!has_both(h, group)) {
            return refuse_missing(h, diag);
        }
        status = read_price(h, group, &price, diag);
        params[2 * n] = price.latency;
        params[2 * n + 1] = status == HITOP_OK ? 1 / price.bandwidth : 0;
        class[n] = (struct hitop_class){.node = group,
                                        .pair = {HITOP_NO_RANK, HITOP_NO_RANK},
                                        .params = params + 2 * n,
                                        .converged = 1};
        n++;
    }
    *nclasses = n;
    return status;
}

static enum hitop_status make_model(const struct hitop_hierarchy *h, struct hitop_model **out,
                                    struct hitop_diag *diag)
{
    const size_t ngroups = (size_t)(hitop_hierarchy_nnodes(h) - hitop_hierarchy_nranks(h));
    struct hitop_class *class = calloc(ngroups + 1, sizeof(*class));
    double *params = calloc(2 * ngroups + 1, sizeof(*params));
    struct hitop_model_parts parts = {.type = "hockney", .hierarchy = h, .classes = class};
    enum hitop_status status = class && params
                                   ? read_classes(h, class, params, &parts.nclasses, diag)
                                   : hitop_fail(diag, HITOP_ERR_NOMEM, "model: out of memory");

    if (status == HITOP_OK) {
        status = check_leaves(h, diag);
    }
    if (status == HITOP_OK) {
        status = hitop_model_build(&parts, out, diag);
    }
    free(params);
    free(class);
    return status;
}

enum hitop_status hitop_whatif_priced(const struct hitop_hierarchy *h, int ranks_per_host,
                                      struct hitop_model **out, struct hitop_diag *diag)
{
    struct hitop_hierarchy *grown = NULL;
    enum hitop_status status = find_ranks_per_host(h, &ranks_per_host, diag);

    *out = NULL;
    if (status == HITOP_OK) {
        status = rebuild(h, ranks_per_host, &grown, diag);
    }
    if (status == HITOP_OK) {
        status = make_model(grown, out, diag);
    }
    hitop_hierarchy_free(grown);
    return status;
}
