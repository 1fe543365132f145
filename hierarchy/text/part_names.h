/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PART_NAMES_H
#define PART_NAMES_H

/* part_names.h - the names of the levels inside a host. */

#include "hitop/source.h"

/* By HITOP_PART_..., the kind of parts. */
static const char *const part_names[HITOP_NPARTS] = {"package", "die",   "group4", "group3",
                                                     "group2",  "group", "numa",   "l3"};

#endif /* PART_NAMES_H */
