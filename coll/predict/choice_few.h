/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CHOICE_FEW_H
#define CHOICE_FEW_H

/* choice_few.h - a few ranks that stand for many. */

#include "coll/predict/cost_view.h"

struct choice_few {
    struct hitop_cost cost; /* of the few, of which 0 stands for the root */
    struct cost_view view;
    int *rank; /* [cost.nranks] */
};

/* Take runs of neighbours from all over the first `size` ranks. Release with choice_few_fini(). */
enum hitop_status choice_few_init(struct choice_few *few, const struct hitop_cost *all, int size,
                                  int root, int count, struct hitop_diag *diag);
void choice_few_fini(struct choice_few *few);

#endif /* CHOICE_FEW_H */
