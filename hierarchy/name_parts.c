/* SPDX-License-Identifier: BSD-3-Clause */
/* name_parts.c - take the words and numbers of a host name apart. */
#include <config.h>

#include "name_parts.h"

#include <string.h>

/* Words that say what the number behind them counts, from the outside inwards. */
static const struct {
    const char *word, *level;
    int place;
} places[] = {
    {"region", "region", 1},
    {"site", "site", 1},
    {"dc", "datacenter", 1},
    {"zone", "zone", 2},
    {"building", "building", 2},
    {"hall", "hall", 2},
    {"room", "room", 2},
    {"island", "island", 3},
    {"cell", "cell", 3},
    {"pod", "pod", 3},
    {"su", "su", 3},
    {"row", "row", 3},
    {"group", "group", 3},
    {"cabinet", "cabinet", 4},
    {"cab", "cabinet", 4},
    {"rack", "rack", 4},
    {"frame", "frame", 4},
    {"chassis", "chassis", 5},
    {"encl", "enclosure", 5},
    {"enclosure", "enclosure", 5},
    {"drawer", "drawer", 5},
    {"switch", "switch", 5},
};

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

int name_is_separator(char c)
{
    return !is_digit(c) && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') &&
           (unsigned char)c < 128;
}

static size_t behind_letters(const char *name, size_t length, size_t at)
{
    while (at < length && !is_digit(name[at]) && !name_is_separator(name[at])) {
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

/* Two coordinates are one number where letters and digits follow at once: c1-0c2s3n0, but not c1-0. */
static size_t behind_pair(const char *name, size_t length, size_t at)
{
    size_t second, letters;

    if (at >= length || name[at] != '-') {
        return at;
    }
    second = behind_digits(name, length, at + 1);
    letters = behind_letters(name, length, second);
    return second > at + 1 && letters > second && letters < length && is_digit(name[letters])
               ? second
               : at;
}

static void find_place(const char *name, struct name_part *part)
{
    size_t end = part->digits;

    while (end > part->begin && name_is_separator(name[end - 1])) {
        end--;
    }
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        const size_t length = strlen(places[i].word);
        if (end - part->begin == length &&
            strncmp(name + part->begin, places[i].word, length) == 0) {
            part->place = places[i].place;
            part->level = places[i].level;
        }
    }
}

/* "rack-1" says what "rack1" says. Returns the new number of parts. */
static int join_place(const char *name, struct name_part *part, int nparts)
{
    struct name_part *word = part + nparts - 2, *number = part + nparts - 1;
    struct name_part both = *number;

    if (nparts < 2 || word->kind != NAME_WORD || number->begin != number->digits ||
        number->begin != word->end + 1) {
        return nparts;
    }
    both.begin = word->begin;
    find_place(name, &both);
    if (both.place == 0) {
        return nparts;
    }
    *word = both;
    return nparts - 1;
}

int name_parts_split(const char *name, size_t length, struct name_part *part)
{
    size_t at = 0;
    int n = 0;

    while (at < length && n < NAME_PARTS) {
        struct name_part *p = &part[n];

        if (name_is_separator(name[at])) {
            at++;
            continue;
        }
        *p = (struct name_part){.begin = at,
                                .starts_field = at == 0 || name_is_separator(name[at - 1])};
        p->digits = behind_letters(name, length, at);
        p->end = behind_digits(name, length, p->digits);
        n++;
        if (p->end == p->digits) {
            p->kind = p->starts_field ? NAME_WORD : NAME_LETTERS;
        } else {
            p->kind = NAME_NUMBER;
            p->end = behind_pair(name, length, p->end);
            find_place(name, p);
            n = join_place(name, part, n);
        }
        at = part[n - 1].end;
    }
    return n;
}

int name_parts_leaf(const struct name_part *part, int nparts)
{
    int leaf = -1;

    for (int i = 0; i < nparts; i++) {
        const int is_inside = leaf < 0 || part[i].place == 0 ||
                              (part[leaf].place > 0 && part[i].place >= part[leaf].place);
        if (part[i].kind == NAME_NUMBER && is_inside) {
            leaf = i;
        }
    }
    return leaf;
}
