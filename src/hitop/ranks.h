/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_RANKS_H
#define HITOP_RANKS_H

/**
 * @file ranks.h
 * @brief Sets of ranks, in memory and as text such as "0-63" or "0,4,8-11" or "0-700/100".
 *
 * "8-11" is 8, 9, 10, 11 and "0-700/100" is 0, 100, ..., 700. The ranks of a host are few ranges if
 * ranks are placed host by host or round robin.
 *
 * @code
 * struct hitop_ranks ranks = {0};
 * status = hitop_ranks_parse("0,4,8-11", &ranks, &diag); // three ranges
 * hitop_ranks_clear(&ranks);
 * @endcode
 */

#include "hitop/status.h"

HITOP_BEGIN_DECLS

/** Ranks first, first + step, ..., last; step is 1 for a single rank. */
struct hitop_rank_range {
    int first, last, step;
};

/** A list of ranges that grows. All zero is empty; release with hitop_ranks_clear(). */
struct hitop_ranks {
    struct hitop_rank_range *range;
    int n;
    int max; /**< private */
};

/** Number of ranks of a range, which may be one more than the largest integer. */
static inline long long hitop_rank_range_count(const struct hitop_rank_range *range)
{
    return ((long long)range->last - range->first) / range->step + 1;
}

/**
 * Append the ranks in @p text; blanks may follow a comma. Order and repetitions are not checked.
 *
 * @param ranks  its ranges are unchanged on failure
 * @retval HITOP_ERR_INVALID  not a list of ranks; the message quotes the wrong part
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_ranks_parse(const char *text, struct hitop_ranks *ranks, struct hitop_diag *diag);

/**
 * Append @p n ascending ranks as few ranges: first consecutive ranks are joined, then three or more
 * single ranks with equal steps. Equal sets of ranks give equal ranges.
 *
 * @retval HITOP_ERR_NOMEM  an allocation failed
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_ranks_add(struct hitop_ranks *ranks, const int *rank, int n, struct hitop_diag *diag);

/** The text for @p n ranges, to be freed by the caller; NULL when out of memory. */
HITOP_API char *hitop_ranks_text(const struct hitop_rank_range *range, int n);

/** Release the memory of a list; it is empty afterwards. */
HITOP_API void hitop_ranks_clear(struct hitop_ranks *ranks);

HITOP_END_DECLS

#endif /* HITOP_RANKS_H */
