/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * name_random.c - remove random pieces of names.
 *
 * Identifiers are recognized by their form, other pieces by statistics about the pieces of all
 * names that follow the same text and have the same length. A field is the text between two
 * separators. The signature of a piece is the piece with all digits replaced by 0: c01n1 to c99n9
 * have one signature.
 */
#include <config.h>

#include "hierarchy/names/name_random.h"

#include "hierarchy/names/name_parts.h"
#include "hierarchy/text/digit.h"

#include <stdlib.h>
#include <string.h>

/* A piece that may be random. */
struct name_piece {
    struct set_name *name;
    size_t begin, length;
};

/* Statistics of pieces of one length. */
struct name_evidence {
    int n;
    int shapes;      /* number of different sequences of runs of digits and letters */
    int begins;      /* bit 0: some begin with a letter; bit 1: with a digit */
    int signatures;  /* number of different signatures */
    int same;        /* 1: some pieces are equal */
    int letters;     /* number of pieces with letters */
    int restless;    /* number of pieces with at least three runs of digits and letters */
    int hexadecimal; /* 1: all pieces are hexadecimal */
};

static const char *text_of(const struct name_piece *p)
{
    return p->name->text + p->begin;
}

/* Order by position, by length, then by the text in front. */
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
        const char a = text_of(x)[i], b = text_of(y)[i];
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
    return order ? order : memcmp(text_of(x), text_of(y), x->length);
}

/* Twice the number of runs of digits and of letters, plus 1 if the first one is digits. */
static int shape_of(const struct name_piece *p)
{
    const char *text = text_of(p);
    int runs = 1;

    for (size_t i = 1; i < p->length; i++) {
        runs += is_digit(text[i]) != is_digit(text[i - 1]);
    }
    return 2 * runs + is_digit(text[0]);
}

static void add_piece(const struct name_piece *p, struct name_evidence *e)
{
    const char *text = text_of(p);
    int any = 0;

    for (size_t i = 0; i < p->length; i++) {
        any |= !is_digit(text[i]);
        e->hexadecimal &= is_digit(text[i]) || (text[i] >= 'a' && text[i] <= 'f');
    }
    e->letters += any;
    e->begins |= is_digit(text[0]) ? 2 : 1;
}

/* The statistics of n pieces of one length that follow the same text, in the order of by_all(). */
static struct name_evidence collect_evidence(const struct name_piece *p, int n)
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
        e.same |= i > 0 && memcmp(text_of(&p[i - 1]), text_of(&p[i]), p[i].length) == 0;
    }
    return e;
}

/*
 * Number of sorted pieces that follow the same text as the first one and have its length. n at
 * least 1.
 */
static int count_pieces(const struct name_piece *p, int n)
{
    int count = 1;

    while (count < n && by_stem(&p[0], &p[count]) == 0) {
        count++;
    }
    return count;
}

