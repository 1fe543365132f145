/* SPDX-License-Identifier: BSD-3-Clause */
/* lists.c - see lists.h. */
#include <config.h>

#include "bench/lists.h"

#include "hitop/text.h"
#include "tools/check/check_names.h"

#include <limits.h>
#include <string.h>

/* Give each word of a list, at most LISTS_MAX, to take(out, its place, word). */
static enum hitop_status
each(const char *list, enum hitop_status (*take)(void *, int, const char *, struct hitop_diag *),
     void *out, int *n, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    const char *word;
    size_t length;

    *n = 0;
    while (status == HITOP_OK && (length = check_next_name(&list, &word)) > 0) {
        char text[32] = "";
        if (*n == LISTS_MAX || length >= sizeof(text)) {
            return hitop_fail(diag, HITOP_ERR_INVALID,
                              "'%.*s': %d values of up to 31 letters are allowed", (int)length,
                              word, LISTS_MAX);
        }
        memcpy(text, word, length);
        status = take(out, (*n)++, text, diag);
    }
    return status;
}

static enum hitop_status take_size(void *out, int i, const char *text, struct hitop_diag *diag)
{
    size_t *sizes = out;
    const enum hitop_status status = hitop_text_size(text, &sizes[i], diag);

    if (status == HITOP_OK && (sizes[i] == 0 || sizes[i] > INT_MAX)) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "'%s': 1 .. %d bytes are allowed", text,
                          INT_MAX);
    }
    return status;
}

static enum hitop_status take_seconds(void *out, int i, const char *text, struct hitop_diag *diag)
{
    double *seconds = out;

    return hitop_text_seconds(text, &seconds[i], diag);
}

enum hitop_status lists_sizes(const char *list, size_t sizes[LISTS_MAX], int *n,
                              struct hitop_diag *diag)
{
    return each(list, take_size, sizes, n, diag);
}

enum hitop_status lists_seconds(const char *list, double seconds[LISTS_MAX], int *n,
                                struct hitop_diag *diag)
{
    return each(list, take_seconds, seconds, n, diag);
}

enum hitop_status lists_names(const char *list, int *set, const char *(*name_at)(size_t),
                              struct hitop_diag *diag)
{
    size_t length;
    const char *wrong = check_unknown_name(list, name_at, &length);

    for (size_t i = 0; name_at(i); i++) {
        set[i] = name_at(i)[0] && check_is_listed(list, name_at(i));
    }
    return wrong ? hitop_fail(diag, HITOP_ERR_INVALID, "'%.*s' is none, see --help", (int)length,
                              wrong)
                 : HITOP_OK;
}
