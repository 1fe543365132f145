/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_ATOMICS_H
#define HITOP_NODE_ATOMICS_H

/* atomics.h - loads and stores of words in shared memory, with their memory order in the name. */

#include <stdatomic.h>

#define LOAD_RELAXED(word) atomic_load_explicit(word, memory_order_relaxed)
#define LOAD_ACQUIRE(word) atomic_load_explicit(word, memory_order_acquire)
#define STORE_RELAXED(word, value) atomic_store_explicit(word, value, memory_order_relaxed)
#define STORE_RELEASE(word, value) atomic_store_explicit(word, value, memory_order_release)

#endif /* HITOP_NODE_ATOMICS_H */
