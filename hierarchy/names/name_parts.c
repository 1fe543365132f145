/* SPDX-License-Identifier: BSD-3-Clause */
/* name_parts.c - split a host name into words and numbers. */
#include <config.h>

#include "hierarchy/names/name_parts.h"

#include "hierarchy/text/digit.h"

#include <string.h>

/* A word that names the level of the number behind it. */
struct place_word {
    const char *word, *level;
    int place;
};

/* From the outside inwards. */
static const struct place_word places[] = {
    {"region", "region", 1},   {"site", "site", 1},      {"dc", "datacenter", 1},
    {"zone", "zone", 2},       {"az", "zone", 2},        {"building", "building", 2},
    {"hall", "hall", 2},       {"room", "room", 2},      {"floor", "floor", 2},
    {"cluster", "cluster", 2}, {"island", "island", 3},  {"cell", "cell", 3},
    {"pod", "pod", 3},         {"su", "su", 3},          {"aisle", "row", 3},
    {"row", "row", 3},         {"group", "group", 3},    {"cabinet", "cabinet", 4},
    {"cab", "cabinet", 4},     {"rack", "rack", 4},      {"frame", "frame", 4},
    {"chassis", "chassis", 5}, {"encl", "enclosure", 5}, {"enclosure", "enclosure", 5},
    {"drawer", "drawer", 5},   {"leaf", "switch", 5},    {"switch", "switch", 5},
};

int hitop_name_is_separator(char c)
{
    return !is_digit(c) && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') &&
           (unsigned char)c < 128;
}

static size_t behind_letters(const char *name, size_t length, size_t at)
{
    while (at < length && !is_digit(name[at]) && !hitop_name_is_separator(name[at])) {
        at++;
    }
    return at;
}

static size_t behind_digits(const char *name, size_t length, size_t at)
{
    while (at < length && is_digit(name[at])) {
        at++;
    }
    return at;
}

/*
 * The two coordinates of a cabinet are one number if the same letters follow: c1-0c2s3n0, but
 * neither c1-0 nor sh02-01n01.
 */
static size_t behind_pair(const char *name, size_t length, const struct name_part *number)
{
    const size_t at = number->end, letters = number->digits - number->begin;
    size_t second, third;

    if (letters == 0 || at >= length || name[at] != '-') {
        return at;
    }
    second = behind_digits(name, length, at + 1);
    third = second + letters;
    return second > at + 1 && third < length && is_digit(name[third]) &&
                   memcmp(name + second, name + number->begin, letters) == 0
               ? second
               : at;
}

static const struct place_word *find_place(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        if (length == strlen(places[i].word) && memcmp(word, places[i].word, length) == 0) {
            return &places[i];
        }
    }
    return NULL;
}

/* 1 for a letter that names a place; the s of "racks" does not. */
static int is_place_letter(const char *name, const struct name_part *part)
{
    return part->end == part->begin + 1 && name[part->begin] != 's';
}

/*
 * Set place and level of the last part if it is a place: "rack1" and "racka" are one part already,
 * "rack-1" and "rack-a" become one. Returns the number of parts.
 */
static int find_places(const char *name, struct name_part *part, int nparts)
{
    struct name_part *last = &part[nparts - 1], *word = last - 1;
    const size_t length = last->digits - last->begin;
    const int is_word = last->kind == NAME_WORD;
    const struct place_word *place = NULL;

    if (is_word ? is_place_letter(name, last) : length == 0) {
        if (nparts > 1 && word->kind == NAME_WORD && last->begin == word->end + 1) {
            place = find_place(name + word->begin, word->end - word->begin);
        }
        if (place) {
            word->kind = last->kind;
            word->digits = last->digits;
            word->end = last->end;
            last = word;
            nparts--;
        }
    } else if (!is_word || name[last->end - 1] != 's') {
        place = find_place(name + last->begin, length - (size_t)is_word);
    }
    if (place) {
        last->place = place->place;
        last->level = place->level;
    }
    return nparts;
}

int hitop_name_parts_split(const char *name, size_t length, struct name_part *part)
{
    size_t at = 0;
    int n = 0;

    while (at < length && n < NAME_PARTS) {
        struct name_part *p = &part[n];

        if (hitop_name_is_separator(name[at])) {
            at++;
            continue;
        }
        *p = (struct name_part){.begin = at,
                                .starts_field = at == 0 || hitop_name_is_separator(name[at - 1])};
        p->digits = behind_letters(name, length, at);
        p->end = behind_digits(name, length, p->digits);
        n++;
        if (p->end == p->digits) {
            p->kind = p->starts_field ? NAME_WORD : NAME_LETTERS;
        } else {
            p->kind = NAME_NUMBER;
            p->end = behind_pair(name, length, p);
        }
        if (p->kind != NAME_LETTERS) {
            n = find_places(name, part, n);
        }
        at = part[n - 1].end;
    }
    return n;
}
