/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_scope.c - which sizes and experiments a request comes to. */
#include <config.h>

#include "tools/measure/measure_options.h"

#include "hitop/text.h"

#include <string.h>

size_t measure_middling_size(const struct measure_request *r)
{
    size_t best = r->sizes[r->options.nsizes - 1];

    for (int i = r->options.nsizes - 1; i > 0 && best > 32768; i--) {
        best = r->sizes[i];
    }
    return best;
}

enum hitop_status measure_choose_sizes(struct measure_request *r, const struct range *range,
                                       struct hitop_diag *diag)
{
    struct hitop_measure_options *o = &r->options;

    if (!range->has_stride || range->stride > 0) {
        return hitop_sizes_choose(range->min, range->max, range->stride, &r->sizes, &o->nsizes,
                                  diag);
    }
    o->max_sizes = range->max_num;
    o->refinement.confidence = o->confidence;
    if (!(o->refinement.eps > 0)) {
        o->refinement.eps = o->eps;
    }
    if (o->refinement.min_stride == 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "-s must be more than 0");
    }
    return hitop_sizes_start(range->min, range->max, &r->sizes, &o->nsizes, diag);
}

enum hitop_status measure_choose_experiments(struct measure_request *r, struct hitop_diag *diag)
{
    const struct hitop_model_type *type = NULL;
    struct hitop_diag found = HITOP_DIAG_INIT;

    r->options.experiments = HITOP_SET(HITOP_ECHO);
    r->all_models = strcmp(r->model, "all") == 0;
    r->is_auto = strcmp(r->model, "auto") == 0; /* whose two formulas need echoes only */
    if (!r->all_models && !r->is_auto &&
        hitop_model_type_find(r->model, &type, &found) != HITOP_OK) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "%s, all or auto", found.message);
    }
    for (int i = 0; hitop_model_types()[i]; i++) {
        const struct hitop_model_type *x = hitop_model_types()[i];
        if (x == type || (r->all_models && x->fit)) {
            r->options.experiments |= x->needs;
            r->needs_triples = r->needs_triples || x->nprocessor_params > 0;
            r->needs_crowds = r->needs_crowds || x->needs_crowds;
        }
    }
    return HITOP_OK;
}

enum hitop_status measure_read_triples(const char *text, struct measure_request *r,
                                       struct hitop_diag *diag)
{
    if (strcmp(text, "all") == 0) {
        r->npasses = 0;
        return HITOP_OK;
    }
    return hitop_text_int(text, 1, 1000, &r->npasses, NULL) == HITOP_OK
               ? HITOP_OK
               : hitop_fail(diag, HITOP_ERR_INVALID,
                            "'%s' is neither all nor a number from 1 to 1000", text);
}

int measure_check_triples(const struct tool *tool, const struct measure_request *r)
{
    if (r->npasses >= 0 && !r->needs_triples) {
        tool_error(tool, "--triples: model %s knows nothing of processors; lmo does", r->model);
        return TOOL_USAGE;
    }
    return TOOL_DONE;
}
