/* SPDX-License-Identifier: BSD-3-Clause */
/* reader_model.c - model files: what is accepted prices messages, and survives being written. */
#include <config.h>

#include "hitop/model.h"

#include "tests/fuzz/reader.h"

#include <stdlib.h>
#include <string.h>

static enum hitop_status write_model(const void *object, FILE *to)
{
    return hitop_model_write(object, to, NULL);
}

static void check_written(const struct hitop_model *model)
{
    struct hitop_model *again = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    size_t first_length = 0, second_length = 0;
    char *first = fuzz_written(write_model, model, &first_length), *second;

    if (hitop_model_parse("f", first, first_length, &again, &diag) != HITOP_OK) {
        fuzz_fail("what was written cannot be read: %s\n%s", diag.message, first);
    }
    second = fuzz_written(write_model, again, &second_length);
    if (first_length != second_length || memcmp(first, second, first_length) != 0) {
        fuzz_fail("what was written reads differently:\n%s\n%s", first, second);
    }
    hitop_model_free(again);
    free(second);
    free(first);
}

static void check_prices(const struct hitop_model *model)
{
    const int last = hitop_model_nranks(model) - 1;

    for (size_t bytes = 0; bytes < 1 << 24; bytes = 4 * bytes + 1) {
        const double time = hitop_model_p2p(model, 0, last, bytes);
        if (!(time >= 0) || !(hitop_model_occupancy(model, 0, last, bytes) <= time) ||
            !(hitop_model_reception(model, 0, last, bytes) <= time)) {
            fuzz_fail("%zu bytes take %g s", bytes, time);
        }
    }
}

static void read_model(const struct fuzz_reader *reader, const char *text, size_t length)
{
    struct hitop_model *model = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    (void)reader;
    if (hitop_model_parse("f", text, length, &model, &diag) == HITOP_OK) {
        check_prices(model);
        check_written(model);
    } else {
        fuzz_check_refusal(&diag, "f:", model);
    }
    hitop_model_free(model);
}

extern const struct fuzz_reader hitop_reader_model;
const struct fuzz_reader hitop_reader_model = {
    .name = "model", .seeds = {"models/*.json"}, .read = read_model};
