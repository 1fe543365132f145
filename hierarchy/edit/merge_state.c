/* SPDX-License-Identifier: BSD-3-Clause */
/* merge_state.c - the state of a merge: ranks, groups, and where each comes from. */
#include <config.h>

#include "hierarchy/edit/merge_state.h"

#include "src/grow.h"
#include "src/one_line.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int hitop_merge_add_rank(struct merge *m, const char *host)
{
    if (m->text.out_of_memory || !HITOP_GROW(m->rank, m->nranks, m->max_ranks)) {
        m->text.out_of_memory = 1;
        return MERGE_NONE;
    }
    m->rank[m->nranks] = (struct merge_rank){host, MERGE_NONE, MERGE_NONE, MERGE_NONE};
    return m->nranks++;
}

/* Number of (up, level, name) in names, added if it is new; MERGE_NONE when out of memory. */
static int number_of(struct merge *m, int up, const char *level, const char *name)
{
    const char *key = hitop_storage_print(&m->text, "%d\t%s\t%s", up, level, name);
    int is_new;
    const int number = hitop_text_index_put(&m->names, key, &is_new);

    if (number < 0 || !HITOP_GROW(m->named, number, m->max_named)) {
        m->text.out_of_memory = 1;
    } else if (is_new) {
        m->named[number] = MERGE_NONE;
    }
    return m->text.out_of_memory ? MERGE_NONE : number;
}

int hitop_merge_find_named(struct merge *m, int up, const char *level, const char *name)
{
    const int number = name[0] ? number_of(m, up, level, name) : MERGE_NONE;
    const int group = number == MERGE_NONE ? MERGE_NONE : m->named[number];

    return group != MERGE_NONE && m->group[group].up == up ? group : MERGE_NONE;
}

void hitop_merge_move_group(struct merge *m, int group, int up)
{
    struct merge_group *g = &m->group[group];
    const int number = number_of(m, up, g->level, g->name);

    g->up = up;
    if (number != MERGE_NONE &&
        (m->named[number] == MERGE_NONE || m->group[m->named[number]].up != up)) {
        m->named[number] = group;
    }
}

int hitop_merge_add_group(struct merge *m, const char *level, const char *name, int up)
{
    if (m->text.out_of_memory || !HITOP_GROW(m->group, m->ngroups, m->max_groups)) {
        m->text.out_of_memory = 1;
        return MERGE_NONE;
    }
    m->group[m->ngroups] = (struct merge_group){
        .level = level, .name = name, .first = MERGE_NONE, .last = MERGE_NONE, .taken = MERGE_NONE};
    hitop_merge_move_group(m, m->ngroups, up);
    return m->ngroups++;
}

static void note(struct merge_step *s, int *first, int *last, int node)
{
    struct merge *m = s->m;

    if (m->text.out_of_memory || !HITOP_GROW(m->origin, m->norigins, m->max_origins)) {
        m->text.out_of_memory = 1;
        return;
    }
    m->origin[m->norigins] = (struct merge_origin){s->part, node, MERGE_NONE};
    if (*last != MERGE_NONE) {
        m->origin[*last].next = m->norigins;
    } else {
        *first = m->norigins;
    }
    *last = m->norigins++;
}

void hitop_merge_note_group(struct merge_step *s, int group, int node)
{
    s->to[node] = group;
    s->m->group[group].taken = s->part;
    note(s, &s->m->group[group].first, &s->m->group[group].last, node);
}

void hitop_merge_note_rank(struct merge_step *s, int rank, int node)
{
    note(s, &s->m->rank[rank].first, &s->m->rank[rank].last, node);
}

void hitop_merge_report(struct merge *m, const char *fmt, ...)
{
    char text[1024];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    one_line(text);
    m->conflict(m->data, text);
}

int hitop_merge_is_in(const struct merge *m, int group, int top)
{
    while (group != MERGE_NONE && group != top) {
        group = m->group[group].up;
    }
    return group == top;
}

struct merge_title hitop_merge_title(const char *level, const char *name)
{
    struct merge_title t;

    (void)snprintf(t.text, sizeof(t.text), "%s%s%s", level[0] ? level : "group", name[0] ? " " : "",
                   name);
    return t;
}

struct merge_title hitop_merge_title_of(const struct merge *m, int group)
{
    return hitop_merge_title(m->group[group].level, m->group[group].name);
}
