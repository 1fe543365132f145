/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * journal_resume.c - read a journal, and open it for writing after its last whole line.
 *
 * The file changes only after all of it has been read. A kill or a crash of the machine can leave a
 * last line without newline, or with a wrong checksum; this line is cut off. A wrong checksum
 * anywhere else means that another program changed the file.
 */
#include <config.h>

#include "models/journal/journal_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The whole text of a journal. */
struct lines {
    const struct hitop_journal *journal;
    char *text;
    size_t size, offset; /* of the text; of the next line in it */
    int number;          /* of lines read so far */
    char *where;         /* "file:number" */
};

/* Read one line; length excludes the newline. *is_torn is 1 for a last line that is not whole. */
static enum hitop_status read_line(struct lines *from, size_t length,
                                   const struct hitop_journal_header *header, int anyway,
                                   const struct hitop_journal_taker *taker, int *is_torn,
                                   struct hitop_diag *diag)
{
    const struct journal_line line = {from->where, from->text + from->offset, length};
    const int is_last = from->offset + length + 1 >= from->size;
    const int has_end = from->offset + length < from->size;
    const int is_whole = has_end && hitop_journal_is_sealed(line.text, length);

    (void)sprintf(from->where, "%s:%d", from->journal->path, from->number + 1);
    if (from->number == 0 && !is_whole &&
        (has_end || !hitop_journal_is_torn_header(line.text, length))) {
        return hitop_fail(diag, HITOP_ERR_FORMAT,
                          "%s: not the header of a journal as it was written; name another file, "
                          "or remove this one",
                          line.where);
    }
    *is_torn = !is_whole && is_last;
    if (*is_torn) {
        return HITOP_OK;
    }
    if (!is_whole) {
        return hitop_fail(diag, HITOP_ERR_FORMAT,
                          "%s: checksum does not fit the line, which was changed after it was "
                          "written; restore it, or remove the line to measure again what it holds",
                          line.where);
    }
    return from->number == 0 ? hitop_journal_read_header(&line, header, anyway, diag)
                             : hitop_journal_read_record(&line, taker, diag);
}

/* Read all lines; offset becomes the end of the last whole line. */
static enum hitop_status read_all(struct lines *from, const struct hitop_journal_header *header,
                                  int anyway, const struct hitop_journal_taker *taker,
                                  struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    int is_torn = 0;

    while (from->offset < from->size && status == HITOP_OK && !is_torn) {
        const char *begin = from->text + from->offset;
        const char *end = memchr(begin, '\n', from->size - from->offset);
        const size_t length = end ? (size_t)(end - begin) : from->size - from->offset;
        status = read_line(from, length, header, anyway, taker, &is_torn, diag);
        if (!is_torn) {
            from->offset += length + 1;
            from->number++;
        }
    }
    return status;
}

/* Map the file and read it. */
static enum hitop_status read_file(struct lines *from, const struct hitop_journal_header *header,
                                   int anyway, const struct hitop_journal_taker *taker,
                                   struct hitop_diag *diag)
{
    const struct hitop_journal *journal = from->journal;
    enum hitop_status status;

    from->size = (size_t)journal->end;
    if (from->size == 0) {
        return HITOP_OK;
    }
    from->where = malloc(strlen(journal->path) + 16);
    from->text = mmap(NULL, from->size, PROT_READ, MAP_PRIVATE, journal->fd, 0);
    if (!from->where || from->text == MAP_FAILED) {
        status =
            hitop_fail(diag, HITOP_ERR_IO, "%s: cannot read: %s", journal->path, strerror(errno));
    } else {
        status = read_all(from, header, anyway, taker, diag);
    }
    if (from->text != MAP_FAILED) {
        (void)munmap(from->text, from->size);
    }
    free(from->where);
    return status;
}

enum hitop_status hitop_journal_resume(const char *path, const struct hitop_journal_header *header,
                                       int anyway, const struct hitop_journal_taker *taker,
                                       struct hitop_journal **out, struct hitop_diag *diag)
{
    struct lines from = {0};
    struct hitop_journal *journal = NULL;
    enum hitop_status status = hitop_journal_open(path, 0, &journal, diag);

    *out = NULL;
    if (status == HITOP_OK) {
        from.journal = journal;
        status = read_file(&from, header, anyway, taker, diag);
    }
    if (status == HITOP_OK && ftruncate(journal->fd, (off_t)from.offset) != 0) {
        status = hitop_fail(diag, HITOP_ERR_IO, "%s: cannot cut off a torn line: %s", path,
                            strerror(errno));
    }
    if (status == HITOP_OK) {
        journal->end = (off_t)from.offset;
        status = from.number == 0
                     ? hitop_journal_put(journal, hitop_journal_header_record(header), diag)
                     : HITOP_OK;
    }
    if (status != HITOP_OK) {
        hitop_journal_release(journal);
        return status;
    }
    *out = journal;
    return HITOP_OK;
}
