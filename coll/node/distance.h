/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_DISTANCE_H
#define HITOP_NODE_DISTANCE_H

/*
 * distance.h - how far from a process the others of its node are.
 *
 * Idea:   now and then a process takes the time of a load of a line that another one writes at the end of each operation. How it
 *         fetches lines ahead and waits depends on that (node_write.c, answer.h, wait.h), and, where the others are very far,
 *         how it copies (copier.h). A line that was read for another reason since it was written is near
 *         in any case, and says nothing; who took it for an answer took far processes for near ones in launches whose other looks fell
 *         together with these.
 * Cost:   two readings of a clock and the transfer of a line, in HITOP_DISTANCE_OPERATIONS operations or whenever a copier asks.
 * Source: measured, ns until a word of another processor is seen: on two AMD EPYC 32 and 60 where it is near, 150 to 250 where it
 *         is very far. On an Intel Xeon such a look takes 95 to 115, in one launch of ten 140 to 160: there lines that are
 *         fetched ahead spare as much as on the others, far, but stores do not wait for their lines one by one
 *         (bench/RESULTS.md).
 */

#include <stdint.h>

enum {
    HITOP_DISTANCE_FAR = 80,       /* ns until a line of another process and the clock are read */
    HITOP_DISTANCE_VERY_FAR = 130, /* some of these copy past caches, see copier.h */
    /* That are remembered: the second longest counts, of very far the third; longer ones may be interruptions. */
    HITOP_DISTANCE_LOOKS = 8,
    HITOP_DISTANCE_OTHERS = 32,      /* processes that are looked at, the next ones */
    HITOP_DISTANCE_OPERATIONS = 250, /* from one look to the next */
};

/* What a process knows. Zeroed at first. */
struct hitop_distance {
    int is_far, is_very_far; /* somebody else */
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
