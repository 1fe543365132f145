/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_model_fuzz.c - damaged model files are refused or are models; they never do harm.
 *
 * HITOP_TEST_SEED repeats one run. Build with -fsanitize=address,undefined to see what is harmed.
 */
#include <config.h>

#include "hitop/model.h"

#include "tests/support/example_hierarchy.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum { RUNS = 20000, MAX_TEXT = 16384 };

/* xorshift64*: the same sequence everywhere. */
static uint64_t draw(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 2685821657736338717u;
}

static size_t below(uint64_t *state, size_t limit)
{
    return (size_t)(draw(state) % limit);
}

/* Damage one place of the text; returns its new length. */
static size_t mutate(uint64_t *state, char *text, size_t length)
{
    static const char *const words[] = {"null", "-1",         "1e308",      "0",
                                        "\"\"", "[]",         "{}",         "1e-400",
                                        "true", "4294967304", "2147483648", "\\u0000"};
    const size_t at = below(state, length);
    const char *word = words[below(state, sizeof(words) / sizeof(words[0]))];
    const size_t cut = 1 + below(state, 12);
    const size_t gone = at + cut <= length ? cut : length - at;

    switch (below(state, 5)) {
    case 0: /* one byte becomes another */
        text[at] = (char)draw(state);
        return length;
    case 1: /* a piece disappears */
        memmove(text + at, text + at + gone, length - at - gone);
        return length - gone;
    case 2: /* a piece appears twice */
        memmove(text + at + gone, text + at, length - at);
        return length + gone;
    case 3: /* a digit changes */
        for (size_t i = at; i < length; i++) {
            if (text[i] >= '0' && text[i] <= '9') {
                text[i] = (char)('0' + below(state, 10));
                break;
            }
        }
        return length;
    default: /* a word moves in */
        memmove(text + at + strlen(word), text + at, length - at);
        memcpy(text + at, word, strlen(word));
        return length + strlen(word);
    }
}

/* Whatever is accepted must behave as a model. */
static void use(const struct hitop_model *model)
{
    const int n = hitop_model_nranks(model);
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    struct hitop_model *again = NULL;

    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            const double t = hitop_model_p2p(model, i, j, 1000);
            ck_assert(isfinite(t) && t >= 0);
        }
    }
    ck_assert_int_eq(hitop_model_write(model, stream, NULL), HITOP_OK);
    fclose(stream);
    ck_assert_int_eq(hitop_model_parse("again", text, length, &again, NULL), HITOP_OK);
    hitop_model_free(again);
    free(text);
}

START_TEST(damaged_files_do_no_harm)
{
    const char *given = getenv("HITOP_TEST_SEED");
    uint64_t state = given ? strtoull(given, NULL, 10) : 20240229;
    struct hitop_model *model = example_model();
    char *text = calloc(1, MAX_TEXT);
    char *broken = malloc(MAX_TEXT);
    FILE *stream = fmemopen(text, MAX_TEXT - 1, "w");
    int accepted = 0;

    printf("seed %llu\n", (unsigned long long)state);
    ck_assert_int_eq(hitop_model_write(model, stream, NULL), HITOP_OK);
    fclose(stream);
    hitop_model_free(model);
    for (int run = 0; run < RUNS; run++) {
        size_t length = strlen(text);
        struct hitop_diag diag = HITOP_DIAG_INIT;
        memcpy(broken, text, length);
        for (size_t n = 1 + below(&state, 3); n > 0; n--) {
            length = mutate(&state, broken, length);
        }
        if (hitop_model_parse("broken", broken, length, &model, &diag) == HITOP_OK) {
            accepted++;
            use(model);
            hitop_model_free(model);
        } else {
            ck_assert_ptr_null(model);
            ck_assert_uint_gt(strlen(diag.message), 0);
        }
    }
    /* both kinds must occur, or the test does not test */
    ck_assert_int_gt(accepted, RUNS / 100);
    ck_assert_int_lt(accepted, RUNS / 2);
    free(broken);
    free(text);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, damaged_files_do_no_harm);
}

TEST_MAIN("model fuzz", add_tests)
