/* SPDX-License-Identifier: BSD-3-Clause */
/* xname.c - where a node of a Cray stands. */
#include <config.h>

#include "xname.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* '#' stands for a number, '|' for the end of what names a level; behind '.' all may be missing. */
static const char *const patterns[] = {"x#|c#|s#|b#n#.h#", "c#-#|c#|s#|n#."};

static const char *const levels[XNAME_LEVELS] = {"cabinet", "chassis", "blade"};

enum { MAX_DIGITS = 8 };

/* Length of the node's name, or 0 when text is something else. */
static size_t fit(const char *text, const char *pattern, struct xname *out)
{
    const char *at = text;
    size_t node = 0;
    int level = 0;

    for (; *pattern; pattern++) {
        size_t digits;

        switch (*pattern) {
        case '#':
            digits = strspn(at, "0123456789");
            if (digits < 1 || digits > MAX_DIGITS) {
                return 0;
            }
            at += digits;
            break;
        case '|':
            out->length[level++] = (size_t)(at - text);
            break;
        case '.':
            node = (size_t)(at - text);
            if (!*at) {
                return node;
            }
            break;
        default:
            if (tolower((unsigned char)*at) != *pattern) {
                return 0;
            }
            at++;
        }
    }
    return *at ? 0 : node;
}

int xname_parse(const char *text, struct xname *out)
{
    *out = (struct xname){.text = ""};
    for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
        const size_t length = strlen(text) < sizeof(out->text) ? fit(text, patterns[i], out) : 0;

        for (size_t k = 0; k < length; k++) {
            out->text[k] = (char)tolower((unsigned char)text[k]);
        }
        if (length > 0) {
            return 1;
        }
    }
    return 0;
}

void xname_read(const char *const *files, char *out, size_t length)
{
    char word[64] = "";

    for (; *files && !word[0]; files++) {
        FILE *from = fopen(*files, "r");
        if (from) {
            if (fscanf(from, "%63s", word) != 1) {
                word[0] = '\0';
            }
            (void)fclose(from);
        }
    }
    (void)snprintf(out, length, "%s", word);
}

struct member {
    const struct xname *at;
    int place;
    int extent[XNAME_LEVELS]; /* hosts with the same cabinet, chassis, blade */
};

static int by_name(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    const int order = strcmp(x->at->text, y->at->text);

    return order ? order : (x->place > y->place) - (x->place < y->place);
}

static int share(const struct xname *x, const struct xname *y, int level)
{
    return x->length[level] == y->length[level] && memcmp(x->text, y->text, x->length[level]) == 0;
}

/* Members are sorted, so that those of a group stand together. */
static void measure(struct member *member, int n, int level)
{
    for (int first = 0, end; first < n; first = end) {
        for (end = first; end < n && share(member[first].at, member[end].at, level); end++) {
        }
        for (int i = first; i < end; i++) {
            member[i].extent[level] = end - first;
        }
    }
}

static void push(const struct member *m, int keep_chains, double confidence,
                 struct hitop_paths *paths)
{
    for (int level = 0; level < XNAME_LEVELS; level++) {
        char name[sizeof(m->at->text)];

        if (level == 0 || keep_chains || m->extent[level] < m->extent[level - 1]) {
            (void)snprintf(name, sizeof(name), "%.*s", (int)m->at->length[level], m->at->text);
            hitop_paths_push(paths, m->place, levels[level], name, confidence);
        }
    }
}

enum hitop_status xname_push(const struct xname *at, const struct hitop_source_input *in,
                             double confidence, struct hitop_paths *paths, struct hitop_diag *diag)
{
    struct member *member = calloc((size_t)in->nplaces, sizeof(*member));
    int n = 0;

    if (!member) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "xnames: out of memory");
    }
    for (int i = 0; i < in->nplaces; i++) {
        if (at[i].text[0]) {
            member[n++] = (struct member){.at = &at[i], .place = i};
        }
    }
    qsort(member, (size_t)n, sizeof(*member), by_name);
    for (int level = 0; level < XNAME_LEVELS; level++) {
        measure(member, n, level);
    }
    for (int i = 0; i < n; i++) {
        push(&member[i], in->how->keep_chains, confidence, paths);
    }
    free(member);
    return HITOP_OK;
}
