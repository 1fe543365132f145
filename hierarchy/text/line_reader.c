/* SPDX-License-Identifier: BSD-3-Clause */
/* line_reader.c - see line_reader.h. */
#include <config.h>

#include "hierarchy/text/line_reader.h"

#include "hitop/input.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum hitop_status hitop_line_reader_open(struct line_reader *r, const char *path,
                                         struct hitop_diag *diag)
{
    size_t length = 0;
    enum hitop_status status;

    *r = (struct line_reader){.file = hitop_input_name(path)};
    status = hitop_input_read_text(path, &r->text, &length, diag);
    if (status != HITOP_OK) {
        return status;
    }
    r->next = r->text;
    r->end = r->text + length;
    return HITOP_OK;
}

void hitop_line_reader_close(struct line_reader *r)
{
    free(r->text);
    *r = (struct line_reader){0};
}

char *hitop_line_reader_next(struct line_reader *r)
{
    char *line = r->next, *newline;

    if (!line || line == r->end) {
        return NULL;
    }
    newline = memchr(line, '\n', (size_t)(r->end - line));
    r->next = newline ? newline + 1 : r->end;
    r->line++;
    if (!newline) {
        newline = r->end;
    }
    *newline = '\0';
    if (newline > line && newline[-1] == '\r') {
        newline[-1] = '\0';
    }
    return line;
}

char *hitop_line_reader_word(char **text)
{
    return strtok_r(NULL, " \t\r\f\v", text);
}

enum hitop_status hitop_line_reader_refuse(const struct line_reader *r, struct hitop_diag *diag,
                                           const char *fmt, ...)
{
    char why[400];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(why, sizeof(why), fmt, args);
    va_end(args);
    return hitop_fail(diag, HITOP_ERR_FORMAT, "%s:%d: %s", r->file, r->line, why);
}
