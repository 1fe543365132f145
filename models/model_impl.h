/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MODEL_IMPL_H
#define MODEL_IMPL_H

/* model_impl.h - what the files of the model object share. */

#include "hitop/sys/model.h"

/* Check one class, given the numbers of its own parameters, as hitop_model_build() does. */
enum hitop_status model_check_class(const struct hitop_model_type *type,
                                    const struct hitop_hierarchy *h,
                                    const struct hitop_class *class, struct hitop_diag *diag);

/* A copy of a hierarchy, attributes included. */
enum hitop_status model_copy_hierarchy(const struct hitop_hierarchy *h,
                                       struct hitop_hierarchy **out, struct hitop_diag *diag);

/* A group is priced when two of its ranks can meet in it. */
static inline int model_is_priced(const struct hitop_hierarchy *h, int node)
{
    int count;

    (void)hitop_hierarchy_children(h, node, &count);
    return count > 1;
}

#endif /* MODEL_IMPL_H */
