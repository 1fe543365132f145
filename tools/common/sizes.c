/* SPDX-License-Identifier: BSD-3-Clause */
/* sizes.c - series of message sizes. */
#include <config.h>

#include "tools/common/sizes.h"
#include "tools/common/take.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SIZES = 10000 };

enum hitop_status sizes_set_range(struct sizes *sizes, int letter, const char *text,
                                  struct hitop_diag *diag)
{
    sizes->range_given = 1;
    return hitop_text_size(text,
                           letter == 'm'   ? &sizes->min
                           : letter == 'M' ? &sizes->max
                                           : &sizes->stride,
                           diag);
}

/* Sizes while they are listed. */
struct list {
    size_t *bytes, n;
};

static enum hitop_status append(struct list *list, size_t bytes, struct hitop_diag *diag)
{
    size_t *longer;

    if (list->n == MAX_SIZES) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "more than %d message sizes", MAX_SIZES);
    }
    longer = realloc(list->bytes, (list->n + 1) * sizeof(*longer));
    if (!longer) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "message sizes: out of memory");
    }
    longer[list->n++] = bytes;
    list->bytes = longer;
    return HITOP_OK;
}

/* Append a size, which may have blanks around it. */
static enum hitop_status append_word(void *list, char *word, struct hitop_diag *diag)
{
    size_t bytes = 0, length;
    enum hitop_status status;

    word += strspn(word, " ");
    for (length = strlen(word); length > 0 && word[length - 1] == ' '; length--) {
        word[length - 1] = '\0';
    }
    status = hitop_text_size(word, &bytes, diag);
    return status == HITOP_OK ? append(list, bytes, diag) : status;
}

/* Only checks the text; sizes_make() reads it. */
enum hitop_status sizes_set_list(struct sizes *sizes, const char *text, struct hitop_diag *diag)
{
    struct list all = {0};
    const enum hitop_status status = take_list(&all, text, append_word, diag);

    free(all.bytes);
    sizes->list = text;
    return status;
}

static enum hitop_status make_range(const struct sizes *sizes, struct list *out,
                                    struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    size_t bytes = sizes->min;

    if (sizes->zero_too && bytes > 0) {
        status = append(out, 0, diag);
    }
    while (bytes <= sizes->max && status == HITOP_OK) {
        size_t next = 1;
        status = append(out, bytes, diag);
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
    struct list all = {0};
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
    status = sizes->list ? take_list(&all, sizes->list, append_word, diag)
                         : make_range(sizes, &all, diag);
    if (status != HITOP_OK) {
        free(all.bytes);
        return status;
    }
    qsort(all.bytes, all.n, sizeof(*all.bytes), compare);
    for (size_t i = 0; i < all.n; i++) {
        if (n == 0 || all.bytes[i] != all.bytes[n - 1]) {
            all.bytes[n++] = all.bytes[i];
        }
    }
    *out = all.bytes;
    *count = n;
    return HITOP_OK;
}
