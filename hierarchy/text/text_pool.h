/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TEXT_POOL_H
#define TEXT_POOL_H

/*
 * text_pool.h - many short strings that live and die together.
 *
 * A hierarchy of 100,000 ranks holds several hundred thousand names; one allocation per block of
 * them keeps building and freeing cheap. A string kept never moves.
 */

struct text_pool {
    struct text_block *blocks; /* newest first; NULL when empty */
};

/* Copy text into the pool; NULL counts as "". Returns NULL when out of memory. */
const char *hitop_text_pool_keep(struct text_pool *pool, const char *text);

/* Release all strings; the pool is empty afterwards. */
void hitop_text_pool_clear(struct text_pool *pool);

#endif /* TEXT_POOL_H */
