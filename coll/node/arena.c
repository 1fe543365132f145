/* SPDX-License-Identifier: BSD-3-Clause */
/* arena.c - runs of units of one shared file, taken and freed without a lock. */
#include <config.h>

#include "coll/node/arena.h"

#include "coll/node/atomics.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* States of a unit. The first unit of a taken run has the length of the run. */
enum { TAKEN = 1, BACKED = 2 };

struct unit {
    _Atomic uint32_t state;
    _Atomic uint32_t holders; /* of a run, in its first unit */
    uint32_t length;          /* units of the run, in its first unit */
};

/* The head of the file. */
struct head {
    uint64_t number;
    uint64_t nunits;
    struct unit unit[]; /* the first units contain the head itself */
};

struct hitop_arena {
    struct hitop_segment segment;
    struct head *head;
    struct hitop_arena *next; /* of those that this process keeps */
};

static size_t units_of(size_t bytes)
{
    return (bytes + HITOP_ARENA_UNIT - 1) / HITOP_ARENA_UNIT;
}

/* Initialise the list of units; the units that contain it stay taken. */
static enum hitop_status format(struct hitop_arena *arena, struct hitop_diag *diag)
{
    const size_t n = arena->segment.bytes / HITOP_ARENA_UNIT;
    const size_t own = units_of(sizeof(struct head) + n * sizeof(struct unit));
    enum hitop_status status =
        hitop_segment_reserve(&arena->segment, 0, own * HITOP_ARENA_UNIT, diag);

    if (status != HITOP_OK) {
        return status;
    }
    if (getrandom(&arena->head->number, sizeof(uint64_t), 0) != (ssize_t)sizeof(uint64_t)) {
        return hitop_fail(diag, HITOP_ERR_IO, "no random numbers: %s", strerror(errno));
    }
    arena->head->nunits = n;
    for (size_t i = 0; i < own; i++) {
        atomic_init(&arena->head->unit[i].state, TAKEN | BACKED);
    }
    return HITOP_OK;
}

static enum hitop_status create(struct hitop_arena *arena, size_t cap, struct hitop_diag *diag)
{
    enum hitop_status status =
        hitop_segment_create((units_of(cap) + 1) * HITOP_ARENA_UNIT, &arena->segment, diag);

    if (status == HITOP_OK) {
        arena->head = arena->segment.memory;
        status = format(arena, diag);
    }
    return status;
}

static enum hitop_status attach(struct hitop_arena *arena, const struct hitop_arena_sign *sign,
                                struct hitop_diag *diag)
{
    enum hitop_status status = hitop_segment_attach(sign->place, &arena->segment, diag);

    if (status == HITOP_OK) {
        arena->head = arena->segment.memory;
        if (arena->segment.bytes < HITOP_ARENA_UNIT || arena->head->number != sign->number) {
            status =
                hitop_fail(diag, HITOP_ERR_IO, "shared memory %s is something else", sign->place);
        }
    }
    return status;
}

enum hitop_status hitop_arena_open(const struct hitop_arena_sign *sign, size_t cap,
                                   struct hitop_arena **out, struct hitop_diag *diag)
{
    struct hitop_arena *arena = calloc(1, sizeof(*arena));
    enum hitop_status status;

    *out = NULL;
    if (!arena) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    status = sign ? attach(arena, sign, diag) : create(arena, cap, diag);
    if (status != HITOP_OK) {
        hitop_arena_release(arena);
        return status;
    }
    *out = arena;
    return HITOP_OK;
}

void hitop_arena_release(struct hitop_arena *arena)
{
    if (arena) {
        hitop_segment_release(&arena->segment);
        free(arena);
    }
}

enum hitop_status hitop_arena_show(const struct hitop_arena *arena, enum hitop_segment_kind kind,
                                   struct hitop_arena_sign *sign, struct hitop_diag *diag)
{
    sign->number = arena->head->number;
    return hitop_segment_show(&arena->segment, kind, sign->place, diag);
}

/* Free the units [first, end). */
static void give_back(struct hitop_arena *arena, size_t first, size_t end)
{
    while (end-- > first) {
        atomic_fetch_and_explicit(&arena->head->unit[end].state, ~(uint32_t)TAKEN,
                                  memory_order_release);
    }
}

