/* SPDX-License-Identifier: BSD-3-Clause */
/* batches.c - a list of batches in one block of memory, which can be sent to another rank. */
#include <config.h>

#include "models/journal/batches.h"

#include <stdlib.h>
#include <string.h>

enum hitop_status hitop_bytes_append(void *to, const void *data, size_t length,
                                     struct hitop_diag *diag)
{
    struct bytes *bytes = to;
    const size_t needed = bytes->length + length;

    if (needed > bytes->room) {
        const size_t room = needed > 2 * bytes->room ? needed : 2 * bytes->room;
        char *more = realloc(bytes->data, room);
        if (!more) {
            return hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory for %zu bytes",
                              room);
        }
        bytes->data = more;
        bytes->room = room;
    }
    if (length > 0) {
        memcpy(bytes->data + bytes->length, data, length);
        bytes->length = needed;
    }
    return HITOP_OK;
}

struct hitop_batches *hitop_batches_new(void)
{
    return calloc(1, sizeof(struct hitop_batches));
}

void hitop_batches_free(struct hitop_batches *list)
{
    if (list) {
        free(list->bytes.data);
        free(list);
    }
}

enum hitop_status hitop_batches_add(struct hitop_batches *list, const struct hitop_batch *batch,
                                    struct hitop_diag *diag)
{
    const size_t before = list->bytes.length;
    enum hitop_status status = hitop_bytes_append(&list->bytes, batch, sizeof(*batch), diag);

    if (status == HITOP_OK) {
        status = hitop_bytes_append(&list->bytes, batch->samples,
                                    (size_t)batch->n * sizeof(*batch->samples), diag);
    }
    if (status != HITOP_OK) {
        list->bytes.length = before; /* no header without its samples */
    }
    return status;
}

int hitop_batches_next(const void *data, size_t length, size_t *offset, struct hitop_batch *out)
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
