/* SPDX-License-Identifier: BSD-3-Clause */
/* predict_collective.c - print what a collective would cost on the machine of a model file. */
#include <config.h>

#include "tools/predict/predict_setup.h"
#include "tools/predict/predict_write_rules.h"

#include "hitop/output.h"

#include <stdlib.h>
#include <string.h>

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
        status = hitop_output_end(output, status, &diag);
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

    if (!r->operation && s->write_rules) {
        s->all = 1;
        r->operation = hitop_operations()->name; /* the first of all */
    }
    if (!r->model_path || !r->operation) {
        tool_error(&predict_tool, "%s is missing; see %s --help",
                   r->model_path ? "-O OP" : "-i MODEL", predict_tool.name);
        return TOOL_USAGE;
    }
    result = predict_check(s);
    if (result != TOOL_DONE) {
        return result;
    }
    if (!s->sizes.list && !s->sizes.range_given && !s->write_rules) {
        s->sizes.list = "1k,4k,16k,64k,256k,1m";
    }
    status = sizes_make(&s->sizes, &r->sizes, &r->nsizes, &diag);
    if (status == HITOP_OK && s->draw && r->nsizes > 1) {
        tool_error(&predict_tool, "--draw: %zu sizes; take one, such as --sizes 64k", r->nsizes);
        return TOOL_USAGE;
    }
    if (status != HITOP_OK) {
        return tool_fail(&predict_tool, status, &diag);
    }
    status = hitop_model_read(r->model_path, &r->model, &diag);
    if (status != HITOP_OK) {
        const int result_of_read = tool_fail(&predict_tool, status, &diag);
        return status == HITOP_ERR_IO ? TOOL_BAD_INPUT : result_of_read;
    }
    result = predict_setup(s);
    if (result == TOOL_DONE && s->write_rules) {
        status = predict_write_rules(r, s->all, s->write_rules, &diag);
        return status == HITOP_OK ? TOOL_DONE : tool_fail(&predict_tool, status, &diag);
    }
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
    hitop_rules_free(s.request.rules);
    free(s.starts);
    free(s.request.sizes);
    free(s.operation);
    return result;
}
