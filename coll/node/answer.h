/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_ANSWER_H
#define HITOP_NODE_ANSWER_H

/*
 * answer.h - when to look for an answer for the first time.
 *
 * Idea:   who wrote the last message and waits for the next one waits for an answer. The other process reads the lines of the
 *         message and then writes its own into them; far, a look that comes in between takes lines back to who is not to write
 *         them, for one more way there and another one back. So whoever waits rests first for as long as answers of this
 *         length have taken: one rest more after an answer that came soon after the first look, one less after a number of
 *         answers that were there, at once in the end. An answer that takes much longer changes nothing.
 * Cost:   none where the others are near. One answer in HITOP_ANSWER_FOUND is looked for too early.
 * Source: measured on an AMD EPYC, processors 150 ns from each other, roots in turn, ns without and with rests: 64 B 318 and 192,
 *         256 B 295 and 194, 1 KiB 456 and 327; but 8 B, one line, 136 and more, and 2 KiB 580 and more (bench/RESULTS.md).
 */

#include <stddef.h>

enum {
    HITOP_ANSWER_LEAST = 57,  /* shorter ones are one line, which is not fetched in vain */
    HITOP_ANSWER_MOST = 1024, /* with longer ones the copies count */
    HITOP_ANSWER_CLASSES = 5, /* lengths that differ by a factor of 2 at most */
    HITOP_ANSWER_RESTS = 12,  /* at most */
    HITOP_ANSWER_SOON = 16,   /* looks after the first one */
    HITOP_ANSWER_FOUND = 16,
};

/* What a process has learnt of one class. Zeroed at first. */
struct hitop_answer {
    unsigned rests;  /* before the first look */
    unsigned found;  /* at the first look, in a row */
    unsigned needed; /* of them, before there is one rest less */
};

/* Of answers of so many bytes, or NULL: nobody rests before these. */
static inline struct hitop_answer *hitop_answer_of(struct hitop_answer *classes, size_t bytes)
{
    int i = 0;

    if (bytes < HITOP_ANSWER_LEAST || bytes > HITOP_ANSWER_MOST) {
        return NULL;
    }
    for (size_t n = (bytes - 1) / (HITOP_ANSWER_LEAST - 1); n > 1; n /= 2) {
        i++;
    }
    return &classes[i];
}

/* It was there after so many looks in vain. */
static inline void hitop_answer_learn(struct hitop_answer *answer, unsigned looks)
{
    if (looks == 0) {
        if (++answer->found >= answer->needed && answer->rests > 0) {
            answer->rests--;
            answer->found = 0;
            answer->needed /= 2;
        }
    } else if (looks <= HITOP_ANSWER_SOON) {
        answer->rests += answer->rests < HITOP_ANSWER_RESTS;
        answer->found = 0;
        answer->needed = HITOP_ANSWER_FOUND;
    }
}

#endif /* HITOP_NODE_ANSWER_H */
