/* SPDX-License-Identifier: BSD-3-Clause */
/* name_set.c - what all host names of a set have in common. */
#include <config.h>

#include "name_set.h"

#include <string.h>

void name_read(const struct set_name *name, struct name_reading *out)
{
    out->nparts = name_parts_split(name->text, name->length, out->part);
    out->leaf = name->ends_random ? out->nparts : name_parts_leaf(out->part, out->nparts);
    out->nnumbers = 0;
    for (int i = 0; i < out->nparts; i++) {
        out->nnumbers += out->part[i].kind == NAME_NUMBER;
    }
}

size_t name_behind_letters(const char *text, const struct name_part *part)
{
    size_t end = part->digits;

    while (end > part->begin && name_is_separator(text[end - 1])) {
        end--;
    }
    return end;
}

static int is_same(const char *x, size_t nx, const char *y, size_t ny)
{
    return nx == ny && memcmp(x, y, nx) == 0;
}

static int count_alike(const struct set_name *x, const struct name_reading *p,
                       const struct set_name *y, const struct name_reading *q, int most)
{
    int n = 0;

    while (n < most && n < p->nparts && n < q->nparts && p->part[n].kind == q->part[n].kind &&
           is_same(x->text + p->part[n].begin, p->part[n].end - p->part[n].begin,
                   y->text + q->part[n].begin, q->part[n].end - q->part[n].begin)) {
        n++;
    }
    return n;
}

/* The letters of a number, NULL where there is none or where it is a place. */
static const char *letters_of(const struct set_name *name, const struct name_reading *r, int at,
                              size_t *length)
{
    const struct name_part *part = at >= 0 && at < r->nparts ? &r->part[at] : NULL;

    if (!part || part->kind != NAME_NUMBER || part->place) {
        return NULL;
    }
    *length = name_behind_letters(name->text, part) - part->begin;
    return name->text + part->begin;
}

int name_has_leaf_word(const struct name_reading *r)
{
    return r->leaf > 0 && r->leaf < r->nparts &&
           r->part[r->leaf].begin == r->part[r->leaf].digits &&
           r->part[r->leaf - 1].kind == NAME_WORD;
}

/* What the number that counts hosts is called: the "cn" of r1-cn7 and of r1-cn-7. */
static const char *leaf_letters(const struct set_name *name, const struct name_reading *r,
                                size_t *length)
{
    if (name_has_leaf_word(r)) {
        const struct name_part *word = &r->part[r->leaf - 1];
        *length = word->end - word->begin;
        return name->text + word->begin;
    }
    return letters_of(name, r, r->leaf, length);
}

void name_set_study(const struct set_name *name, int n, struct name_set *out)
{
    struct name_reading first, r;
    const char *class = NULL, *leaf = NULL, *other;
    size_t length = 0, leaf_length = 0, other_length = 0;

    *out = (struct name_set){.nalike = NAME_PARTS};
    name_read(&name[0], &first);
    for (int i = 0; i < n; i++) {
        name_read(&name[i], &r);
        out->nalike = count_alike(&name[0], &first, &name[i], &r, out->nalike);
        out->longest = name[i].length > out->longest ? name[i].length : out->longest;
    }
    for (int i = 0; i < n && !(out->classes_vary && out->leaves_vary); i++) {
        name_read(&name[i], &r);
        other = leaf_letters(&name[i], &r, &other_length);
        out->leaves_vary |= leaf && other && !is_same(leaf, leaf_length, other, other_length);
        if (other) {
            leaf = other;
            leaf_length = other_length;
        }
        if (r.leaf < out->nalike) {
            continue;
        }
        other = letters_of(&name[i], &r, out->nalike, &other_length);
        out->classes_vary |= !other || (class && !is_same(class, length, other, other_length));
        class = other;
        length = other_length;
    }
}
