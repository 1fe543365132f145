/* SPDX-License-Identifier: BSD-3-Clause */
/* try_source.c - what must hold of any file that any source is given. */
#include <config.h>

#include "tests/hierarchy/sources/try_source.h"

#include "hitop/dot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void save(const char *path, const char *text, size_t length)
{
    FILE *file;

    (void)unlink(path); /* writing over a file may wait for the disk */
    file = fopen(path, "w");
    if (!file || fwrite(text, 1, length, file) != length || fclose(file) != 0) {
        perror(path);
        abort();
    }
}

/* One line without control characters. */
static int is_one_line(const char *message)
{
    for (; *message; message++) {
        if ((unsigned char)*message < ' ' || *message == 0x7f) {
            return 0;
        }
    }
    return 1;
}

static void check_warning(void *data, const char *message)
{
    int *is_good = data;

    *is_good = *is_good && message[0] && is_one_line(message);
}

static enum hitop_status ask(struct try_source *t, struct hitop_hierarchy **out, int *is_good)
{
    const struct hitop_source_file file = {t->source->name, t->path};
    const struct hitop_grouping how = {.more = hitop_file_sources(),
                                       .files = &file,
                                       .nfiles = 1,
                                       .only = &t->source->name,
                                       .nonly = 1,
                                       .warn = check_warning,
                                       .warn_data = is_good};

    t->diag.message[0] = '\0';
    return hitop_hierarchy_group(t->place, t->nplaces, &how, out, &t->diag);
}

static char *write_text(const struct hitop_hierarchy *h)
{
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);

    if (!to || hitop_dot_write(h, NULL, to, NULL) != HITOP_OK || fclose(to) != 0) {
        abort();
    }
    return text;
}

/* The same text after reading it, or NULL. */
static char *read_and_write(const char *text)
{
    struct hitop_hierarchy *h = NULL;
    char *again = NULL;

    if (hitop_dot_parse("again", text, strlen(text), NULL, &h, NULL) == HITOP_OK) {
        again = write_text(h);
    }
    hitop_hierarchy_free(h);
    return again;
}

static const char *check_accepted(struct try_source *t, const struct hitop_hierarchy *h)
{
    struct hitop_hierarchy *second = NULL;
    int is_good = 1;
    char *text = write_text(h), *read = read_and_write(text), *repeated = NULL;
    const char *wrong = NULL;

    if (hitop_hierarchy_nranks(h) != t->nplaces) {
        wrong = "a hierarchy of other ranks";
    } else if (!read || strcmp(read, text) != 0) {
        wrong = "what was written reads differently";
    } else if (ask(t, &second, &is_good) == HITOP_OK) {
        repeated = write_text(second);
    }
    if (!wrong && (!repeated || strcmp(repeated, text) != 0)) {
        wrong = "another hierarchy from the same file";
    }
    hitop_hierarchy_free(second);
    free(repeated);
    free(read);
    free(text);
    return wrong;
}

static const char *check_refused(const struct try_source *t, enum hitop_status status,
                                 const struct hitop_hierarchy *h)
{
    const size_t length = strlen(t->path);

    if (h) {
        return "refused, but there is a hierarchy";
    }
    if (status != HITOP_ERR_FORMAT) {
        return "refused, but not as a malformed file";
    }
    return strncmp(t->diag.message, t->path, length) == 0 && t->diag.message[length] == ':' &&
                   is_one_line(t->diag.message)
               ? NULL
               : "refused, but not with one line that names the file";
}

const char *try_source(struct try_source *t, const char *text, size_t length)
{
    struct hitop_hierarchy *h = NULL;
    int is_good = 1;
    enum hitop_status status;
    const char *wrong;

    save(t->path, text, length);
    status = ask(t, &h, &is_good);
    t->is_accepted = status == HITOP_OK;
    wrong = t->is_accepted ? check_accepted(t, h) : check_refused(t, status, h);
    hitop_hierarchy_free(h);
    return wrong || is_good ? wrong : "a warning that is not one line";
}
