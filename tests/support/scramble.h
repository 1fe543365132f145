/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SCRAMBLE_H
#define TESTS_SCRAMBLE_H

/*
 * scramble.h - everything about operation k follows from k, so that all processes agree without
 * talking.
 */

static inline unsigned scramble(unsigned x)
{
    x = (x ^ (x >> 16)) * 0x45d9f3bu;
    x = (x ^ (x >> 16)) * 0x45d9f3bu;
    return x ^ (x >> 16);
}

#endif /* TESTS_SCRAMBLE_H */
