/* SPDX-License-Identifier: BSD-3-Clause */
/* choice_few.c - a few ranks that stand for many. */
#include <config.h>

#include "choice_few.h"

#include <stdint.h>
#include <stdlib.h>

/* Neighbours in rank may be on one host. */
enum { RUN = 8 };

static double few_p2p(const void *self, int from, int to, size_t bytes)
{
    const struct choice_few *f = self;

    return f->all->p2p(f->all->self, f->rank[from], f->rank[to], bytes);
}

static double few_occupancy(const void *self, int from, int to, size_t bytes)
{
    const struct choice_few *f = self;

    return f->all->occupancy(f->all->self, f->rank[from], f->rank[to], bytes);
}

static double few_reception(const void *self, int from, int to, size_t bytes)
{
    const struct choice_few *f = self;

    return f->all->reception(f->all->self, f->rank[from], f->rank[to], bytes);
}

static size_t few_eager(const void *self, int from, int to)
{
    const struct choice_few *f = self;

    return f->all->eager(f->all->self, f->rank[from], f->rank[to]);
}

static double few_local(const void *self, int rank, size_t bytes)
{
    const struct choice_few *f = self;

    return f->all->local(f->all->self, f->rank[rank], bytes);
}

static int few_crossings(const void *self, int from, int to, size_t bytes,
                         struct hitop_crossing *out)
{
    const struct choice_few *f = self;

    return f->all->crossings(f->all->self, f->rank[from], f->rank[to], bytes, out);
}

/* A run from each stretch of ranks, anywhere in it: in step with nothing that the ranks are in step with. */
static void draw_ranks(struct choice_few *few, int size, int root, int count)
{
    const int runs = count / RUN, stretch = size / runs;
    uint32_t state = 1;

    for (int i = 0; i < runs; i++) {
        state = state * UINT32_C(1664525) + UINT32_C(1013904223);
        for (int j = 0; j < RUN; j++) {
            few->rank[i * RUN + j] =
                i * stretch + (int)((state >> 8) % (uint32_t)(stretch - RUN + 1)) + j;
        }
    }
    for (int i = 1; i < count; i++) { /* the root comes first, and once */
        if (few->rank[i] == root) {
            few->rank[i] = few->rank[0];
        }
    }
    few->rank[0] = root;
}

enum hitop_status choice_few_init(struct choice_few *few, const struct hitop_cost *all, int size,
                                  int root, int count, struct hitop_diag *diag)
{
    *few = (struct choice_few){.all = all, .rank = calloc((size_t)count, sizeof(int))};
    if (!few->rank) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "choice: out of memory");
    }
    draw_ranks(few, size, root, count);
    few->cost = (struct hitop_cost){.self = few,
                                    .nranks = count,
                                    .p2p = few_p2p,
                                    .occupancy = few_occupancy,
                                    .reception = all->reception ? few_reception : NULL,
                                    .eager = all->eager ? few_eager : NULL,
                                    .local = all->local ? few_local : NULL,
                                    .crossings = all->crossings ? few_crossings : NULL,
                                    .ntrunks = all->ntrunks,
                                    .max_crossings = all->max_crossings};
    return HITOP_OK;
}

void choice_few_fini(struct choice_few *few)
{
    free(few->rank);
}
