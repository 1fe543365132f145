/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOTES_H
#define NOTES_H

/* notes.h - sentences about measurements that several tools print. */

#include "hitop/quality.h"
#include "hitop/sys/model.h"

#include <stdio.h>

/* Print a line about a model without measured capacities; nothing if all of them are known. */
static inline void capacity_note(FILE *to, const char *prefix, const struct hitop_model *model)
{
    const int n = hitop_model_unknown_capacities(model);

    if (n > 0) {
        fprintf(to,
                "%scapacities of %d group%s are not known: messages at once are taken to share the "
                "bandwidth of one; hierarchical_model --update measures them\n",
                prefix, n, n == 1 ? "" : "s");
    }
}

/*
 * Print lines about classes of links whose sends wait for their receivers, and whose latency is
 * negative because the calls of sender and receiver overlap; nothing if there are none.
 */
static inline void synchronous_note(FILE *to, const struct hitop_model *model)
{
    const int n = hitop_model_nclasses(model);
    const size_t nparams = hitop_model_type_of(model)->nparams;
    size_t least = HITOP_ALL_SIZES, most = 0;
    int nwaiting = 0, noverlap = 0;

    for (int i = 0; i < n; i++) {
        const struct hitop_class *c = hitop_model_class(model, i);
        int is_negative = 0;
        for (size_t p = 0; p < nparams; p++) {
            is_negative |= c->params[p] < 0;
        }
        noverlap += is_negative;
        if (c->is_synchronous) {
            nwaiting++;
            least = c->synchronous < least ? c->synchronous : least;
            most = c->synchronous > most ? c->synchronous : most;
        }
    }
    if (nwaiting > 0) {
        fprintf(to, "sends wait for their receivers in %d of %d classes, from %zu B on", nwaiting,
                n, least);
        fprintf(to, most > least ? ", in some from %zu B on\n" : "\n", most);
    }
    if (noverlap > 0) {
        fprintf(to, "L is negative in %d of %d classes: the calls of sender and receiver overlap\n",
                noverlap, n);
    }
}

/*
 * Print a sentence without its end about pairs that differ from the others of their class; nothing
 * and 0 if there are none.
 */
static inline int unlike_note(FILE *to, const struct hitop_model *model)
{
    const struct hitop_class *worst = NULL;
    int nunlike = 0, npairs = 0;

    for (int i = 0; i < hitop_model_nclasses(model); i++) {
        const struct hitop_class *c = hitop_model_class(model, i);
        nunlike += c->nunlike;
        npairs += c->nunlike > 0 ? c->npairs : 0;
        worst = c->nunlike > 0 && (!worst || c->spread > worst->spread) ? c : worst;
    }
    if (worst) {
        fprintf(to,
                "%d of %d pairs differ%s from the others of %s group by more than %s "
                "interval%s, %d-%d by %.3g %%",
                nunlike, npairs, nunlike == 1 ? "s" : "", nunlike == 1 ? "its" : "their",
                nunlike == 1 ? "its" : "their", nunlike == 1 ? "" : "s", worst->pairs[0][0],
                worst->pairs[0][1], 100 * worst->spread);
    }
    return nunlike;
}

/* Print how many links were measured at once, and by how much that slowed them. */
static inline void interference_put(FILE *to, const char *what, const struct hitop_interference *i)
{
    fprintf(to, "%s %d at once", what, i->at_once);
    if (i->at_once > 1) {
        fprintf(to, " (%.2g %% slower than alone)", 100 * (i->slowdown - 1));
    }
}

#endif /* NOTES_H */
