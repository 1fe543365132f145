/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_kinds.c - the properties that distinguish ranks with the same innermost common group.
 *
 * A price depends on the group in which two ranks meet, and further on
 *   - their processors, where those have parameters and the ranks are on two hosts;
 *   - the members of that group to which they belong, where the group has a class for each pair of
 *     members;
 *   - the links that they share with others, which determine how long the ends of a message are
 *     busy (model_cost.c);
 *   - their hosts, where processors have parameters and ranks of one host are members of a group
 *     that has other hosts as well, so that the group alone does not show whether two ranks share a
 *     host.
 * Ranks that agree in all of these are of one kind.
 */
#include <config.h>

#include "models/model/model_impl.h"

#include <stdlib.h>

#define NOTHING (-1)

struct label {
    int processor;
    int member; /* innermost node in a group with classes for pairs, or NOTHING */
    int links;  /* number of the shared links above the rank, or NOTHING */
    int host;   /* lowest rank of the host if groups do not determine it, or NOTHING */
    int rank;
};

static int compare(const void *a, const void *b)
{
    const struct label *x = a, *y = b;

    if (x->processor != y->processor) {
        return x->processor < y->processor ? -1 : 1;
    }
    if (x->member != y->member) {
        return x->member < y->member ? -1 : 1;
    }
    if (x->links != y->links) {
        return x->links < y->links ? -1 : 1;
    }
    return (x->host > y->host) - (x->host < y->host);
}

/*
 * Whether a group has classes that distinguish its members. Two members have one class in any case.
 */
static int has_pairs(const struct hitop_model *model, int node)
{
    const int index = model->class_of_node[node];
    int nmembers;

    (void)hitop_hierarchy_children(model->hierarchy, node, &nmembers);
    return nmembers > 2 && index >= 0 && !model_is_whole(&model->classes[index]);
}

static int find_member(const struct hitop_model *model, int rank)
{
    const struct hitop_hierarchy *h = model->hierarchy;
    int node = rank;

    for (int up; (up = hitop_hierarchy_parent(h, node)) != HITOP_NO_NODE; node = up) {
        if (has_pairs(model, up)) {
            return node;
        }
    }
    return NOTHING;
}

/*
 * Label ranks with their host where the group in which its ranks meet has other hosts, too.
 * count[r] is the number of ranks, and meet[r] the innermost common group, of the host whose lowest
 * rank is r.
 */
static enum hitop_status find_hosts(const struct hitop_model *model, struct label *label,
                                    struct hitop_diag *diag)
{
    const struct hitop_hierarchy *h = model->hierarchy;
    const int nranks = hitop_hierarchy_nranks(h);
    int *count = calloc((size_t)nranks, sizeof(*count));
    int *meet = calloc((size_t)nranks, sizeof(*meet));
    enum hitop_status status = HITOP_OK;

    if (!count || !meet) {
        status = hitop_model_out_of_memory(diag);
        goto out;
    }
    for (int rank = 0; rank < nranks; rank++) {
        const int first = hitop_hierarchy_rank_on_host(h, hitop_hierarchy_host(h, rank));
        if (count[first]++ == 0) {
            meet[first] = rank;
        } else {
            const int leaf_group = hitop_hierarchy_lca(h, first, rank);
            /* of two groups above `first` the higher one has the higher number */
            meet[first] = leaf_group > meet[first] ? leaf_group : meet[first];
        }
        label[rank].host = first;
    }
    for (int rank = 0; rank < nranks; rank++) {
        const int first = label[rank].host;
        if (count[first] == hitop_hierarchy_count_ranks(h, meet[first])) {
            label[rank].host = NOTHING;
        }
    }

out:
    free(meet);
    free(count);
    return status;
}

/*
 * Number of the shared links above a group: the first member of its parent with the same capacity,
 * because their links are alike; the group itself if processors differ, which capacities do not
 * show.
 */
static int number_links(const struct hitop_model *model, int node)
{
    const struct hitop_hierarchy *h = model->hierarchy;
    const int nranks = hitop_hierarchy_nranks(h);
    const double capacity = model->capacity[node - nranks];
    int i = 0, n;
    const int *member = hitop_hierarchy_children(h, hitop_hierarchy_parent(h, node), &n);

    if (model->nprocessors > 1) {
        return node;
    }
    while (member[i] < nranks || !model_knows_link(model, member[i]) ||
           model->capacity[member[i] - nranks] < capacity ||
           model->capacity[member[i] - nranks] > capacity) {
        i++;
    }
    return member[i];
}

/* Label ranks with the number of the shared links above them. The outermost group has none. */
static enum hitop_status find_links(const struct hitop_model *model, struct label *label,
                                    struct hitop_diag *diag)
{
    const struct hitop_hierarchy *h = model->hierarchy;
    const int nranks = hitop_hierarchy_nranks(h), root = hitop_hierarchy_root(h);
    int *links = calloc((size_t)(root + 1 - nranks), sizeof(*links));

    if (!links) {
        return hitop_model_out_of_memory(diag);
    }
    links[root - nranks] = NOTHING;
    for (int node = root - 1; node >= nranks; node--) { /* groups come after their members */
        links[node - nranks] = model_knows_link(model, node)
                                   ? number_links(model, node)
                                   : links[hitop_hierarchy_parent(h, node) - nranks];
    }
    for (int rank = 0; rank < nranks; rank++) {
        label[rank].links = links[hitop_hierarchy_parent(h, rank) - nranks];
    }
    free(links);
    return HITOP_OK;
}

enum hitop_status hitop_model_find_kinds(struct hitop_model *model, struct hitop_diag *diag)
{
    const int nranks = hitop_hierarchy_nranks(model->hierarchy);
    struct label *label = calloc((size_t)nranks, sizeof(*label));
    enum hitop_status status = HITOP_OK;
    int is_one = 1;

    if (!label) {
        return hitop_model_out_of_memory(diag);
    }
    status = find_links(model, label, diag);
    if (status == HITOP_OK && model->nprocessors > 0) {
        status = find_hosts(model, label, diag);
    }
    for (int rank = 0; rank < nranks; rank++) {
        label[rank].processor = hitop_model_processor_of(model, rank);
        label[rank].member = find_member(model, rank);
        label[rank].host = model->nprocessors > 0 ? label[rank].host : NOTHING;
        label[rank].rank = rank;
        is_one = is_one && compare(&label[rank], &label[0]) == 0;
    }
    if (status != HITOP_OK || is_one) {
        goto out;
    }
    model->kind = hitop_memory_take(&model->memory, (size_t)nranks, sizeof(*model->kind));
    if (!model->kind) {
        status = hitop_model_out_of_memory(diag);
        goto out;
    }
    qsort(label, (size_t)nranks, sizeof(*label), compare);
    for (int i = 1; i < nranks; i++) {
        const int is_new = compare(&label[i], &label[i - 1]) != 0;
        model->kind[label[i].rank] = model->kind[label[i - 1].rank] + is_new;
    }

out:
    free(label);
    return status;
}
