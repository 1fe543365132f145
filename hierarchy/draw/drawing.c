/* SPDX-License-Identifier: BSD-3-Clause */
/* drawing.c - make the nodes of a drawing from a hierarchy whose alike groups are collapsed. */
#include <config.h>

#include "hierarchy/draw/collapse.h"
#include "hierarchy/draw/drawing_impl.h"

#include <stdlib.h>

/* An element that will be drawn. */
struct waiting {
    int element;
    int parent;  /* summary */
    int is_rest; /* 1: it and its siblings that follow, for which there is no room */
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
 * List the nodes of the element and of its siblings that are drawn with it; returns their number.
 */
static int list_members(struct making *m, struct waiting w)
{
    const struct element *all = m->elements.at;
    const struct element *x = &all[w.element];
    const int end = x->parent < 0 ? 1 : all[x->parent].first_child + all[x->parent].nchildren;
    const int is_collapsed = hitop_collapse_joins(&m->collapse, x);
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
    return x->nchildren > 0 && !hitop_collapse_is_open(&m->collapse, x) ? SUMMARY_CLOSED
                                                                        : SUMMARY_GROUP;
}

static void add_summary(struct making *m, struct waiting w)
{
    struct hitop_drawing *d = m->drawing;
    const struct element *x = &m->elements.at[w.element];
    const struct summary *parent = w.parent < 0 ? NULL : &d->summary[w.parent];
    const struct summary_members members = {m->member, list_members(m, w)};
    struct summary *summary = &d->summary[d->nsummaries++];

    *summary =
        (struct summary){.kind = find_kind(m, w),
                         .node = x->node,
                         .parent = w.parent,
                         .depth = x->depth,
                         .nalike = members.count,
                         .is_typical = parent && (parent->nalike > 1 || parent->is_typical),
                         .has_children = !w.is_rest && hitop_collapse_is_open(&m->collapse, x)};
    d->nleaves += !summary->has_children;
    hitop_summary_describe(summary, d, members);
}

/* Number of children of an element that are drawn. */
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
        if (hitop_collapse_is_drawn(&m->collapse, &m->elements, i)) {
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

static void make(struct making *m, const struct hitop_drawing_limits *limits)
{
    struct storage *storage = &m->drawing->storage;
    const struct hitop_hierarchy *h = m->drawing->h;

    hitop_layout_begin(&m->drawing->layout, h, storage);
    if (storage->out_of_memory || hitop_elements_fill(&m->elements, h, storage) != HITOP_OK) {
        return;
    }
    hitop_collapse_choose(&m->collapse, &m->elements, limits, storage);
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

int hitop_drawing_count(const struct hitop_drawing *drawing, int *nleaves)
{
    *nleaves = drawing->nleaves;
    return drawing->nsummaries;
}
