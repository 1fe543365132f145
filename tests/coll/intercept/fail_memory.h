/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FAIL_MEMORY_H
#define FAIL_MEMORY_H

/* fail_memory.h - which allocation of the library fails next. */

#include "hitop/status.h"

/* From now on count allocations and mappings of the library; number `at` fails, from 1 on. */
HITOP_API void fail_memory_arm(long at);

/* None fails from now on; how many have been counted. */
HITOP_API long fail_memory_disarm(void);

#endif /* FAIL_MEMORY_H */
