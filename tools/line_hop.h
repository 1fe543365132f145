/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LINE_HOP_H
#define LINE_HOP_H

/*
 * line_hop.h - when a cache line's way from one rank of a host to another has become another one.
 *
 * It takes tens of nanoseconds between threads of a core, and hundreds between sockets, while it hardly varies on one way. Whoever
 * runs a virtual machine may move its processors from one to the other at any time.
 */

/* Ways are others where one takes so many times as long. */
#define LINE_HOP_OTHER 1.5

/* How warnings of it begin. */
#define LINE_HOP_WARNING "a cache line took "

/* What follows then. */
#define LINE_HOP_MEANING                                                                           \
    "processors were moved, as the host of a virtual machine may do, or ranks were placed "        \
    "elsewhere, so that times of short messages are not comparable"

#endif /* LINE_HOP_H */
