/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MESSAGES_H
#define MESSAGES_H

/*
 * messages.h - sends and receives that are left out where they are empty.
 *
 * Both ends know the length, so both leave the message out. Only a barrier sends empty messages.
 */

#include "hitop/sched.h"
#include "hitop/tree.h"

static inline void message_send(struct hitop_sched *sched, int to, struct hitop_span span)
{
    if (span.bytes > 0) {
        hitop_sched_send(sched, to, span);
    }
}

static inline void message_recv(struct hitop_sched *sched, int from, struct hitop_span span)
{
    if (span.bytes > 0) {
        hitop_sched_recv(sched, from, span);
    }
}

/*
 * Send a message that can be pending together with others and with local steps
 * (hitop_sched_deliver()). The sender does not change these bytes in the same phase.
 */
static inline void message_deliver(struct hitop_sched *sched, int to, struct hitop_span span)
{
    if (span.bytes > 0) {
        hitop_sched_deliver(sched, to, span);
    }
}

/* Send to a child in a tree; to a leaf, which forwards nothing, as message_deliver(). */
static inline void message_send_down(struct hitop_sched *sched, const struct hitop_tree *tree,
                                     int child, struct hitop_span span)
{
    if (hitop_tree_weight(tree, child) == 1) {
        message_deliver(sched, child, span);
    } else {
        message_send(sched, child, span);
    }
}

#endif /* MESSAGES_H */
