/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RING_H
#define RING_H

/* ring.h - parts that travel around a ring, a place further in each phase. */

#include "parts.h"
#include "team.h"

/* Each member has its part in `all` before; all members have all parts after. Any size. */
void ring_allgather(const struct team *team, const struct parts *parts, struct hitop_span all,
                    struct hitop_sched *sched);

#endif /* RING_H */