/* Take unit `i`: 1 unless it is taken already. */
static int grab(struct hitop_arena *arena, size_t i)
{
    const uint32_t before =
        atomic_fetch_or_explicit(&arena->head->unit[i].state, TAKEN, memory_order_acquire);

    return !(before & TAKEN);
}

/* Take the first free run of `n` units; 0: there is none. */
static size_t grab_run(struct hitop_arena *arena, size_t n)
{
    size_t first = 1, end = 1;

    while (end < arena->head->nunits && end - first < n) {
        if (grab(arena, end)) {
            end++;
        } else {
            give_back(arena, first, end);
            first = ++end;
        }
    }
    if (end - first == n) {
        return first;
    }
    give_back(arena, first, end);
    return 0;
}

/* Allocate memory for the units of a run that have none yet. */
static enum hitop_status back(struct hitop_arena *arena, size_t first, size_t n,
                              struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (size_t i = first; i < first + n && status == HITOP_OK; i++) {
        struct unit *unit = &arena->head->unit[i];
        if (!(LOAD_RELAXED(&unit->state) & BACKED)) {
            status = hitop_segment_reserve(&arena->segment, i * HITOP_ARENA_UNIT,
                                           (first + n - i) * HITOP_ARENA_UNIT, diag);
            for (; i < first + n && status == HITOP_OK; i++) {
                atomic_fetch_or_explicit(&arena->head->unit[i].state, BACKED, memory_order_relaxed);
            }
        }
    }
    return status;
}

uint64_t hitop_arena_take(struct hitop_arena *arena, size_t bytes, unsigned holders,
                          struct hitop_diag *diag)
{
    const size_t n = units_of(bytes > 0 ? bytes : 1);
    const size_t first = grab_run(arena, n);
    struct unit *unit = &arena->head->unit[first];

    if (first == 0) {
        (void)hitop_fail(diag, HITOP_ERR_IO,
                         "no %zu bytes are left of the %zu that communicators share on a node",
                         bytes, (size_t)arena->segment.bytes);
        return 0;
    }
    if (back(arena, first, n, diag) != HITOP_OK) {
        give_back(arena, first, first + n);
        return 0;
    }
    unit->length = (uint32_t)n;
    STORE_RELAXED(&unit->holders, holders);
    return (uint64_t)first * HITOP_ARENA_UNIT;
}

void *hitop_arena_at(const struct hitop_arena *arena, uint64_t offset)
{
    return (unsigned char *)arena->segment.memory + offset;
}

void hitop_arena_drop(struct hitop_arena *arena, uint64_t offset, unsigned holders)
{
    const size_t first = (size_t)offset / HITOP_ARENA_UNIT;
    struct unit *unit = &arena->head->unit[first];

    if (atomic_fetch_sub_explicit(&unit->holders, holders, memory_order_acq_rel) == holders) {
        give_back(arena, first, first + unit->length);
    }
}

size_t hitop_arena_taken(const struct hitop_arena *arena)
{
    size_t n = 0;

    for (size_t i = 1; i < arena->head->nunits; i++) {
        n += (LOAD_RELAXED(&arena->head->unit[i].state) & TAKEN) != 0;
    }
    return n * HITOP_ARENA_UNIT;
}

/* The arenas that this process has used, in the order of their first use. */
static struct {
    pthread_mutex_t mutex;
    struct hitop_arena *first;
} kept = {.mutex = PTHREAD_MUTEX_INITIALIZER};

enum hitop_status hitop_arena_keep(const struct hitop_arena_sign *sign, size_t cap,
                                   struct hitop_arena **out, struct hitop_diag *diag)
{
    struct hitop_arena **at = &kept.first;
    enum hitop_status status = HITOP_OK;

    (void)pthread_mutex_lock(&kept.mutex);
    while (*at && sign && (*at)->head->number != sign->number) {
        at = &(*at)->next;
    }
    if (!*at) {
        status = hitop_arena_open(sign, cap, at, diag);
    }
    *out = *at;
    (void)pthread_mutex_unlock(&kept.mutex);
    return status;
}
