/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GROW_H
#define GROW_H

/* grow.h - arrays that double in size when they are full. */

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* HITOP_GROW() for an array; at is the address of the pointer to it. */
static inline int hitop_grow(void *at, int count, int *max, size_t size)
{
    const int more = *max > 0 ? 2 * *max : 16;
    void *array;

    if (count < *max) {
        return 1;
    }
    memcpy(&array, at, sizeof(array));
    array = *max <= INT_MAX / 4 ? reallocarray(array, (size_t)more, size) : NULL;
    if (array) {
        memcpy(at, &array, sizeof(array));
        *max = more;
    }
    return array != NULL;
}

/*
 * Make room for element array[count] in an array of max elements; the array may move. Returns 0
 * without memory, and the array is unchanged; else 1.
 */
#define HITOP_GROW(array, count, max) hitop_grow(&(array), (count), &(max), sizeof(*(array)))

#endif /* GROW_H */
