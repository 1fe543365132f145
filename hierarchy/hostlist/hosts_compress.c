/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hosts_compress.c - write names as a short list, in the same order.
 *
 * Neighbours that differ in one number only are merged, first by the last number of the names, then
 * by the one before, and so on. The order is kept, because the leftmost bracket of a list varies
 * slowest.
 */
#include <config.h>

#include "hitop/hosts.h"

#include "hierarchy/text/storage.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer numbers are treated as text. */
enum { MAX_DIGITS = 9 };

/* A name, or several names with numbers in brackets; each is in the list "times" times. */
struct entry {
    const char *text;
    int times;
    int is_plain; /* 0: has characters with a meaning in lists, and is not merged */
};

struct digits {
    const char *begin;
    size_t length;
};

/* The number with index k, counted from the left; 0 when there are fewer. */
static int find_digits(const char *text, int k, struct digits *out)
{
    for (; *text; text += out->length) {
        out->length = strspn(text, "0123456789");
        if (out->length > 0 && k-- == 0) {
            out->begin = text;
            return 1;
        }
        if (out->length == 0) {
            out->length = strcspn(text, "0123456789");
        }
    }
    return 0;
}

static int count_digits(const char *text)
{
    struct digits d;
    int n = 0;

    while (find_digits(text, n, &d)) {
        n++;
    }
    return n;
}

static int is_alike(const struct entry *x, struct digits dx, const struct entry *y,
                    struct digits dy)
{
    const size_t before = (size_t)(dx.begin - x->text);

    return x->times == y->times && y->is_plain && (size_t)(dy.begin - y->text) == before &&
           dx.length <= MAX_DIGITS && dy.length <= MAX_DIGITS &&
           memcmp(x->text, y->text, before) == 0 &&
           strcmp(dx.begin + dx.length, dy.begin + dy.length) == 0;
}

/* 1 if y is the next number after x, written with the width of the range's first number. */
static int follows(struct digits x, struct digits y, size_t width)
{
    const long next = strtol(x.begin, NULL, 10) + 1;
    char text[32];
    const int length = snprintf(text, sizeof(text), "%0*ld", (int)width, next);

    return (size_t)length == y.length && memcmp(text, y.begin, y.length) == 0;
}

/* Write entries 0..n-1, which differ in their number k only, as one. */
static void write_merged(FILE *to, const struct entry *entry, int n, int k)
{
    struct digits d, last, next;
    const char *separator = "[";

    (void)find_digits(entry[0].text, k, &d);
    fwrite(entry[0].text, 1, (size_t)(d.begin - entry[0].text), to);
    for (int i = 0; i < n; separator = ",") {
        (void)find_digits(entry[i].text, k, &d);
        last = d;
        for (i++; i < n && find_digits(entry[i].text, k, &next) && follows(last, next, d.length);
             i++) {
            last = next;
        }
        fprintf(to, "%s%.*s", separator, (int)d.length, d.begin);
        if (last.begin != d.begin) {
            fprintf(to, "-%.*s", (int)last.length, last.begin);
        }
    }
    fprintf(to, "]%s", d.begin + d.length);
}

static const char *merge(struct storage *storage, const struct entry *entry, int n, int k)
{
    char *text = NULL;
    const char *kept = "";
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);

    if (to) {
        write_merged(to, entry, n, k);
    }
    if (to && fclose(to) == 0) {
        kept = hitop_storage_text(storage, text);
    } else {
        storage->out_of_memory = 1;
    }
    free(text);
    return kept;
}

/* Merge neighbours that differ in number k only; returns the number of entries. */
static int merge_all(struct storage *storage, struct entry *entry, int n, int k)
{
    int kept = 0;

    for (int i = 0, next; i < n; i = next) {
        struct digits d, other;
        const int has_number = entry[i].is_plain && find_digits(entry[i].text, k, &d);

        for (next = i + 1; has_number && next < n && find_digits(entry[next].text, k, &other) &&
                           is_alike(&entry[i], d, &entry[next], other);
             next++) {
        }
        entry[kept] = entry[i];
        if (next > i + 1) {
            entry[kept].text = merge(storage, &entry[i], next - i, k);
        }
        kept++;
    }
    return kept;
}

/* Merge equal neighbours; returns the number of entries. */
static int count_times(const char *const *host, int nhosts, struct entry *entry)
{
    int n = 0;

    for (int i = 0; i < nhosts; i++) {
        if (n > 0 && strcmp(entry[n - 1].text, host[i]) == 0) {
            entry[n - 1].times++;
        } else {
            entry[n++] = (struct entry){
                .text = host[i], .times = 1, .is_plain = !host[i][strcspn(host[i], "[],:")]};
        }
    }
    return n;
}

static enum hitop_status print(const struct entry *entry, int n, char **out)
{
    size_t length = 0;
    FILE *to = open_memstream(out, &length);

    if (!to) {
        return HITOP_ERR_NOMEM;
    }
    for (int i = 0; i < n; i++) {
        /* a number behind an IPv6 address would be part of it */
        const int times = strchr(entry[i].text, ':') ? entry[i].times : 1;

        for (int k = 0; k < times; k++) {
            fprintf(to, "%s%s", i + k > 0 ? "," : "", entry[i].text);
        }
        if (entry[i].times > times) {
            fprintf(to, ":%d", entry[i].times);
        }
    }
    if (fclose(to) != 0) {
        free(*out);
        *out = NULL;
        return HITOP_ERR_NOMEM;
    }
    return HITOP_OK;
}

enum hitop_status hitop_hosts_compress(const char *const *host, int nhosts, char **out,
                                       struct hitop_diag *diag)
{
    struct storage storage = {0};
    struct entry *entry;
    int n, most = 0;
    enum hitop_status status = HITOP_ERR_NOMEM;

    *out = NULL;
    if (STORAGE_ARRAY(&storage, entry, nhosts)) {
        n = count_times(host, nhosts, entry);
        for (int i = 0; i < n; i++) {
            const int digits = entry[i].is_plain ? count_digits(entry[i].text) : 0;
            most = digits > most ? digits : most;
        }
        for (int k = most - 1; k >= 0; k--) {
            n = merge_all(&storage, entry, n, k);
        }
        status = storage.out_of_memory ? HITOP_ERR_NOMEM : print(entry, n, out);
    }
    hitop_storage_clear(&storage);
    return status == HITOP_OK ? status : hitop_fail(diag, status, "host list: out of memory");
}
