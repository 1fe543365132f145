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
    const char *file; /* for messages; lent */
    int line;         /* number of the current one, from 1 */
    char *text, *next, *end;
};

/* Read the whole file, "-" being standard input. HITOP_ERR_FORMAT when it contains a zero byte. */
HITOP_MUST_CHECK enum hitop_status hitop_line_reader_open(struct line_reader *r, const char *path,
                                                          struct hitop_diag *diag);

/* Release what was read; also after a failure to open. */
void hitop_line_reader_close(struct line_reader *r);

/*
 * The next line without its end, to be changed at will until the reader is closed; NULL at the end.
 */
char *hitop_line_reader_next(struct line_reader *r);

/*
 * Cut the next word off a text, which moves behind it; blanks are spaces, tabs and the like. NULL
 * when there is none.
 */
char *hitop_line_reader_word(char **text);

/* Returns HITOP_ERR_FORMAT with "file:line: " before the message. */
enum hitop_status hitop_line_reader_refuse(const struct line_reader *r, struct hitop_diag *diag,
                                           const char *fmt, ...) HITOP_PRINTF(3, 4);

#endif /* LINE_READER_H */
