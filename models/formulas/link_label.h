/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LINK_LABEL_H
#define LINK_LABEL_H

/* link_label.h - how drawings name a link: "2.03 ms, 24.9 MB/s". */

#include <stddef.h>

/* Latency in seconds and seconds per byte; without the latter when it is 0. */
void hitop_link_label(double latency, double seconds_per_byte, char *out, size_t length);

#endif /* LINK_LABEL_H */
