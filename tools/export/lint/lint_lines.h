/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LINT_LINES_H
#define LINT_LINES_H

/* lint_lines.h - read a text line by line. */

#include <string.h>

/*
 * Copy the line at *text, cut to length - 1 characters, without what follows `comment` ('\0': no
 * comments), without blanks at both ends, and go to the next one. Returns 0 at the end.
 */
static inline int lint_line(const char **text, char comment, char *out, size_t length)
{
    size_t n, skip;

    if (!**text) {
        return 0;
    }
    n = strcspn(*text, "\n");
    skip = strspn(*text, " \t\r");
    skip = skip < n ? skip : n;
    *out = '\0';
    if (n - skip < length) {
        length = n - skip + 1;
    }
    memcpy(out, *text + skip, length - 1);
    out[length - 1] = '\0';
    if (comment && strchr(out, comment)) {
        *strchr(out, comment) = '\0';
    }
    for (size_t end = strlen(out); end > 0 && strchr(" \t\r", out[end - 1]); end--) {
        out[end - 1] = '\0';
    }
    *text += n + ((*text)[n] == '\n');
    return 1;
}

/* Whether a word stands in a text outside comments, which begin with '#'. */
static inline int lint_has(const char *text, const char *word)
{
    const size_t n = strlen(word);

    for (; *text; text++) {
        if (*text == '#') {
            text += strcspn(text, "\n");
            if (!*text) {
                break;
            }
        }
        if (strncmp(text, word, n) == 0) {
            return 1;
        }
    }
    return 0;
}

#endif /* LINT_LINES_H */
