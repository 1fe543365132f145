/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BALANCED_H
#define BALANCED_H

/*
 * balanced.h - is a page well-formed: each element that begins ends, in order, and text has no
 * stray signs?
 */

#include <stddef.h>

/* NULL, or what is wrong and where, in static memory. */
const char *find_imbalance(const char *html);

#endif /* BALANCED_H */
