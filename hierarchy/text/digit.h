/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DIGIT_H
#define DIGIT_H

/* digit.h - what a digit is in names and files, whatever the locale says. */

static inline int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

#endif /* DIGIT_H */
