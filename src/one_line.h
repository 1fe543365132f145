/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ONE_LINE_H
#define ONE_LINE_H

/* one_line.h - make a text safe for a message of one line. */

/* Replace control characters: a quoted name must not break the line or control the terminal. */
static inline void one_line(char *text)
{
    for (; *text; text++) {
        *text = (unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text;
    }
}

#endif /* ONE_LINE_H */
