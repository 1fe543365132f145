/* SPDX-License-Identifier: BSD-3-Clause */
/* draft_json.c - text as JSON allows it. */
#include <config.h>

#include "draft_json.h"

#include <stdlib.h>
#include <string.h>

json_t *draft_text(const char *text)
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
