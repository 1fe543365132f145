/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef UPDATE_IMPL_H
#define UPDATE_IMPL_H

/* update_impl.h - links and the classes of an earlier model. */

#include "hitop/update.h"

static inline const struct hitop_class *class_of_link(const struct hitop_model *model,
                                                      const struct hitop_link *link)
{
    return hitop_model_class_of(model, link->rank[0], link->rank[1]);
}

static inline int class_index(const struct hitop_model *model, const struct hitop_link *link)
{
    return (int)(class_of_link(model, link) - hitop_model_class(model, 0));
}

/* Whether a link is that by which its class was measured, or the same backwards. */
static inline int is_own_link(const struct hitop_class *c, const struct hitop_link *link)
{
    return (c->pair[0] == link->rank[0] && c->pair[1] == link->rank[1]) ||
           (c->pair[0] == link->rank[1] && c->pair[1] == link->rank[0]);
}

#endif /* UPDATE_IMPL_H */
