/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * balanced.c - is a page well-formed? Of XML what guides use: elements, quoted attributes, five
 * entities.
 */
#include <config.h>

#include "tests/support/balanced.h"

#include <stdio.h>
#include <string.h>

enum { MAX_DEPTH = 64, MAX_NAME = 32 };

static char reason[160];

static const char *fail(const char *what, const char *at)
{
    (void)snprintf(reason, sizeof(reason), "%s at: %.80s", what, at);
    return reason;
}

static int is_entity(const char *at)
{
    static const char *const known[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&apos;"};

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (strncmp(at, known[i], strlen(known[i])) == 0) {
            return 1;
        }
    }
    return at[1] == '#';
}

/* The '>' of a tag, which quoted attributes may hold; NULL if there is none. */
static const char *end_of_tag(const char *at)
{
    char quote = 0;

    for (; *at; at++) {
        if (quote) {
            quote = *at == quote ? 0 : quote;
        } else if (*at == '"' || *at == '\'') {
            quote = *at;
        } else if (*at == '>') {
            return at;
        }
    }
    return NULL;
}

const char *find_imbalance(const char *html)
{
    char open[MAX_DEPTH][MAX_NAME];
    int depth = 0;

    for (const char *at = html; *at; at++) {
        const char *end;
        char name[MAX_NAME];
        if (*at == '&' && !is_entity(at)) {
            return fail("no entity", at);
        }
        if (*at != '<') {
            continue;
        }
        end = end_of_tag(at);
        if (!end) {
            return fail("no end of a tag", at);
        }
        if (strncmp(at, "<!--", 4) == 0) {
            end = strstr(at, "-->");
            if (!end) {
                return fail("no end of a comment", at);
            }
            end += 2;
        } else if (at[1] == '/') {
            (void)snprintf(name, sizeof(name), "%.*s", (int)(end - at - 2), at + 2);
            if (depth == 0 || strcmp(name, open[depth - 1]) != 0) {
                return fail("ends what is not open", at);
            }
            depth--;
        } else if (at[1] != '!' && end[-1] != '/') {
            if (depth == MAX_DEPTH) {
                return fail("too deep", at);
            }
            (void)snprintf(open[depth], MAX_NAME, "%.*s", (int)strcspn(at + 1, " \t\n>/"), at + 1);
            depth++;
        }
        at = end;
    }
    return depth > 0 ? fail("not ended", open[depth - 1]) : NULL;
}
