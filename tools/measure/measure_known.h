/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MEASURE_KNOWN_H
#define MEASURE_KNOWN_H

/* measure_known.h - what earlier runs have measured and found. */

#include "models/journal/journal_file.h"

#include "hitop/measure.h"

enum { MAX_PARTS = 8 };

struct measure_known {
    struct {
        char *name;
        struct hitop_batches *batches;
    } part[MAX_PARTS];
    int nparts, nbatches;
    struct hitop_finding *finding;
    int nfindings, room;
};

/* Takers for a journal; data is the struct measure_known. */
enum hitop_status measure_known_take(void *data, const struct hitop_batch *batch,
                                     struct hitop_diag *diag);
enum hitop_status measure_known_find(void *data, const struct hitop_finding *finding,
                                     struct hitop_diag *diag);

/* The batches of a part, or NULL. */
const struct hitop_batches *measure_known_part(const struct measure_known *known, const char *name);

void measure_known_clear(struct measure_known *known);

#endif /* MEASURE_KNOWN_H */
