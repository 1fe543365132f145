/* SPDX-License-Identifier: BSD-3-Clause */
/* draft_json.c - create and write JSON values. */
#include <config.h>

#include "src/draft_json.h"

#include <stdlib.h>
#include <string.h>

json_t *hitop_draft_text(const char *text)
{
    json_t *value;
    char *ascii;

    if (!text) {
        return json_null();
    }
    value = json_string(text);
    if (value) {
        return value;
    }
    ascii = strdup(text);
    for (char *c = ascii; c && *c; c++) {
        *c = (unsigned char)*c < 128 ? *c : '?';
    }
    value = ascii ? json_string(ascii) : NULL;
    free(ascii);
    return value;
}

int hitop_draft_put(FILE *to, json_t *value, unsigned int digits)
{
    const size_t flags = JSON_ENCODE_ANY | JSON_REAL_PRECISION(digits);
    const int result = value ? json_dumpf(value, to, flags) : -1;

    json_decref(value);
    return result;
}
