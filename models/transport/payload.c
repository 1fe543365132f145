/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * payload.c - a region of memory in which each message takes the next place.
 *
 * Idea:  a message begins behind the previous one, after a line that no message uses, so that a
 *        hardware prefetcher does not load the next message, and messages of a power of two bytes
 *        do not all begin in the same set of a cache. At the end of the region messages start at
 *        its beginning again. The region is longer by one largest message than the required
 *        distance between two uses of a line, because a message that does not fit at the end leaves
 *        up to that much unused.
 *
 * A flush writes the region in the order of use, beginning with the next message, so that the
 * caches then hold the lines that are used last.
 */
#include <config.h>

#include "models/transport/payload.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * LINE: bytes of a cache line; longer lines are separated only in part. LEAST: bytes that a region
 * which is not hot has at least for the largest message; otherwise each larger size would allocate
 * and fill the region again.
 */
enum { LINE = 64, LEAST = 1 << 20 };

/* Bytes per second that one processor writes line by line; a low estimate. */
static const double write_rate = 5e9;

#define MAX_LAST_LEVEL ((size_t)1 << 40)

struct hitop_payload {
    enum hitop_cache cache;
    size_t apart; /* bytes between two uses of a line */
    char *region;
    size_t length, largest; /* of the region and of messages; 0: nothing is reserved */
    size_t at;              /* where the next message begins */
};

static const char *const names[HITOP_NCACHES] = {
    [HITOP_CACHE_HOT] = "hot", [HITOP_CACHE_STREAM] = "stream", [HITOP_CACHE_COLD] = "cold"};

const char *hitop_cache_name(enum hitop_cache cache)
{
    return names[cache];
}

enum hitop_status hitop_cache_find(const char *name, enum hitop_cache *out, struct hitop_diag *diag)
{
    for (int i = 0; i < HITOP_NCACHES; i++) {
        if (strcmp(name, names[i]) == 0) {
            *out = (enum hitop_cache)i;
            return HITOP_OK;
        }
    }
    return hitop_fail(diag, HITOP_ERR_NOTFOUND, "'%.40s' is none of %s, %s and %s", name, names[0],
                      names[1], names[2]);
}

enum hitop_status hitop_payload_new(enum hitop_cache cache, size_t last_level,
                                    struct hitop_payload **out, struct hitop_diag *diag)
{
    const int is_hot = cache == HITOP_CACHE_HOT;

    *out = NULL;
    if (!is_hot && (last_level < 1 || last_level > MAX_LAST_LEVEL)) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "payload: a last-level cache of %zu bytes, must be 1 to %zu", last_level,
                          MAX_LAST_LEVEL);
    }
    *out = calloc(1, sizeof(**out));
    if (!*out) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "payload: out of memory");
    }
    (*out)->cache = cache;
    (*out)->apart = is_hot ? 0 : 2 * last_level;
    return HITOP_OK;
}

void hitop_payload_free(struct hitop_payload *payload)
{
    if (payload) {
        free(payload->region);
        free(payload);
    }
}

enum hitop_cache hitop_payload_cache(const struct hitop_payload *payload)
{
    return payload->cache;
}

double hitop_payload_pause(const struct hitop_payload *payload)
{
    return payload->cache == HITOP_CACHE_COLD ? (double)payload->apart / write_rate : 0;
}

static size_t whole_lines(size_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE;
}

/* The distance from a message to the next one; an empty message uses no line. */
static size_t stride(size_t bytes)
{
    return bytes > 0 ? whole_lines(bytes) + LINE : 0;
}

/* Fill with pseudorandom bytes, so that pages can be neither merged nor compressed. */
static void fill(char *region, size_t length)
{
    uint64_t state = 0x9e3779b97f4a7c15u ^ (uintptr_t)region;

    for (size_t i = 0; i + sizeof(state) <= length; i += sizeof(state)) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        memcpy(region + i, &state, sizeof(state));
    }
}

enum hitop_status hitop_payload_reserve(struct hitop_payload *p, size_t bytes,
                                        struct hitop_diag *diag)
{
    size_t length;
    char *region;

    if (p->region && bytes <= p->largest) {
        return HITOP_OK;
    }
    if (bytes > SIZE_MAX / 2 - MAX_LAST_LEVEL) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "no memory for messages of %zu bytes", bytes);
    }
    bytes = p->apart > 0 && bytes < LEAST ? LEAST : bytes;
    length = whole_lines(p->apart) + stride(bytes > 0 ? bytes : 1);
    free(p->region); /* before allocation: both regions may not fit into memory */
    p->region = region = aligned_alloc(LINE, length);
    p->length = p->largest = p->at = 0;
    if (!region) {
        return hitop_fail(diag, HITOP_ERR_NOMEM,
                          "no memory for %zu bytes, of which %zu keep messages out of caches",
                          length, p->apart);
    }
    fill(region, length);
    p->length = length;
    p->largest = bytes;
    return HITOP_OK;
}

char *hitop_payload_next(struct hitop_payload *p, size_t bytes)
{
    size_t at;

    if (p->apart == 0) {
        return p->region;
    }
    if (p->at + stride(bytes) > p->length) {
        p->at = 0;
    }
    at = p->at;
    p->at += stride(bytes);
    return p->region ? p->region + at : NULL;
}

/* Change one byte of each line. memset() may use non-temporal stores, which bypass the caches. */
static void touch(char *region, size_t from, size_t to)
{
    for (size_t i = from; i < to; i += LINE) {
        volatile char *byte = region + i;
        *byte = (char)(*byte + 1);
    }
}

void hitop_payload_flush(struct hitop_payload *p)
{
    if (p->cache == HITOP_CACHE_COLD && p->region) {
        touch(p->region, p->at, p->length);
        touch(p->region, 0, p->at);
    }
}
