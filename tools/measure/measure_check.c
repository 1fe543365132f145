/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_check.c - checks of options that depend on each other. */
#include <config.h>

#include "tools/measure/measure.h"

#include <string.h>

static const double usual_tolerance = 0.2;

/* Choose all sizes; with -S 0 the first ones, between which the measurement adds others. */
static enum hitop_status choose_sizes(struct measure_request *r, struct hitop_diag *diag)
{
    const struct measure_range *range = &r->range;
    struct hitop_measure_options *o = &r->campaign.options;
    struct hitop_refinement *rule = &o->refinement;
    enum hitop_status status;

    if (range->stride > 0) {
        status = hitop_sizes_choose(range->min, range->max,
                                    range->stride == MEASURE_UNSET ? 0 : range->stride, &r->sizes,
                                    &o->nsizes, diag);
    } else {
        o->max_sizes = range->max_num > 0 ? range->max_num : 100;
        rule->confidence = o->confidence;
        rule->eps = rule->eps > 0 ? rule->eps : o->eps;
        rule->min_stride = rule->min_stride == MEASURE_UNSET ? 64 : rule->min_stride;
        status = rule->min_stride == 0
                     ? hitop_fail(diag, HITOP_ERR_INVALID, "-s must be more than 0")
                     : hitop_sizes_start(range->min, range->max, &r->sizes, &o->nsizes, diag);
    }
    o->sizes = r->sizes;
    return status;
}

static int check_sizes(const struct tool *tool, struct measure_request *r)
{
    struct hitop_campaign_request *c = &r->campaign;
    const struct hitop_refinement *rule = &c->options.refinement;
    const char adaptive = rule->min_stride != MEASURE_UNSET ? 's'
                          : r->range.max_num > 0            ? 'n'
                          : rule->eps > 0                   ? 'd'
                                                            : 0;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    if (choose_sizes(r, &diag) != HITOP_OK) {
        tool_error(tool, "-m, -M, -S: %s", diag.message);
        return TOOL_USAGE;
    }
    if (adaptive && r->range.stride > 0) {
        tool_error(tool, "-%c goes with -S 0 only", adaptive);
        return TOOL_USAGE;
    }
    if (hitop_campaign_resolve(c, &diag) != HITOP_OK) {
        return tool_bad_option(tool, "--model", &diag);
    }
    if (r->sizes[0] > 0 && (c->needs_triples || c->options.experiments != HITOP_SET(HITOP_ECHO))) {
        tool_error(tool, "-m: model %s needs messages of 0 bytes", c->type);
        return TOOL_USAGE;
    }
    if (c->options.min_samples > c->options.max_samples) {
        tool_error(tool, "-r: %d samples are more than the %d that -R allows",
                   c->options.min_samples, c->options.max_samples);
        return TOOL_USAGE;
    }
    return TOOL_DONE;
}

/* 1: models of a type have parameters for collectives. */
static int has_collective(const char *type)
{
    const struct hitop_model_type *found = NULL;

    return hitop_model_type_find(type, &found, NULL) == HITOP_OK && found->ncollective_params > 0;
}

static int check_model(const struct tool *tool, const struct measure_request *r)
{
    const struct hitop_campaign_request *c = &r->campaign;

    if (c->npasses >= 0 && !c->needs_triples) {
        tool_error(tool, "--triples: model %s knows nothing of processors; lmo does", c->type);
        return TOOL_USAGE;
    }
    if (!c->scatter_gather) {
        return TOOL_DONE;
    }
    if (!c->all_models && (c->is_auto || !has_collective(c->type))) {
        tool_error(tool, "--scatter-gather: model %s knows nothing of scatter and gather; lmo does",
                   c->type);
        return TOOL_USAGE;
    }
    if (r->simulate && !r->dry_run) {
        tool_error(tool, "--scatter-gather needs a job; a simulated network has no collectives");
        return TOOL_USAGE;
    }
    if (hitop_campaign_fan_sizes(c) < 8) {
        tool_error(tool, "--scatter-gather needs -M 32KiB or more");
        return TOOL_USAGE;
    }
    return TOOL_DONE;
}

static int check_verification(const struct tool *tool, struct measure_request *r)
{
    struct hitop_campaign_request *c = &r->campaign;

    if (c->tolerance > 0 && c->nverify == 0 && !r->update) {
        tool_error(tool, "--tolerance goes with %s only",
                   r->is_flat ? "--update" : "--verify or --update");
        return TOOL_USAGE;
    }
    c->tolerance = c->tolerance > 0 ? c->tolerance : usual_tolerance;
    if (c->refine && c->needs_pair_sets && !c->all_models) {
        tool_error(tool, "--refine does not go with -C %s", c->type);
        return TOOL_USAGE;
    }
    if (c->refine && c->nverify == 0) {
        tool_error(tool, "--refine goes with --verify K only");
        return TOOL_USAGE;
    }
    return TOOL_DONE;
}

/* Check the options that an update excludes. */
static int check_update(const struct tool *tool, const struct measure_request *r)
{
    const char *other = r->campaign.all_models ? "-C all: it keeps the formula of the earlier model"
                        : r->campaign.nverify > 0 ? "--verify: it checks every class by itself"
                        : r->journal              ? "--journal: it is short, and is begun anew"
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

/* Two outputs may not have the same file. */
static int check_outputs(const struct tool *tool, const struct measure_request *r)
{
    const struct tool_file outputs[] = {{"-o", r->output},
                                        {"--annotate", r->annotate},
                                        {"--points", r->points},
                                        {"--journal", r->journal}};

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

int measure_request_check(const struct tool *tool, struct measure_request *r)
{
    if ((!r->input && !r->is_flat) || (!r->output && !r->dry_run)) {
        tool_error(tool, "%s is needed; see %s --help",
                   !r->input && !r->is_flat ? "-i FILE (a hierarchy)"
                                            : "-o FILE (the model file to write)",
                   tool->name);
        return TOOL_USAGE;
    }
    if (check_sizes(tool, r) != TOOL_DONE) {
        return TOOL_USAGE;
    }
    if (r->noise > 0 && !r->simulate) {
        tool_error(tool, "--noise goes with --simulate only");
        return TOOL_USAGE;
    }
    if (r->resume && !r->journal) {
        tool_error(tool, "%s needs --journal FILE, from which to go on",
                   r->resume_anyway ? "--resume-anyway" : "--resume");
        return TOOL_USAGE;
    }
    return check_model(tool, r) == TOOL_DONE && check_verification(tool, r) == TOOL_DONE &&
                   check_update(tool, r) == TOOL_DONE && check_outputs(tool, r) == TOOL_DONE
               ? TOOL_DONE
               : TOOL_USAGE;
}
