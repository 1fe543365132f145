/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * discover_known.c - the order in which known groups are searched.
 *
 * Idea:  from the innermost ones outwards. A group that has been searched is one unit of the group
 *        around it; one host represents it.
 */
#include <config.h>

#include "models/discover/discover_impl.h"

#include <math.h>
#include <stdlib.h>

/*
 * The outermost fixed group of a host inside the group `into`, or -1. No unit may join a fixed
 * group that was found before.
 */
static int closed_group(const struct group_tree *tree, int host, int into)
{
    int closed = -1;

    for (int group = tree->innermost[host]; group >= 0 && group != into;
         group = tree->group[group].parent) {
        closed = tree->group[group].is_fixed ? group : closed;
    }
    return closed;
}

/*
 * Add the unit to the group around its nearest host that has the latency of the unit; create this
 * group if there is none.
 */
static void place_late(struct search *s, const struct late *late)
{
    struct group_tree *tree = &s->tree;
    const int closed = closed_group(tree, late->near, late->into);
    int group = closed >= 0 ? closed : tree->innermost[late->near];
    int parent = tree->group[group].parent;
    int is_inside = group == closed || tree->group[group].x < late->x - s->step;

    while (is_inside && parent >= 0 && !(tree->group[parent].x > late->x + s->step)) {
        group = parent;
        parent = tree->group[group].parent;
        is_inside = tree->group[group].x < late->x - s->step;
    }
    if (is_inside) {
        const int enclosing = hitop_group_tree_add(tree, parent, tree->group[group].representative,
                                                   late->x, late->se);
        if (enclosing < 0) {
            s->out_of_memory = 1;
            return;
        }
        tree->group[group].parent = enclosing;
        if (parent < 0) {
            s->state[late->known].top = enclosing;
        }
        group = enclosing;
    }
    hitop_group_tree_place(tree, late->unit, group);
}

/* Search a known group when all its members are known. A group with one member needs no search. */
static void begin_known(struct search *s, int known)
{
    struct known_state *k = &s->state[known];

    hitop_units_sort(k->unit, k->n);
    if (k->n > 1) {
        struct task *t = hitop_search_add_task(s, k->n, -1, known);
        for (; t && t->n < k->n; t->n++) {
            t->unit[t->n] = k->unit[t->n];
        }
    }
}

void hitop_search_place_late(struct search *s, int known)
{
    int left = 0;

    for (int i = s->nlate - 1; i >= 0 && !s->out_of_memory; i--) {
        if (s->late[i].known == known) {
            place_late(s, &s->late[i]);
        }
    }
    for (int i = 0; i < s->nlate; i++) {
        if (s->late[i].known != known) {
            s->late[left++] = s->late[i];
        }
    }
    s->nlate = left;
}

/* A known group that is searched becomes a unit of the one around it. */
static void end_known(struct search *s, int known)
{
    const struct hitop_host_group *g = s->known ? &s->known->group[known] : NULL;
    struct known_state *k = &s->state[known];
    struct unit unit = k->unit[0];

    hitop_search_place_late(s, known);
    if (k->top >= 0) {
        unit = (struct unit){s->tree.group[k->top].representative, k->top};
    }
    if (g && g->is_fixed && unit.group >= 0) {
        s->tree.group[unit.group].is_fixed = 1;
    }
    k->running = -1;
    if (g && g->parent >= 0) {
        struct known_state *enclosing = &s->state[g->parent];
        enclosing->unit[enclosing->n++] = unit;
        if (--enclosing->waiting == 0) {
            begin_known(s, g->parent);
        }
    } else if (unit.group < 0) { /* one host only */
        const int root = hitop_group_tree_add(&s->tree, -1, unit.host, NAN, 0);
        s->out_of_memory = s->out_of_memory || root < 0;
        hitop_group_tree_place(&s->tree, unit, root);
    }
}

/*
 * End the groups with finished searches. An outer group has a lower index than its members, so the
 * loop goes downwards.
 */
void hitop_search_end_known(struct search *s)
{
    for (int i = s->nknown - 1; i >= 0 && !s->out_of_memory; i--) {
        if (s->state[i].waiting == 0 && s->state[i].running == 0) {
            end_known(s, i);
        }
    }
}

/* Room for the members of each known group. */
static int make_room(struct search *s, int nhosts)
{
    s->state = calloc((size_t)s->nknown + 1, sizeof(*s->state));
    for (int host = 0; host < nhosts && s->state; host++) {
        s->state[s->known ? s->known->innermost[host] : 0].n++;
    }
    for (int i = 1; i < s->nknown && s->state; i++) {
        s->state[s->known->group[i].parent].n++;
    }
    for (int i = 0; i <= s->nknown && s->state; i++) {
        s->state[i].unit = calloc((size_t)s->state[i].n + 1, sizeof(struct unit));
        if (!s->state[i].unit) {
            return 0;
        }
        s->state[i].n = 0;
        s->state[i].top = -1;
    }
    return s->state != NULL;
}

int hitop_search_begin_known(struct search *s, int nhosts)
{
    s->nknown = s->known ? s->known->ngroups : 1;
    if (!make_room(s, nhosts) || !hitop_group_tree_init(&s->tree, nhosts)) {
        return 0;
    }
    for (int host = 0; host < nhosts; host++) {
        struct known_state *k = &s->state[s->known ? s->known->innermost[host] : 0];
        k->unit[k->n++] = (struct unit){host, -1};
    }
    for (int i = 1; i < s->nknown; i++) {
        s->state[s->known->group[i].parent].waiting++;
    }
    for (int i = 0; i < s->nknown; i++) {
        if (s->state[i].waiting == 0) {
            begin_known(s, i);
        }
    }
    return !s->out_of_memory;
}
