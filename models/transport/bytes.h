/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BYTES_H
#define BYTES_H

/* bytes.h - memory that grows at its end. */

#include "hitop/status.h"

struct bytes {
    char *data; /* for free() */
    size_t length, room;
};

/* Append a copy of so many bytes. */
enum hitop_status hitop_bytes_append(struct bytes *bytes, const void *data, size_t length,
                                     struct hitop_diag *diag);

/* The same for data that processes send to rank 0; user is the struct bytes. */
enum hitop_status hitop_bytes_take(void *user, const void *data, size_t length,
                                   struct hitop_diag *diag);

#endif /* BYTES_H */
