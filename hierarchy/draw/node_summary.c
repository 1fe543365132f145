/* SPDX-License-Identifier: BSD-3-Clause */
/* node_summary.c - the hosts, names and ranks of a node of a drawing, as short lists. */
#include <config.h>

#include "hierarchy/draw/drawing_impl.h"

#include "hierarchy/text/compare_ints.h"

#include "hitop/hosts.h"

#include "hierarchy/names/host_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Cut a list behind a comma outside of brackets, so that it and "..." fit into SUMMARY_LIST
 * characters.
 */
static void shorten(char *list)
{
    size_t length = strlen(list), cut = 0;
    int depth = 0;

    if (length <= SUMMARY_LIST) {
        return;
    }
    for (size_t i = 0; i < SUMMARY_LIST - 3; i++) {
        depth += (list[i] == '[') - (list[i] == ']');
        cut = list[i] == ',' && depth == 0 ? i + 1 : cut;
    }
    (void)snprintf(list + (cut > 0 ? cut : SUMMARY_LIST - 3), 4, "...");
}

static int compare_names(const void *a, const void *b)
{
    return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sort names by strverscmp() and make one short list of them. */
static char *list_names(const char **name, int n)
{
    char *list = NULL;

    if (n == 1) {
        list = strdup(name[0]);
    } else {
        qsort(name, (size_t)n, sizeof(*name), compare_names);
        if (hitop_hosts_compress(name, n, &list, NULL) != HITOP_OK) {
            return NULL;
        }
    }
    if (list) {
        shorten(list);
    }
    return list;
}

/* Remove the domain if all hosts have the same. The caller frees the copies, also on failure. */
static enum hitop_status cut_domains(const struct layout *layout, const char **name, char **copy,
                                     int n)
{
    for (int i = 0; i < n && layout->one_domain; i++) {
        const char *domain = hitop_host_name_domain(name[i]);
        const size_t length = strlen(name[i]) - strlen(domain);

        copy[i] = strndup(name[i], domain[0] && length > 1 ? length - 1 : strlen(name[i]));
        if (!copy[i]) {
            return HITOP_ERR_NOMEM;
        }
        name[i] = copy[i];
    }
    return HITOP_OK;
}

static char *list_hosts(const struct layout *layout, const char **name, int n)
{
    char **copy = calloc((size_t)n, sizeof(*copy));
    char *list = NULL;

    if (copy && cut_domains(layout, name, copy, n) == HITOP_OK) {
        list = list_names(name, n);
    }
    for (int i = 0; copy && i < n; i++) {
        free(copy[i]);
    }
    free(copy);
    return list;
}

static enum hitop_status describe_hosts(struct summary *summary, struct layout *layout,
                                        struct summary_members members)
{
    const char **host;
    int most = 0;

    for (int i = 0; i < members.count; i++) {
        int n;
        (void)hitop_hierarchy_leaf_sets(layout->h, members.node[i], &n);
        most += n;
    }
    host = calloc((size_t)most, sizeof(*host));
    if (!host) {
        return HITOP_ERR_NOMEM;
    }
    hitop_host_counter_renew(&layout->hosts);
    for (int i = 0; i < members.count; i++) {
        summary->nhosts +=
            hitop_host_counter_add(&layout->hosts, members.node[i], host + summary->nhosts);
    }
    summary->hosts = list_hosts(layout, host, summary->nhosts);
    free(host);
    return summary->hosts ? HITOP_OK : HITOP_ERR_NOMEM;
}

/* List the names of groups; ranks have the name of their host. */
static enum hitop_status describe_names(struct summary *summary, const struct layout *layout,
                                        struct summary_members members)
{
    const struct hitop_hierarchy *h = layout->h;
    const int is_host = summary->kind == SUMMARY_RANKS ||
                        strcmp(hitop_hierarchy_level(h, summary->node), "host") == 0;
    const char **name = calloc((size_t)members.count, sizeof(*name));
    int n = 0;

    for (int i = 0; i < members.count && name; i++) {
        const int node = members.node[i];
        name[n] = summary->kind == SUMMARY_RANKS ? hitop_hierarchy_host(h, node)
                                                 : hitop_hierarchy_name(h, node);
        n += name[n][0] != '\0';
    }
    if (name) {
        summary->names = n == 0    ? strdup("")
                         : is_host ? list_hosts(layout, name, n)
                                   : list_names(name, n);
    }
    free(name);
    return summary->names ? HITOP_OK : HITOP_ERR_NOMEM;
}

static int expand(const struct hitop_rank_range *range, int nranges, int *rank)
{
    int n = 0;

    for (int i = 0; i < nranges; i++) {
        for (long r = range[i].first; r <= range[i].last; r += range[i].step) {
            rank[n++] = (int)r;
        }
    }
    return n;
}

/* Add the ranks of a group, or those in the leaf set of a rank. */
static enum hitop_status add_ranks(const struct hitop_hierarchy *h, int node, int *rank, int *n)
{
    struct hitop_ranks list = {0};
    enum hitop_status status = HITOP_OK;
    int set, nranges;

    if (node < hitop_hierarchy_nranks(h)) {
        const struct hitop_rank_range *range;
        set = hitop_hierarchy_leaf_sets(h, node, &nranges);
        range = hitop_hierarchy_leaf_set(h, set, &nranges);
        *n += expand(range, nranges, rank + *n);
        return HITOP_OK;
    }
    status = hitop_hierarchy_ranks(h, node, &list, NULL);
    if (status == HITOP_OK) {
        *n += expand(list.range, list.n, rank + *n);
    }
    hitop_ranks_clear(&list);
    return status;
}

static int count_ranks(const struct hitop_hierarchy *h, int node)
{
    int count, nranges, n = 0;
    const struct hitop_rank_range *range;

    if (node >= hitop_hierarchy_nranks(h)) {
        return hitop_hierarchy_count_ranks(h, node);
    }
    range = hitop_hierarchy_leaf_set(h, hitop_hierarchy_leaf_sets(h, node, &count), &nranges);
    for (int i = 0; i < nranges; i++) {
        n += (int)hitop_rank_range_count(&range[i]);
    }
    return n;
}

static enum hitop_status describe_ranks(struct summary *summary, const struct layout *layout,
                                        struct summary_members members)
{
    struct hitop_ranks list = {0};
    enum hitop_status status = HITOP_OK;
    int *rank, n = 0;

    for (int i = 0; i < members.count; i++) {
        summary->nranks += count_ranks(layout->h, members.node[i]);
    }
    rank = calloc((size_t)summary->nranks, sizeof(*rank));
    if (!rank) {
        return HITOP_ERR_NOMEM;
    }
    for (int i = 0; i < members.count && status == HITOP_OK; i++) {
        status = add_ranks(layout->h, members.node[i], rank, &n);
    }
    if (status == HITOP_OK && members.count > 1) {
        qsort(rank, (size_t)n, sizeof(*rank), compare_ints);
    }
    if (status == HITOP_OK) {
        status = hitop_ranks_add(&list, rank, n, NULL);
    }
    if (status == HITOP_OK) {
        summary->ranks =
            hitop_ranks_text(list.range, list.n < SUMMARY_LIST ? list.n : SUMMARY_LIST);
        if (summary->ranks) {
            shorten(summary->ranks);
        }
    }
    hitop_ranks_clear(&list);
    free(rank);
    return summary->ranks ? HITOP_OK : HITOP_ERR_NOMEM;
}

enum hitop_status hitop_summary_describe(struct summary *summary, struct layout *layout,
                                         struct summary_members members)
{
    enum hitop_status status = describe_hosts(summary, layout, members);

    if (status == HITOP_OK) {
        status = describe_names(summary, layout, members);
    }
    if (status == HITOP_OK) {
        status = describe_ranks(summary, layout, members);
    }
    return status;
}

void hitop_summary_clear(struct summary *summary)
{
    free(summary->names);
    free(summary->hosts);
    free(summary->ranks);
}

const char *hitop_summary_level(const struct hitop_drawing *d, const struct summary *summary)
{
    const char *level =
        summary->kind == SUMMARY_RANKS ? "host" : hitop_hierarchy_level(d->h, summary->node);

    return level[0] ? level : "group";
}

int hitop_summary_shows_hosts(const struct hitop_drawing *d, const struct summary *summary)
{
    if (summary->kind == SUMMARY_RANKS) {
        return 0;
    }
    for (int at = summary->node; at != HITOP_NO_NODE; at = hitop_hierarchy_parent(d->h, at)) {
        if (strcmp(hitop_hierarchy_level(d->h, at), "host") == 0) {
            return 0;
        }
    }
    return 1;
}
