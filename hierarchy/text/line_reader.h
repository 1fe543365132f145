/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LINE_READER_H
#define LINE_READER_H

/*
 * line_reader.h - a text file line by line, with messages that say where.
 *
 * @code
 * status = hitop_line_reader_open(&r, path, diag);
 * while (status == HITOP_OK && (line = hitop_line_reader_next(&r))) {
 *     if (!is_good(line)) {
 *         status = hitop_line_reader_refuse(&r, diag, "'%s' is not good", line);
 *     }
 * }
 * hitop_line_reader_close(&r);
 * @endcode
 */

#include "hitop/status.h"

struct line_reader {
    const char *file; /* name of the file, for messages; not owned */
    int line;         /* number of the current line, from 1 */
    char *text, *next, *end;
};

/*
 * Read a whole file; "-" is standard input. HITOP_ERR_FORMAT if it is too long or contains a zero
 * byte.
 */
HITOP_MUST_CHECK enum hitop_status hitop_line_reader_open(struct line_reader *r, const char *path,
                                                          struct hitop_diag *diag);

/* Release what was read; also after a failure to open. */
void hitop_line_reader_close(struct line_reader *r);

/*
 * The next line without its line break; NULL at the end. The caller may change the line, which is
 * valid until the reader is closed.
 */
char *hitop_line_reader_next(struct line_reader *r);

/*
 * Cut the next word from *text, which then points behind the word. Words are separated by blanks:
 * spaces, tabs, \r, \f, \v. NULL if there is no word.
 */
char *hitop_line_reader_word(char **text);

/* Returns HITOP_ERR_FORMAT with "file:line: " before the message. */
enum hitop_status hitop_line_reader_refuse(const struct line_reader *r, struct hitop_diag *diag,
                                           const char *fmt, ...) HITOP_PRINTF(3, 4);

#endif /* LINE_READER_H */
