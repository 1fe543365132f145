/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BATCHES_H
#define BATCHES_H

/* batches.h - a list of batches as one piece of memory, which can travel. */

#include "hitop/measure.h"

/* Memory that grows at its end. */
struct bytes {
    char *data; /* for free() */
    size_t length, room;
};

/* Append a copy of so many bytes to a struct bytes; also a callback of hitop_transport.gather(). */
enum hitop_status hitop_bytes_append(void *bytes, const void *data, size_t length,
                                     struct hitop_diag *diag);

struct hitop_batches {
    struct bytes bytes; /* headers, each with its samples behind it */
};

/* Step through such memory from offset 0 on. 1: out is the next batch, which lends its samples; 0:
 * the end. */
int hitop_batches_next(const void *data, size_t length, size_t *offset, struct hitop_batch *out);

#endif /* BATCHES_H */
