/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CONDITIONS_H
#define CONDITIONS_H

/*
 * conditions.h - parse conditions on calls in lines of text: "ranks 2..64 bytes ..4KiB".
 *
 * A condition is a name and a range: N, LOW..HIGH, LOW.. or ..HIGH, both bounds included.
 */

#include "hitop/rules.h"

#include <stdint.h>

enum hitop_condition_kind {
    HITOP_CONDITION_COUNT, /* whole numbers from 1 on */
    HITOP_CONDITION_RATIO, /* whole numbers from 0 on */
    HITOP_CONDITION_SIZE,  /* bytes, with or without a unit */
    HITOP_CONDITION_FLAG   /* yes or no: 1 or 0 */
};

struct hitop_condition {
    const char *name;
    enum hitop_condition_kind kind;
};

/* Return the next word of a line, or "" at its end; *text becomes the rest. */
char *hitop_conditions_word(char **text);

/* Set all ranges to 0..SIZE_MAX: no condition. */
void hitop_conditions_init(struct hitop_range *when, int count);

/*
 * Parse the range of the condition called `word`, one of `count`; `*rest` begins with the range.
 * `seen` has a bit for each condition of the line: a second one of the same name is refused.
 */
enum hitop_status hitop_conditions_read(const struct hitop_condition *conditions, int count,
                                        const char *word, char **rest, struct hitop_range *when,
                                        unsigned *seen, struct hitop_diag *diag);

static inline int hitop_range_has(const struct hitop_range *range, size_t value)
{
    return value >= range->low && value <= range->high;
}

static inline int hitop_range_is_open(const struct hitop_range *range)
{
    return range->low == 0 && range->high == SIZE_MAX;
}

#endif /* CONDITIONS_H */
