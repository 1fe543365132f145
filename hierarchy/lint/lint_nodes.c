/* SPDX-License-Identifier: BSD-3-Clause */
/* lint_nodes.c - check the attributes of each node, and the ranks of all leaves. */
#include <config.h>

#include "hierarchy/lint/lint.h"

#include "hitop/hierarchy.h"
#include "hitop/text.h"

#include <stdlib.h>
#include <string.h>

static const char digits[] = "0123456789";

static int has_same_digits(const char *a, const char *b)
{
    a += strcspn(a, digits);
    b += strcspn(b, digits);
    while (*a && *a == *b) {
        a += 1 + strcspn(a + 1, digits);
        b += 1 + strcspn(b + 1, digits);
    }
    return *a == *b;
}

/*
 * A node that only edges mention is most often a misspelled id. Find the node with a statement that
 * was meant; ids with different digits are different nodes. Each search compares all nodes, so that
 * after FEW errors there are no more searches.
 */
static const char *find_similar(const struct lint *l, const struct lint_node *node)
{
    enum { FEW = 100 };

    for (int i = 0; i < l->nnodes && l->nerrors < FEW; i++) {
        const char *id = l->node[i].id;
        if (l->node[i].line && strlen(id) > 2 && has_same_digits(id, node->id) &&
            hitop_text_distance(node->id, id, 1) <= 1) {
            return id;
        }
    }
    return NULL;
}

static void check_type(struct lint *l, int i)
{
    struct lint_node *node = &l->node[i];
    const int is_undescribed = !node->line && node->edge_line;
    const char *similar = is_undescribed ? find_similar(l, node) : NULL;

    node->kind = strcmp(node->type, "0") == 0   ? LINT_LEAF
                 : strcmp(node->type, "1") == 0 ? LINT_GROUP
                                                : LINT_UNKNOWN;
    if (node->kind != LINT_UNKNOWN) {
        if (is_undescribed) {
            hitop_lint_warn(l, node->edge_line, "node \"%s\": only an edge mentions it%s%s%s",
                            node->id, similar ? "; did you mean \"" : "", similar ? similar : "",
                            similar ? "\"?" : "");
        }
    } else if (is_undescribed) {
        hitop_lint_error(l, node->edge_line, "node \"%s\": only an edge mentions it%s%s%s",
                         node->id, similar ? "; did you mean \"" : "", similar ? similar : "",
                         similar ? "\"?" : "");
    } else if (node->type[0]) {
        hitop_lint_error(l, node->line,
                         "node \"%s\": type \"%s\" is neither 0 (leaf) nor 1 (group)", node->id,
                         node->type);
    } else {
        hitop_lint_error(l, node->line, "node \"%s\": no type; a leaf has type=0, a group type=1",
                         node->id);
    }
}

static int is_blank(const char *text)
{
    return text[strspn(text, " \t\r\n")] == '\0';
}

static void check_leaf(struct lint *l, int i)
{
    const struct lint_node *node = &l->node[i];

    if (!node->data[0]) {
        hitop_lint_error(l, hitop_lint_line(l, i),
                         "node \"%s\": a leaf without its host name in model_data", node->id);
    } else if (is_blank(node->data)) {
        hitop_lint_warn(l, hitop_lint_line(l, i), "node \"%s\": its host name is blank", node->id);
    }
}

static void check_group(struct lint *l, int i)
{
    const struct lint_node *node = &l->node[i];

    if (node->rank[0]) {
        hitop_lint_warn(l, hitop_lint_line(l, i),
                        "node \"%s\": a group has no rank; type=0 if it is a leaf", node->id);
    }
    if (node->name[0] && is_blank(node->name)) {
        hitop_lint_warn(l, hitop_lint_line(l, i), "node \"%s\": its name is blank", node->id);
    }
}

/* The ranks of all leaves with an attribute "rank". */
struct ranks {
    struct hitop_ranks all;
    int *begin; /* by node: index in all.range of its first range; one more element for the end */
    int *leaf_of_rank; /* by rank, below total: the first leaf with it, or LINT_NONE */
    long total;
    int nbad; /* number of leaves without ranks that can be read */
};

