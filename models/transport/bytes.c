/* SPDX-License-Identifier: BSD-3-Clause */
/* bytes.c - memory that grows at its end. */
#include <config.h>

#include "models/transport/bytes.h"

#include <stdlib.h>
#include <string.h>

enum hitop_status hitop_bytes_append(struct bytes *bytes, const void *data, size_t length,
                                     struct hitop_diag *diag)
{
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

enum hitop_status hitop_bytes_take(void *user, const void *data, size_t length,
                                   struct hitop_diag *diag)
{
    return hitop_bytes_append(user, data, length, diag);
}
