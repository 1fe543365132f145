/* SPDX-License-Identifier: BSD-3-Clause */
/* sizes.c - series of message sizes. */
#include <config.h>

#include "tools/common/sizes.h"

#include "hitop/text.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SIZES = 10000 };

enum hitop_status sizes_set_min(struct sizes *sizes, const char *text, struct hitop_diag *diag)
{
    sizes->range_given = 1;
    return hitop_text_size(text, &sizes->min, diag);
}

enum hitop_status sizes_set_max(struct sizes *sizes, const char *text, struct hitop_diag *diag)
{
    sizes->range_given = 1;
    return hitop_text_size(text, &sizes->max, diag);
}

enum hitop_status sizes_set_stride(struct sizes *sizes, const char *text, struct hitop_diag *diag)
{
    sizes->range_given = 1;
    return hitop_text_size(text, &sizes->stride, diag);
}

static enum hitop_status append(size_t **out, size_t *count, size_t bytes, struct hitop_diag *diag)
{
    size_t *longer;

    if (*count == MAX_SIZES) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "more than %d message sizes", MAX_SIZES);
    }
    longer = realloc(*out, (*count + 1) * sizeof(**out));
    if (!longer) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "message sizes: out of memory");
    }
    longer[(*count)++] = bytes;
    *out = longer;
    return HITOP_OK;
}

static enum hitop_status make_list(const char *list, size_t **out, size_t *count,
                                   struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (const char *at = list; at && status == HITOP_OK;) {
        const char *comma = strchr(at, ',');
        size_t length;
        char *word;
        size_t bytes = 0;

        at += strspn(at, " ");
        length = strcspn(at, ",");
        while (length > 0 && at[length - 1] == ' ') {
            length--;
        }
        word = strndup(at, length);
        status = word ? hitop_text_size(word, &bytes, diag)
                      : hitop_fail(diag, HITOP_ERR_NOMEM, "message sizes: out of memory");
        if (status == HITOP_OK) {
            status = append(out, count, bytes, diag);
        }
        free(word);
        at = comma ? comma + 1 : NULL;
    }
    return status;
}

/* Only checks; the text is read when the sizes are made. */
enum hitop_status sizes_set_list(struct sizes *sizes, const char *text, struct hitop_diag *diag)
{
    size_t *all = NULL, count = 0;
    const enum hitop_status status = make_list(text, &all, &count, diag);

    free(all);
    sizes->list = text;
    return status;
}

static enum hitop_status make_range(const struct sizes *sizes, size_t **out, size_t *count,
                                    struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    size_t bytes = sizes->min;

    if (sizes->zero_too && bytes > 0) {
        status = append(out, count, 0, diag);
    }
    while (bytes <= sizes->max && status == HITOP_OK) {
        size_t next = 1;
        status = append(out, count, bytes, diag);
        if (sizes->stride > 0) {
            next = bytes + sizes->stride;
        } else {
            while (next <= bytes) {
                next *= 2;
            }
        }
        bytes = next;
    }
    return status;
}

static int compare(const void *a, const void *b)
{
    const size_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

enum hitop_status sizes_make(const struct sizes *sizes, size_t **out, size_t *count,
                             struct hitop_diag *diag)
{
    enum hitop_status status;
    size_t n = 0;

    *out = NULL;
    *count = 0;
    if (sizes->list && sizes->range_given) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "--sizes goes without -m, -M and -S");
    }
    if (!sizes->list && sizes->min > sizes->max) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "the smallest size (-m %zu) is larger than the largest (-M %zu)",
                          sizes->min, sizes->max);
    }
    status = sizes->list ? make_list(sizes->list, out, count, diag)
                         : make_range(sizes, out, count, diag);
    if (status != HITOP_OK) {
        free(*out);
        *out = NULL;
        return status;
    }
    qsort(*out, *count, sizeof(**out), compare);
    for (size_t i = 0; i < *count; i++) {
        if (n == 0 || (*out)[i] != (*out)[n - 1]) {
            (*out)[n++] = (*out)[i];
        }
    }
    *count = n;
    return HITOP_OK;
}
