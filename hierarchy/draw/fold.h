/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FOLD_H
#define FOLD_H

/* fold.h - which elements are drawn as one, and down to which depth. */

#include "hierarchy/draw/draw.h"

#include "hierarchy/tree/element.h"

struct fold {
    char *is_folded; /* by depth: alike elements of one group are drawn as one */
    int folds_hosts; /* alike hosts of one group are, whatever their depth */
    int depth;       /* elements at this depth are drawn without their contents */
};

/*
 * Find what keeps a drawing within the limits. Lines of the root afterwards tell whether it was
 * possible. Only fails with HITOP_ERR_NOMEM, and then without a message.
 */
HITOP_MUST_CHECK enum hitop_status hitop_fold_choose(struct fold *fold, struct elements *e,
                                                     const struct hitop_drawing_limits *limits);

/* Are the contents of an element drawn? */
int hitop_fold_is_open(const struct fold *fold, const struct element *x);

/* Are alike siblings of an element drawn with it? */
int hitop_fold_joins(const struct fold *fold, const struct element *x);

/* Is an element drawn, where its group is open? */
int hitop_fold_is_drawn(const struct fold *fold, const struct elements *e, int index);

void hitop_fold_clear(struct fold *fold);

#endif /* FOLD_H */
