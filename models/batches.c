/* SPDX-License-Identifier: BSD-3-Clause */
/* batches.c - a list of batches as one piece of memory, which can travel between like processes. */
#include <config.h>

#include "batches.h"

#include <stdlib.h>
#include <string.h>

struct hitop_batches *hitop_batches_new(void)
{
    return calloc(1, sizeof(struct hitop_batches));
}

void hitop_batches_free(struct hitop_batches *list)
{
    if (list) {
        free(list->data);
        free(list);
    }
}

enum hitop_status hitop_batches_add(struct hitop_batches *list, const struct hitop_batch *batch,
                                    struct hitop_diag *diag)
{
    const size_t samples = (size_t)batch->n * sizeof(*batch->samples);
    const size_t needed = list->length + sizeof(*batch) + samples;

    if (needed > list->room) {
        const size_t room = needed > 2 * list->room ? needed : 2 * list->room;
        char *more = realloc(list->data, room);
        if (!more) {
            return hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory for %zu bytes",
                              room);
        }
        list->data = more;
        list->room = room;
    }
    memcpy(list->data + list->length, batch, sizeof(*batch));
    memcpy(list->data + list->length + sizeof(*batch), batch->samples, samples);
    list->length = needed;
    return HITOP_OK;
}

int batches_next(const void *data, size_t length, size_t *offset, struct hitop_batch *out)
{
    const char *at = (const char *)data + *offset;

    if (*offset >= length) {
        return 0;
    }
    memcpy(out, at, sizeof(*out));
    out->part = NULL;
    out->samples = (const double *)(const void *)(at + sizeof(*out));
    *offset += sizeof(*out) + (size_t)out->n * sizeof(*out->samples);
    return 1;
}
