/* SPDX-License-Identifier: BSD-3-Clause */
/* name_levels.c - find the levels in the words and numbers of a host name. */
#include <config.h>

#include "hierarchy/names/name_levels.h"

#include <string.h>

/* A name whose levels are being reported. */
struct reporting {
    const struct name_set *set;
    const char *text;
    struct name_reading read;
    /*
     * The first number that is no place, and the first such number behind the parts that all names
     * begin with. Their letters are classes.
     */
    int first, class;
    int end;  /* where the parts that all names end with begin */
    int done; /* the number whose class was reported last, or -1 */
    /* names of parts that were moved outwards, of the others, of both */
    char *moved, *own, *group;
    name_level_fn *report;
    void *data;
};

/* Append name[begin..end) with the separator in front of it. */
static void append(struct reporting *t, char *to, size_t begin, size_t end)
{
    size_t used = strlen(to);

    if (used > 0 && begin > 0 && hitop_name_is_separator(t->text[begin - 1])) {
        to[used++] = t->text[begin - 1];
    }
    memcpy(to + used, t->text + begin, end - begin);
    to[used + end - begin] = '\0';
}

/* Report the group of the own parts, inside that of the moved parts. */
static void report_own(struct reporting *t, enum name_level_kind kind, const char *level)
{
    strcpy(t->group, t->moved);
    if (t->moved[0]) {
        strcat(t->group, "-");
    }
    strcat(t->group, t->own);
    t->report(t->data, kind, level, t->group);
}

static void report_moved(struct reporting *t, enum name_level_kind kind, const char *level, int i)
{
    append(t, t->moved, t->read.part[i].begin, t->read.part[i].end);
    strcpy(t->group, t->moved);
    t->report(t->data, kind, level, t->group);
}

/* 1 for words about how a host was started, not where it is. */
static int is_provisioning(const char *text, size_t length)
{
    static const char *const words[] = {"dy", "st", "dynamic", "static", "spot", "ondemand"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (length == strlen(words[i]) && memcmp(text, words[i], length) == 0) {
            return 1;
        }
    }
    return 0;
}

static size_t behind_letters(const struct reporting *t, const struct name_part *part)
{
    size_t end = part->digits;

    while (end > part->begin && hitop_name_is_separator(t->text[end - 1])) {
        end--;
    }
    return end;
}

/* Report the letters in front of a number as a level. */
static void report_class(struct reporting *t, int i)
{
    const struct name_part *part = &t->read.part[i];
    const size_t end = behind_letters(t, part);

    if (end > part->begin) {
        append(t, t->own, part->begin, end);
        report_own(t, NAME_LEVEL_CLASS, "cluster");
    }
    t->done = i;
}

static void report_part(struct reporting *t, int i)
{
    const struct name_part *part = &t->read.part[i];
    size_t begin = part->begin;

    if (part->place) {
        append(t, t->own, begin, part->end);
        report_own(t, NAME_LEVEL_PLACE, part->level);
    } else if (part->kind == NAME_LETTERS) {
        append(t, t->own, begin, part->end);
        report_own(t, NAME_LEVEL_LETTERS, "group");
    } else if (part->kind == NAME_NUMBER) {
        if (i == t->first || i == t->class) {
            if (i != t->done) {
                report_class(t, i);
            }
            begin = behind_letters(t, part);
        }
        append(t, t->own, begin, part->end);
        report_own(t, NAME_LEVEL_NUMBER, "group");
    } else if (!is_provisioning(t->text + begin, part->end - begin)) {
        append(t, t->own, begin, part->end);
        report_own(t, NAME_LEVEL_CLASS, "cluster");
    }
}

/* Report words, but not single letters, behind the number that counts hosts. */
static void report_words_behind(struct reporting *t)
{
    for (int i = t->read.leaf + 1; i < t->end; i++) {
        const struct name_part *part = &t->read.part[i];
        const size_t length = part->end - part->begin;

        if (part->kind == NAME_WORD && !part->place && length > 1 &&
            !is_provisioning(t->text + part->begin, length)) {
            report_moved(t, NAME_LEVEL_CLASS, "cluster", i);
        }
    }
}

