/* SPDX-License-Identifier: BSD-3-Clause */
/* dot_text.c - strings as DOT text that reads back as the same strings. */
#include <config.h>

#include "hierarchy/dot/dot_text.h"

#include "hierarchy/dot/dot_impl.h"

#include "src/one_line.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

struct dot_shown hitop_dot_show(const char *text)
{
    struct dot_shown shown;

    (void)snprintf(shown.text, sizeof(shown.text), "%s", text);
    one_line(shown.text);
    return shown;
}

const char *hitop_dot_plain(struct storage *storage, const char *from)
{
    char *copy = strchr(from, '\\') ? hitop_storage_array(storage, strlen(from), 1) : NULL;

    for (char *to = copy; to && *from; to++) {
        from += from[0] == '\\' && from[1] == '\\';
        *to = *from++;
    }
    return copy ? copy : from;
}

/*
 * Quote text that was read from a DOT file. An odd number of backslashes before a quote or at the
 * end gets one more, because the last one would escape the quote.
 */
static void dot_put_raw(FILE *to, const char *text)
{
    size_t backslashes = 0;

    putc('"', to);
    for (; *text; text++) {
        if (*text == '"') {
            fputs(backslashes % 2 ? "\\\\\"" : "\\\"", to);
        } else {
            putc(*text, to);
        }
        backslashes = *text == '\\' ? backslashes + 1 : 0;
    }
    fputs(backslashes % 2 ? "\\\"" : "\"", to);
}

void hitop_dot_put_plain(FILE *to, const char *text)
{
    putc('"', to);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') {
            putc('\\', to);
        }
        putc(*text, to);
    }
    putc('"', to);
}

void hitop_dot_put_key(FILE *to, const char *key)
{
    static const char *const keywords[] = {"node",    "edge",     "graph",
                                           "digraph", "subgraph", "strict"};
    int plain = !(key[0] >= '0' && key[0] <= '9');

    for (const char *p = key; *p; p++) {
        plain = plain && (isalnum((unsigned char)*p) || *p == '_') && !((unsigned char)*p & 0x80);
    }
    for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++) {
        plain = plain && strcasecmp(key, keywords[i]) != 0;
    }
    if (plain && key[0]) {
        fputs(key, to);
    } else {
        dot_put_raw(to, key);
    }
}

void hitop_dot_put_attr(FILE *to, const char *before, const struct hitop_attr *attr)
{
    fputs(before, to);
    hitop_dot_put_key(to, attr->key);
    putc('=', to);
    if (attr->is_html) {
        fprintf(to, "<%s>", attr->value);
    } else {
        dot_put_raw(to, attr->value);
    }
}
