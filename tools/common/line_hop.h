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

/*
 * Is it the way that somebody wants, who knows how long it takes? On one way it varies by a few percent; threads of a core
 * and cores that share a cache were 1.3 apart.
 */
static inline int line_hop_is_same(double wanted, double hop)
{
    return hop < 1.15 * wanted && wanted < 1.15 * hop;
}

/* How warnings of it begin. */
#define LINE_HOP_WARNING "a cache line took "

/* What follows then. */
#define LINE_HOP_MEANING                                                                           \
    "processors were moved, as the host of a virtual machine may do, or ranks were placed "        \
    "elsewhere, so that times of short messages are not comparable"

#endif /* LINE_HOP_H */
