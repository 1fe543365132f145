/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reader_whatif.c - prices at the groups of a hierarchy file, and shapes with their prices: the
 * first line of a text without a brace is a shape, the others are prices.
 */
#include <config.h>

#include "models/whatif/whatif.h"

#include "hitop/dot.h"

#include "tests/fuzz/reader.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 4096 };

static void check_prices(const struct hitop_model *model)
{
    const int last = hitop_model_nranks(model) - 1;

    for (size_t bytes = 0; bytes < 1 << 24; bytes = 4 * bytes + 1) {
        if (!(hitop_model_p2p(model, 0, last, bytes) >= 0)) {
            fuzz_fail("%zu bytes take %g s", bytes, hitop_model_p2p(model, 0, last, bytes));
        }
    }
}

static void read_hierarchy(const char *text, size_t length)
{
    struct hitop_hierarchy *h = NULL;
    struct hitop_model *model = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    if (hitop_dot_parse("f", text, length, NULL, &h, NULL) != HITOP_OK) {
        return;
    }
    if (hitop_hierarchy_nranks(h) > MOST_RANKS) {
        hitop_hierarchy_free(h);
        return;
    }
    if (hitop_whatif_priced(h, 0, &model, &diag) != HITOP_OK) {
        fuzz_check_refusal(&diag, "", model);
    } else {
        check_prices(model);
    }
    hitop_model_free(model);
    hitop_hierarchy_free(h);
}

static void read_shape(char *text)
{
    char *prices = strchr(text, '\n');
    struct whatif_shape shape;
    struct hitop_model *model = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_status status;

    if (prices) {
        *prices++ = '\0';
    }
    status = hitop_whatif_parse_shape(text, &shape, &diag);
    while (status == HITOP_OK && prices && *prices) {
        char *next = strchr(prices, '\n');
        if (next) {
            *next++ = '\0';
        }
        status = hitop_whatif_parse_prices(prices, &shape, &diag);
        prices = next;
    }
    if (status == HITOP_OK && shape.nranks <= MOST_RANKS) {
        status = hitop_whatif_shaped(&shape, NULL, &model, &diag);
    }
    if (status != HITOP_OK) {
        fuzz_check_refusal(&diag, "", model);
    } else if (model) {
        check_prices(model);
    }
    hitop_model_free(model);
}

static void read_whatif(const struct fuzz_reader *reader, const char *text, size_t length)
{
    char *string;

    (void)reader;
    if (fuzz_is_costly(text, length)) {
        return;
    }
    if (memchr(text, '{', length)) {
        read_hierarchy(text, length);
        return;
    }
    string = fuzz_string(text, length);
    read_shape(string);
    free(string);
}

extern const struct fuzz_reader hitop_reader_whatif;
const struct fuzz_reader hitop_reader_whatif = {
    .name = "whatif", .seeds = {"hierarchy/*.dot"}, .read = read_whatif};
