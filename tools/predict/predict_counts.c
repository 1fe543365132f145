/* SPDX-License-Identifier: BSD-3-Clause */
/* predict_counts.c - the blocks of v-operations from a file. */
#include <config.h>

#include "tools/predict/predict_counts.h"

#include "hitop/input.h"
#include "hitop/text.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* One line, which is cut off; *text what follows, or NULL behind the last. */
static char *take_line(char **text)
{
    char *line = *text, *end = strchr(line, '\n');

    if (end) {
        *end = '\0';
    }
    *text = end && end[1] ? end + 1 : NULL;
    line[strcspn(line, "\r")] = '\0';
    return line;
}

static enum hitop_status read_lines(char *text, const char *name, int ranks, size_t unit,
                                    size_t *starts, struct hitop_diag *diag)
{
    struct hitop_diag why = HITOP_DIAG_INIT;
    int line = 0;

    for (; text && *text; line++) {
        int count;
        const char *number = take_line(&text);
        if (line == ranks) {
            return hitop_fail(diag, HITOP_ERR_FORMAT, "%s: line %d: more than %d counts", name,
                              line + 1, ranks);
        }
        if (hitop_text_int(number, 0, INT_MAX, &count, &why) != HITOP_OK) {
            return hitop_fail(diag, HITOP_ERR_FORMAT, "%s: line %d: %s", name, line + 1,
                              why.message);
        }
        if ((size_t)count > (SIZE_MAX - starts[line]) / unit) {
            return hitop_fail(diag, HITOP_ERR_FORMAT, "%s: line %d: too many bytes in all", name,
                              line + 1);
        }
        starts[line + 1] = starts[line] + (size_t)count * unit;
    }
    if (line < ranks) {
        return hitop_fail(diag, HITOP_ERR_FORMAT, "%s: %d counts for %d ranks", name, line, ranks);
    }
    return HITOP_OK;
}

enum hitop_status predict_read_counts(const char *path, struct predict_request *r, size_t **starts,
                                      struct hitop_diag *diag)
{
    const size_t unit = r->call.unit > 0 ? r->call.unit : 1;
    char *text = NULL;
    size_t length;
    enum hitop_status status = hitop_input_read_text(path, &text, &length, diag);

    *starts = calloc((size_t)r->ranks + 1, sizeof(**starts));
    if (status == HITOP_OK && !*starts) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", path);
    }
    if (status == HITOP_OK) {
        status = read_lines(text, hitop_input_name(path), r->ranks, unit, *starts, diag);
    }
    if (status == HITOP_OK) {
        r->call.starts = *starts;
        r->nsizes = 1;
        r->sizes[0] = (*starts)[r->ranks] / unit / (size_t)r->ranks * unit;
    }
    free(text);
    return status;
}
