/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOURNAL_EXAMPLE_H
#define JOURNAL_EXAMPLE_H

/* journal_example.h - a journal of batches that differ by their numbers, in a file of the test. */

#include "models/journal/journal_file.h"

enum { JOURNAL_MAX_TEXT = 1 << 16, JOURNAL_MAX_TAKEN = 64 };

extern const struct hitop_journal_header journal_example_header;

/* The number-th batch. */
struct hitop_batch journal_batch_of(int number);

/* The file, from journal_make_file() on. */
extern char journal_path[];
void journal_make_file(void);
void journal_remove_file(void);

void journal_put_text(const char *text, size_t length);

/* The file and a final zero byte, in JOURNAL_MAX_TEXT bytes; returns the length without that. */
size_t journal_get_text(char *text);

/* A new journal of n batches. */
void journal_write_batches(int n);

/* Take a batch, which must be the one that data, an int, counts; the last one of JOURNAL_MAX_TAKEN
 * is refused. */
enum hitop_status journal_take(void *data, const struct hitop_batch *batch,
                               struct hitop_diag *diag);

/* Resume the file, counting the batches. */
enum hitop_status journal_resume(const struct hitop_journal_header *of, int anyway, int *taken,
                                 struct hitop_journal **journal, struct hitop_diag *diag);

#endif /* JOURNAL_EXAMPLE_H */
