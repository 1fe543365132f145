/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_request_check.c - what no single option of a measuring tool can tell. */
#include <config.h>

#include "tools/measure/measure_options.h"

#include <string.h>

static const double usual_tolerance = 0.2;

static int check_verification(const struct tool *tool, struct measure_request *r)
{
    if (r->tolerance > 0 && r->nverify == 0 && !r->update) {
        tool_error(tool, "--tolerance goes with %s only",
                   r->is_flat ? "--update" : "--verify or --update");
        return TOOL_USAGE;
    }
    r->tolerance = r->tolerance > 0 ? r->tolerance : usual_tolerance;
    if (r->refine && r->needs_crowds && !r->all_models) {
        tool_error(tool, "--refine does not go with -C %s", r->model);
        return TOOL_USAGE;
    }
    if (r->refine && r->nverify == 0) {
        tool_error(tool, "--refine goes with --verify K only");
        return TOOL_USAGE;
    }
    return TOOL_DONE;
}

/* An update is short and checks by itself; what is measured in full depends on what the checks say. */
static int check_update(const struct tool *tool, const struct measure_request *r)
{
    const char *other = r->all_models    ? "-C all: it keeps the formula of the earlier model"
                        : r->nverify > 0 ? "--verify: it checks every class by itself"
                        : r->run.journal ? "--journal: it is short, and is begun anew"
                                         : NULL;

    if (!r->update) {
        return TOOL_DONE;
    }
    if (other) {
        tool_error(tool, "--update does not go with %s", other);
        return TOOL_USAGE;
    }
    if (r->input && strcmp(r->update, "-") == 0 && strcmp(r->input, "-") == 0) {
        tool_error(tool, "standard input cannot be both the model of --update and the hierarchy");
        return TOOL_USAGE;
    }
    return TOOL_DONE;
}

/* Of two files in one place only the last would be left, and on standard output they would mix. */
static int check_outputs(const struct tool *tool, const struct measure_request *r)
{
    const struct {
        const char *option, *path;
    } outputs[] = {{"-o", r->output},
                   {"--annotate", r->annotate},
                   {"--points", r->points},
                   {"--journal", r->run.journal}};

    for (size_t i = 0; i < sizeof(outputs) / sizeof(outputs[0]); i++) {
        for (size_t k = 0; k < i; k++) {
            if (outputs[i].path && outputs[k].path &&
                strcmp(outputs[i].path, outputs[k].path) == 0 &&
                strcmp(outputs[i].path, "/dev/null") != 0) {
                tool_error(tool, "%s and %s name the same file, '%s'", outputs[k].option,
                           outputs[i].option, outputs[i].path);
                return TOOL_USAGE;
            }
        }
    }
    return TOOL_DONE;
}

int measure_request_check(const struct tool *tool, struct measure_request *r,
                          const struct range *range)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;

    if ((!r->input && !r->is_flat) || (!r->output && !r->run.dry_run)) {
        tool_error(tool, "%s is needed; see %s --help",
                   !r->input && !r->is_flat ? "-i FILE (a hierarchy)"
                                            : "-o FILE (the model file to write)",
                   tool->name);
        return TOOL_USAGE;
    }
    if (measure_choose_experiments(r, &diag) != HITOP_OK) {
        return tool_bad_option(tool, "--model", &diag);
    }
    if (measure_choose_sizes(r, range, &diag) != HITOP_OK) {
        tool_error(tool, "-m, -M, -S: %s", diag.message);
        return TOOL_USAGE;
    }
    if (range->asking && (!range->has_stride || range->stride > 0)) {
        tool_error(tool, "-%c goes with -S 0 only", range->asking);
        return TOOL_USAGE;
    }
    r->options.sizes = r->sizes;
    r->triple_sizes[1] = measure_middling_size(r);
    if (r->sizes[0] > 0 && (r->needs_triples || r->options.experiments != HITOP_SET(HITOP_ECHO))) {
        tool_error(tool, "-m: model %s needs messages of 0 bytes", r->model);
        return TOOL_USAGE;
    }
    if (r->options.min_samples > r->options.max_samples) {
        tool_error(tool, "-r: %d samples are more than the %d that -R allows",
                   r->options.min_samples, r->options.max_samples);
        return TOOL_USAGE;
    }
    if (r->noise > 0 && !r->simulate) {
        tool_error(tool, "--noise goes with --simulate only");
        return TOOL_USAGE;
    }
    if (measure_run_check(tool, &r->run) != TOOL_DONE || measure_fans_check(tool, r) != TOOL_DONE ||
        measure_check_triples(tool, r) != TOOL_DONE || check_verification(tool, r) != TOOL_DONE ||
        check_update(tool, r) != TOOL_DONE || check_outputs(tool, r) != TOOL_DONE) {
        return TOOL_USAGE;
    }
    return TOOL_DONE;
}
