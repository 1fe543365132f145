/* SPDX-License-Identifier: BSD-3-Clause */
/* arrivals.c - see arrivals.h. */
#include <config.h>

#include "coll/twolevel/arrivals.h"

/*
 * The weight of the last judgement, after the first ones: more if somebody was late, because where
 * processes come by chance the one who would lead is rarely late, but then for long.
 */
static const double late_weight = 0.1, even_weight = 0.05;

/*
 * The score above which leaders begin to announce themselves, and that below which they cease. The
 * highest is the first one, because older arrivals do not count.
 */
static const double pays_above = 0.15, ceases_below = 0.075, highest = 0.25;

/*
 * Who was so late says that it may pay again: the next look comes soon, not when it would be due.
 */
static const double alarming = 0.3;

/*
 * So many operations are judged at first, then one of so many, and each after one without late
 * processes, so that some two dozen of these make them cease. A root that judges waits longer:
 * where somebody is late nearly always it does that ever less often, down to one of JUDGED_RARELY.
 */
enum { JUDGED = 8, JUDGED_RARELY = 32 };

/* More of them change nothing. */
enum { COUNTED = 32 };

/* How often to look, in operations: first soon, then ever less often. */
enum { LOOK_SOON = 8, LOOK_LATE = 128 };

void hitop_arrivals_begin(struct arrivals *a)
{
    *a = (struct arrivals){
        .score = highest, .pays = 1, .look_after = LOOK_SOON, .judge_after = JUDGED};
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

void hitop_arrivals_learn(struct arrivals *a, double part)
{
    const double mean = 1.0 / (3 + a->judged); /* of these and a first guess */
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
    if (a->pays || part > alarming) {
        a->look_after = LOOK_SOON;
    }
}

/* Two in a row. Looks that cost nothing say nothing about how often those that do are worth it. */
static int is_time_to_look(struct arrivals *a, double now, double span)
{
    a->quiet++;
    if (a->quiet < a->look_after && now - a->last_look > span) {
        a->quiet = a->look_after;
        a->is_rare = 1;
    }
    if (a->quiet < a->look_after) {
        return 0;
    }
    if (a->quiet > a->look_after) {
        if (!a->is_rare && a->look_after < LOOK_LATE) {
            a->look_after *= 2;
        }
        a->quiet = 0;
        a->is_rare = 0;
    }
    return 1;
}

int hitop_arrivals_shall_announce(struct arrivals *a, double now, double span)
{
    return a->pays || is_time_to_look(a, now, span);
}
