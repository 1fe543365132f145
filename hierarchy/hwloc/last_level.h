/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAST_LEVEL_H
#define LAST_LEVEL_H

/* last_level.h - the last-level cache of this process. */

#include <stddef.h>

/*
 * Bytes of the largest cache of the level next to memory that the process may use; 32 MiB if it is
 * unknown. At most 1 GiB.
 */
size_t hitop_last_level_cache(void);

#endif /* LAST_LEVEL_H */
