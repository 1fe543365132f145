/* SPDX-License-Identifier: BSD-3-Clause */
/* model_info.c - tell what is in a model file. */
#include <config.h>

#include "info_options.h"

#include "hitop/output.h"

static enum hitop_status write_answer(const struct info_request *request, FILE *to,
                                      struct hitop_diag *diag)
{
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
    enum hitop_status status = hitop_output_open(s->output, &output, &diag);

    if (status == HITOP_OK) {
        status = write_answer(&s->request, hitop_output_stream(output), &diag);
        if (status == HITOP_OK) {
            status = hitop_output_commit(output, &diag);
        } else {
            hitop_output_discard(output);
        }
    }
    return status == HITOP_OK ? TOOL_DONE : tool_fail(&info_tool, status, &diag);
}

/* TOOL_DONE, or another exit status after saying why. */
static int read_model(const char *path, struct hitop_model **out)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const enum hitop_status status = hitop_model_read(path, out, &diag);

    if (status == HITOP_OK) {
        return TOOL_DONE;
    }
    return tool_fail(&info_tool, status == HITOP_ERR_IO ? HITOP_ERR_FORMAT : status, &diag);
}

int main(int argc, char **argv)
{
    struct info_settings s = {.request = {.worst = 5, .sizes = {.max = (size_t)1 << 20}},
                              .output = "-"};
    struct hitop_model *model = NULL;
    int result;

    if (tool_help_or_version(&info_tool, argc, argv)) {
        return tool_finish(&info_tool);
    }
    result = info_parse(argc, argv, &s);
    if (result == TOOL_DONE) {
        result = read_model(s.request.path, &model);
    }
    if (result == TOOL_DONE) {
        s.request.model = model;
        result = answer(&s);
    }
    hitop_model_free(model);
    return result;
}
