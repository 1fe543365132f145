/* SPDX-License-Identifier: BSD-3-Clause */
/* predict_trace.c - record the activities of a simulated plan, and list levels of a hierarchy. */
#include <config.h>

#include "tools/predict/predict.h"

#include "src/grow.h"

#include <stdlib.h>
#include <string.h>

static void note(void *self, const struct hitop_activity *activity)
{
    struct predict_trace *t = self;

    if (!HITOP_GROW(t->activities, t->count, t->room)) {
        t->out_of_memory = 1;
        return;
    }
    t->activities[t->count++] = *activity;
}

enum hitop_status predict_trace_init(struct predict_trace *t, const struct predict_request *r,
                                     const struct hitop_plan *plan, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    *t = (struct predict_trace){.finish = calloc((size_t)r->ranks, sizeof(*t->finish))};
    if (t->finish) {
        status = hitop_choice_trace(&r->basis, plan, t->finish, note, t, diag);
    }
    return t->finish && !t->out_of_memory
               ? status
               : hitop_fail(diag, HITOP_ERR_NOMEM, "what happens: out of memory");
}

void predict_trace_fini(struct predict_trace *t)
{
    free(t->activities);
    free(t->finish);
}

/* The levels of a hierarchy in a list. */

int predict_level_of(struct predict_levels *levels, const char *name)
{
    int i = 0;

    while (i < levels->count && strcmp(levels->name[i], name) != 0) {
        i++;
    }
    if (i == levels->count && i < PREDICT_MAX_LEVELS) {
        levels->name[levels->count++] = name;
    }
    return i < PREDICT_MAX_LEVELS ? i : PREDICT_MAX_LEVELS - 1;
}

/* Inner nodes are numbered from the lowest upwards, so going down finds the outer levels first. */
struct predict_levels predict_levels(const struct hitop_hierarchy *h)
{
    struct predict_levels levels = {.count = 0};

    for (int node = hitop_hierarchy_nnodes(h) - 1; node >= hitop_hierarchy_nranks(h); node--) {
        int children;
        (void)hitop_hierarchy_children(h, node, &children);
        if (children > 1) { /* in other groups no two ranks meet */
            (void)predict_level_of(&levels, hitop_hierarchy_level(h, node));
        }
    }
    return levels;
}
