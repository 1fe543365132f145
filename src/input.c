/* SPDX-License-Identifier: BSD-3-Clause */
/* input.c - read whole files. */
#include <config.h>

#include "hitop/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_stdin(const char *path)
{
    return strcmp(path, "-") == 0;
}

const char *hitop_input_name(const char *path)
{
    return is_stdin(path) ? "standard input" : path;
}

/* Read all of a stream into *text, which the caller frees, also after a failure. */
static enum hitop_status read_stream(const char *name, FILE *from, char **text, size_t *length,
                                     struct hitop_diag *diag)
{
    size_t room = 0;

    for (;;) {
        if (*length + 1 >= room) {
            char *larger;
            room = room ? 2 * room : BUFSIZ;
            larger = realloc(*text, room);
            if (!larger) {
                return hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", name);
            }
            *text = larger;
        }
        errno = 0;
        *length += fread(*text + *length, 1, room - 1 - *length, from);
        if (*length > HITOP_INPUT_MAX) {
            return hitop_fail(diag, HITOP_ERR_FORMAT, "%s: longer than %zu bytes", name,
                              HITOP_INPUT_MAX);
        }
        if (ferror(from)) {
            return hitop_fail(diag, HITOP_ERR_IO, "%s: cannot read: %s", name,
                              errno ? strerror(errno) : "input error");
        }
        if (*length + 1 < room) { /* fread() returns less than requested only at the end */
            (*text)[*length] = '\0';
            return HITOP_OK;
        }
    }
}

enum hitop_status hitop_input_read(const char *path, char **text, size_t *length,
                                   struct hitop_diag *diag)
{
    const char *name = hitop_input_name(path);
    FILE *from = is_stdin(path) ? stdin : fopen(path, "rb");
    enum hitop_status status;

    *text = NULL;
    *length = 0;
    if (!from) {
        return hitop_fail(diag, HITOP_ERR_IO, "%s: cannot open: %s", name, strerror(errno));
    }
    status = read_stream(name, from, text, length, diag);
    if (from != stdin) {
        (void)fclose(from);
    }
    if (status != HITOP_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}

enum hitop_status hitop_input_check_text(const char *name, const char *text, size_t length,
                                         struct hitop_diag *diag)
{
    const char *zero = length > 0 ? memchr(text, '\0', length) : NULL;
    size_t line = 1;

    for (const char *c = text; zero && c < zero; c++) {
        line += *c == '\n';
    }
    return zero ? hitop_fail(diag, HITOP_ERR_FORMAT, "%s:%zu: not text: contains a zero byte", name,
                             line)
                : HITOP_OK;
}

size_t hitop_input_mark(const char *text, size_t length)
{
    static const char mark[] = "\xef\xbb\xbf";
    const size_t n = sizeof(mark) - 1;

    return length >= n && memcmp(text, mark, n) == 0 ? n : 0;
}

static void drop_mark(char *text, size_t *length)
{
    const size_t n = hitop_input_mark(text, *length);

    *length -= n;
    memmove(text, text + n, *length + 1);
}

enum hitop_status hitop_input_read_text(const char *path, char **text, size_t *length,
                                        struct hitop_diag *diag)
{
    enum hitop_status status = hitop_input_read(path, text, length, diag);

    if (status == HITOP_OK) {
        status = hitop_input_check_text(hitop_input_name(path), *text, *length, diag);
    }
    if (status == HITOP_OK) {
        drop_mark(*text, length);
    } else {
        free(*text);
        *text = NULL;
    }
    return status;
}
