/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOURNAL_FILE_H
#define JOURNAL_FILE_H

/**
 * @file journal_file.h
 * @brief A file that receives every batch of samples as soon as it is measured.
 *
 * The file consists of lines of JSON: a header that describes the measurement, then one record for
 * each batch or finding, in the order of time. Each line ends with a checksum of its text. One
 * process writes, e.g. rank 0.
 *
 * The operating system has a batch when hitop_journal_append() returns, so that a kill of the
 * process loses at most the batch that was being written. A crash of the machine loses the batches
 * since the last fsync(), those of about five seconds if hitop_journal_flush() is called often. In
 * both cases all earlier batches are complete: hitop_journal_resume() drops a torn line at the end
 * of the file, and refuses any other change. Numbers are read back exactly. A journal has one
 * writer at a time if the file system has locks.
 *
 * @code
 * status = hitop_journal_create("run.journal", &header, &journal, &diag);
 * status = hitop_journal_append(journal, &batch, &diag); // after each batch
 * status = hitop_journal_flush(journal, &diag);          // after each block
 * status = hitop_journal_close(journal, &diag);
 * @endcode
 */

#include "models/journal/finding.h"

#include "hitop/batch.h"

/** Describes a measurement. The header borrows all members; no text may be NULL. */
struct hitop_journal_header {
    const char *configuration; /**< all settings that affect samples; compared as text */
    const char *const *hosts;  /**< of each rank */
    int nranks;                /**< at least 1 */
    const char *mpi;           /**< the library and its version */
    const char *tool;          /**< name and version, for readers; not compared */
    unsigned long long seed;   /**< for readers; not compared; below 2^63 */
};

/** Opaque; owned by the caller until hitop_journal_close(). */
struct hitop_journal;

/** Functions that receive the batches and findings of a journal while it is read. */
struct hitop_journal_taker {
    /**
     * Called for each batch in the order of the file; @p batch is valid during the call. A failure
     * ends the reading; its message then begins with file and line.
     */
    enum hitop_status (*take)(void *data, const struct hitop_batch *batch, struct hitop_diag *diag);
    /** The same for each finding; NULL: findings are checked and dropped. */
    enum hitop_status (*find)(void *data, const struct hitop_finding *finding,
                              struct hitop_diag *diag);
    void *data;
};

/**
 * Begin a journal with its header.
 *
 * @param out  receives the journal; set to NULL on failure
 * @retval HITOP_ERR_INVALID  the file exists and is not empty
 * @retval HITOP_ERR_IO       the file cannot be written, is not a regular file, or another run is
 *                            writing it
 */
HITOP_MUST_CHECK enum hitop_status hitop_journal_create(const char *path,
                                                        const struct hitop_journal_header *header,
                                                        struct hitop_journal **out,
                                                        struct hitop_diag *diag);

/**
 * Read all records of a journal, drop a torn last line, and continue after them. A journal that was
 * torn within its header, or is empty, begins anew.
 *
 * @param header  of this run; configuration, hosts and mpi must be those of the journal
 * @param anyway  1: these may differ
 * @param taker   receives the records; the caller drops them when this function fails
 * @param out     receives the journal; set to NULL on failure, which leaves the file as it was
 * @retval HITOP_ERR_FORMAT  a line is broken, or the header differs: the message names both values
 * @retval HITOP_ERR_IO      as hitop_journal_create(); also when there is no such file
 * @return also any failure of @p taker
 */
HITOP_MUST_CHECK enum hitop_status
hitop_journal_resume(const char *path, const struct hitop_journal_header *header, int anyway,
                     const struct hitop_journal_taker *taker, struct hitop_journal **out,
                     struct hitop_diag *diag);

/**
 * Write a batch, whose samples are finite.
 *
 * @retval HITOP_ERR_IO  the file cannot be written; the journal ends with the previous record
 */
HITOP_MUST_CHECK enum hitop_status hitop_journal_append(struct hitop_journal *journal,
                                                        const struct hitop_batch *batch,
                                                        struct hitop_diag *diag);

/** Write a finding; as hitop_journal_append(). An eager limit must have been found. */
HITOP_MUST_CHECK enum hitop_status hitop_journal_append_finding(struct hitop_journal *journal,
                                                                const struct hitop_finding *finding,
                                                                struct hitop_diag *diag);

/** Call fsync(), at most every five seconds. */
HITOP_MUST_CHECK enum hitop_status hitop_journal_flush(struct hitop_journal *journal,
                                                       struct hitop_diag *diag);

/** Call fsync(), and release the journal, also on failure. NULL is allowed. */
HITOP_MUST_CHECK enum hitop_status hitop_journal_close(struct hitop_journal *journal,
                                                       struct hitop_diag *diag);

#endif /* JOURNAL_FILE_H */
