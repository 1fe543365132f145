/* SPDX-License-Identifier: BSD-3-Clause */
/* model_crossings.c - the ways that messages between groups share. */
#include <config.h>

#include "model_impl.h"

#include <math.h>

int model_crossings(const void *self, int from, int to, size_t bytes, struct hitop_crossing *out)
{
    const struct hitop_model *model = self;
    const struct hitop_hierarchy *h = model->hierarchy;
    const int nranks = hitop_hierarchy_nranks(h), meet = hitop_hierarchy_lca(h, from, to);
    double transfer = -1; /* not asked for yet */
    int n = 0;

    for (int in = 0; in < 2 && from != to; in++) {
        for (int node = hitop_hierarchy_parent(h, in ? to : from); node != meet;
             node = hitop_hierarchy_parent(h, node)) {
            const double capacity = hitop_hierarchy_capacity(h, node);
            if (capacity > 0 && transfer < 0) {
                transfer = fmax(0, hitop_model_p2p(model, from, to, bytes) -
                                       hitop_model_p2p(model, from, to, 0));
            }
            if (capacity > 0) {
                out[n++] = (struct hitop_crossing){2 * (node - nranks) + in, transfer / capacity};
            }
        }
    }
    return n;
}
