/* SPDX-License-Identifier: BSD-3-Clause */
/* reader_choices.c - choices of earlier runs: what is accepted survives being written. */
#include <config.h>

#include "coll/runtime/known.h"

#include "tests/fuzz/reader.h"

#include <stdlib.h>
#include <string.h>

enum { MACHINE = 7 };

static enum hitop_status write_choices(const void *object, FILE *to)
{
    hitop_known_write(object, to);
    return HITOP_OK;
}

static int is_same(const struct known_choice *a, const struct known_choice *b)
{
    return hitop_choice_key_equal(&a->key, &b->key) &&
           a->what.algorithm.type == b->what.algorithm.type &&
           a->what.algorithm.tree == b->what.algorithm.tree &&
           memcmp(a->what.params, b->what.params, sizeof(a->what.params)) == 0 &&
           memcmp(a->what.tree_params, b->what.tree_params, sizeof(a->what.tree_params)) == 0;
}

static void check_written(const struct known *known)
{
    struct known again = {.machine = MACHINE};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    size_t length;
    char *text = fuzz_written(write_choices, known, &length);

    if (hitop_known_parse(&again, "again", text, &diag) != HITOP_OK) {
        fuzz_fail("'%s' cannot be read: %s", text, diag.message);
    }
    for (int i = 0; i < known->count; i++) {
        if (i >= again.count || !is_same(&known->choices[i], &again.choices[i])) {
            fuzz_fail("choice %d is another one in '%s'", i + 1, text);
        }
    }
    hitop_known_close(&again);
    free(text);
}

static void read_choices(const struct fuzz_reader *reader, const char *text, size_t length)
{
    struct known known = {.machine = MACHINE};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char *copy = fuzz_string(text, length); /* up to a zero byte, as none comes from a file */

    (void)reader;
    if (hitop_known_parse(&known, "file", copy, &diag) == HITOP_OK) {
        check_written(&known);
    } else {
        fuzz_check_refusal(&diag, "file:", known.choices);
    }
    hitop_known_close(&known);
    free(copy);
}

extern const struct fuzz_reader hitop_reader_choices;
const struct fuzz_reader hitop_reader_choices = {.name = "choices", .read = read_choices};
