/* SPDX-License-Identifier: BSD-3-Clause */
/* drawing.c - make the nodes of a drawing from a hierarchy whose alike groups are collapsed. */
#include <config.h>

#include "hierarchy/draw/drawing_impl.h"

#include "hierarchy/names/host_name.h"
#include "hierarchy/tree/element.h"

#include <stdlib.h>
#include <string.h>

/* ---- What is collapsed ---- */

/*
 * Choose what is collapsed in a drawing with too many lines.
 *
 * Inner levels are collapsed before outer ones, because outer groups matter more to readers; if
 * that is not enough, deep levels are left out. Collapsed levels are expanded again if they fit:
 * for example one of 125 alike racks is drawn, with each of its 16 hosts.
 */

/* Which elements of a drawing are collapsed, and down to which depth they are drawn. */
struct collapse {
    char *is_collapsed;  /* by depth; 1: alike elements of one group are drawn as one */
    int collapses_hosts; /* 1: so are alike hosts of one group, at any depth */
    int depth;           /* elements at this depth are drawn without their contents */
};

/* The deepest level that is expanded again. */
enum { MOST_EXPANDED = 64 };

/* 1 if the contents of an element are drawn. */
static int is_open(const struct collapse *collapse, const struct element *x)
{
    return x->nchildren > 0 && x->depth < collapse->depth;
}

/* 1 if an element and its alike siblings are drawn as one. */
static int is_joined(const struct collapse *collapse, const struct element *x)
{
    return collapse->is_collapsed[x->depth] || (collapse->collapses_hosts && x->is_host);
}

/* 1 if an element has a node of its own when its parent is open. */
static int is_drawn(const struct collapse *collapse, const struct elements *e, int index)
{
    return !is_joined(collapse, &e->at[index]) || e->at[index].first_alike == index;
}

/* Set the number of lines of every element; returns that of the drawing. */
static int count_rows(const struct collapse *collapse, struct elements *e)
{
    for (int i = e->n - 1; i >= 0; i--) {
        struct element *x = &e->at[i];

        x->rows = is_open(collapse, x) ? 0 : 1;
        for (int k = 0; k < x->nchildren && is_open(collapse, x); k++) {
            if (is_drawn(collapse, e, x->first_child + k)) {
                x->rows += e->at[x->first_child + k].rows;
            }
        }
    }
    return e->at[0].rows;
}

/* Collapse all levels deeper than depth; returns the number of lines. */
static int rows_collapsed_below(struct collapse *collapse, struct elements *e, int depth)
{
    for (int d = 0; d <= e->depth; d++) {
        collapse->is_collapsed[d] = (char)(d > depth);
    }
    return count_rows(collapse, e);
}

