/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LINK_LABEL_H
#define LINK_LABEL_H

/* link_label.h - how drawings name a link: "2.03 ms, 24.9 MB/s". */

#include <stddef.h>

/* Format a latency in seconds and, unless it is 0, a time in seconds per byte as a rate. */
void hitop_link_label(double latency, double seconds_per_byte, char *out, size_t length);

#endif /* LINK_LABEL_H */