/* 1 if in no piece letters follow digits. */
static int are_plain(const struct name_piece *piece, int n)
{
    for (int i = 0; i < n; i++) {
        const size_t length = piece[i].length;
        const char *text = text_of(&piece[i]);
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

/* ---- UUIDs, hardware addresses, identifiers of containers and pods ---- */

static const char hexadecimal[] = "0123456789abcdef";
static const char decimal[] = "0123456789";
/* The alphabet of Kubernetes: no vowels and not 0, 1, 3, so that names are no words. */
static const char consonants[] = "bcdfghjklmnpqrstvwxz2456789";

/* Shortest text that is certainly the identifier of a container. */
enum { CONTAINER_ID = 12 };

/* Lengths of hexadecimal fields with '-' between them. */
static const size_t uuid[] = {8, 4, 4, 4, 12, 0};
static const size_t hardware_address[] = {2, 2, 2, 2, 2, 2, 0};

static size_t span(const char *text, size_t length, const char *alphabet)
{
    size_t n = 0;

    while (n < length && strchr(alphabet, text[n])) {
        n++;
    }
    return n;
}

/* 1 if there are letters and digits. */
static int is_mixed(const char *text, size_t length)
{
    const size_t digits = span(text, length, decimal);

    return digits > 0 ? digits < length : span(text, length, "abcdefghijklmnopqrstuvwxyz") < length;
}

static size_t field_length(const char *text, size_t length)
{
    size_t n = 0;

    while (n < length && !hitop_name_is_separator(text[n])) {
        n++;
    }
    return n;
}

static int is_dashed(const char *text, size_t length, const size_t *field)
{
    size_t at = 0;

    for (; *field > 0; field++) {
        if (length < at + *field || span(text + at, *field, hexadecimal) != *field ||
            (field[1] > 0 && (length == at + *field || text[at + *field] != '-'))) {
            return 0;
        }
        at += *field + 1;
    }
    return at == length + 1 && strcspn(text, "abcdef") < length;
}

/* 1 for a hash of the template of a pod or machine, then 4 or 5 random characters at the end. */
static int is_hash_and_suffix(const char *text, size_t hash, size_t length)
{
    const char *suffix = text + hash + 1;
    const size_t rest = length > hash ? length - hash - 1 : 0;

    if (rest < 4 || rest > 5 || field_length(suffix, rest) != rest || !is_mixed(text, hash)) {
        return 0;
    }
    return (hash == 8 && span(text, hash, hexadecimal) == hash) ||
           (hash >= 8 && hash <= 10 && span(text, hash, consonants) == hash &&
            span(suffix, rest, consonants) == rest);
}

/* Begin of an identifier at the end of a name in lower case; length if there is none. */
static size_t find_identifier(const char *text, size_t length)
{
    size_t field;

    for (size_t at = 0; at < length; at += field + 1) {
        const char *begin = text + at;
        const size_t rest = length - at;

        field = field_length(begin, rest);
        if (field > 0 &&
            (is_dashed(begin, rest, uuid) || is_dashed(begin, rest, hardware_address) ||
             is_hash_and_suffix(begin, field, rest) ||
             (field >= CONTAINER_ID && span(begin, field, hexadecimal) == field &&
              is_mixed(begin, field)))) {
            return at;
        }
    }
    return length;
}

/* ---- Pieces that are recognized by statistics ---- */

enum {
    BASE36_DIGITS = 6,   /* of a virtual machine's number within its scale set */
    RANDOM_FIELD = 4,    /* shortest field that may be random */
    HEXADECIMAL = 6,     /* shortest hexadecimal field that may be random */
    SERIAL_NUMBER = 7,   /* shortest field with many shapes that may be random */
    MANY_SIGNATURES = 64 /* more words than people choose for hosts */
};

/* Find six characters at the end, which begin with zeros, behind a letter or a separator. */
static int find_base36(const struct set_name *name, int at, struct name_piece *p)
{
    p->length = BASE36_DIGITS;
    p->begin = name->length - BASE36_DIGITS;
    if (at > 0 || name->length <= BASE36_DIGITS || strncmp(text_of(p), "000", 3) != 0 ||
        is_digit(text_of(p)[-1])) {
        return 0;
    }
    for (size_t i = 0; i < BASE36_DIGITS; i++) {
        if (hitop_name_is_separator(text_of(p)[i])) {
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
 * 1 for hexadecimal pieces whose letters and digits are at different positions, which people do not
 * choose.
 */
static int is_hexadecimal_counter(const struct name_piece *p, const struct name_evidence *e)
{
    (void)p;
    return e->hexadecimal && e->letters > 0 && e->shapes > 1;
}

/* Find the field with index at. */
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

    qsort(piece, (size_t)n, sizeof(*piece), by_all);
    for (int first = 0; first < n; first += count) {
        struct name_evidence e;

        count = count_pieces(&piece[first], n - first);
        e = collect_evidence(&piece[first], count);
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
        if (!are_plain(piece, npieces)) { /* ordinary names need no sorting */
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
        p.begin = find_identifier(name[i].text, name[i].length);
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
