/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * eager.c - bisection among sizes, by answers that may be wrong.
 *
 * A send that completes alone is eager beyond doubt; one that does not may be late because the
 * machine is busy. So the votes decide which way to go, the verification whether the way was right,
 * and after a contradiction more time is given.
 */
#include <config.h>

#include "models/fit/eager.h"

#include <math.h>

enum { VOTES = 3, VERIFY = 5, STEPS_BACK = 4, REPEATS = 5, MAX_STEPS = 64 };

#define SHORTEST_WINDOW 20e-3
#define ROUND_TRIPS 50

/* Messages of low bytes complete, those of high bytes do not: what is known before each step. */
struct search {
    const struct hitop_eager_test *test;
    size_t max;
    size_t low[MAX_STEPS + 1], high[MAX_STEPS + 1];
    int nsteps;
    struct hitop_eager *out;
};

static enum hitop_status ask(struct search *s, size_t bytes, int *yes, struct hitop_diag *diag)
{
    s->out->ntests++;
    return s->test->completes(s->test->data, bytes, s->out->window, yes, diag);
}

/* The answer of most votes. */
static enum hitop_status decide(struct search *s, size_t bytes, int *yes, struct hitop_diag *diag)
{
    int votes[2] = {0};

    while (2 * votes[0] < VOTES && 2 * votes[1] < VOTES) {
        const enum hitop_status status = ask(s, bytes, yes, diag);
        if (status != HITOP_OK) {
            return status;
        }
        votes[*yes ? 1 : 0]++;
    }
    *yes = votes[1] > votes[0];
    return HITOP_OK;
}

static enum hitop_status bisect(struct search *s, struct hitop_diag *diag)
{
    while (s->high[s->nsteps] - s->low[s->nsteps] > 1) {
        const size_t low = s->low[s->nsteps], high = s->high[s->nsteps];
        const size_t middle = low + (high - low) / 2;
        int yes = 0;
        const enum hitop_status status = decide(s, middle, &yes, diag);
        if (status != HITOP_OK) {
            return status;
        }
        s->nsteps++;
        s->low[s->nsteps] = yes ? middle : low;
        s->high[s->nsteps] = yes ? high : middle;
    }
    return HITOP_OK;
}

/* Do all answers for a size agree with the one expected? Sizes outside the range need none. */
static enum hitop_status verify(struct search *s, size_t bytes, int expected, int *holds,
                                struct hitop_diag *diag)
{
    for (int i = 0; *holds && bytes >= 1 && bytes <= s->max && i < VERIFY; i++) {
        int yes = 0;
        const enum hitop_status status = ask(s, bytes, &yes, diag);
        if (status != HITOP_OK) {
            return status;
        }
        *holds = !yes == !expected;
    }
    return HITOP_OK;
}

double hitop_eager_window(double round_trip)
{
    return fmax(SHORTEST_WINDOW, ROUND_TRIPS * round_trip);
}

enum hitop_status hitop_eager_search(const struct hitop_eager_test *test, size_t max,
                                     double round_trip, struct hitop_eager *out,
                                     struct hitop_diag *diag)
{
    struct search s = {.test = test, .max = max, .high = {max + 1}, .out = out};
    enum hitop_status status = HITOP_OK;
    int back = STEPS_BACK;

    *out = (struct hitop_eager){.window = hitop_eager_window(round_trip)};
    for (int i = 0; !out->is_found && i < REPEATS; i++) {
        int holds = 1;
        status = bisect(&s, diag);
        if (status == HITOP_OK) {
            status = verify(&s, s.low[s.nsteps], 1, &holds, diag);
        }
        if (status == HITOP_OK) {
            status = verify(&s, s.high[s.nsteps], 0, &holds, diag);
        }
        if (status != HITOP_OK) {
            return status;
        }
        out->bytes = s.low[s.nsteps];
        out->is_max = out->bytes == max;
        out->is_found = holds;
        out->window *= holds ? 1 : 2;
        s.nsteps = s.nsteps > back ? s.nsteps - back : 0;
        back *= 2;
    }
    return HITOP_OK;
}
