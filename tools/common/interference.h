/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef INTERFERENCE_H
#define INTERFERENCE_H

/* interference.h - how many links ran at once, in words. */

#include "hitop/quality.h"

#include <stdio.h>

void interference_put(FILE *to, const char *what, const struct hitop_interference *interference);

#endif /* INTERFERENCE_H */
