/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PAYLOAD_H
#define PAYLOAD_H

/**
 * @file payload.h
 * @brief Buffers of measured messages, and the policy for what the caches contain of them.
 *
 * A benchmark that sends the same buffer repeatedly measures with warm caches, while programs often
 * send data that they have not touched for a while. The policy says which case is measured; times
 * of different policies cannot be compared.
 *
 * Each process has one region for all messages that it sends and receives. hitop_payload_reserve()
 * allocates it, with room for the largest message and, unless the policy is hot, twice the size of
 * the last-level cache.
 *
 * @code
 * status = hitop_payload_new(HITOP_CACHE_STREAM, last_level, &payload, &diag);
 * status = hitop_payload_reserve(payload, bytes, &diag);  // not while the clock runs
 * hitop_payload_flush(payload);                            // before each sample
 * buffer = hitop_payload_next(payload, bytes);            // for each message
 * @endcode
 */

#include "hitop/status.h"

/** What the caches contain of a message before it is sent or received. */
enum hitop_cache {
    HITOP_CACHE_HOT,    /**< all of it: every message uses the same buffer */
    HITOP_CACHE_STREAM, /**< nothing: each message uses the next place of the region; a line is used
                             again after others have filled the last-level cache twice */
    HITOP_CACHE_COLD,   /**< nothing, nor any other data of the process: as above, and the whole
                             region is written before each sample */
    HITOP_NCACHES
};

/** "hot", "stream" or "cold". */
const char *hitop_cache_name(enum hitop_cache cache);

/**
 * Find the policy of a name.
 *
 * @retval HITOP_ERR_NOTFOUND  the message lists the valid names
 */
HITOP_MUST_CHECK enum hitop_status hitop_cache_find(const char *name, enum hitop_cache *out,
                                                    struct hitop_diag *diag);

/** Opaque; owned by the caller. For one thread of one process. */
struct hitop_payload;

/**
 * Create a payload. hitop_payload_reserve() allocates memory for messages.
 *
 * @param last_level  bytes of the last-level cache, 1 to 2^40; not used for HITOP_CACHE_HOT
 * @param out         to be released with hitop_payload_free(); set to NULL on failure
 */
HITOP_MUST_CHECK enum hitop_status hitop_payload_new(enum hitop_cache cache, size_t last_level,
                                                     struct hitop_payload **out,
                                                     struct hitop_diag *diag);
void hitop_payload_free(struct hitop_payload *payload);

enum hitop_cache hitop_payload_cache(const struct hitop_payload *payload);

/** An estimate of the seconds that hitop_payload_flush() takes; 0 unless HITOP_CACHE_COLD. */
double hitop_payload_pause(const struct hitop_payload *payload);

/**
 * Make room for messages of @p bytes. A new region is filled with pseudorandom bytes, and pointers
 * into the previous one are invalid.
 *
 * @retval HITOP_ERR_NOMEM  the message contains the size of the missing memory
 */
HITOP_MUST_CHECK enum hitop_status hitop_payload_reserve(struct hitop_payload *payload,
                                                         size_t bytes, struct hitop_diag *diag);

/**
 * Returns the buffer of the next message of @p bytes, at most as many as reserved; it begins at a
 * cache line. A later call reuses it, with HITOP_CACHE_HOT the next one. NULL if nothing is
 * reserved.
 */
char *hitop_payload_next(struct hitop_payload *payload, size_t bytes);

/** Call between samples: with HITOP_CACHE_COLD it writes the whole region, next message first. */
void hitop_payload_flush(struct hitop_payload *payload);

#endif /* PAYLOAD_H */
