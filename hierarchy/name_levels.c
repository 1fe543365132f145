/* SPDX-License-Identifier: BSD-3-Clause */
/* name_levels.c - from the words and numbers of a host name to its levels. */
#include <config.h>

#include "name_levels.h"

#include <string.h>

/* A name whose levels are being told. */
struct telling {
    const struct name_set *set;
    const char *text;
    struct name_reading read;
    int first,
        class; /* numbers whose letters are a class: the first one, and that behind what is alike */
    int class_told;
    char *moved, *own, *group; /* names: of what was moved outwards, of the rest, of both */
    name_level_fn *tell;
    void *data;
};

/* Append name[begin..end) and, in front of it, the separator that it follows. */
static void append(struct telling *t, char *to, size_t begin, size_t end)
{
    size_t used = strlen(to);

    if (used > 0 && begin > 0 && name_is_separator(t->text[begin - 1])) {
        to[used++] = t->text[begin - 1];
    }
    memcpy(to + used, t->text + begin, end - begin);
    to[used + end - begin] = '\0';
}

/* The group that own parts lead to; what was moved outwards holds it. */
static void tell_own(struct telling *t, enum name_level_kind kind, const char *level)
{
    strcpy(t->group, t->moved);
    if (t->moved[0]) {
        strcat(t->group, "-");
    }
    strcat(t->group, t->own);
    t->tell(t->data, kind, level, t->group);
}

static void tell_moved(struct telling *t, enum name_level_kind kind, int i)
{
    const struct name_part *part = &t->read.part[i];

    append(t, t->moved, part->begin, part->end);
    strcpy(t->group, t->moved);
    t->tell(t->data, kind, part->place ? part->level : "cluster", t->group);
}

/* Words that say how a host was started, not where it is. */
static int is_manner(const char *text, size_t length)
{
    static const char *const words[] = {"dy", "st", "dynamic", "static", "spot", "ondemand"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (length == strlen(words[i]) && memcmp(text, words[i], length) == 0) {
            return 1;
        }
    }
    return 0;
}

/* The letters in front of a number, as a level of their own. */
static void tell_class(struct telling *t, const struct name_part *part)
{
    const size_t end = name_behind_letters(t->text, part);

    if (end > part->begin) {
        append(t, t->own, part->begin, end);
        tell_own(t, NAME_LEVEL_CLASS, "cluster");
    }
}

static void tell_part(struct telling *t, int i)
{
    const struct name_part *part = &t->read.part[i];

    if (part->kind == NAME_WORD) {
        if (!is_manner(t->text + part->begin, part->end - part->begin)) {
            append(t, t->own, part->begin, part->end);
            tell_own(t, NAME_LEVEL_CLASS, "cluster");
        }
    } else if (part->kind == NAME_LETTERS) {
        append(t, t->own, part->begin, part->end);
        tell_own(t, NAME_LEVEL_LETTERS, "group");
    } else if (part->place) {
        append(t, t->own, part->begin, part->end);
        tell_own(t, NAME_LEVEL_PLACE, part->level);
    } else {
        size_t begin = part->begin;

        if ((i == t->first || i == t->class) && part->digits > begin) {
            if (!t->class_told) {
                tell_class(t, part);
            }
            begin = name_behind_letters(t->text, part);
        }
        append(t, t->own, begin, part->end);
        tell_own(t, NAME_LEVEL_NUMBER, "group");
    }
}

/* Words behind the number that counts hosts; a single letter says too little. */
static void tell_words_behind(struct telling *t)
{
    for (int i = t->read.leaf + 1; i < t->read.nparts; i++) {
        const struct name_part *part = &t->read.part[i];
        if (part->kind == NAME_WORD && part->end - part->begin > 1) {
            tell_moved(t, NAME_LEVEL_CLASS, i);
        }
    }
}

/* The place farthest outside in parts begin..end-1 after the part at last; -1 when there is none. */
static int next_place(const struct telling *t, int begin, int end, int last)
{
    int next = -1;

    for (int i = begin; i < end; i++) {
        const int place = t->read.part[i].place, than = last < 0 ? 0 : t->read.part[last].place;
        if (i != t->read.leaf && (place > than || (place > 0 && place == than && i > last)) &&
            (next < 0 || place < t->read.part[next].place)) {
            next = i;
        }
    }
    return next;
}

/* A place behind the number that counts hosts takes those in front with it, each to its rank. */
static int tell_places_behind(struct telling *t, int begin)
{
    const int end = t->read.nparts;
    const int are_behind = next_place(t, t->read.leaf + 1, end, -1) >= 0;

    for (int i = next_place(t, begin, end, -1); are_behind && i >= 0;
         i = next_place(t, begin, end, i)) {
        tell_moved(t, NAME_LEVEL_PLACE, i);
    }
    return are_behind;
}

/* Inside other groups, letters that the numbers of all hosts have say nothing. */
static int is_leaf_alike(const struct telling *t)
{
    return !t->set->leaves_vary && (t->own[0] || t->moved[0]);
}

/* In order, but where there are places their own order counts: a row holds racks. */
static void tell_parts_in_front(struct telling *t, int begin, int places_are_told)
{
    const int leaf = t->read.leaf;
    int last = -1;

    for (int i = begin; i < leaf; i++) {
        if (i == leaf - 1 && name_has_leaf_word(&t->read) && is_leaf_alike(t)) {
            return;
        }
        if (!t->read.part[i].place) {
            tell_part(t, i);
        } else if (!places_are_told) {
            last = next_place(t, begin, leaf, last);
            tell_part(t, last);
        }
    }
}

/* The letters of the number that counts hosts are a class too where they stand alone. */
static void tell_leaf(struct telling *t)
{
    const struct name_part *part = &t->read.part[t->read.leaf];
    const int is_first = t->read.leaf == t->first || t->read.leaf == t->class;

    if (!t->class_told && !is_leaf_alike(t) &&
        (part->place ? t->read.nnumbers == 1 : is_first || part->starts_field)) {
        tell_class(t, part);
    }
}

static int find_class(const struct name_reading *r, int begin)
{
    for (int i = begin; i < r->nparts; i++) {
        if (r->part[i].kind == NAME_NUMBER && !r->part[i].place) {
            return i;
        }
    }
    return -1;
}

void name_levels_tell(const struct name_set *set, const struct set_name *name, char *buffer,
                      name_level_fn *fn, void *data)
{
    const size_t step = name->length + 4;
    struct telling t = {.set = set, .text = name->text, .tell = fn, .data = data};
    int nalike, places_are_told;

    t.group = buffer;
    t.moved = buffer + 2 * step;
    t.own = buffer + 3 * step;
    t.group[0] = t.moved[0] = t.own[0] = '\0';
    name_read(name, &t.read);
    if (t.read.leaf < 0) {
        return;
    }
    nalike = set->nalike < t.read.leaf ? set->nalike : t.read.leaf;
    t.first = find_class(&t.read, 0);
    t.class = find_class(&t.read, set->nalike);
    for (int i = 0; i < nalike; i++) {
        tell_part(&t, i);
    }
    if (!set->classes_vary && t.class == set->nalike && t.class <= t.read.leaf) {
        tell_class(&t, &t.read.part[t.class]);
        t.class_told = 1;
    }
    tell_words_behind(&t);
    places_are_told = tell_places_behind(&t, nalike);
    tell_parts_in_front(&t, nalike, places_are_told);
    if (t.read.leaf < t.read.nparts) {
        tell_leaf(&t);
    }
}
