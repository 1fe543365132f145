/* SPDX-License-Identifier: BSD-3-Clause */
/* name_random.c - tell ends of names that a machine made up from words and numbers. */
#include <config.h>

#include "name_random.h"

#include "name_parts.h"

#include <stdlib.h>
#include <string.h>

static const char hexadecimal[] = "0123456789abcdef";
static const char decimal[] = "0123456789";
/* What Kubernetes draws from: no vowels, and no digits that look like one. */
static const char consonants[] = "bcdfghjklmnpqrstvwxz2456789";

enum {
    CONTAINER_ID = 12, /* shortest identifier that is one for certain */
    BASE36_DIGITS = 6  /* of a virtual machine's number within its scale set */
};

/* An end that might be made up. */
struct tail {
    struct set_name *name;
    size_t begin;
    int shape; /* which way digits and letters change */
    int is_field;
};

static int is_made_of(const char *text, size_t length, const char *alphabet)
{
    for (size_t i = 0; i < length; i++) {
        if (!strchr(alphabet, text[i])) {
            return 0;
        }
    }
    return 1;
}

/* Runs of digits and runs of letters, counted; odd when it begins with a digit. */
static int shape_of(const char *text, size_t length)
{
    int runs = 1;

    for (size_t i = 1; i < length; i++) {
        runs += !strchr(decimal, text[i]) != !strchr(decimal, text[i - 1]);
    }
    return 2 * runs + (strchr(decimal, text[0]) != NULL);
}

static int is_mixed(const char *text, size_t length)
{
    return shape_of(text, length) >= 4;
}

static size_t field_length(const char *text, size_t length)
{
    size_t n = 0;

    while (n < length && !name_is_separator(text[n])) {
        n++;
    }
    return n;
}

static int is_uuid(const char *text, size_t length)
{
    static const size_t fields[] = {8, 4, 4, 4, 12};
    size_t at = 0;

    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        if (length < at + fields[i] || !is_made_of(text + at, fields[i], hexadecimal) ||
            (i < 4 && (length == at + fields[i] || text[at + fields[i]] != '-'))) {
            return 0;
        }
        at += fields[i] + 1;
    }
    return at == length + 1;
}

/* A hash of what a pod or a machine was made from, then a few random characters at the end. */
static int is_hash_and_suffix(const char *text, size_t hash, size_t length)
{
    const char *suffix = text + hash + 1;
    const size_t rest = length > hash ? length - hash - 1 : 0;

    if (rest < 4 || rest > 5 || field_length(suffix, rest) != rest || !is_mixed(text, hash)) {
        return 0;
    }
    return (hash == 8 && is_made_of(text, hash, hexadecimal)) ||
           (hash >= 8 && hash <= 10 && is_made_of(text, hash, consonants) &&
            is_made_of(suffix, rest, consonants));
}

/* Where characters begin that the name alone gives away. */
static size_t find_alone(const char *text, size_t length)
{
    size_t field;

    for (size_t at = 0; at < length; at += field + 1) {
        field = field_length(text + at, length - at);
        if (field > 0 &&
            (is_uuid(text + at, length - at) || is_hash_and_suffix(text + at, field, length - at) ||
             (field >= CONTAINER_ID && is_made_of(text + at, field, hexadecimal) &&
              is_mixed(text + at, field)))) {
            return at;
        }
    }
    return length;
}

/* Ends of names as long as a number in base 36, behind a letter or a separator. */
static int is_base36(const struct set_name *name, struct tail *tail)
{
    const size_t begin = name->length - BASE36_DIGITS;

    if (name->length <= BASE36_DIGITS || strncmp(name->text + begin, "000", 3) != 0 ||
        strchr(decimal, name->text[begin - 1]) ||
        field_length(name->text + begin, BASE36_DIGITS) != BASE36_DIGITS) {
        return 0;
    }
    tail->begin = begin;
    return 1;
}

static int find_last_field(const struct set_name *name, struct tail *tail)
{
    size_t begin = name->length;

    while (begin > 0 && !name_is_separator(name->text[begin - 1])) {
        begin--;
    }
    tail->begin = begin;
    return name->length - begin >= 4;
}

/* Names that are alike in front of the end come together. */
static int by_stem(const void *a, const void *b)
{
    const struct tail *x = a, *y = b;

    if (x->begin != y->begin) {
        return x->begin < y->begin ? -1 : 1;
    }
    return memcmp(x->name->text, y->name->text, x->begin);
}

/*
 * People give their numbers one width, or let it grow; they do not put letters where other names of the same
 * length have digits. Ends of base 36 show by one such name, other ends must differ more.
 */
static int is_random(const struct tail *tail, int n)
{
    unsigned long long seen = 0;
    int shapes = 0, begins = 0;

    for (int i = 0; i < n; i++) {
        const unsigned long long bit = 1ull << (tail[i].shape < 63 ? tail[i].shape : 63);
        if (tail[i].name->length != tail[0].name->length) {
            return 0;
        }
        shapes += (seen & bit) == 0;
        begins |= 1 << (tail[i].shape & 1);
        seen |= bit;
    }
    return tail[0].is_field ? shapes >= 3 && begins == 3 : shapes >= 2;
}

static void cut(struct set_name *name, size_t begin)
{
    name->ends_random = name->ends_random || begin < name->length;
    name->length = begin;
}

static void cut_groups(struct tail *tail, int n)
{
    int count, random;

    qsort(tail, (size_t)n, sizeof(*tail), by_stem);
    for (int first = 0; first < n; first += count) {
        for (count = 1; first + count < n && by_stem(&tail[first], &tail[first + count]) == 0;) {
            count++;
        }
        random = is_random(&tail[first], count);
        for (int i = 0; i < count && random; i++) {
            cut(tail[first + i].name, tail[first + i].begin);
        }
    }
}

int name_random_cut(struct set_name *name, int n)
{
    struct tail *tail = calloc((size_t)n + 1, sizeof(*tail));

    if (!tail) {
        return 0;
    }
    for (int i = 0; i < n; i++) {
        cut(&name[i], find_alone(name[i].text, name[i].length));
    }
    for (int is_field = 0; is_field < 2; is_field++) {
        int ntails = 0;

        for (int i = 0; i < n; i++) {
            struct tail *t = &tail[ntails];
            *t = (struct tail){.name = &name[i], .is_field = is_field};
            if (!name[i].ends_random &&
                (is_field ? find_last_field(&name[i], t) : is_base36(&name[i], t))) {
                t->shape = shape_of(name[i].text + t->begin, name[i].length - t->begin);
                ntails++;
            }
        }
        cut_groups(tail, ntails);
    }
    free(tail);
    return 1;
}
