/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ONE_LINE_H
#define ONE_LINE_H

/* one_line.h - texts for messages. */

/* Replace control characters: quoted names must not break lines or command a terminal. */
static inline void one_line(char *text)
{
    for (; *text; text++) {
        *text = (unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text;
    }
}

#endif /* ONE_LINE_H */
