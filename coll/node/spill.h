/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_SPILL_H
#define HITOP_NODE_SPILL_H

/*
 * spill.h - when a message for absent readers is left behind for them.
 *
 * Idea:   who has a message for absent readers waits for them as long as a copy of it takes, then makes that copy in
 *         memory of the node, where they find it, and goes. Whatever the readers do, nobody is held more than
 *         twice as long as if that had been known; where there is no room, who has the message stays.
 * Source: Karlin et al., Competitive snoopy caching, Algorithmica 3 (1988): to rent skis or to buy them.
 */

#include "coll/node/thresholds.h"
#include "coll/node/wait.h"

/*
 * Called whenever there is nothing to do but wait: 1 when it is time to copy `bytes` away. *since is when the
 * waiting began, in ns; 0 at first, and again when there was something to do. `patience`: so many times as long as a copy;
 * see thresholds.h.
 */
static inline int hitop_spill_is_due(uint64_t *since, size_t bytes, unsigned patience)
{
    const uint64_t now = hitop_wait_clock();

    if (*since == 0) {
        *since = now;
    }
    return now - *since > bytes * 1000 / HITOP_COPIED_PER_US * patience;
}

#endif /* HITOP_NODE_SPILL_H */
