/* SPDX-License-Identifier: BSD-3-Clause */
/* name_random.c - remove random pieces of names. */
#include <config.h>

#include "hierarchy/names/name_random.h"

#include "hierarchy/names/name_evidence.h"
#include "hierarchy/names/name_identifier.h"
#include "hierarchy/names/name_parts.h"
#include "hierarchy/text/digit.h"

#include <stdlib.h>
#include <string.h>

enum {
    BASE36_DIGITS = 6,   /* of a virtual machine's number within its scale set */
    RANDOM_FIELD = 4,    /* shortest field that may be random */
    HEXADECIMAL = 6,     /* shortest hexadecimal field that may be random */
    SERIAL_NUMBER = 7,   /* shortest field with many shapes that may be random */
    MANY_SIGNATURES = 64 /* more than people choose */
};

/* Find six characters at the end, which begin with zeros, behind a letter or a separator. */
static int find_base36(const struct set_name *name, int at, struct name_piece *p)
{
    p->length = BASE36_DIGITS;
    p->begin = name->length - BASE36_DIGITS;
    if (at > 0 || name->length <= BASE36_DIGITS ||
        strncmp(hitop_name_piece_text(p), "000", 3) != 0 ||
        is_digit(hitop_name_piece_text(p)[-1])) {
        return 0;
    }
    for (size_t i = 0; i < BASE36_DIGITS; i++) {
        if (hitop_name_is_separator(hitop_name_piece_text(p)[i])) {
            return 0;
        }
    }
    return 1;
}

static int is_base36(const struct name_piece *p, const struct name_evidence *e)
{
    (void)p;
    return e->letters > 0;
}

/* Find the last field from its first digit on. */
static int find_counter(const struct set_name *name, int at, struct name_piece *p)
{
    p->begin = name->length;
    while (p->begin > 0 && !hitop_name_is_separator(name->text[p->begin - 1])) {
        p->begin--;
    }
    while (p->begin < name->length && !is_digit(name->text[p->begin])) {
        p->begin++;
    }
    p->length = name->length - p->begin;
    return at == 0 && p->length > 0;
}

/*
 * 1 if a position has letters in some names and digits in others of the same length, as people do
 * not write.
 */
static int is_hexadecimal_counter(const struct name_piece *p, const struct name_evidence *e)
{
    (void)p;
    return e->hexadecimal && e->letters > 0 && e->shapes > 1;
}

/* Find field number at, from 0. */
static int find_field(const struct set_name *name, int at, struct name_piece *p)
{
    size_t begin = 0, end;

    for (;; at--) {
        for (end = begin; end < name->length && !hitop_name_is_separator(name->text[end]);) {
            end++;
        }
        if (at == 0 || end == name->length) {
            break;
        }
        begin = end + 1;
    }
    p->begin = begin;
    p->length = end - begin;
    return at == 0 && p->length >= RANDOM_FIELD;
}

/*
 * People use few words for many hosts, and begin all fields with letters or all with digits. A
 * field is random if most names differ in their letters, and letters and digits alternate
 * irregularly.
 */
static int is_random_field(const struct name_piece *p, const struct name_evidence *e)
{
    const int differ = e->signatures == e->n || e->signatures >= MANY_SIGNATURES;
    const int nearly = differ || 10 * e->signatures >= 9 * e->n;
    const int vary = e->shapes >= 3 && 2 * e->signatures >= e->n;

    if (e->same || e->n < 2) {
        return 0;
    }
    if (e->hexadecimal && p->length >= HEXADECIMAL) {
        return nearly;
    }
    if (p->length >= SERIAL_NUMBER && e->n > 3 && e->shapes >= 3 && 2 * e->restless >= e->n) {
        return nearly;
    }
    return e->n > 2 && e->begins == 3 && e->restless > 0 && 8 * e->restless >= e->n &&
           (differ || vary);
}

/* How to find pieces, and the test for random ones. */
struct rule {
    int (*find)(const struct set_name *name, int at, struct name_piece *p);
    int (*is_random)(const struct name_piece *p, const struct name_evidence *e);
};

static void cut(struct name_piece *p)
{
    struct set_name *name = p->name;
    size_t begin = p->begin, end = p->begin + p->length;

    if (end < name->length) {
        end++; /* the separator */
    }
    memmove(name->text + begin, name->text + end, name->length - end);
    name->length -= end - begin;
    if (begin == name->length && begin > 0 && hitop_name_is_separator(name->text[begin - 1])) {
        name->length--;
    }
    name->text[name->length] = '\0';
    name->has_random = 1;
}

/* Cut random pieces among those that follow the same text. Returns the number of cuts. */
static int cut_random(struct name_piece *piece, int n, const struct rule *rule)
{
    int count, ncut = 0;

    hitop_name_pieces_sort(piece, n);
    for (int first = 0; first < n; first += count) {
        struct name_evidence e;

        count = hitop_name_pieces_count(&piece[first], n - first);
        e = hitop_name_evidence_collect(&piece[first], count);
        if (rule->is_random(&piece[first], &e)) {
            for (int i = first; i < first + count; i++) {
                cut(&piece[i]);
            }
            ncut += count;
        }
    }
    return ncut;
}

static void apply(const struct rule *rule, int at, struct set_name *name, int n,
                  struct name_piece *piece)
{
    int npieces, ncut;

    do {
        npieces = ncut = 0;
        for (int i = 0; i < n; i++) {
            piece[npieces] = (struct name_piece){.name = &name[i]};
            npieces += rule->find(&name[i], at, &piece[npieces]);
        }
        if (!hitop_name_pieces_are_plain(piece, npieces)) { /* ordinary names need no sorting */
            ncut = cut_random(piece, npieces, rule);
        }
    } while (ncut > 0); /* the next piece is at this position now */
}

static int count_fields(const struct set_name *name, int n)
{
    int most = 0;

    for (int i = 0; i < n; i++) {
        int fields = 1;
        for (size_t k = 0; k < name[i].length; k++) {
            fields += hitop_name_is_separator(name[i].text[k]);
        }
        most = fields > most ? fields : most;
    }
    return most;
}

int hitop_name_random_cut(struct set_name *name, int n)
{
    static const struct rule base36 = {find_base36, is_base36},
                             counter = {find_counter, is_hexadecimal_counter},
                             field = {find_field, is_random_field};
    struct name_piece *piece = calloc((size_t)n + 1, sizeof(*piece));
    const int nfields = count_fields(name, n);

    if (!piece) {
        return 0;
    }
    for (int i = 0; i < n; i++) {
        struct name_piece p = {.name = &name[i]};
        p.begin = hitop_name_identifier_find(name[i].text, name[i].length);
        p.length = name[i].length - p.begin;
        if (p.length > 0) {
            cut(&p);
        }
    }
    for (int at = 0; at < nfields; at++) {
        apply(&field, at, name, n, piece);
    }
    apply(&base36, 0, name, n, piece);
    apply(&counter, 0, name, n, piece);
    free(piece);
    return 1;
}
