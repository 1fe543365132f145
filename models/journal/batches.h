/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BATCHES_H
#define BATCHES_H

/*
 * batches.h - a list of batches in one block of memory, which can be sent to a rank with the same
 * data layout.
 */

#include "hitop/measure.h"

/* Memory that grows at its end. */
struct bytes {
    char *data; /* for free() */
    size_t length, room;
};

/* Append a copy of the data to a struct bytes; also a callback of hitop_transport.gather(). */
enum hitop_status hitop_bytes_append(void *bytes, const void *data, size_t length,
                                     struct hitop_diag *diag);

struct hitop_batches {
    struct bytes bytes; /* for each batch a struct hitop_batch, then its samples */
};

/*
 * Read the batch at *offset, which begins with 0, and advance the offset. out borrows its samples
 * from data, and out->part is NULL. Returns 0 at the end, else 1.
 */
int hitop_batches_next(const void *data, size_t length, size_t *offset, struct hitop_batch *out);

#endif /* BATCHES_H */
