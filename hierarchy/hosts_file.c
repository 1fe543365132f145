/* SPDX-License-Identifier: BSD-3-Clause */
/* hosts_file.c - host files in the dialects of launchers. */
#include <config.h>

#include "hitop/text.h"
#include "hosts_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "name", "name:2", "name slots=2 max_slots=4"; nothing on a blank line. */
static enum hitop_status add_line(struct host_list *l, char *line)
{
    static const char blanks[] = " \t\r\n\f\v";
    char *rest = NULL;
    char *name, *word;
    int count = 1, ignored = 0;

    line[strcspn(line, "#")] = '\0';
    name = strtok_r(line, blanks, &rest);
    if (!name) {
        return HITOP_OK;
    }
    l->entry = name;
    while ((word = strtok_r(NULL, blanks, &rest))) {
        const int is_slots = strncmp(word, "slots=", 6) == 0;
        const int is_max =
            strncmp(word, "max_slots=", 10) == 0 || strncmp(word, "max-slots=", 10) == 0;
        const char *number = is_slots || is_max ? strchr(word, '=') + 1 : "";

        if (!is_slots && !is_max) {
            return hitop_fail(l->diag, HITOP_ERR_INVALID,
                              "host '%s': '%s' is neither slots=N nor max_slots=N", name, word);
        }
        if (hitop_text_int(number, 1, HITOP_HOSTS_MAX, is_slots ? &count : &ignored, NULL) !=
            HITOP_OK) {
            return hitop_fail(l->diag, HITOP_ERR_INVALID,
                              "host '%s': '%s' needs a number from 1 to 10 million", name, word);
        }
    }
    return host_list_add(l, name, count);
}

static enum hitop_status read_lines(struct host_list *l, const char *name, FILE *from,
                                    struct hitop_diag *diag)
{
    struct hitop_diag why = HITOP_DIAG_INIT;
    enum hitop_status status = HITOP_OK;
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    long number = 0;

    l->diag = &why;
    errno = 0;
    while (status == HITOP_OK && (length = getline(&line, &size, from)) >= 0) {
        number++;
        status = strlen(line) == (size_t)length
                     ? add_line(l, line)
                     : hitop_fail(&why, HITOP_ERR_INVALID, "not text: contains a zero byte");
    }
    free(line);
    if (status == HITOP_ERR_INVALID) {
        return hitop_fail(diag, HITOP_ERR_FORMAT, "%s:%ld: %s", name, number, why.message);
    }
    if (status != HITOP_OK) {
        return hitop_fail(diag, status, "%s: %s", name, why.message);
    }
    if (ferror(from)) {
        return hitop_fail(diag, HITOP_ERR_IO, "%s: cannot read: %s", name,
                          errno ? strerror(errno) : "input error");
    }
    return l->hosts->nranks > 0 ? HITOP_OK
                                : hitop_fail(diag, HITOP_ERR_FORMAT, "%s: names no host", name);
}

enum hitop_status hitop_hosts_read(const char *path, struct hitop_hosts *out,
                                   struct hitop_diag *diag)
{
    const int is_stdin = strcmp(path, "-") == 0;
    FILE *from = is_stdin ? stdin : fopen(path, "r");
    struct host_list l;
    enum hitop_status status;

    *out = (struct hitop_hosts){0};
    if (!from) {
        return hitop_fail(diag, HITOP_ERR_IO, "%s: cannot open: %s", path, strerror(errno));
    }
    status = host_list_begin(&l, out, diag);
    if (status == HITOP_OK) {
        status = read_lines(&l, is_stdin ? "standard input" : path, from, diag);
    }
    if (status != HITOP_OK) {
        hitop_hosts_clear(out);
    }
    if (!is_stdin) {
        (void)fclose(from);
    }
    return status;
}
