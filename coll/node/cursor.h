/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_CURSOR_H
#define HITOP_NODE_CURSOR_H

/*
 * cursor.h - which of the slots, or of the places, that are used in turn a message takes.
 *
 * Idea:   a writer takes another one for each message, and so may run ahead of its readers. Where there are two processes and
 *         the one that has read the last message writes the next one, it answers in the same place: nobody else wants that any
 *         more, and its lines are in the writer's cache, while those of another place have to be fetched from where
 *         they were written last and taken from who looks at them already.
 * Needs:  each of the two knows who writes, itself or the other, and of what kind the last message was.
 * Source: measured on an AMD EPYC, ns until a word of another processor is seen: in one line 32 where it is near and 162 where it
 *         is far, in 128 lines in turn 54 and 205 (bench/RESULTS.md).
 */

#include <stdint.h>

struct hitop_cursor {
    uint64_t at;       /* the last message's, modulo how many there are */
    int is_mine;       /* this process has written it */
    int is_answerable; /* who has read it knows that its writer looks there no more */
};

/* That of the next message, which this process writes or the other one does. */
static inline uint64_t hitop_cursor_next(const struct hitop_cursor *last, int is_mine)
{
    return last->at + !(last->is_answerable && last->is_mine != is_mine);
}

#endif /* HITOP_NODE_CURSOR_H */
