/* SPDX-License-Identifier: BSD-3-Clause */
/* thresholds.c - the table of thresholds.h. */
#include <config.h>

#include "thresholds.h"

#include <limits.h>

#define KIB(n) ((size_t)(n)*1024)
#define ANY SIZE_MAX

/* The first line that fits. */
static const struct hitop_thresholds table[] = {
    {2,
     1,
     {{KIB(16), KIB(4)}, {KIB(192), KIB(16)}, {ANY, KIB(32)}},
     KIB(256),
     {{KIB(256), KIB(128)}, {ANY, KIB(256)}}},
    {2,
     0,
     {{KIB(16), KIB(4)}, {KIB(192), KIB(16)}, {ANY, KIB(32)}},
     ANY,
     {{KIB(256), KIB(128)}, {ANY, KIB(256)}}},
    {INT_MAX,
     1,
     {{KIB(192), KIB(16)}, {ANY, KIB(32)}},
     ANY,
     {{KIB(256), KIB(128)}, {ANY, KIB(256)}}},
    {INT_MAX,
     0,
     {{KIB(192), KIB(16)}, {ANY, KIB(32)}},
     ANY,
     {{KIB(256), KIB(128)}, {ANY, KIB(256)}}},
};

const struct hitop_thresholds *hitop_thresholds_for(int nranks, int alone)
{
    const struct hitop_thresholds *row = table;

    while (nranks > row->nranks || !alone != !row->alone) {
        row++;
    }
    return row;
}
