/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_DISTANCE_H
#define HITOP_NODE_DISTANCE_H

/*
 * distance.h - how far from a process the others of its node are.
 *
 * Idea:   now and then a process takes the time of a load of a line that another one writes at the end of each operation. How it
 *         copies (copier.h) and waits (wait.h) depends on that. A line that was read for another reason since it was written is near
 *         in any case, and says nothing; who took it for an answer took far processes for near ones in launches whose other looks fell
 *         together with these.
 * Cost:   two readings of a clock and the transfer of a line, in HITOP_DISTANCE_OPERATIONS operations or whenever a copier asks.
 */

#include <stdint.h>

enum {
    HITOP_DISTANCE_FAR = 100,        /* ns until a line of another process and the clock are read */
    HITOP_DISTANCE_LOOKS = 8,        /* the second longest counts: one may be an interruption */
    HITOP_DISTANCE_OTHERS = 32,      /* processes that are looked at, the next ones */
    HITOP_DISTANCE_OPERATIONS = 250, /* from one look to the next */
};

/* What a process knows. Zeroed at first. */
struct hitop_distance {
    int is_far; /* somebody else */
    unsigned looks, operations;
    uint64_t found[HITOP_DISTANCE_OTHERS]; /* whenever we last read it: what each had left */
    double last[HITOP_DISTANCE_LOOKS];     /* ns */
};

/* Somebody's line took so many ns, or whoever interrupted us. */
void hitop_distance_see(struct hitop_distance *distance, double ns);

struct hitop_node;

/* Look at somebody's line. 0: he has not written it since we read it last, so that we would find it where we left it. */
int hitop_distance_look(struct hitop_node *node);

#endif /* HITOP_NODE_DISTANCE_H */
