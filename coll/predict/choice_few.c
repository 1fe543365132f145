/* SPDX-License-Identifier: BSD-3-Clause */
/* choice_few.c - a few ranks that stand for many. */
#include <config.h>

#include "coll/predict/choice_few.h"

#include <stdint.h>
#include <stdlib.h>

/* Neighbours in rank may be on one host. */
enum { RUN = 8 };

/* A run from each stretch of ranks, anywhere in it: in step with nothing that the ranks are in step with. */
static void draw_ranks(int *rank, int size, int root, int count)
{
    const int runs = count / RUN, stretch = size / runs;
    uint32_t state = 1;

    for (int i = 0; i < runs; i++) {
        state = state * UINT32_C(1664525) + UINT32_C(1013904223);
        for (int j = 0; j < RUN; j++) {
            rank[i * RUN + j] =
                i * stretch + (int)((state >> 8) % (uint32_t)(stretch - RUN + 1)) + j;
        }
    }
    for (int i = 1; i < count; i++) { /* the root comes first, and once */
        if (rank[i] == root) {
            rank[i] = rank[0];
        }
    }
    rank[0] = root;
}

enum hitop_status choice_few_init(struct choice_few *few, const struct hitop_cost *all, int size,
                                  int root, int count, struct hitop_diag *diag)
{
    int *rank = calloc((size_t)count, sizeof(*rank));

    *few = (struct choice_few){.rank = rank};
    if (!rank) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "choice: out of memory");
    }
    draw_ranks(rank, size, root, count);
    few->view = (struct cost_view){.all = all, .rank = rank};
    few->cost = cost_view(&few->view, count);
    return HITOP_OK;
}

void choice_few_fini(struct choice_few *few)
{
    free(few->rank);
}
