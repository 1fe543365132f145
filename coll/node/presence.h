/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_PRESENCE_H
#define HITOP_NODE_PRESENCE_H

/*
 * presence.h - which processes of a node are known to be in the operation under way.
 *
 * Who has waited for a while leaves a note beside its `done`. An operation that goes as it should costs nothing: there are no
 * notes of it. Others read them when they wonder whom they wait for.
 */

#include "coll/node/node.h"

enum hitop_presence {
    HITOP_ABSENT, /* it has not come, or not waited long enough to say so */
    HITOP_WAITS,  /* it has left a note */
    HITOP_GONE,   /* it has left the operation */
};

/* This process waits in the operation under way, for which `note` stands; notes of the caller's choice. */
void hitop_presence_note(struct hitop_node *node, uint64_t note);

/* What is known of process `rank`; *note is its own where it waits. */
enum hitop_presence hitop_presence_of(const struct hitop_node *node, int rank, uint64_t *note);

/* Where this process is outside of operations, for others to see; any other thread of it may say so. 0 at first. */
void hitop_presence_mark(struct hitop_node *node, uint64_t mark);
uint64_t hitop_presence_marked(const struct hitop_node *node, int rank);

#endif /* HITOP_NODE_PRESENCE_H */
