/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PAYLOAD_H
#define PAYLOAD_H

/**
 * @file payload.h
 * @brief The memory that measured messages come from and go to, and what of it is in the caches.
 *
 * A benchmark that sends the same buffer again and again measures a network with its caches warm;
 * programs often send what they have not touched for a while. Which of both is measured is a
 * policy, and times without it cannot be compared.
 *
 * One region serves a process for all its messages, sent and received. It is allocated when the
 * first message is, and holds the largest one; unless the policy is hot, twice the last-level cache
 * beside it.
 *
 * @code
 * status = hitop_payload_new(HITOP_CACHE_STREAM, last_level, &payload, &diag);
 * status = hitop_payload_reserve(payload, bytes, &diag);  // not while the clock runs
 * hitop_payload_flush(payload);                            // before each sample
 * buffer = hitop_payload_next(payload, bytes);            // for each message
 * @endcode
 */

#include "hitop/status.h"

/** What the caches know of a message before it is sent or received. */
enum hitop_cache {
    HITOP_CACHE_HOT,    /**< all of it: it is the same buffer as before */
    HITOP_CACHE_STREAM, /**< nothing: messages walk through the region; a line is used again after
                             others have filled the last-level cache twice */
    HITOP_CACHE_COLD,   /**< nothing, nor of anything else: as above, and the whole region is
                             written before each sample */
    HITOP_NCACHES
};

/** "hot", "stream" or "cold". */
const char *hitop_cache_name(enum hitop_cache cache);

/** @retval HITOP_ERR_NOTFOUND  the message lists the valid names */
HITOP_MUST_CHECK enum hitop_status hitop_cache_find(const char *name, enum hitop_cache *out,
                                                    struct hitop_diag *diag);

/** Opaque; owned by the caller. For one thread of one process. */
struct hitop_payload;

/**
 * Memory by a policy; nothing is allocated yet for messages.
 *
 * @param last_level  bytes of the last-level cache, 1 to 2^40; not used for HITOP_CACHE_HOT
 * @param out         to be released with hitop_payload_free(); set to NULL on failure
 */
HITOP_MUST_CHECK enum hitop_status hitop_payload_new(enum hitop_cache cache, size_t last_level,
                                                     struct hitop_payload **out,
                                                     struct hitop_diag *diag);
void hitop_payload_free(struct hitop_payload *payload);

enum hitop_cache hitop_payload_cache(const struct hitop_payload *payload);

/** Seconds, roughly, that hitop_payload_flush() takes; 0 unless it does anything. */
double hitop_payload_pause(const struct hitop_payload *payload);

/**
 * Make room for messages of @p bytes, all written once with bytes that do not repeat. Earlier
 * pointers into the region are invalid if it grows.
 *
 * @retval HITOP_ERR_NOMEM  the message contains the size of the missing memory
 */
HITOP_MUST_CHECK enum hitop_status hitop_payload_reserve(struct hitop_payload *payload,
                                                         size_t bytes, struct hitop_diag *diag);

/** Where the next message of @p bytes is, at the beginning of a line; no more than reserved. Lent
 * until it is reused: with HITOP_CACHE_HOT by the next call. NULL if nothing was ever reserved. */
char *hitop_payload_next(struct hitop_payload *payload, size_t bytes);

/** Between samples: with HITOP_CACHE_COLD write the whole region, the part that comes next first.
 */
void hitop_payload_flush(struct hitop_payload *payload);

#endif /* PAYLOAD_H */
