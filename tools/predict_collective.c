/* SPDX-License-Identifier: BSD-3-Clause */
/* predict_collective.c - print what a collective would cost on the machine of a model file. */
#include <config.h>

#include "predict_options.h"

#include "hitop/output.h"
#include "hitop/sys/coll.h"
#include "hitop/sys/tree.h"

#include <stdlib.h>
#include <string.h>

static int has_param(const struct hitop_param *params, size_t nparams, const char *text)
{
    const size_t length = strcspn(text, "=");

    for (size_t i = 0; i < nparams; i++) {
        if (strlen(params[i].name) == length && strncmp(params[i].name, text, length) == 0) {
            return 1;
        }
    }
    return 0;
}

/* Set one parameter of a way, of the tree where both or neither have it. */
static enum hitop_status assign(struct predict_settings *s, struct hitop_way way, const char *text,
                                struct hitop_diag *diag)
{
    const struct hitop_coll_type *type = way.type;
    const struct hitop_tree_builder *tree = way.tree;

    if (tree && tree->nparams > 0 && !has_param(type->params, type->nparams, text)) {
        return hitop_params_assign(tree->name, tree->params, tree->nparams, text, s->tree_params,
                                   diag);
    }
    return hitop_params_assign(type->name, type->params, type->nparams, text, s->coll_params, diag);
}

/* Apply --param to the parameters of the algorithm and of its tree. */
static enum hitop_status assign_params(struct predict_settings *s, struct hitop_diag *diag)
{
    const struct hitop_operation *operation;
    struct hitop_way way = {NULL, NULL};
    enum hitop_status status;

    if (s->nparams == 0) {
        return HITOP_OK;
    }
    status = hitop_operation_find(s->request.operation, &operation, diag);
    if (status == HITOP_OK) {
        status = hitop_way_find(operation, s->request.algorithm, &way, diag);
    }
    if (status == HITOP_OK && (way.type->nparams > PREDICT_MAX_PARAMS ||
                               (way.tree && way.tree->nparams > PREDICT_MAX_PARAMS))) {
        status = HITOP_ERR_UNSUPPORTED;
    }
    if (status == HITOP_OK) {
        status = hitop_params_check(way.type->name, way.type->params, way.type->nparams, NULL,
                                    s->coll_params, diag);
    }
    if (status == HITOP_OK && way.tree) {
        status = hitop_params_check(way.tree->name, way.tree->params, way.tree->nparams, NULL,
                                    s->tree_params, diag);
        s->request.tree_params = s->tree_params;
    }
    for (int i = 0; i < s->nparams && status == HITOP_OK; i++) {
        status = assign(s, way, s->params[i], diag);
    }
    s->request.params = s->coll_params;
    return status;
}

/* Ranks must be in the model. */
static int check_ranks(struct predict_settings *s)
{
    struct predict_request *r = &s->request;
    const int known = hitop_model_nranks(r->model);
    const int p2p = predict_is_p2p(r);

    r->ranks = s->ranks > 0 ? s->ranks : known;
    r->root = p2p ? (s->from >= 0 ? s->from : 0) : (s->root >= 0 ? s->root : 0);
    r->to = s->to >= 0 ? s->to : 1;
    if (r->ranks > known) {
        tool_error(&predict_tool, "-n: %d ranks, but %s prices %d", r->ranks, r->model_path, known);
        return TOOL_USAGE;
    }
    if (r->root >= r->ranks || (p2p && r->to >= r->ranks)) {
        tool_error(&predict_tool, "rank %d is not in 0..%d", r->root >= r->ranks ? r->root : r->to,
                   r->ranks - 1);
        return TOOL_USAGE;
    }
    return TOOL_DONE;
}

static enum hitop_status print(const struct predict_report *report,
                               const struct predict_settings *s, FILE *out, struct hitop_diag *diag)
{
    if (s->format == PREDICT_JSON) {
        return predict_print_json(report, out, diag);
    }
    if (s->format == PREDICT_CSV) {
        predict_print_csv(report, out);
        return HITOP_OK;
    }
    predict_print_text(report, out);
    return s->explain ? predict_explain(report, out, diag) : HITOP_OK;
}

static int answer(const struct predict_settings *s)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_output *output = NULL;
    struct predict_report report = {0};
    enum hitop_status status = predict_report_init(&report, &s->request, &diag);

    if (status == HITOP_OK && s->draw) {
        status = predict_draw(&report, s->draw, &diag);
    }
    if (status == HITOP_OK) {
        status = hitop_output_open(s->output, &output, &diag);
    }
    if (status == HITOP_OK) {
        status = print(&report, s, hitop_output_stream(output), &diag);
        if (status == HITOP_OK) {
            status = hitop_output_commit(output, &diag);
        } else {
            hitop_output_discard(output);
        }
    }
    predict_report_fini(&report);
    return status == HITOP_OK ? TOOL_DONE : tool_fail(&predict_tool, status, &diag);
}

static int run(struct predict_settings *s)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct predict_request *r = &s->request;
    enum hitop_status status;
    int result;

    if (!r->model_path || !r->operation) {
        tool_error(&predict_tool, "%s is missing; see %s --help",
                   r->model_path ? "-O OP" : "-i MODEL", predict_tool.name);
        return TOOL_USAGE;
    }
    result = predict_check(s);
    if (result != TOOL_DONE) {
        return result;
    }
    status = sizes_make(&s->sizes, &r->sizes, &r->nsizes, &diag);
    if (status == HITOP_OK && s->draw && r->nsizes > 1) {
        tool_error(&predict_tool, "--draw: %zu sizes; take one, such as --sizes 64k", r->nsizes);
        return TOOL_USAGE;
    }
    if (status == HITOP_OK) {
        status = assign_params(s, &diag);
    }
    if (status != HITOP_OK) {
        return tool_fail(&predict_tool, status, &diag);
    }
    status = hitop_model_read(r->model_path, &r->model, &diag);
    if (status != HITOP_OK) {
        const int result_of_read = tool_fail(&predict_tool, status, &diag);
        return status == HITOP_ERR_IO ? TOOL_BAD_INPUT : result_of_read;
    }
    r->cost = hitop_cost_ports(hitop_model_cost(r->model), r->ports);
    result = check_ranks(s);
    return result == TOOL_DONE ? answer(s) : result;
}

int main(int argc, char **argv)
{
    struct predict_settings s = {
        .sizes = SIZES_INIT, .ranks = -1, .root = -1, .from = -1, .to = -1, .output = "-"};
    int result;

    if (tool_help_or_version(&predict_tool, argc, argv)) {
        return tool_finish(&predict_tool);
    }
    result = predict_parse(argc, argv, &s);
    if (result == TOOL_DONE && s.list) {
        predict_list(stdout);
        result = tool_finish(&predict_tool);
    } else if (result == TOOL_DONE) {
        result = run(&s);
    }
    hitop_model_free(s.request.model);
    free(s.request.sizes);
    free(s.operation);
    return result;
}
