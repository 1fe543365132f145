/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_platform.c - hierarchical_model --from-simgrid: a model of a platform file, without
 * messages. */
#include <config.h>

#include "models/simgrid/platform.h"
#include "tools/measure/measure.h"

/* Options that measure, or NULL. */
static const char *find_conflict(const struct measure_request *r)
{
    return r->input              ? "-i"
           : r->points           ? "--points"
           : r->simulate         ? "--simulate"
           : r->update           ? "--update"
           : r->journal          ? "--journal"
           : r->dry_run          ? "--dry-run"
           : r->campaign.nverify ? "--verify"
                                 : NULL;
}

int measure_platform_check(const struct tool *tool, const struct measure_request *r)
{
    const char *conflict = r->platform ? find_conflict(r) : NULL;
    const struct tool_file output[] = {{"-o", r->output}, {"--annotate", r->annotate}};
    const struct tool_file input = {"--from-simgrid", r->platform};

    if (!r->platform && r->ranks_per_host >= 0) {
        tool_error(tool, "--ranks-per-host goes with --from-simgrid only");
        return TOOL_USAGE;
    }
    if (conflict) {
        tool_error(tool, "--from-simgrid measures nothing; it and %s exclude each other", conflict);
        return TOOL_USAGE;
    }
    return r->platform ? tool_keep_inputs(tool, output, 2, &input, 1) : TOOL_DONE;
}

static enum hitop_status write_model(const void *data, FILE *to, struct hitop_diag *diag)
{
    return hitop_model_write(data, to, diag);
}

static enum hitop_status write_annotated(const void *data, FILE *to, struct hitop_diag *diag)
{
    return measure_annotate(hitop_model_hierarchy(data), data, to, diag);
}

int measure_platform(const struct tool *tool, const struct measure_request *r)
{
    const struct platform_request request = {.path = r->platform,
                                             .ranks_per_host =
                                                 r->ranks_per_host < 0 ? 1 : r->ranks_per_host,
                                             .tool = tool->name,
                                             .command = r->command};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_model *model = NULL;
    char assumed[160] = "";
    double spread = 0;
    const enum hitop_status status =
        hitop_platform_model(&request, &model, assumed, &spread, &diag);
    int result = TOOL_DONE;

    if (status != HITOP_OK) {
        return tool_fail(tool, status == HITOP_ERR_IO ? HITOP_ERR_FORMAT : status, &diag);
    }
    if (!r->quiet) {
        tool_error(tool, "%s: %d ranks; %s", r->platform, hitop_model_nranks(model), assumed);
    }
    if (spread > 0.01) {
        tool_error(tool,
                   "warning: %s: routes between the same two groups differ by up to %.0f %%; the "
                   "model has those of their first hosts",
                   r->platform, 100 * spread);
    }
    result = tool_write_file(tool, r->output, write_model, model);
    if (result == TOOL_DONE && r->annotate) {
        result = tool_write_file(tool, r->annotate, write_annotated, model);
    }
    hitop_model_free(model);
    return result;
}
