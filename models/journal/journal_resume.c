/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * journal_resume.c - go through the lines of a journal to where it goes on.
 *
 * Nothing is changed until all of it has been read. What a kill or a crash of the machine leaves is
 * a line without an end, or a last one with a checksum that is not its own; it is cut off. Anywhere
 * else it would mean that another program changed the file.
 */
#include <config.h>

#include "models/journal/journal_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file that is read by lines. */
struct lines {
    const struct hitop_journal *journal;
    char *text; /* begin to end are read and not given out */
    size_t room, begin, end;
    off_t offset; /* of begin */
    int number;   /* of lines given out */
    int is_complete;
    char *where; /* "file:number" */
};

static enum hitop_status out_of_memory(const struct lines *from, struct hitop_diag *diag)
{
    return hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", from->journal->path);
}

/* Read on; is_complete when there is nothing more. */
static enum hitop_status read_more(struct lines *from, struct hitop_diag *diag)
{
    ssize_t n;

    memmove(from->text, from->text + from->begin, from->end - from->begin);
    from->end -= from->begin;
    from->begin = 0;
    if (from->end == from->room) {
        char *larger;
        if (from->room >= JOURNAL_LINE_MAX) {
            return hitop_fail(diag, HITOP_ERR_FORMAT, "%s:%d: line of more than %d bytes",
                              from->journal->path, from->number + 1, JOURNAL_LINE_MAX);
        }
        larger = realloc(from->text, 2 * from->room);
        if (!larger) {
            return out_of_memory(from, diag);
        }
        from->text = larger;
        from->room *= 2;
    }
    do {
        n = pread(from->journal->fd, from->text + from->end, from->room - from->end,
                  from->offset + (off_t)from->end);
    } while (n < 0 && errno == EINTR);
    if (n < 0) {
        return hitop_fail(diag, HITOP_ERR_IO, "%s: cannot read: %s", from->journal->path,
                          strerror(errno));
    }
    from->is_complete = n == 0;
    from->end += (size_t)n;
    return HITOP_OK;
}

/* See whether there is another whole line, of length bytes without its end. */
static enum hitop_status find_line(struct lines *from, int *is_there, size_t *length,
                                   struct hitop_diag *diag)
{
    size_t seen = 0;
    enum hitop_status status = HITOP_OK;

    *is_there = 0;
    while (status == HITOP_OK) {
        const char *begin = from->text + from->begin;
        const char *end = memchr(begin + seen, '\n', from->end - from->begin - seen);
        if (end) {
            *is_there = 1;
            *length = (size_t)(end - begin);
            return HITOP_OK;
        }
        seen = from->end - from->begin;
        if (from->is_complete) {
            *length = seen;
            return HITOP_OK;
        }
        status = read_more(from, diag);
    }
    return status;
}

/* The line that was found is done with. */
static void pass_line(struct lines *from, size_t length)
{
    from->begin += length + 1;
    from->offset += (off_t)length + 1;
    from->number++;
}

/* The line that was found, under its name. */
static struct journal_line name_line(struct lines *from, size_t length)
{
    (void)sprintf(from->where, "%s:%d", from->journal->path, from->number + 1);
    return (struct journal_line){from->where, from->text + from->begin, length};
}

/* The header; none of an empty journal, nor of one that was torn there. */
static enum hitop_status take_header(struct lines *from, const struct hitop_journal_header *header,
                                     int anyway, struct hitop_diag *diag)
{
    size_t length = 0;
    int is_there = 0;
    enum hitop_status status = find_line(from, &is_there, &length, diag);
    struct journal_line line = name_line(from, length);

    if (status != HITOP_OK) {
        return status;
    }
    if (is_there ? !hitop_journal_is_sealed(line.text, length)
                 : !hitop_journal_is_torn_header(line.text, length)) {
        return hitop_fail(
            diag, HITOP_ERR_FORMAT,
            "%s: not the header of a journal as it was written; name another file, or "
            "remove this one",
            line.where);
    }
    if (is_there) {
        status = hitop_journal_read_header(&line, header, anyway, diag);
        pass_line(from, length);
    }
    return status;
}

/* The next record; *is_end when there is none but perhaps a torn one. */
static enum hitop_status take_record(struct lines *from, const struct hitop_journal_taker *taker,
                                     int *is_end, struct hitop_diag *diag)
{
    size_t length = 0;
    int is_there = 0;
    enum hitop_status status = find_line(from, &is_there, &length, diag);
    struct journal_line line;

    *is_end = !is_there;
    if (status != HITOP_OK || !is_there) {
        return status;
    }
    line = name_line(from, length);
    if (hitop_journal_is_sealed(line.text, length)) {
        status = hitop_journal_read_record(&line, taker, diag);
        pass_line(from, length);
        return status;
    }
    *is_end = from->offset + (off_t)length + 1 == from->journal->end;
    return *is_end ? HITOP_OK
                   : hitop_fail(
                         diag, HITOP_ERR_FORMAT,
                         "%s: checksum does not fit the line, which was changed after it was "
                         "written; restore it, or remove the line to measure again what it holds",
                         line.where);
}

/* Go to the end of the last whole line. */
static enum hitop_status take_all(struct lines *from, const struct hitop_journal_header *header,
                                  int anyway, const struct hitop_journal_taker *taker,
                                  struct hitop_diag *diag)
{
    enum hitop_status status = take_header(from, header, anyway, diag);
    int is_end = from->number == 0;

    while (status == HITOP_OK && !is_end) {
        status = take_record(from, taker, &is_end, diag);
    }
    return status;
}

static enum hitop_status cut_off(struct hitop_journal *journal, off_t end, struct hitop_diag *diag)
{
    if (ftruncate(journal->fd, end) != 0) {
        return hitop_fail(diag, HITOP_ERR_IO, "%s: cannot cut off a torn line: %s", journal->path,
                          strerror(errno));
    }
    journal->end = end;
    return HITOP_OK;
}

enum hitop_status hitop_journal_resume(const char *path, const struct hitop_journal_header *header,
                                       int anyway, const struct hitop_journal_taker *taker,
                                       struct hitop_journal **out, struct hitop_diag *diag)
{
    struct lines from = {.room = 1 << 16};
    struct hitop_journal *journal = NULL;
    enum hitop_status status = hitop_journal_check_header(header, diag);

    *out = NULL;
    if (status == HITOP_OK) {
        status = hitop_journal_open(path, 0, &journal, diag);
    }
    from.journal = journal;
    from.text = malloc(from.room);
    from.where = malloc(strlen(path) + 16);
    if (status == HITOP_OK) {
        status = from.text && from.where ? take_all(&from, header, anyway, taker, diag)
                                         : out_of_memory(&from, diag);
    }
    if (status == HITOP_OK) {
        status = cut_off(journal, from.offset, diag);
    }
    if (status == HITOP_OK && from.number == 0) {
        status = hitop_journal_put(journal, hitop_journal_header_record(header), diag);
    }
    free(from.where);
    free(from.text);
    if (status != HITOP_OK) {
        hitop_journal_release(journal);
        return status;
    }
    *out = journal;
    return HITOP_OK;
}
