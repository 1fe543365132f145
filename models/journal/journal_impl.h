/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOURNAL_IMPL_H
#define JOURNAL_IMPL_H

/* journal_impl.h - functions and types that the files of the journal share. */

#include "models/journal/journal_file.h"

#include <sys/types.h>
#include <time.h>

#define JOURNAL_FORMAT "hitop-journal"
#define JOURNAL_CHECKSUM "crc32"

enum { JOURNAL_VERSION = 1, JOURNAL_LINE_MAX = 1 << 26 };

struct hitop_journal {
    int fd;
    char *path;
    off_t end;              /* bytes up to the end of the last whole line */
    struct timespec synced; /* time of the last fsync() */
};

/* Open and lock a file. On failure the file is closed and *out is NULL. */
enum hitop_status hitop_journal_open(const char *path, int flags, struct hitop_journal **out,
                                     struct hitop_diag *diag);

/* Close the file without fsync() and free the journal. NULL is allowed. */
void hitop_journal_release(struct hitop_journal *journal);

/* Write a record as a line and free it; NULL after a failed allocation is HITOP_ERR_NOMEM. */
enum hitop_status hitop_journal_put(struct hitop_journal *journal, char *record,
                                    struct hitop_diag *diag);

/* Returns the line of a record, with checksum and newline, for free(); NULL without memory. */
char *hitop_journal_seal(const char *record, size_t *length);

/* Whether the checksum of a line is right; length excludes the newline. */
int hitop_journal_is_sealed(const char *line, size_t length);

/* Return records as text, for free(); NULL without memory. */
char *hitop_journal_header_record(const struct hitop_journal_header *header);
char *hitop_journal_batch_record(const struct hitop_batch *batch);
char *hitop_journal_finding_record(const struct hitop_finding *finding);

/* A line without its newline; where is "file:line" for messages. */
struct journal_line {
    const char *where;
    const char *text;
    size_t length;
};

/* Whether a torn first line may be the header of a journal. */
int hitop_journal_is_torn_header(const char *text, size_t length);

/* Check the header of a journal. Unless anyway is 1, it must match that of this run. */
enum hitop_status hitop_journal_read_header(const struct journal_line *line,
                                            const struct hitop_journal_header *header, int anyway,
                                            struct hitop_diag *diag);

/* Pass the batch or finding of a line to the taker. */
enum hitop_status hitop_journal_read_record(const struct journal_line *line,
                                            const struct hitop_journal_taker *taker,
                                            struct hitop_diag *diag);

#endif /* JOURNAL_IMPL_H */
