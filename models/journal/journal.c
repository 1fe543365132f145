/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * journal.c - create and write the file of a journal: one writer, whole lines.
 *
 * write(2) receives a whole line, and this process buffers none, so that a signal loses no line
 * that was written before. The lock belongs to the open file, not to the process, so it also
 * excludes a second journal of the same process.
 */
#include <config.h>

#include "models/journal/journal_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SYNC_SECONDS = 5 };

void hitop_journal_release(struct hitop_journal *journal)
{
    if (journal) {
        if (journal->fd >= 0) {
            (void)close(journal->fd);
        }
        free(journal->path);
        free(journal);
    }
}

/* Lock the file. Some file systems of clusters have no locks; the journal works there without. */
static enum hitop_status lock(const struct hitop_journal *journal, struct hitop_diag *diag)
{
    if (flock(journal->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        return hitop_fail(diag, HITOP_ERR_IO,
                          "%s: another run is writing this journal; wait for its end, or name "
                          "another journal",
                          journal->path);
    }
    return HITOP_OK;
}

static enum hitop_status check_regular(const struct hitop_journal *journal, off_t *size,
                                       struct hitop_diag *diag)
{
    struct stat about;

    if (fstat(journal->fd, &about) != 0) {
        return hitop_fail(diag, HITOP_ERR_IO, "%s: %s", journal->path, strerror(errno));
    }
    if (!S_ISREG(about.st_mode)) {
        return hitop_fail(diag, HITOP_ERR_IO, "%s: a journal must be a regular file",
                          journal->path);
    }
    *size = about.st_size;
    return HITOP_OK;
}

enum hitop_status hitop_journal_open(const char *path, int flags, struct hitop_journal **out,
                                     struct hitop_diag *diag)
{
    struct hitop_journal *journal = calloc(1, sizeof(*journal));
    enum hitop_status status;

    *out = NULL;
    if (journal) {
        journal->path = strdup(path);
        journal->fd = -1;
    }
    if (!journal || !journal->path) {
        hitop_journal_release(journal);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", path);
    }
    (void)clock_gettime(CLOCK_MONOTONIC, &journal->synced);
    journal->fd = open(path, flags | O_RDWR | O_APPEND | O_CLOEXEC, 0666);
    if (journal->fd < 0) {
        status = hitop_fail(diag, HITOP_ERR_IO, "%s: cannot open: %s", path, strerror(errno));
    } else {
        status = lock(journal, diag);
    }
    if (status == HITOP_OK) {
        status = check_regular(journal, &journal->end, diag);
    }
    if (status != HITOP_OK) {
        hitop_journal_release(journal);
        return status;
    }
    *out = journal;
    return HITOP_OK;
}

/* Write a line. After a failure, e.g. a full disk, cut the incomplete line off. */
static enum hitop_status put_line(struct hitop_journal *journal, const char *line, size_t length,
                                  struct hitop_diag *diag)
{
    size_t done = 0;

    while (done < length) {
        const ssize_t n = write(journal->fd, line + done, length - done);
        if (n < 0 && errno != EINTR) {
            const int reason = errno;
            (void)!ftruncate(journal->fd, journal->end);
            return hitop_fail(diag, HITOP_ERR_IO, "%s: cannot write: %s", journal->path,
                              strerror(reason));
        }
        done += n > 0 ? (size_t)n : 0;
    }
    journal->end += (off_t)length;
    return HITOP_OK;
}

enum hitop_status hitop_journal_put(struct hitop_journal *journal, char *record,
                                    struct hitop_diag *diag)
{
    size_t length = 0;
    char *line = record ? hitop_journal_seal(record, &length) : NULL;
    enum hitop_status status;

    if (!line) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", journal->path);
    } else if (length > JOURNAL_LINE_MAX) {
        status = hitop_fail(diag, HITOP_ERR_INVALID,
                            "%s: a record of %zu bytes is longer than the allowed %d",
                            journal->path, length, JOURNAL_LINE_MAX);
    } else {
        status = put_line(journal, line, length, diag);
    }
    free(line);
    free(record);
    return status;
}

enum hitop_status hitop_journal_create(const char *path, const struct hitop_journal_header *header,
                                       struct hitop_journal **out, struct hitop_diag *diag)
{
    struct hitop_journal *journal = NULL;
    enum hitop_status status = hitop_journal_open(path, O_CREAT, &journal, diag);

    *out = NULL;
    if (status == HITOP_OK && journal->end > 0) {
        status = hitop_fail(diag, HITOP_ERR_INVALID,
                            "%s: there is a journal of %lld bytes; continue it with --resume, or "
                            "remove it",
                            path, (long long)journal->end);
    } else if (status == HITOP_OK) {
        status = hitop_journal_put(journal, hitop_journal_header_record(header), diag);
    }
    if (status != HITOP_OK) {
        hitop_journal_release(journal);
        return status;
    }
    *out = journal;
    return HITOP_OK;
}

enum hitop_status hitop_journal_append(struct hitop_journal *journal,
                                       const struct hitop_batch *batch, struct hitop_diag *diag)
{
    return hitop_journal_put(journal, hitop_journal_batch_record(batch), diag);
}

enum hitop_status hitop_journal_append_finding(struct hitop_journal *journal,
                                               const struct hitop_finding *finding,
                                               struct hitop_diag *diag)
{
    return hitop_journal_put(journal, hitop_journal_finding_record(finding), diag);
}

static enum hitop_status sync_now(struct hitop_journal *journal, struct hitop_diag *diag)
{
    (void)clock_gettime(CLOCK_MONOTONIC, &journal->synced);
    if (fsync(journal->fd) != 0) {
        return hitop_fail(diag, HITOP_ERR_IO, "%s: cannot write: %s", journal->path,
                          strerror(errno));
    }
    return HITOP_OK;
}

enum hitop_status hitop_journal_flush(struct hitop_journal *journal, struct hitop_diag *diag)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec - journal->synced.tv_sec >= SYNC_SECONDS ? sync_now(journal, diag) : HITOP_OK;
}

enum hitop_status hitop_journal_close(struct hitop_journal *journal, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    if (journal) {
        status = sync_now(journal, diag);
        hitop_journal_release(journal);
    }
    return status;
}
