/* SPDX-License-Identifier: BSD-3-Clause */
/* interference.c - how many links ran at once, in words. */
#include <config.h>

#include "tools/common/interference.h"

void interference_put(FILE *to, const char *what, const struct hitop_interference *c)
{
    fprintf(to, "%s %d at once", what, c->at_once);
    if (c->at_once > 1) {
        fprintf(to, " (%.2g %% slower than alone)", 100 * (c->slowdown - 1));
    }
}
