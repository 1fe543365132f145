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
 *         Near, lines come sooner from whoever has only read them: there each of the two keeps to a place of its own instead while
 *         they take turns. Who writes says beforehand which it will be.
 * Needs:  each of the two knows who writes, itself or the other, of what kind the last message was, and what was said in it. A place
 *         that is kept is one of the last two, so of N places N - 1 messages after the last one in it may come before it is
 *         taken again.
 * Source: measured on an AMD EPYC, ns until a word of another processor is seen: in one line 32 where it is near and 162 where it
 *         is far, in 128 lines in turn 54 and 205; messages of 5 lines, roots in turn, in the same place and in places of their
 *         own near 96 and 89, far 282 and 345 (bench/RESULTS.md).
 */

#include <stdint.h>

/* Indices: 0: the other process, 1: this one. */
struct hitop_cursor {
    uint64_t top;      /* the newest place, modulo how many there are */
    uint64_t last[2];  /* those of the last message of each */
    int keeps[2];      /* each said: if I answer, in the place of my last message */
    int is_mine;       /* this process has written the last message */
    int is_answerable; /* who has read it knows that its writer looks there no more */
};

/* That of the next message, which this process writes or the other one does. */
static inline uint64_t hitop_cursor_next(const struct hitop_cursor *c, int is_mine)
{
    if (!c->is_answerable || c->is_mine == is_mine) {
        return c->top + 1;
    }
    if (!c->keeps[is_mine]) {
        return c->last[c->is_mine];
    }
    return c->last[is_mine] + 1 >= c->top && c->last[0] != c->last[1] ? c->last[is_mine]
                                                                      : c->top + 1;
}

/* A message was written or read there, whose writer says that it keeps to that place, or does not. */
static inline void hitop_cursor_take(struct hitop_cursor *c, uint64_t at, int is_mine,
                                     int is_answerable, int keeps)
{
    c->top = at > c->top ? at : c->top;
    c->last[is_mine] = at;
    c->keeps[is_mine] = keeps;
    c->is_mine = is_mine;
    c->is_answerable = is_answerable;
}

#endif /* HITOP_NODE_CURSOR_H */
