/* SPDX-License-Identifier: BSD-3-Clause */
/* check_payload.c - messages use the lines that their policy says. */
#include <config.h>

#include "models/transport/payload.h"

#include "hierarchy/hwloc/last_level.h"
#include "tests/support/test_main.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 64 };

static struct hitop_payload *make(enum hitop_cache cache, size_t last_level, size_t largest)
{
    struct hitop_payload *p = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_msg(hitop_payload_new(cache, last_level, &p, &diag) == HITOP_OK, "%s", diag.message);
    ck_assert_ptr_null(hitop_payload_next(p, 0));
    ck_assert_msg(hitop_payload_reserve(p, largest, &diag) == HITOP_OK, "%s", diag.message);
    ck_assert_int_eq(hitop_payload_cache(p), cache);
    return p;
}

START_TEST(hot_messages_use_one_buffer)
{
    struct hitop_payload *p = make(HITOP_CACHE_HOT, 0, 1000);
    char *first = hitop_payload_next(p, 1000);
    char before = first[999];

    ck_assert_uint_eq((uintptr_t)first % LINE, 0);
    for (size_t bytes = 0; bytes <= 1000; bytes += 125) {
        ck_assert_ptr_eq(hitop_payload_next(p, bytes), first);
        hitop_payload_flush(p);
    }
    ck_assert_int_eq(first[999], before);
    ck_assert(hitop_payload_pause(p) <= 0);
    ck_assert_int_eq(hitop_payload_reserve(p, 100000, NULL), HITOP_OK);
    hitop_payload_next(p, 100000)[99999] = 1;
    hitop_payload_free(p);
}
END_TEST

/* When a walk that has taken so many bytes came by each line of the region last. */
struct visits {
    char *base;
    uint64_t *last; /* [lines]; 0: never */
    size_t lines;
    uint64_t walked;
};

static void visit(struct visits *v, struct hitop_payload *p, size_t bytes, size_t apart)
{
    char *at = hitop_payload_next(p, bytes);
    const size_t first = (size_t)(at - v->base) / LINE, n = (bytes + LINE - 1) / LINE;

    ck_assert_uint_eq((uintptr_t)at % LINE, 0);
    ck_assert(at >= v->base);
    ck_assert_uint_le(first + n, v->lines);
    for (size_t i = 0; i < n; i++) {
        const uint64_t now = v->walked + i * LINE + 1; /* 0 is never */
        const uint64_t before = v->last[first + i];
        ck_assert_msg(before == 0 || now - before >= apart,
                      "%zu bytes: line %zu again after %llu bytes", bytes, first + i,
                      (unsigned long long)(now - before));
        v->last[first + i] = now;
    }
    v->walked += bytes > 0 ? (n + 1) * LINE : 0;
}

/* Walk often enough through the region, by these sizes in turn. */
static void walk(enum hitop_cache cache, size_t last_level, const size_t *sizes, size_t nsizes,
                 size_t largest)
{
    /* a region of this length at most, to which the least room for messages belongs */
    const size_t most = 2 * last_level + (largest > 1 << 20 ? largest : 1 << 20) + 2 * LINE;
    struct hitop_payload *p = make(cache, last_level, largest);
    struct visits v = {.base = hitop_payload_next(p, 0), .lines = most / LINE};

    v.last = calloc(v.lines, sizeof(*v.last));
    ck_assert_ptr_nonnull(v.last);
    for (size_t i = 0; v.walked < 5 * most && i < 200000; i++) {
        visit(&v, p, sizes[i % nsizes], 2 * last_level);
    }
    free(v.last);
    hitop_payload_free(p);
}

START_TEST(no_line_returns_within_twice_the_cache)
{
    static const size_t one[] = {1}, line[] = {64}, mixed[] = {0, 1, 63, 64, 65, 4096, 100001, 7};
    static const size_t half[] = {999, 1 << 19}, nothing[] = {0};

    for (enum hitop_cache c = HITOP_CACHE_STREAM; c <= HITOP_CACHE_COLD; c++) {
        walk(c, 100000, one, 1, 1);
        walk(c, 1 << 20, line, 1, 64);
        walk(c, 1 << 20, mixed, 8, 100001);
        walk(c, 123457, half, 2, 1 << 19);
        walk(c, 1, mixed, 8, 100001);
        walk(c, 100000, nothing, 1, 0);
    }
}
END_TEST

/* A message that alone is larger than twice the cache comes by its own lines again. */
START_TEST(holds_messages_larger_than_the_region)
{
    static const size_t large[] = {3000000}, mixed[] = {3000000, 1, 64};

    walk(HITOP_CACHE_STREAM, 4096, large, 1, 3000000);
    walk(HITOP_CACHE_STREAM, 4096, mixed, 3, 3000000);
}
END_TEST

