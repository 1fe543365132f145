/* SPDX-License-Identifier: BSD-3-Clause */
/* model_file.c - the whole text of a model file in memory. */
#include <config.h>

#include "hitop/model.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file of a million ranks has about 100 MB; more is not a model but a mistake. */
enum { MAX_BYTES = 1 << 30 };

static enum hitop_status read_all(FILE *from, const char *name, char **text, size_t *length,
                                  struct hitop_diag *diag)
{
    size_t room = 1 << 16;
    char *buffer = malloc(room);

    *length = 0;
    while (buffer) {
        *length += fread(buffer + *length, 1, room - *length, from);
        if (*length < room) {
            break;
        }
        if (room >= MAX_BYTES) {
            free(buffer);
            return hitop_fail(diag, HITOP_ERR_FORMAT, "%s: larger than %d bytes", name, MAX_BYTES);
        }
        room *= 2;
        *text = realloc(buffer, room);
        if (!*text) {
            free(buffer);
        }
        buffer = *text;
    }
    *text = buffer;
    if (!buffer) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", name);
    }
    if (ferror(from)) {
        const int reason = errno;
        free(buffer);
        *text = NULL;
        return hitop_fail(diag, HITOP_ERR_IO, "%s: %s", name, strerror(reason));
    }
    return HITOP_OK;
}

enum hitop_status hitop_model_read(const char *path, struct hitop_model **out,
                                   struct hitop_diag *diag)
{
    const int is_stdin = strcmp(path, "-") == 0;
    const char *name = is_stdin ? "standard input" : path;
    FILE *from = is_stdin ? stdin : fopen(path, "rb");
    char *text = NULL;
    size_t length = 0;
    enum hitop_status status;

    *out = NULL;
    if (!from) {
        return hitop_fail(diag, HITOP_ERR_IO, "%s: %s", name, strerror(errno));
    }
    status = read_all(from, name, &text, &length, diag);
    if (!is_stdin) {
        (void)fclose(from);
    }
    if (status == HITOP_OK) {
        status = hitop_model_parse(name, text, length, out, diag);
        free(text);
    }
    return status;
}
