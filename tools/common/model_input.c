/* SPDX-License-Identifier: BSD-3-Clause */
/* model_input.c - read a model from JSON, or from a hierarchy with prices at its groups. */
#include <config.h>

#include "tools/common/model_input.h"

#include "models/whatif/whatif.h"

#include "hitop/dot.h"
#include "hitop/input.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/*
 * Whether a text is DOT: it begins with a comment or with a word of that language, such as digraph.
 * All other texts are read as JSON, so that messages about them are those of the model reader.
 */
static int is_dot(const char *text, size_t length)
{
    static const char *const words[] = {"//", "/*", "#", "digraph", "graph", "strict"};
    size_t at = hitop_input_mark(text, length);

    while (at < length && isspace((unsigned char)text[at])) {
        at++;
    }
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        const size_t n = strlen(words[i]);
        size_t k = 0;
        while (k < n && at + k < length &&
               tolower((unsigned char)text[at + k]) == (unsigned char)words[i][k]) {
            k++;
        }
        if (k == n) {
            return 1;
        }
    }
    return 0;
}

enum hitop_status tool_model_parse(const char *name, const char *text, size_t length,
                                   int ranks_per_host, struct hitop_model **out,
                                   struct hitop_diag *diag)
{
    struct hitop_hierarchy *h = NULL;
    struct hitop_diag why = HITOP_DIAG_INIT;
    enum hitop_status status;

    *out = NULL;
    if (!is_dot(text, length)) {
        status = hitop_model_parse(name, text, length, out, diag);
        if (status == HITOP_OK && ranks_per_host > 0) {
            hitop_model_free(*out);
            *out = NULL;
            status = hitop_fail(diag, HITOP_ERR_FORMAT,
                                "%s: a model file; ranks per host are for hierarchy files", name);
        }
        return status;
    }
    status = hitop_dot_parse(name, text, length, NULL, &h, diag);
    if (status == HITOP_OK) {
        status = hitop_whatif_priced(h, ranks_per_host, out, &why);
        if (status != HITOP_OK) {
            (void)hitop_fail(diag, status, "%s: %s", name, why.message);
        }
    }
    hitop_hierarchy_free(h);
    return status;
}

enum hitop_status tool_model_read(const char *path, int ranks_per_host, struct hitop_model **out,
                                  struct hitop_diag *diag)
{
    char *text = NULL;
    size_t length = 0;
    enum hitop_status status = hitop_input_read(path, &text, &length, diag);

    *out = NULL;
    if (status == HITOP_OK) {
        status = tool_model_parse(hitop_input_name(path), text, length, ranks_per_host, out, diag);
    }
    free(text);
    return status;
}
