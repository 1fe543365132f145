/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DIGIT_H
#define DIGIT_H

/* digit.h - test for a decimal digit, independent of the locale. */

static inline int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

#endif /* DIGIT_H */