static void read_ranks(struct lint *l, struct ranks *r)
{
    for (int i = 0; i < l->nnodes; i++) {
        const struct lint_node *node = &l->node[i];
        struct hitop_diag why = HITOP_DIAG_INIT;
        enum hitop_status status = HITOP_OK;

        r->begin[i] = r->all.n;
        if (node->kind == LINT_LEAF && node->rank[0]) {
            status = hitop_ranks_parse(node->rank, &r->all, &why);
        } else if (node->kind == LINT_LEAF) {
            r->nbad++;
            hitop_lint_error(l, hitop_lint_line(l, i),
                             "node \"%s\": no rank, though other leaves have one", node->id);
        }
        if (status == HITOP_ERR_NOMEM) {
            l->storage.out_of_memory = 1;
        } else if (status != HITOP_OK) {
            r->nbad++;
            hitop_lint_error(l, hitop_lint_line(l, i), "node \"%s\": rank %s", node->id,
                             why.message);
        }
        for (int k = r->begin[i]; k < r->all.n; k++) {
            r->total += hitop_rank_range_count(&r->all.range[k]);
        }
    }
    r->begin[l->nnodes] = r->all.n;
}

/*
 * Fill leaf_of_rank[]. A rank that another leaf already has is an error; only the first such rank
 * of each leaf is reported.
 */
static void claim_ranks(struct lint *l, struct ranks *r)
{
    for (int i = 0; i < l->nnodes; i++) {
        int is_found = 0;

        for (int k = r->begin[i]; k < r->begin[i + 1]; k++) {
            const struct hitop_rank_range *range = &r->all.range[k];
            for (long rank = range->first; rank <= range->last && rank < r->total;
                 rank += range->step) {
                int *leaf = &r->leaf_of_rank[rank];
                if (*leaf != LINT_NONE && !is_found) {
                    is_found = 1;
                    hitop_lint_error(l, hitop_lint_line(l, i),
                                     "node \"%s\": rank %ld is already at node \"%s\"",
                                     l->node[i].id, rank, l->node[*leaf].id);
                }
                *leaf = *leaf == LINT_NONE ? i : *leaf;
            }
        }
    }
}

/*
 * Report ranks without a leaf. They are collected in leaf_of_rank[] itself, in elements that have
 * already been read.
 */
static void report_missing(struct lint *l, const struct ranks *r)
{
    struct hitop_ranks missing = {0};
    const char *many = "";
    char *text = NULL;
    int n = 0;

    for (long rank = 0; rank < r->total; rank++) {
        if (r->leaf_of_rank[rank] == LINT_NONE) {
            r->leaf_of_rank[n++] = (int)rank;
        }
    }
    if (n > 0) {
        text = hitop_ranks_add(&missing, r->leaf_of_rank, n, NULL) == HITOP_OK
                   ? hitop_ranks_text(missing.range, missing.n)
                   : NULL;
        l->storage.out_of_memory |= !text;
        many = n > 1 ? "s" : "";
    }
    if (text) {
        hitop_lint_error(l, 0, "rank%s %.200s missing: the %ld ranks must be 0..%ld", many, text,
                         r->total, r->total - 1);
    }
    free(text);
    hitop_ranks_clear(&missing);
}

static void check_ranks(struct lint *l)
{
    struct ranks r = {.total = 0};

    if (!STORAGE_ARRAY(&l->storage, r.begin, l->nnodes)) {
        return;
    }
    read_ranks(l, &r);
    if (r.total > HITOP_RANKS_MAX) {
        hitop_lint_error(l, 0, "%ld ranks are more than the %d that are allowed", r.total,
                         HITOP_RANKS_MAX);
    } else if (STORAGE_ARRAY(&l->storage, r.leaf_of_rank, r.total)) {
        for (long rank = 0; rank < r.total; rank++) {
            r.leaf_of_rank[rank] = LINT_NONE;
        }
        claim_ranks(l, &r);
        if (r.nbad == 0) {
            report_missing(l, &r);
        }
    }
    hitop_ranks_clear(&r.all);
}

void hitop_lint_nodes(struct lint *l)
{
    int nleaves = 0, nranks = 0;

    for (int i = 0; i < l->nnodes; i++) {
        check_type(l, i);
        if (l->node[i].again) {
            hitop_lint_warn(l, l->node[i].again,
                            "node \"%s\": described in line %d already; what is said here counts",
                            l->node[i].id, l->node[i].line);
        }
        if (l->node[i].kind == LINT_LEAF) {
            check_leaf(l, i);
            nleaves++;
            nranks += l->node[i].rank[0] != '\0';
        } else if (l->node[i].kind == LINT_GROUP) {
            check_group(l, i);
        }
    }
    if (nleaves == 0) {
        hitop_lint_error(l, 0, "empty: no leaves");
    }
    if (nranks > 0) {
        check_ranks(l);
    }
}
