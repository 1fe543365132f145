/* SPDX-License-Identifier: BSD-3-Clause */
/* thresholds.c - the table of thresholds.h. */
#include <config.h>

#include "thresholds.h"

#include <limits.h>

#define KIB(n) ((size_t)(n)*1024)
#define ANY SIZE_MAX

static const struct hitop_piece ring_of_two[] = {
    {KIB(16), KIB(4)}, {KIB(192), KIB(16)}, {ANY, KIB(32)}};
static const struct hitop_piece ring[] = {{KIB(192), KIB(16)}, {ANY, KIB(32)}};
static const struct hitop_piece chunks[] = {
    {KIB(128), KIB(64)}, {KIB(256), KIB(128)}, {ANY, KIB(256)}};

/* The first line that fits. */
static const struct hitop_thresholds table[] = {
    {.nranks = 2,
     .alone = 1,
     .fragment = ring_of_two,
     .pull_from = KIB(256),
     .patience = 1,
     .chunk = chunks,
     .mirror_from = KIB(4)},
    {.nranks = 2,
     .alone = 0,
     .fragment = ring_of_two,
     .pull_from = ANY,
     .patience = 8,
     .chunk = chunks,
     .mirror_from = KIB(4)},
    {.nranks = INT_MAX,
     .alone = 1,
     .fragment = ring,
     .pull_from = ANY,
     .patience = 1,
     .chunk = chunks,
     .mirror_from = KIB(4)},
    {.nranks = INT_MAX,
     .alone = 0,
     .fragment = ring,
     .pull_from = ANY,
     .patience = 8,
     .chunk = chunks,
     .mirror_from = KIB(4)},
};

const struct hitop_thresholds *hitop_thresholds_for(int nranks, int alone)
{
    const struct hitop_thresholds *row = table;

    while (nranks > row->nranks || !alone != !row->alone) {
        row++;
    }
    return row;
}
