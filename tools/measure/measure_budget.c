/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure_budget.c - the phases of a measurement share one budget.
 *
 * Idea:  a phase gets its part of the time that is left when it begins, by its weight among those that are still to come.
 *        What a phase leaves goes to later ones; what it takes too much they lack. All ranks know what is left alike, so
 *        that they get the same share.
 */
#include <config.h>

#include "tools/measure/measure.h"

#include <math.h>
#include <string.h>

/* By the names of parts; in the order in which they are measured. */
static const struct {
    const char *name;
    double weight;
} phases[] = {{"checks", 1},     {"links", 6}, {"triples", 6}, {"crowds", 3}, {"capacities", 3},
              {"thresholds", 1}, {"pairs", 2}, {"refined", 2}, {"fans", 6}};

enum { NPHASES = sizeof(phases) / sizeof(phases[0]) };

/* The least, so that a late phase measures something. */
static const double least_share = 0.02;

static int is_wanted(const struct measure_request *r, int phase)
{
    const int wanted[NPHASES] = {r->update != NULL,  1,
                                 r->needs_triples,   r->needs_crowds,
                                 r->capacities != 0, r->exact_thresholds,
                                 r->nverify > 0,     r->refine,
                                 r->scatter_gather};

    return wanted[phase];
}

/* The part of a phase among those that are wanted, from it on. */
static double part_of(const struct measure_request *r, const char *name)
{
    double own = 0, all = 0;

    for (int i = 0; i < NPHASES; i++) {
        if (strcmp(phases[i].name, name) == 0) {
            own = phases[i].weight;
            all += own;
        } else if (own > 0 && is_wanted(r, i)) {
            all += phases[i].weight;
        }
    }
    return own > 0 ? own / all : 1;
}

double measure_run_share(const struct measure_run *run, const char *name)
{
    const double budget = run->request->options.budget, left = budget - run->elapsed;

    return fmax(left * part_of(run->request, name), least_share * budget);
}
