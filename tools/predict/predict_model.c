/* SPDX-License-Identifier: BSD-3-Clause */
/* predict_model.c - read the model of a request, or make that of a regular shape. */
#include <config.h>

#include "tools/common/model_input.h"
#include "tools/predict/predict.h"

#include "hitop/input.h"
#include "hitop/sys/model.h"

/* Replace the model by one of another formula. */
static enum hitop_status convert_model(struct predict_request *r, const struct hitop_model_type *to,
                                       struct hitop_diag *diag)
{
    struct hitop_model *other = NULL;
    const enum hitop_status status = hitop_model_convert(r->model, to->name, &other, diag);

    if (status == HITOP_OK) {
        hitop_model_free(r->model);
        r->model = other;
    }
    return status;
}

/* Read the model of the request; its formula becomes that of -C, or of a name of CPM. */
static int read_file(struct predict_settings *s)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct predict_request *r = &s->request;
    const struct hitop_model_type *wanted = NULL;
    const char *const name = s->type ? s->type : r->model_name, *found;
    enum hitop_status status = tool_model_read(r->model_path, s->ranks_per_host, &r->model, &diag);

    if (status != HITOP_OK) {
        const int result = tool_fail(s->tool, status, &diag);
        return status == HITOP_ERR_IO ? TOOL_BAD_INPUT : result;
    }
    if (hitop_model_type_find(name ? name : "", &wanted, NULL) != HITOP_OK ||
        wanted == hitop_model_type_of(r->model) || convert_model(r, wanted, &diag) == HITOP_OK) {
        return TOOL_DONE;
    }
    found = hitop_model_type_of(r->model)->name;
    if (s->type) {
        tool_error(s->tool, "-C: %s is a %s model: %s; hierarchical_model -C %s measures one",
                   hitop_input_name(r->model_path), found, diag.message, wanted->name);
        return TOOL_USAGE;
    }
    tool_error(s->tool, "%s is a %s model; the prediction uses it, and not %s",
               hitop_input_name(r->model_path), found, name);
    return TOOL_DONE;
}

int predict_check_model(const struct predict_settings *s)
{
    if (s->nprices > 0 && !s->shape) {
        tool_error(s->tool, "--price is for levels of --shape");
        return TOOL_USAGE;
    }
    if (s->ranks_per_host > 0 && !s->request.model_path) {
        tool_error(s->tool, "--ranks-per-host is for a hierarchy file: -i FILE");
        return TOOL_USAGE;
    }
    return TOOL_DONE;
}

/* Parse --shape and --price. */
static int parse_shape(struct predict_settings *s)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct whatif_shape *shape = &s->request.shape;

    if (hitop_whatif_parse_shape(s->shape, shape, &diag) != HITOP_OK) {
        return tool_bad_option(s->tool, "--shape", &diag);
    }
    for (int i = 0; i < s->nprices; i++) {
        if (hitop_whatif_parse_prices(s->prices[i], shape, &diag) != HITOP_OK) {
            return tool_bad_option(s->tool, "--price", &diag);
        }
    }
    return TOOL_DONE;
}

/* Replace the model, or none, by that of the shape. */
static int make_shape(struct predict_settings *s)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct predict_request *r = &s->request;
    struct hitop_model *model = NULL;
    const enum hitop_status status = hitop_whatif_shaped(&r->shape, r->model, &model, &diag);

    if (status == HITOP_ERR_NOMEM) {
        return tool_fail(s->tool, status, &diag);
    }
    if (status != HITOP_OK) {
        return tool_bad_option(s->tool, status == HITOP_ERR_INVALID ? "--price" : "--shape", &diag);
    }
    hitop_model_free(r->model);
    r->model = model;
    if (!r->model_path) {
        r->model_path = s->shape; /* as title of the model */
    }
    return TOOL_DONE;
}

int predict_read_model(struct predict_settings *s)
{
    int result = s->shape ? parse_shape(s) : TOOL_DONE;

    if (result == TOOL_DONE && s->request.model_path) {
        result = read_file(s);
    }
    if (result == TOOL_DONE && s->shape) {
        result = make_shape(s);
    }
    return result;
}
