/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_crowds.c - several pairs of ranks at once, where a model or the user asks for that. */
#include <config.h>

#include "tools/measure/measure.h"

#include "models/measure/concurrent_pairs.h"

#include <math.h>
#include <stdlib.h>

/* All ranks learn the plan of the rank that made it. */
static enum hitop_status share(const struct hitop_transport *t, struct hitop_crowd_plan *plan,
                               struct hitop_diag *diag)
{
    int size[] = {plan->npairs, plan->ncrowds, (int)plan->what, plan->is_probe, plan->is_optional};
    enum hitop_status status = t->share(t->self, size, sizeof(size), diag);

    if (status == HITOP_OK && t->rank > 0) {
        plan->npairs = size[0];
        plan->ncrowds = size[1];
        plan->what = (enum hitop_experiment)size[2];
        plan->is_probe = size[3];
        plan->is_optional = size[4];
        plan->pairs = calloc((size_t)size[0] + 1, sizeof(*plan->pairs));
        plan->begin = calloc((size_t)size[1] + 1, sizeof(*plan->begin));
        if (!plan->pairs || !plan->begin) {
            status = hitop_fail(diag, HITOP_ERR_NOMEM, "crowds: out of memory");
        }
    }
    status = measure_agree(t, status, diag);
    if (status == HITOP_OK && plan->ncrowds > 0) {
        status = t->share(t->self, plan->pairs, (size_t)plan->npairs * sizeof(*plan->pairs), diag);
        if (status == HITOP_OK) {
            status = t->share(t->self, plan->begin,
                              ((size_t)plan->ncrowds + 1) * sizeof(*plan->begin), diag);
        }
    }
    return status;
}

enum hitop_status measure_crowd_plan(const struct hitop_transport *transport,
                                     struct measure_result *result,
                                     struct hitop_measure_options *options,
                                     struct hitop_crowd_plan *plan, int nlinks,
                                     struct hitop_crowds *out, struct hitop_diag *diag)
{
    struct measure_run *run = &result->run;
    struct hitop_transport watched = *transport;
    const double limit = run->request->run.time_limit;
    enum hitop_status status = measure_run_agree(transport, run, diag);

    if (status != HITOP_OK || run->was_interrupted) {
        return status;
    }
    options->interrupted = measure_run_interrupted;
    measure_journal_join(run, options);
    if (limit > 0) {
        options->budget = fmin(options->budget, fmax(limit - run->elapsed, 0));
    }
    measure_watch_begin(run, &result->links, &watched);
    status = share(&watched, plan, diag);
    if (status == HITOP_OK) {
        status = hitop_crowds_measure(&watched, plan, nlinks, options, out, diag);
    }
    measure_watch_end();
    return status;
}

enum hitop_status measure_crowds(const struct hitop_transport *transport,
                                 struct measure_result *result, struct hitop_diag *diag)
{
    struct measure_part *links = &result->links;
    struct hitop_measure_options options = links->options;
    struct hitop_crowd_plan plan = {0};
    enum hitop_status status = HITOP_OK;

    options.part = "crowds";
    options.budget = measure_run_share(&result->run, "crowds");
    if (transport->rank <= 0) {
        status = hitop_crowds_choose(result->h, links->links, links->nlinks, &plan, diag);
    }
    status = measure_agree(transport, status, diag);
    if (status == HITOP_OK) {
        status = measure_crowd_plan(transport, result, &options, &plan, links->nlinks,
                                    &result->crowds, diag);
    }
    links->crowds = result->crowds.list;
    hitop_crowd_plan_clear(&plan);
    return status;
}
