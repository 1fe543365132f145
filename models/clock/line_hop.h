/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LINE_HOP_H
#define LINE_HOP_H

/*
 * line_hop.h - whether two ranks are as near to each other as before, by the time of a cache line.
 *
 * A cache line takes tens of nanoseconds between threads of a core, and hundreds between sockets,
 * with a variation of a few percent. The host of a virtual machine may move its processors at any
 * time.
 */

/* If one time is this many times the other, processors were moved. */
#define LINE_HOP_OTHER 1.5

/* Threads of a core and cores that share a cache differ by a factor of 1.3. */
static inline int line_hop_is_same(double wanted, double hop)
{
    return hop < 1.15 * wanted && wanted < 1.15 * hop;
}

/* The first words of warnings about it. */
#define LINE_HOP_WARNING "a cache line took "

/* What such a warning means. */
#define LINE_HOP_MEANING                                                                           \
    "processors were moved, as the host of a virtual machine may do, or ranks were placed "        \
    "elsewhere, so that times of short messages are not comparable"

#endif /* LINE_HOP_H */
