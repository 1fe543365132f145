/* SPDX-License-Identifier: BSD-3-Clause */
/* file_dot.c - a DOT file or standard input as one piece of text. */
#include <config.h>

#include "dot_impl.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static enum hitop_status read_stream(const char *name, FILE *from, char **text, size_t *length,
                                     struct hitop_diag *diag)
{
    size_t size = 0, used = 0, got;

    do {
        if (size - used < BUFSIZ) {
            char *larger = size < SIZE_MAX / 4 ? realloc(*text, 2 * size + 2 * BUFSIZ) : NULL;
            if (!larger) {
                return hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", name);
            }
            *text = larger;
            size = 2 * size + 2 * BUFSIZ;
        }
        errno = 0;
        got = fread(*text + used, 1, size - used, from);
        used += got;
    } while (got > 0);
    *length = used;
    return ferror(from) ? hitop_fail(diag, HITOP_ERR_IO, "%s: cannot read: %s", name,
                                     errno ? strerror(errno) : "input error")
                        : HITOP_OK;
}

enum hitop_status hitop_dot_read(const char *path, const struct hitop_dot_job *job,
                                 struct hitop_hierarchy **out, struct hitop_diag *diag)
{
    const int is_stdin = strcmp(path, "-") == 0;
    const char *name = is_stdin ? "standard input" : path;
    FILE *from = is_stdin ? stdin : fopen(path, "r");
    char *text = NULL;
    size_t length = 0;
    enum hitop_status status;

    *out = NULL;
    if (!from) {
        return hitop_fail(diag, HITOP_ERR_IO, "%s: cannot open: %s", path, strerror(errno));
    }
    status = read_stream(name, from, &text, &length, diag);
    if (status == HITOP_OK) {
        status = hitop_dot_parse(name, text, length, job, out, diag);
    }
    free(text);
    if (!is_stdin) {
        (void)fclose(from);
    }
    return status;
}
