/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FUZZ_READER_H
#define FUZZ_READER_H

/*
 * reader.h - what the fuzzer does with each reader of the project.
 *
 * A reader gets any bytes. It must not crash, and what it says must be true: whatever is accepted
 * survives being written and read again, whatever is refused is explained in one line.
 */

#include "hitop/status.h"

#include <stddef.h>
#include <stdio.h>

struct hitop_source;

enum { FUZZ_MAX_SEEDS = 4, FUZZ_MAX_READERS = 32 };

struct fuzz_reader {
    const char *name;
    const char
        *seeds[FUZZ_MAX_SEEDS]; /* patterns of file names below testdata, beside fuzz/NAME/ */
    void (*read)(const struct fuzz_reader *reader, const char *text, size_t length);
    const struct hitop_source *source; /* of groups, for those that read files; else NULL */
};

/* All readers; sources of groups that read files are among them without being listed. */
const struct fuzz_reader *fuzz_readers(int *count);

/* NULL when there is none. */
const struct fuzz_reader *fuzz_find_reader(const char *name);

/* For sources of groups. */
void fuzz_read_source(const struct fuzz_reader *reader, const char *text, size_t length);

/* Say what is wrong and abort. */
_Noreturn void fuzz_fail(const char *format, ...) HITOP_PRINTF(1, 2);

/* One line that begins with beginning, and nothing in *object. */
void fuzz_check_refusal(const struct hitop_diag *diag, const char *beginning, const void *object);

/* A file with this text, to be read by its name until the next one is made. */
const char *fuzz_file(const char *text, size_t length);

/* Text up to the first zero byte, to be freed. */
char *fuzz_string(const char *text, size_t length);

/*
 * Are there numbers that ask for much memory or time and are still allowed? Hierarchies and lists
 * of a million ranks are no mistake, but nothing is learned from them.
 */
int fuzz_is_costly(const char *text, size_t length);

/*
 * Do the numbers of a line multiply to more than many, as those of n[1-99]x[1-99]y[1-99] do to a
 * million?
 */
int fuzz_is_long_list(const char *text, size_t length, double many);

/* What a function writes, as a string to be freed. */
char *fuzz_written(enum hitop_status (*write)(const void *object, FILE *to), const void *object,
                   size_t *length);

#endif /* FUZZ_READER_H */
