/* SPDX-License-Identifier: BSD-3-Clause */
/* arrivals.c - see arrivals.h. */
#include <config.h>

#include "coll/twolevel/arrivals.h"

/*
 * Lower limit of the weight of a new judgement. It is higher for judgements above the score: where
 * arrivals are random, a default leader is rarely late, but then for long.
 */
static const double late_weight = 0.1, even_weight = 0.05;

/*
 * Leaders start to announce themselves when the score rises above the first value, and stop when it
 * falls below the second. The score starts at its highest value and never exceeds it, so that it
 * falls soon after ranks cease to be late.
 */
static const double pays_above = 0.15, ceases_below = 0.075, highest = 0.25;

/*
 * A judgement above this shows that announcements may pay again: the next look follows after
 * LOOK_SOON operations.
 */
static const double alarming = 0.3;

/*
 * The root judges the first JUDGED operations, and each operation after one without late ranks;
 * about two dozen operations without late ranks in a row end the announcements. Otherwise the root
 * judges one operation in judge_after. It waits longer when it judges, so judge_after doubles after
 * each operation with late ranks, up to JUDGED_RARELY, and is halved after one without.
 */
enum { JUDGED = 8, JUDGED_RARELY = 32 };

/* Judgements counted at most; more do not change the mean. */
enum { COUNTED = 32 };

/* Operations until the next look: LOOK_SOON at first, at most LOOK_LATE. */
enum { LOOK_SOON = 8, LOOK_LATE = 128 };

/*
 * A look that is due by operations waits for this multiple of the time of one of its two
 * operations, so that looks take at most 2 / PARTS_OF_TIME of the time.
 */
enum { PARTS_OF_TIME = 50 };

/* Operations of a root in a row after which it follows other roots. */
enum { OVERRULED = 2 };

void hitop_arrivals_begin(struct arrivals *a)
{
    *a = (struct arrivals){
        .score = highest, .pays = 1, .look_after = LOOK_SOON, .judge_after = JUDGED};
}

/* Forget what this root knows: other roots find that no rank is late. */
static void follow(struct arrivals *a, double cost)
{
    const double last_look = a->last_look;

    hitop_arrivals_begin(a);
    a->score = a->pays = 0;
    a->cost = cost;
    a->last_look = last_look;
}

int hitop_arrivals_is_judged(struct arrivals *a)
{
    a->unjudged++;
    if (a->pays && !a->was_even && a->judged >= JUDGED && a->unjudged < a->judge_after) {
        return 0;
    }
    a->unjudged = 0;
    return 1;
}

void hitop_arrivals_learn(struct arrivals *a, double part, double cost)
{
    /* of the judgements and the initial score, which counts twice */
    const double mean = 1.0 / (3 + a->judged);
    const double least = part > a->score ? late_weight : even_weight;
    const double weight = mean > least ? mean : least;

    a->score += weight * ((part < 1 ? part : 1) - a->score);
    a->judged += a->judged < COUNTED;
    a->score = a->score < highest ? a->score : highest;
    a->was_even = part < ceases_below;
    if (a->was_even) {
        a->judge_after = a->judge_after > JUDGED ? a->judge_after / 2 : JUDGED;
    } else {
        a->judge_after = a->judge_after < JUDGED_RARELY ? 2 * a->judge_after : JUDGED_RARELY;
    }
    a->pays = a->score > (a->pays ? ceases_below : pays_above);
    a->cost = cost;
    if (a->pays || part > alarming) {
        a->look_after = LOOK_SOON;
        a->cost = 0;
    }
    if (a->pays) { /* the look is over */
        a->is_second = a->quiet = 0;
    }
}

/*
 * A look takes two operations in a row. A look that is due by operations doubles the number of
 * operations until the next one; a look that is due by time costs almost nothing and does not.
 */
static int is_time_to_look(struct arrivals *a, double now, double span)
{
    const double since = now - a->last_look;

    a->quiet++;
    if (a->is_second) {
        a->is_second = 0;
        if (!a->is_rare && a->look_after < LOOK_LATE) {
            a->look_after *= 2;
        }
        a->quiet = 0;
        return 1;
    }
    if (since >= PARTS_OF_TIME * a->cost) {
        a->is_second = a->quiet >= a->look_after || since > span;
        a->is_rare = a->quiet < a->look_after;
    }
    return a->is_second;
}

void hitop_arrivals_compare(struct arrivals *a, int announces, double cost)
{
    a->noverruled = announces || !a->pays ? 0 : a->noverruled + 1;
    if (a->noverruled >= (a->judged > 0 ? OVERRULED : 1)) {
        follow(a, cost);
    }
}

int hitop_arrivals_shall_announce(struct arrivals *a, double now, double span)
{
    return a->pays || is_time_to_look(a, now, span);
}