START_TEST(messages_of_nothing_use_no_line)
{
    struct hitop_payload *p = make(HITOP_CACHE_STREAM, 4096, 64);
    char *first = hitop_payload_next(p, 64);
    char *second = hitop_payload_next(p, 0);

    ck_assert_ptr_eq(second, first + 2 * LINE);
    ck_assert_ptr_eq(hitop_payload_next(p, 0), second);
    ck_assert_ptr_eq(hitop_payload_next(p, 1), second);
    ck_assert_ptr_eq(hitop_payload_next(p, 65), second + 2 * LINE);
    ck_assert_ptr_eq(hitop_payload_next(p, 1), second + 5 * LINE);
    hitop_payload_free(p);
}
END_TEST

/* Each line is written once, wherever the walk is; other policies write nothing. */
START_TEST(cooling_writes_the_whole_region)
{
    const size_t last_level = 50000, length = 2 * last_level;

    for (enum hitop_cache c = 0; c < HITOP_NCACHES; c++) {
        struct hitop_payload *p = make(c, last_level, length);
        char *base = hitop_payload_next(p, 100);
        char *before = malloc(length);
        ck_assert_ptr_nonnull(before);
        memcpy(before, base, length);
        hitop_payload_flush(p);
        for (size_t i = 0; i < length; i++) {
            const int is_first = i % LINE == 0 && c == HITOP_CACHE_COLD;
            ck_assert_int_eq((char)(before[i] + is_first), base[i]);
        }
        ck_assert_int_eq(hitop_payload_pause(p) > 0, c == HITOP_CACHE_COLD);
        free(before);
        hitop_payload_free(p);
    }
}
END_TEST

START_TEST(refuses_what_cannot_be)
{
    struct hitop_payload *p = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_cache cache = HITOP_CACHE_HOT;

    ck_assert_int_eq(hitop_payload_new(HITOP_CACHE_STREAM, 0, &p, &diag), HITOP_ERR_INVALID);
    ck_assert_ptr_null(p);
    ck_assert_int_eq(hitop_payload_new(HITOP_CACHE_COLD, SIZE_MAX, &p, &diag), HITOP_ERR_INVALID);
    hitop_payload_free(p);
    ck_assert_int_eq(hitop_payload_new(HITOP_CACHE_STREAM, 4096, &p, &diag), HITOP_OK);
    ck_assert_int_eq(hitop_payload_reserve(p, SIZE_MAX, &diag), HITOP_ERR_NOMEM);
    ck_assert_ptr_nonnull(strstr(diag.message, "no memory for messages of 18446744073709551615"));
    ck_assert_ptr_null(hitop_payload_next(p, 1));
    hitop_payload_flush(p);
    hitop_payload_free(p);
    ck_assert_int_eq(hitop_cache_find("warm", &cache, &diag), HITOP_ERR_NOTFOUND);
    ck_assert_str_eq(diag.message, "'warm' is none of hot, stream and cold");
    for (enum hitop_cache c = 0; c < HITOP_NCACHES; c++) {
        ck_assert_int_eq(hitop_cache_find(hitop_cache_name(c), &cache, &diag), HITOP_OK);
        ck_assert_int_eq(cache, c);
    }
}
END_TEST

/* The outermost cache counts; a machine without any is taken for a usual one. */
START_TEST(finds_the_last_level_of_a_machine)
{
    ck_assert_int_eq(
        setenv("HWLOC_SYNTHETIC", "pack:2 l3:2(size=3000000) l2:2(size=500000) core:1 pu:1", 1), 0);
    ck_assert_uint_eq(hitop_last_level_cache(), 3000000);
    ck_assert_int_eq(setenv("HWLOC_SYNTHETIC", "l2:2(size=500000) l1d:1(size=1000) pu:1", 1), 0);
    ck_assert_uint_eq(hitop_last_level_cache(), 500000);
    ck_assert_int_eq(setenv("HWLOC_SYNTHETIC", "l3:1(size=99999999999) pu:2", 1), 0);
    ck_assert_uint_eq(hitop_last_level_cache(), 1 << 30);
    ck_assert_int_eq(setenv("HWLOC_SYNTHETIC", "core:2 pu:1", 1), 0);
    ck_assert_uint_ge(hitop_last_level_cache(), 1 << 16);
    ck_assert_int_eq(unsetenv("HWLOC_SYNTHETIC"), 0);
    ck_assert_uint_ge(hitop_last_level_cache(), 1 << 16);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, hot_messages_use_one_buffer);
    tcase_add_test(tc, no_line_returns_within_twice_the_cache);
    tcase_add_test(tc, holds_messages_larger_than_the_region);
    tcase_add_test(tc, messages_of_nothing_use_no_line);
    tcase_add_test(tc, cooling_writes_the_whole_region);
    tcase_add_test(tc, refuses_what_cannot_be);
    tcase_add_test(tc, finds_the_last_level_of_a_machine);
}

TEST_MAIN("payload", add_tests)