/* Collapse all levels below the largest depth that keeps the limit; all below 0 if none does. */
static void choose_collapsed(struct collapse *collapse, struct elements *e, int max_leaves)
{
    int low = 0, high = e->depth;

    while (low < high) {
        const int middle = low + (high - low + 1) / 2;
        if (rows_collapsed_below(collapse, e, middle) <= max_leaves) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    (void)rows_collapsed_below(collapse, e, low);
}

static void choose_depth(struct collapse *collapse, struct elements *e, int max_leaves)
{
    int low = 1, high = collapse->depth;

    if (count_rows(collapse, e) <= max_leaves) {
        return;
    }
    while (low < high) {
        const int middle = low + (high - low + 1) / 2;
        collapse->depth = middle;
        if (count_rows(collapse, e) <= max_leaves) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    collapse->depth = low;
}

static void expand(struct collapse *collapse, struct elements *e, int max_leaves)
{
    for (int d = 1; d <= e->depth && d <= MOST_EXPANDED; d++) {
        if (collapse->is_collapsed[d]) {
            collapse->is_collapsed[d] = 0;
            collapse->is_collapsed[d] = count_rows(collapse, e) > max_leaves;
        }
    }
}

/*
 * Choose the levels to collapse and the depth that keep a drawing within the limits. If that is
 * impossible, element 0 has more rows than max_leaves afterwards. The choice is not valid if memory
 * is insufficient.
 */
static void choose(struct collapse *collapse, struct elements *e,
                   const struct hitop_drawing_limits *limits, struct storage *storage)
{
    const int depth = limits->depth, max_leaves = limits->max_leaves;

    collapse->depth = depth > 0 && depth < e->depth ? depth : e->depth;
    if (!STORAGE_ARRAY(storage, collapse->is_collapsed, e->depth)) {
        return;
    }
    if (max_leaves > 0 && limits->hosts_only) {
        collapse->collapses_hosts = count_rows(collapse, e) > max_leaves;
    } else if (max_leaves > 0 && count_rows(collapse, e) > max_leaves) {
        choose_collapsed(collapse, e, max_leaves);
        choose_depth(collapse, e, max_leaves);
        expand(collapse, e, max_leaves);
    }
    (void)count_rows(collapse, e);
}

/* ---- Nodes of the drawing ---- */

/* An element that will be drawn. */
struct waiting {
    int element;
    int parent;  /* index of the summary of its parent, or -1 */
    int is_rest; /* 1: the node is of kind SUMMARY_REST, for it and its later siblings */
};

struct making {
    struct hitop_drawing *drawing;
    struct elements elements;
    struct collapse collapse;
    int max_leaves;
    struct waiting *waiting;
    int nwaiting;
    int *member; /* nodes of the current summary */
};

/*
 * List the nodes that one summary stands for: the element, and the siblings that are drawn with it.
 * Returns their number.
 */
static int list_members(struct making *m, struct waiting w)
{
    const struct element *all = m->elements.at;
    const struct element *x = &all[w.element];
    const int end = x->parent < 0 ? 1 : all[x->parent].first_child + all[x->parent].nchildren;
    const int is_collapsed = is_joined(&m->collapse, x);
    int n = 0;

    m->member[n++] = x->node;
    for (int i = w.element + 1; i < end && (w.is_rest || is_collapsed); i++) {
        if (w.is_rest ? !is_collapsed || all[i].first_alike >= w.element
                      : all[i].first_alike == w.element) {
            m->member[n++] = all[i].node;
        }
    }
    return n;
}

static enum summary_kind find_kind(const struct making *m, struct waiting w)
{
    const struct element *x = &m->elements.at[w.element];

    if (w.is_rest) {
        return SUMMARY_REST;
    }
    if (x->node < hitop_hierarchy_nranks(m->drawing->h)) {
        return SUMMARY_RANKS;
    }
    return x->nchildren > 0 && !is_open(&m->collapse, x) ? SUMMARY_CLOSED : SUMMARY_GROUP;
}

static void add_summary(struct making *m, struct waiting w)
{
    struct hitop_drawing *d = m->drawing;
    const struct element *x = &m->elements.at[w.element];
    const struct summary *parent = w.parent < 0 ? NULL : &d->summary[w.parent];
    const struct summary_members members = {m->member, list_members(m, w)};
    struct summary *summary = &d->summary[d->nsummaries++];

    *summary = (struct summary){.kind = find_kind(m, w),
                                .node = x->node,
                                .parent = w.parent,
                                .depth = x->depth,
                                .nalike = members.count,
                                .is_typical = parent && (parent->nalike > 1 || parent->is_typical),
                                .has_children = !w.is_rest && is_open(&m->collapse, x)};
    hitop_summary_describe(summary, d, members);
}

/*
 * Maximum number of drawn children of an element. Only the root has a limit, if lines exceed
 * max_leaves.
 */
static int count_room(const struct making *m, const struct element *x)
{
    return m->max_leaves > 0 && x->rows > m->max_leaves && x->parent < 0 ? m->max_leaves
                                                                         : x->nchildren;
}

/* Push the children of an element, the first one on top. */
static void push_children(struct making *m, int element, int parent)
{
    const struct element *x = &m->elements.at[element];
    const int room = count_room(m, x);
    const int begin = m->nwaiting;
    int n = 0;

    for (int i = x->first_child; i < x->first_child + x->nchildren && n < room; i++) {
        if (is_drawn(&m->collapse, &m->elements, i)) {
            n++;
            m->waiting[m->nwaiting++] =
                (struct waiting){i, parent, n == room && room < x->nchildren};
        }
    }
    for (int low = begin, high = m->nwaiting - 1; low < high; low++, high--) {
        const struct waiting swapped = m->waiting[low];
        m->waiting[low] = m->waiting[high];
        m->waiting[high] = swapped;
    }
}

static void add_summaries(struct making *m)
{
    struct hitop_drawing *d = m->drawing;

    m->waiting[m->nwaiting++] = (struct waiting){0, -1, 0};
    while (m->nwaiting > 0 && !d->storage.out_of_memory) {
        const struct waiting w = m->waiting[--m->nwaiting];

        add_summary(m, w);
        if (d->summary[d->nsummaries - 1].has_children) {
            push_children(m, w.element, d->nsummaries - 1);
        }
    }
}

static const char *host_of_set(const struct hitop_hierarchy *h, int set)
{
    int count;

    return hitop_hierarchy_host(h, hitop_hierarchy_leaf_set(h, set, &count)[0].first);
}

static int has_one_domain(const struct hitop_hierarchy *h)
{
    int n;
    const int first = hitop_hierarchy_leaf_sets(h, hitop_hierarchy_root(h), &n);
    const char *domain = hitop_host_name_domain(host_of_set(h, first));

    for (int set = first; set < first + n; set++) {
        if (strcmp(hitop_host_name_domain(host_of_set(h, set)), domain) != 0) {
            return 0;
        }
    }
    return 1;
}

/* Compute the layout. It is not valid if storage->out_of_memory is set. */
static void begin_layout(struct layout *layout, const struct hitop_hierarchy *h,
                         struct storage *storage)
{
    *layout = (struct layout){.h = h, .one_domain = has_one_domain(h)};
    hitop_columns_fill(&layout->columns, h, storage);
    hitop_host_counter_begin(&layout->hosts, h, storage);
}

static void make(struct making *m, const struct hitop_drawing_limits *limits)
{
    struct storage *storage = &m->drawing->storage;
    const struct hitop_hierarchy *h = m->drawing->h;

    begin_layout(&m->drawing->layout, h, storage);
    if (storage->out_of_memory || hitop_elements_fill(&m->elements, h, storage) != HITOP_OK) {
        return;
    }
    choose(&m->collapse, &m->elements, limits, storage);
    if (STORAGE_ARRAY(storage, m->drawing->summary, m->elements.n) &&
        STORAGE_ARRAY(storage, m->waiting, m->elements.n) &&
        STORAGE_ARRAY(storage, m->member, m->elements.n)) {
        add_summaries(m);
    }
}

enum hitop_status hitop_drawing_make(const struct hitop_hierarchy *h,
                                     const struct hitop_drawing_limits *limits,
                                     struct hitop_drawing **out, struct hitop_diag *diag)
{
    struct making m = {.max_leaves = limits->hosts_only ? 0 : limits->max_leaves};

    *out = NULL;
    if (limits->depth < 0 || limits->max_leaves < 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "drawing: a limit of %d is negative",
                          limits->depth < 0 ? limits->depth : limits->max_leaves);
    }
    m.drawing = calloc(1, sizeof(*m.drawing));
    if (m.drawing) {
        m.drawing->h = h;
        make(&m, limits);
    }
    if (!m.drawing || m.drawing->storage.out_of_memory) {
        hitop_drawing_free(m.drawing);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "drawing: out of memory");
    }
    *out = m.drawing;
    return HITOP_OK;
}

void hitop_drawing_free(struct hitop_drawing *drawing)
{
    if (drawing) {
        hitop_storage_clear(&drawing->storage);
        free(drawing);
    }
}
