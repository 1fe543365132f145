/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAPACITY_NOTE_H
#define CAPACITY_NOTE_H

/* capacity_note.h - the line about a model without measured capacities. */

#include "hitop/model.h"

#include <stdio.h>

/* Nothing where all that messages between hosts share is known. */
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

#endif /* CAPACITY_NOTE_H */
