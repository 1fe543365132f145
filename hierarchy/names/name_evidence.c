/* SPDX-License-Identifier: BSD-3-Clause */
/* name_evidence.c - statistics about pieces of names that follow the same text. */
#include <config.h>

#include "hierarchy/names/name_evidence.h"

#include "hierarchy/text/digit.h"

#include <stdlib.h>
#include <string.h>

const char *hitop_name_piece_text(const struct name_piece *p)
{
    return p->name->text + p->begin;
}

/* Order by the text in front, then by length. */
static int by_stem(const struct name_piece *x, const struct name_piece *y)
{
    if (x->begin != y->begin) {
        return x->begin < y->begin ? -1 : 1;
    }
    if (x->length != y->length) {
        return x->length < y->length ? -1 : 1;
    }
    return memcmp(x->name->text, y->name->text, x->begin);
}

/* Order by signature: all digits count as equal. */
static int by_signature(const struct name_piece *x, const struct name_piece *y)
{
    for (size_t i = 0; i < x->length; i++) {
        const char a = hitop_name_piece_text(x)[i], b = hitop_name_piece_text(y)[i];
        if (a != b && !(is_digit(a) && is_digit(b))) {
            return a < b ? -1 : 1;
        }
    }
    return 0;
}

static int by_all(const void *a, const void *b)
{
    const struct name_piece *x = a, *y = b;
    int order = by_stem(x, y);

    order = order ? order : by_signature(x, y);
    return order ? order : memcmp(hitop_name_piece_text(x), hitop_name_piece_text(y), x->length);
}

/* Twice the number of runs of digits and of letters, plus 1 if the first one is digits. */
static int shape_of(const struct name_piece *p)
{
    const char *text = hitop_name_piece_text(p);
    int runs = 1;

    for (size_t i = 1; i < p->length; i++) {
        runs += is_digit(text[i]) != is_digit(text[i - 1]);
    }
    return 2 * runs + is_digit(text[0]);
}

static void add_piece(const struct name_piece *p, struct name_evidence *e)
{
    const char *text = hitop_name_piece_text(p);
    int any = 0;

    for (size_t i = 0; i < p->length; i++) {
        any |= !is_digit(text[i]);
        e->hexadecimal &= is_digit(text[i]) || (text[i] >= 'a' && text[i] <= 'f');
    }
    e->letters += any;
    e->begins |= is_digit(text[0]) ? 2 : 1;
}

struct name_evidence hitop_name_evidence_collect(const struct name_piece *p, int n)
{
    struct name_evidence e = {.n = n, .hexadecimal = 1};
    unsigned long long seen = 0;

    for (int i = 0; i < n; i++) {
        const int shape = shape_of(&p[i]);
        const unsigned long long bit = 1ull << (shape < 63 ? shape : 63);

        add_piece(&p[i], &e);
        e.restless += shape >= 6;
        e.shapes += (seen & bit) == 0;
        seen |= bit;
        e.signatures += i == 0 || by_signature(&p[i - 1], &p[i]) != 0;
        e.same |= i > 0 && memcmp(hitop_name_piece_text(&p[i - 1]), hitop_name_piece_text(&p[i]),
                                  p[i].length) == 0;
    }
    return e;
}

void hitop_name_pieces_sort(struct name_piece *p, int n)
{
    qsort(p, (size_t)n, sizeof(*p), by_all);
}

int hitop_name_pieces_count(const struct name_piece *p, int n)
{
    int count = 1;

    while (count < n && by_stem(&p[0], &p[count]) == 0) {
        count++;
    }
    return count;
}

int hitop_name_pieces_are_plain(const struct name_piece *piece, int n)
{
    for (int i = 0; i < n; i++) {
        const size_t length = piece[i].length;
        const char *text = hitop_name_piece_text(&piece[i]);
        size_t at = 0;

        while (at < length && !is_digit(text[at])) {
            at++;
        }
        while (at < length && is_digit(text[at])) {
            at++;
        }
        if (at < length) {
            return 0;
        }
    }
    return 1;
}
