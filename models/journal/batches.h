/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BATCHES_H
#define BATCHES_H

/* batches.h - a list of batches as one piece of memory, which can travel. */

#include "models/transport/bytes.h"

#include "hitop/measure.h"

struct hitop_batches {
    struct bytes bytes; /* headers, each with its samples behind it */
};

/* Step through such memory from offset 0 on: 1 and a batch that lends its samples, or 0 at the
 * end. */
int hitop_batches_next(const void *data, size_t length, size_t *offset, struct hitop_batch *out);

#endif /* BATCHES_H */
