/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TREE_TEXT_H
#define TREE_TEXT_H

/* tree_text.h - a hierarchy as an indented list for a terminal. */

#include "hitop/hierarchy.h"

#include <stdio.h>

/* One line per group, and per rank that is in no group of its host; 0 when out of memory. */
int tree_text_print(const struct hitop_hierarchy *h, FILE *to);

#endif /* TREE_TEXT_H */
