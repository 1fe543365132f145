/* SPDX-License-Identifier: BSD-3-Clause */
/* company.c - how many links ran at once, in words. */
#include <config.h>

#include "tools/common/company.h"

void company_put(FILE *to, const char *what, const struct hitop_company *c)
{
    fprintf(to, "%s %d at once", what, c->at_once);
    if (c->at_once > 1) {
        fprintf(to, " (%.2g %% slower than alone)", 100 * (c->slowdown - 1));
    }
}
