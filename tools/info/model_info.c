/* SPDX-License-Identifier: BSD-3-Clause */
/* model_info.c - tell what is in a model file. */
#include <config.h>

#include "tools/info/info_options.h"

#include "hitop/output.h"

#include <stdlib.h>

static enum hitop_status write_as(const struct info_request *request, FILE *to,
                                  struct hitop_diag *diag)
{
    struct hitop_model *model = NULL;
    enum hitop_status status = hitop_model_convert(request->model, request->as, &model, diag);

    if (status == HITOP_OK) {
        status = hitop_model_write(model, to, diag);
    }
    hitop_model_free(model);
    return status;
}

static enum hitop_status write_answer(const struct info_request *request, int *is_same, FILE *to,
                                      struct hitop_diag *diag)
{
    if (request->other) {
        return info_write_diff(request, is_same, to, diag);
    }
    if (request->as) {
        return write_as(request, to, diag);
    }
    if (request->matrix) {
        return info_write_matrix(request, to, diag);
    }
    switch (request->format) {
    case INFO_CSV:
        return info_write_csv(request, to, diag);
    case INFO_JSON:
        return info_write_json(request, to, diag);
    default:
        return info_write_text(request, to, diag);
    }
}

static int answer(const struct info_settings *s)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_output *output = NULL;
    int is_same = 1;
    enum hitop_status status = hitop_output_open(s->output, &output, &diag);

    if (status == HITOP_OK) {
        status = write_answer(&s->request, &is_same, hitop_output_stream(output), &diag);
        status = hitop_output_end(output, status, &diag);
    }
    if (status != HITOP_OK) {
        return tool_fail(&info_tool, status, &diag);
    }
    return is_same ? TOOL_DONE : TOOL_UNTRUSTED;
}

/* TOOL_DONE, or another exit status after saying why; *out is NULL where there is no path. */
static int read_model(const char *path, struct hitop_model **out)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const enum hitop_status status = path ? hitop_model_read(path, out, &diag) : HITOP_OK;

    if (status == HITOP_OK) {
        return TOOL_DONE;
    }
    return tool_fail(&info_tool, status == HITOP_ERR_IO ? HITOP_ERR_FORMAT : status, &diag);
}

/* Prices of ranks can be compared when both models have them. */
static int check_ranks(const struct info_request *r)
{
    if (r->other && hitop_model_nranks(r->model) != hitop_model_nranks(r->other)) {
        tool_error(&info_tool, "%s has %d ranks, %s has %d: only models of the same ranks compare",
                   r->other_path, hitop_model_nranks(r->other), r->path,
                   hitop_model_nranks(r->model));
        return TOOL_BAD_INPUT;
    }
    return TOOL_DONE;
}

int main(int argc, char **argv)
{
    struct info_settings s = {.request = {.worst = 5,
                                          .sizes = {.max = (size_t)1 << 20},
                                          .max_pairs = 1000000,
                                          .seed = 1,
                                          .tolerance = 0.05},
                              .output = "-"};
    struct hitop_model *model = NULL, *other = NULL;
    int result;

    if (tool_help_or_version(&info_tool, argc, argv)) {
        return tool_finish(&info_tool);
    }
    result = info_parse(argc, argv, &s);
    if (result == TOOL_DONE) {
        result = read_model(s.request.path, &model);
    }
    if (result == TOOL_DONE) {
        result = read_model(s.request.other_path, &other);
    }
    if (result == TOOL_DONE) {
        s.request.model = model;
        s.request.other = other;
        result = check_ranks(&s.request);
    }
    if (result == TOOL_DONE) {
        result = s.plot ? info_plot(&s.request, s.plot, s.points) : answer(&s);
    }
    hitop_model_free(other);
    hitop_model_free(model);
    free(s.request.bytes);
    return result;
}
