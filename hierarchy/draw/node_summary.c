/* SPDX-License-Identifier: BSD-3-Clause */
/* node_summary.c - the hosts, names and ranks of a node of a drawing, as short lists. */
#include <config.h>

#include "hierarchy/draw/drawing_impl.h"

#include "hierarchy/text/compare_ints.h"

#include "hitop/hosts.h"
#include "hitop/text.h"

#include "hierarchy/names/host_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Cut a list after the last possible comma outside of brackets, so that it and "..." fit into
 * SUMMARY_LIST characters.
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

/* Sort names by strverscmp() and compress them to one short list, e.g. "n[1-4]". */
static const char *list_names(struct hitop_drawing *d, const char **name, int n)
{
    const char *kept;
    char *list = NULL;

    if (n == 1) {
        list = strdup(name[0]);
    } else {
        qsort(name, (size_t)n, sizeof(*name), compare_names);
        if (hitop_hosts_compress(name, n, &list, NULL) != HITOP_OK) {
            list = NULL;
        }
    }
    if (!list) {
        d->storage.out_of_memory = 1;
        return "";
    }
    shorten(list);
    kept = hitop_storage_text(&d->storage, list);
    free(list);
    return kept;
}

/* The same for hosts. The domain is removed if all hosts have the same one. */
static const char *list_hosts(struct hitop_drawing *d, const char **name, int n)
{
    for (int i = 0; i < n && d->layout.one_domain; i++) {
        const char *domain = hitop_host_name_domain(name[i]);
        const size_t length = strlen(name[i]) - strlen(domain);

        if (domain[0] && length > 1) {
            name[i] = hitop_storage_print(&d->storage, "%.*s", (int)length - 1, name[i]);
        }
    }
    return list_names(d, name, n);
}

static void describe_hosts(struct summary *summary, struct hitop_drawing *d,
                           struct summary_members members)
{
    const char **host;
    int most = 0;

    for (int i = 0; i < members.count; i++) {
        int n;
        (void)hitop_hierarchy_leaf_sets(d->h, members.node[i], &n);
        most += n;
    }
    host = calloc((size_t)most, sizeof(*host));
    if (!host) {
        d->storage.out_of_memory = 1;
        return;
    }
    d->layout.hosts.turn++;
    for (int i = 0; i < members.count; i++) {
        summary->nhosts +=
            hitop_host_counter_add(&d->layout.hosts, members.node[i], host + summary->nhosts);
    }
    summary->hosts = list_hosts(d, host, summary->nhosts);
    free(host);
}

/* List the names of the members; the name of a rank is that of its host. */
static void describe_names(struct summary *summary, struct hitop_drawing *d,
                           struct summary_members members)
{
    const int is_host = summary->kind == SUMMARY_RANKS ||
                        strcmp(hitop_hierarchy_level(d->h, summary->node), "host") == 0;
    const char **name = calloc((size_t)members.count, sizeof(*name));
    int n = 0;

    if (!name) {
        d->storage.out_of_memory = 1;
        return;
    }
    for (int i = 0; i < members.count; i++) {
        const int node = members.node[i];
        name[n] = summary->kind == SUMMARY_RANKS ? hitop_hierarchy_host(d->h, node)
                                                 : hitop_hierarchy_name(d->h, node);
        n += name[n][0] != '\0';
    }
    summary->names = n == 0 ? "" : is_host ? list_hosts(d, name, n) : list_names(d, name, n);
    free(name);
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

/* Expand the ranks of the leaf sets below a node; returns their number. */
static int add_ranks(const struct hitop_hierarchy *h, int node, int *rank)
{
    int nsets, nranges, n = 0;
    const int first = hitop_hierarchy_leaf_sets(h, node, &nsets);

    for (int set = first; set < first + nsets; set++) {
        const struct hitop_rank_range *range = hitop_hierarchy_leaf_set(h, set, &nranges);
        n += expand(range, nranges, rank + n);
    }
    return n;
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

static void describe_ranks(struct summary *summary, struct hitop_drawing *d,
                           struct summary_members members)
{
    struct hitop_ranks list = {0};
    int *rank, n = 0;
    char *text = NULL;

    for (int i = 0; i < members.count; i++) {
        summary->nranks += count_ranks(d->h, members.node[i]);
    }
    rank = calloc((size_t)summary->nranks, sizeof(*rank));
    for (int i = 0; i < members.count && rank; i++) {
        n += add_ranks(d->h, members.node[i], rank + n);
    }
    if (rank) {
        qsort(rank, (size_t)n, sizeof(*rank), compare_ints);
    }
    if (rank && hitop_ranks_add(&list, rank, n, NULL) == HITOP_OK) {
        text = hitop_ranks_text(list.range, list.n < SUMMARY_LIST ? list.n : SUMMARY_LIST);
    }
    if (text) {
        shorten(text);
        summary->ranks = hitop_storage_text(&d->storage, text);
    } else {
        d->storage.out_of_memory = 1;
    }
    free(text);
    hitop_ranks_clear(&list);
    free(rank);
}

void hitop_summary_describe(struct summary *summary, struct hitop_drawing *d,
                            struct summary_members members)
{
    describe_hosts(summary, d, members);
    describe_names(summary, d, members);
    describe_ranks(summary, d, members);
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

/* ---- The source of a group and its confidence ---- */

int hitop_origin_is_guess(const struct hitop_hierarchy *h, int group)
{
    const char *text = hitop_hierarchy_attr(h, group, "confidence");
    double confidence = 1;

    return text && hitop_text_double(text, 0, 1, &confidence, NULL) == HITOP_OK && confidence < 1;
}

void hitop_origin_put(FILE *to, const struct hitop_hierarchy *h, int group)
{
    const char *source = hitop_hierarchy_attr(h, group, "source");
    const char *confidence = hitop_hierarchy_attr(h, group, "confidence");

    if (hitop_origin_is_guess(h, group)) {
        fprintf(to, " (%s%sconfidence %s)", source ? source : "", source ? ", " : "", confidence);
    } else if (source) {
        fprintf(to, " (%s)", source);
    }
}
