/* SPDX-License-Identifier: BSD-3-Clause */
/* reader_texts.c - what people type: numbers, sizes, times, ranks, parameters. */
#include <config.h>

#include "hitop/param.h"
#include "hitop/ranks.h"
#include "hitop/text.h"

#include "tests/fuzz/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void read_numbers(const char *text)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    double number = 0;
    int integer = 0;

    if (hitop_text_int(text, -1000, 1000, &integer, &diag) != HITOP_OK) {
        fuzz_check_refusal(&diag, "'", NULL);
    } else if (integer < -1000 || integer > 1000) {
        fuzz_fail("%d is out of its range", integer);
    }
    if (hitop_text_double(text, -1e9, 1e9, &number, &diag) != HITOP_OK) {
        fuzz_check_refusal(&diag, "'", NULL);
    } else if (!(fabs(number) <= 1e9)) {
        fuzz_fail("%g is out of its range", number);
    }
    if (hitop_text_seconds(text, &number, &diag) != HITOP_OK) {
        fuzz_check_refusal(&diag, "'", NULL);
    } else if (!(number >= 0) || isinf(number)) {
        fuzz_fail("%g is no time", number);
    }
    if (hitop_text_rate(text, &number, &diag) != HITOP_OK) {
        fuzz_check_refusal(&diag, "'", NULL);
    } else if (!(number > 0) || isinf(number)) {
        fuzz_fail("%g is no rate", number);
    }
}

static void read_size(const char *text)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    size_t bytes = 0, again = 0;
    char shown[32];

    if (hitop_text_size(text, &bytes, &diag) != HITOP_OK) {
        fuzz_check_refusal(&diag, "'", NULL);
        return;
    }
    hitop_text_format_size(bytes, shown, sizeof(shown));
    if (hitop_text_size(shown, &again, &diag) != HITOP_OK || again != bytes) {
        fuzz_fail("'%s' is not %zu: %s", shown, bytes, diag.message);
    }
}

static void read_ranks(const char *text)
{
    struct hitop_ranks ranks = {0}, again = {0};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char *shown = NULL;

    if (hitop_ranks_parse(text, &ranks, &diag) != HITOP_OK) {
        fuzz_check_refusal(&diag, "", ranks.n > 0 ? &ranks : NULL);
    } else {
        shown = hitop_ranks_text(ranks.range, ranks.n);
        if (!shown || hitop_ranks_parse(shown, &again, &diag) != HITOP_OK || again.n != ranks.n ||
            memcmp(again.range, ranks.range, (size_t)ranks.n * sizeof(*ranks.range)) != 0) {
            fuzz_fail("'%s' are not the ranks: %s", shown ? shown : "", diag.message);
        }
    }
    free(shown);
    hitop_ranks_clear(&again);
    hitop_ranks_clear(&ranks);
}

static void read_text(const struct fuzz_reader *reader, const char *text, size_t length)
{
    static const struct hitop_param params[] = {{"degree", "", 2, 1, 9, ""},
                                                {"noise", "", 0, 0, 1, ""}};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    double values[2] = {2, 0};
    char *string = fuzz_string(text, length);

    (void)reader;
    read_numbers(string);
    read_size(string);
    read_ranks(string);
    if (hitop_params_assign("tree", params, 2, string, values, &diag) != HITOP_OK) {
        fuzz_check_refusal(&diag, "", NULL);
    }
    if (!(values[0] >= 1 && values[0] <= 9 && values[1] >= 0 && values[1] <= 1)) {
        fuzz_fail("parameters %g, %g", values[0], values[1]);
    }
    free(string);
}

extern const struct fuzz_reader hitop_reader_texts;
const struct fuzz_reader hitop_reader_texts = {.name = "text", .read = read_text};