/*
 * The outermost place among parts begin..end-1 that is inside the place of part last, or the
 * outermost one of all if last is -1. Returns -1 if there is none.
 */
static int next_place(const struct reporting *t, int begin, int end, int last)
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

/*
 * If there is a place behind the number that counts hosts, report all places from the outside
 * inwards.
 */
static int report_places_behind(struct reporting *t, int begin)
{
    const int end = t->read.nparts;
    const int are_behind = next_place(t, t->read.leaf + 1, end, -1) >= 0;

    for (int i = next_place(t, begin, end, -1); are_behind && i >= 0;
         i = next_place(t, begin, end, i)) {
        report_moved(t, NAME_LEVEL_PLACE, t->read.part[i].level, i);
        if (i > t->read.leaf && i + 1 < end && t->read.part[i + 1].kind == NAME_LETTERS) {
            report_moved(t, NAME_LEVEL_LETTERS, "group", i + 1);
        }
    }
    return are_behind;
}

/*
 * 1 if the letters of the number that counts hosts make no level: they are equal everywhere, and
 * the host is in a group already.
 */
static int is_leaf_alike(const struct reporting *t)
{
    return !t->set->leaves_vary && (t->own[0] || t->moved[0]);
}

/* Report the parts in order; places are in their own order, because a row contains racks. */
static void report_parts_in_front(struct reporting *t, int begin, int places_are_done)
{
    const int leaf = t->read.leaf;
    int last = -1;

    for (int i = begin; i < leaf; i++) {
        if (i == leaf - 1 && hitop_name_has_leaf_word(&t->read) && is_leaf_alike(t)) {
            return;
        }
        if (!t->read.part[i].place) {
            report_part(t, i);
        } else if (!places_are_done) {
            last = next_place(t, begin, leaf, last);
            report_part(t, last);
        }
    }
}

/*
 * Report the letters of the number that counts hosts as a class, unless is_leaf_alike(). Letters
 * that follow the number make it an enclosure with several hosts, which is a level.
 */
static void report_leaf(struct reporting *t)
{
    const int leaf = t->read.leaf;
    const struct name_part *part = &t->read.part[leaf];
    const int is_first = leaf == t->first || leaf == t->class;
    size_t begin = part->begin;

    if (t->done != leaf && !is_leaf_alike(t) &&
        (part->place ? t->read.ncounts == 1 : is_first || part->starts_field)) {
        report_class(t, leaf);
    }
    if (leaf + 1 < t->end && part[1].kind == NAME_LETTERS) {
        begin = t->done == leaf ? behind_letters(t, part) : begin;
        append(t, t->own, begin, part->end);
        report_own(t, NAME_LEVEL_NUMBER, "group");
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

void hitop_name_levels_report(const struct name_set *set, const struct set_name *name, char *buffer,
                              name_level_fn *fn, void *data)
{
    const size_t step = name->length + 4;
    struct reporting t = {.set = set, .text = name->text, .done = -1, .report = fn, .data = data};
    int nalike, places_are_done;

    t.group = buffer;
    t.moved = buffer + 2 * step;
    t.own = buffer + 3 * step;
    t.group[0] = t.moved[0] = t.own[0] = '\0';
    hitop_name_read(name, set, &t.read);
    nalike = t.read.leaf < 0 || set->nalike < t.read.leaf ? set->nalike : t.read.leaf;
    t.end = t.read.nparts - set->nalike_end;
    t.first = find_class(&t.read, 0);
    t.class = find_class(&t.read, set->nalike);
    for (int i = 0; i < nalike; i++) {
        report_part(&t, i);
    }
    if (t.read.leaf < 0) {
        return; /* words without a number show no groups */
    }
    if (!set->classes_vary && t.class == set->nalike && t.class <= t.read.leaf) {
        report_class(&t, t.class);
    }
    report_words_behind(&t);
    places_are_done = report_places_behind(&t, nalike);
    report_parts_in_front(&t, nalike, places_are_done);
    if (t.read.leaf < t.read.nparts) {
        report_leaf(&t);
    }
}
