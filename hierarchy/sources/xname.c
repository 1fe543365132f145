/* SPDX-License-Identifier: BSD-3-Clause */
/* xname.c - read the place of a node in a Cray. */
#include <config.h>

#include "hierarchy/sources/xname.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* '#' is a number, '|' the end of the name of a level; the text from '.' on is optional. */
static const char *const patterns[] = {"x#|c#|s#|b#n#.h#", "c#-#|c#|s#|n#."};

static const char *const levels[XNAME_LEVELS] = {"cabinet", "chassis", "blade"};

enum { MAX_DIGITS = 8 };

/* Length of the node's name, or 0 if text does not match the pattern. */
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

int hitop_xname_parse(const char *text, struct xname *out)
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

void hitop_xname_read(const char *const *files, char *out, size_t length)
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

void hitop_xname_push(const struct xname *at, int place, double confidence,
                      struct hitop_paths *paths)
{
    for (int level = 0; level < XNAME_LEVELS && at->text[0]; level++) {
        char name[sizeof(at->text)];

        (void)snprintf(name, sizeof(name), "%.*s", (int)at->length[level], at->text);
        hitop_paths_push(paths, place, levels[level], name, confidence);
    }
}
