/* SPDX-License-Identifier: BSD-3-Clause */
/* keep_edits.c - see keep_edits.h. */
#include <config.h>

#include "tools/common/keep_edits.h"

#include "hitop/output.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum hitop_status write_whole(const char *path, const char *text, size_t length,
                                     struct hitop_diag *diag)
{
    struct hitop_output *output = NULL;
    const enum hitop_status status = hitop_output_open(path, &output, diag);

    if (status != HITOP_OK) {
        return status;
    }
    (void)fwrite(text, 1, length, hitop_output_stream(output));
    return hitop_output_end(output, HITOP_OK, diag);
}

/*
 * The contents of a regular file that is not empty; NULL: there is no such file, or it cannot be
 * read.
 */
static char *read_whole(const char *path, size_t *length)
{
    struct stat st;
    char *text = NULL;
    FILE *from;

    if (strcmp(path, "-") == 0 || stat(path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size <= 0) {
        return NULL;
    }
    from = fopen(path, "r");
    text = from ? malloc((size_t)st.st_size) : NULL;
    *length = text ? fread(text, 1, (size_t)st.st_size, from) : 0;
    if (from) {
        (void)fclose(from);
    }
    return text;
}

/* The first name of FILE~, FILE~2 ... that no file has; NULL: out of memory. */
static char *choose_name(const char *path)
{
    const size_t room = strlen(path) + 16;
    char *name = malloc(room);

    if (name) {
        (void)snprintf(name, room, "%s~", path);
    }
    for (int i = 2; name && access(name, F_OK) == 0; i++) {
        (void)snprintf(name, room, "%s~%d", path, i);
    }
    return name;
}

static enum hitop_status keep_old(const struct tool *tool, const char *path, const char *old,
                                  size_t length, struct hitop_diag *diag)
{
    char *name = choose_name(path);
    enum hitop_status status = name ? write_whole(name, old, length, diag)
                                    : hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", path);

    if (status == HITOP_OK) {
        tool_error(tool, "note: '%s' was different before, which is kept as '%s'", path, name);
    }
    free(name);
    return status;
}

enum hitop_status keep_edits_write(const struct tool *tool, const char *path, const char *text,
                                   size_t length, struct hitop_diag *diag)
{
    size_t old_length = 0;
    char *old = read_whole(path, &old_length);
    const int is_same = old && old_length == length && memcmp(old, text, length) == 0;
    enum hitop_status status = HITOP_OK;

    if (old && !is_same) {
        status = hitop_output_check(path, diag);
        if (status == HITOP_OK) {
            status = keep_old(tool, path, old, old_length, diag);
        }
    }
    if (status == HITOP_OK && !is_same) {
        status = write_whole(path, text, length, diag);
    }
    free(old);
    return status;
}
