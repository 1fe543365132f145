/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOTES_H
#define NOTES_H

/* notes.h - sentences about measurements that several tools print. */

#include "hitop/model.h"
#include "hitop/quality.h"

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

/* Print how many links were measured at once, and by how much that slowed them. */
static inline void interference_put(FILE *to, const char *what, const struct hitop_interference *i)
{
    fprintf(to, "%s %d at once", what, i->at_once);
    if (i->at_once > 1) {
        fprintf(to, " (%.2g %% slower than alone)", 100 * (i->slowdown - 1));
    }
}

#endif /* NOTES_H */
