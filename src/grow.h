/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GROW_H
#define GROW_H

/* grow.h - arrays that double in size when they are full. */

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* HITOP_GROW() for the array whose address is at. */
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
 * Make room for element number count in an array of max elements, which moves. 0 when out of
 * memory; the array stays.
 */
#define HITOP_GROW(array, count, max) hitop_grow(&(array), (count), &(max), sizeof(*(array)))

#endif /* GROW_H */
