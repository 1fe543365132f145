/* SPDX-License-Identifier: BSD-3-Clause */
/* name_set.c - find what the host names of a set have in common. */
#include <config.h>

#include "hierarchy/names/name_set.h"

#include <string.h>

/* The last number among parts begin..end-1 that is no place; -1 without one. */
static int find_last(const struct name_part *part, int begin, int end)
{
    while (end > begin && (part[end - 1].kind != NAME_NUMBER || part[end - 1].place > 0)) {
        end--;
    }
    return end > begin ? end - 1 : -1;
}

/* The innermost place that is a number; of equal ones the last. */
static int find_innermost(const struct name_part *part, int begin, int end)
{
    int found = -1;

    for (int i = begin; i < end; i++) {
        if (part[i].kind == NAME_NUMBER && part[i].place > 0 &&
            (found < 0 || part[i].place >= part[found].place)) {
            found = i;
        }
    }
    return found;
}

static int find_leaf(const struct name_reading *r, int begin, int end)
{
    int leaf = find_last(r->part, begin, end);

    if (leaf < 0) { /* a job with one host per group has equal numbers: dc1-web-1, dc2-web-1 */
        leaf = find_last(r->part, end, r->nparts);
    }
    return leaf < 0 ? find_innermost(r->part, begin, end) : leaf;
}

void hitop_name_read(const struct set_name *name, const struct name_set *set,
                     struct name_reading *out)
{
    int end;

    out->nparts = hitop_name_parts_split(name->text, name->length, out->part);
    end = out->nparts - set->nalike_end;
    out->ncounts = 0;
    for (int i = set->nalike; i < end; i++) {
        out->ncounts += out->part[i].kind == NAME_NUMBER;
    }
    out->leaf = name->has_random ? out->nparts : find_leaf(out, set->nalike, end);
}

static int is_same(const char *x, size_t nx, const char *y, size_t ny)
{
    return nx == ny && memcmp(x, y, nx) == 0;
}

static int is_same_part(const char *x, const struct name_part *p, const char *y,
                        const struct name_part *q)
{
    return p->kind == q->kind &&
           is_same(x + p->begin, p->end - p->begin, y + q->begin, q->end - q->begin);
}

/* Lower set->nalike and set->nalike_end to the number of parts in which x and y are equal. */
static void compare(const struct set_name *x, const struct name_reading *p,
                    const struct set_name *y, const struct name_reading *q, struct name_set *set)
{
    const int most = p->nparts < q->nparts ? p->nparts : q->nparts;
    int n = 0;

    while (n < most && n < set->nalike &&
           is_same_part(x->text, &p->part[n], y->text, &q->part[n])) {
        n++;
    }
    set->nalike = n;
    for (n = 0; n < most && n < set->nalike_end &&
                is_same_part(x->text, &p->part[p->nparts - 1 - n], y->text,
                             &q->part[q->nparts - 1 - n]);) {
        n++;
    }
    set->nalike_end = n;
}

/* The letters of a number; NULL if there is no number, or if it is a place. */
static const char *letters_of(const struct set_name *name, const struct name_reading *r, int at,
                              size_t *length)
{
    const struct name_part *part = at >= 0 && at < r->nparts ? &r->part[at] : NULL;

    if (!part || part->kind != NAME_NUMBER || part->place) {
        return NULL;
    }
    *length = part->digits - part->begin;
    return name->text + part->begin;
}

int hitop_name_has_leaf_word(const struct name_reading *r)
{
    return r->leaf > 0 && r->leaf < r->nparts &&
           r->part[r->leaf].begin == r->part[r->leaf].digits &&
           r->part[r->leaf - 1].kind == NAME_WORD && !r->part[r->leaf - 1].place;
}

/* The letters of the number that counts hosts: the "cn" of r1-cn7 and of r1-cn-7. */
static const char *leaf_letters(const struct set_name *name, const struct name_reading *r,
                                size_t *length)
{
    if (hitop_name_has_leaf_word(r)) {
        const struct name_part *word = &r->part[r->leaf - 1];
        *length = word->end - word->begin;
        return name->text + word->begin;
    }
    return letters_of(name, r, r->leaf, length);
}

static void find_alike(const struct set_name *name, int n, struct name_set *set)
{
    static const struct name_set nothing_alike = {0};
    struct name_reading first, r;
    int fewest = NAME_PARTS, most = 0;

    set->nalike = set->nalike_end = NAME_PARTS;
    hitop_name_read(&name[0], &nothing_alike, &first);
    for (int i = 0; i < n; i++) {
        hitop_name_read(&name[i], &nothing_alike, &r);
        compare(&name[0], &first, &name[i], &r, set);
        fewest = r.nparts < fewest ? r.nparts : fewest;
        most = r.nparts > most ? r.nparts : most;
        set->longest = name[i].length > set->longest ? name[i].length : set->longest;
    }
    if (set->nalike == most) { /* all names are equal, so that there is nothing to compare */
        set->nalike = set->nalike_end = 0;
    } else if (set->nalike_end > fewest - set->nalike) {
        set->nalike_end = fewest - set->nalike;
    }
}

void hitop_name_set_study(const struct set_name *name, int n, struct name_set *out)
{
    struct name_reading r;
    const char *class = NULL, *leaf = NULL, *other;
    size_t length = 0, leaf_length = 0, other_length = 0;

    *out = (struct name_set){0};
    find_alike(name, n, out);
    for (int i = 0; i < n && !(out->classes_vary && out->leaves_vary); i++) {
        hitop_name_read(&name[i], out, &r);
        other = leaf_letters(&name[i], &r, &other_length);
        out->leaves_vary |= leaf && other && !is_same(leaf, leaf_length, other, other_length);
        out->leaves_vary |= r.leaf < 0 && out->nalike > 0; /* job-launcher beside job-worker-0 */
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
