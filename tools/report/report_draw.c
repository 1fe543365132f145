/* SPDX-License-Identifier: BSD-3-Clause */
/* report_draw.c - a picture by gnuplot inside the page. */
#include <config.h>

#include "tools/report/report_parts.h"

#include "src/markup.h"
#include "tools/common/spawn_program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The whole file as a string; NULL without memory or when it cannot be read. */
static char *read_all(FILE *from)
{
    size_t room = 65536, used = 0, n;
    char *text = malloc(room), *more;

    rewind(from);
    while (text && (n = fread(text + used, 1, room - used - 1, from)) > 0) {
        used += n;
        if (room - used < 2) {
            room *= 2;
            more = realloc(text, room);
            if (!more) {
                free(text);
                return NULL;
            }
            text = more;
        }
    }
    if (text) {
        text[used] = '\0';
    }
    return text;
}

/* Does the text go on with this word? */
static int begins(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

/* Names inside a picture get its number: there are several in the page. */
static void put_renamed(FILE *to, const char *text, int number)
{
    static const char *const before[] = {" id=\"", " id='", "href='#", "href=\"#", "url(#"};

    while (*text) {
        size_t skip = 0;
        for (size_t i = 0; i < sizeof(before) / sizeof(before[0]) && skip == 0; i++) {
            if (begins(text, before[i])) {
                skip = strlen(before[i]);
            }
        }
        if (skip > 0) {
            fprintf(to, "%.*sf%d-", (int)skip, text, number);
            text += skip;
        } else {
            putc(*text++, to);
        }
    }
}

/* Without the elements that say nothing but "Gnuplot". */
static void blank_titles(char *svg)
{
    static const char *const ends[][2] = {{"<title>Gnuplot</title>", ""},
                                          {"<desc>Produced by GNUPLOT", "</desc>"}};

    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        char *from = strstr(svg, ends[i][0]);
        const char *to = from ? strstr(from, ends[i][1]) : NULL;
        if (to) {
            const size_t n =
                *ends[i][1] ? (size_t)(to - from) + strlen(ends[i][1]) : strlen(ends[i][0]);
            memset(from, ' ', n);
        }
    }
}

/* The element svg of a file, with a name for those who cannot see it. */
static int put_picture(struct guide *guide, char *svg, const char *caption)
{
    FILE *to = guide->page.to;
    char *begin = strstr(svg, "<svg"), *content = begin ? strchr(begin, '>') : NULL;
    char *end = content ? strstr(content, "</svg>") : NULL;
    const int number = ++guide->page.nfigures;

    if (!end) {
        return 0;
    }
    *end = '\0';
    blank_titles(content + 1);
    fprintf(to,
            "<figure id=\"figure-%d\"><svg viewBox=\"0 0 600 430\" "
            "xmlns=\"http://www.w3.org/2000/svg\" "
            "xmlns:xlink=\"http://www.w3.org/1999/xlink\" role=\"img\" aria-label=\"",
            number);
    hitop_markup_put(to, caption);
    fputs("\">", to);
    put_renamed(to, content + 1, number);
    fprintf(to, "</svg>\n<figcaption>Figure %d. ", number);
    hitop_markup_put(to, caption);
    fputs(".</figcaption></figure>\n", to);
    return 1;
}

void draw_script(struct guide *guide, FILE *script, const char *caption)
{
    char program[] = "gnuplot", defaults[] = "-d";
    char *const argument[] = {program, defaults, NULL};
    FILE *into = tmpfile();
    char *svg = NULL;

    guide->draws = 0;
    if (!into) {
        (void)hitop_fail(guide->why, HITOP_ERR_IO, "cannot make a temporary file: %s",
                         strerror(errno));
        return;
    }
    if (spawn_program(argument, script, into, guide->why) == HITOP_OK) {
        svg = read_all(into);
        guide->draws = svg && put_picture(guide, svg, caption);
        if (!guide->draws) {
            (void)hitop_fail(guide->why, HITOP_ERR_IO, "gnuplot made no picture");
        }
    }
    free(svg);
    (void)fclose(into);
}
