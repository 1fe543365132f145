/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_DAMAGE_H
#define TESTS_DAMAGE_H

/* damage.h - text as it comes from a slip of the hand, a bad merge or a full disk. */

#include "tests/support/draw.h"

#include <string.h>

/* A text in a buffer of its own. */
struct damage_text {
    char *text;
    size_t length, max;
};

/* Replace size bytes at a place by others, unless they do not fit. */
static inline void damage_splice(struct damage_text *t, size_t at, size_t size, const char *with,
                                 size_t n)
{
    if (t->length - size + n > t->max) {
        return;
    }
    memmove(t->text + at + n, t->text + at + size, t->length - at - size);
    memcpy(t->text + at, with, n);
    t->length += n - size;
}

/* Begin of the line that a place is in, and how long it is with its end. */
static inline size_t damage_line(const struct damage_text *t, size_t at, size_t *length)
{
    size_t begin = at, end = at;

    while (begin > 0 && t->text[begin - 1] != '\n') {
        begin--;
    }
    while (end < t->length && t->text[end++] != '\n') {
    }
    *length = end - begin;
    return begin;
}

/* Write a line of the text once more in front of another one, which may go. */
static inline void damage_by_line(uint64_t *state, struct damage_text *t)
{
    char line[256];
    size_t length, gone;
    const size_t from = damage_line(t, (size_t)draw(state, (int)t->length), &length);
    const size_t to = damage_line(t, (size_t)draw(state, (int)t->length), &gone);

    length = length < sizeof(line) ? length : sizeof(line);
    memcpy(line, t->text + from, length);
    damage_splice(t, to, draw(state, 2) ? gone : 0, line, length);
}

/*
 * Damage one place.
 *
 * piece  words that mean something in such texts, so that some damage gets past the scanner
 */
static inline void damage(uint64_t *state, struct damage_text *t, const char *const *piece,
                          int npieces)
{
    const int length = (int)t->length;
    const size_t at = length > 0 ? (size_t)draw(state, length) : 0;
    const size_t left = t->length - at;
    const size_t size = length > 0 ? (size_t)draw(state, left < 40 ? (int)left + 1 : 40) : 0;
    const char *word = piece[draw(state, npieces)];
    char copy[64];

    switch (draw(state, 7)) {
    case 0: /* cut out */
        damage_splice(t, at, size, "", 0);
        break;
    case 1: /* cut off */
        t->length = draw(state, 4) ? t->length : at;
        break;
    case 2: /* one byte */
        copy[0] = (char)draw(state, 256);
        damage_splice(t, at, length > 0, copy, 1);
        break;
    case 3: /* twice */
        memcpy(copy, t->text + at, size);
        damage_splice(t, at, 0, copy, size);
        break;
    case 4:
        damage_splice(t, at, size, word, strlen(word));
        break;
    case 5:
        damage_splice(t, at, 0, word, strlen(word));
        break;
    default:
        if (length > 0) {
            damage_by_line(state, t);
        }
    }
}

#endif /* TESTS_DAMAGE_H */
