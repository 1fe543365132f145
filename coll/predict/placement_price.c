/* SPDX-License-Identifier: BSD-3-Clause */
/* placement_price.c - a class for each group that has links, or for each two members of it. */
#include <config.h>

#include "coll/predict/placement_price.h"

#include <stdlib.h>

/* Classes so far. */
struct collection {
    struct hitop_class *classes;
    int n, room;
};

/* Room for one more class, or NULL. */
static struct hitop_class *next_class(struct collection *c)
{
    if (c->n == c->room) {
        const int room = 2 * c->room + 16;
        struct hitop_class *more = realloc(c->classes, (size_t)room * sizeof(*more));
        if (!more) {
            return NULL;
        }
        c->classes = more;
        c->room = room;
    }
    return &c->classes[c->n++];
}

/* All classes of one group; 0 when out of memory. */
static int price_group(const struct hitop_hierarchy *h, int node, hitop_price_links *price,
                       const void *context, struct collection *all)
{
    int count;
    const int *member = hitop_hierarchy_children(h, node, &count);

    for (int x = 0; x < count; x++) {
        for (int y = x + 1; y < count; y++) {
            const int pair[2] = {member[x], member[y]};
            struct hitop_class *c = next_class(all);
            if (!c) {
                return 0;
            }
            *c = (struct hitop_class){.node = node, .pair = {HITOP_NO_RANK, HITOP_NO_RANK}};
            if (price(context, h, node, pair, c)) {
                return 1;
            }
            c->between[0] = pair[0];
            c->between[1] = pair[1];
        }
    }
    return 1;
}

enum hitop_status hitop_placement_price(const struct hitop_model_parts *parts,
                                        hitop_price_links *price, const void *context,
                                        struct hitop_model **out, struct hitop_diag *diag)
{
    const struct hitop_hierarchy *h = parts->hierarchy;
    struct hitop_model_parts complete = *parts;
    struct collection all = {0};
    enum hitop_status status = HITOP_OK;

    for (int node = hitop_hierarchy_nranks(h); node < hitop_hierarchy_nnodes(h); node++) {
        if (!price_group(h, node, price, context, &all)) {
            free(all.classes);
            return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
        }
    }
    complete.classes = all.classes;
    complete.nclasses = all.n;
    status = hitop_model_build(&complete, out, diag);
    free(all.classes);
    return status;
}
