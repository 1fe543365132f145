/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAST_LEVEL_H
#define LAST_LEVEL_H

/* last_level.h - the size of the last-level cache. */

#include <stddef.h>

/*
 * The size in bytes of the last-level cache that this process may use; of several, the largest. 32
 * MiB if it is unknown; at most 1 GiB.
 */
size_t hitop_last_level_cache(void);

#endif /* LAST_LEVEL_H */
